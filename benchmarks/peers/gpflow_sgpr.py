"""GPflow's SGPR on the shared problems. Runs in the peers' own environment; prints one JSON object."""

import json
import os
import sys
import time
from pathlib import Path

threads = int(sys.argv[2])
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", OMP_NUM_THREADS=str(threads))

import gpflow  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from problems import NOISE, PROBLEMS, make  # noqa: E402

tf.config.threading.set_intra_op_parallelism_threads(threads)
tf.config.threading.set_inter_op_parallelism_threads(1)
k = gpflow.kernels


def se(dim, variance, lengthscale):
    return k.SquaredExponential(variance, lengthscale, active_dims=[dim - 1])


def per(dim, variance, lengthscale, period):
    # GPflow divides by 2ℓ² where the paper divides by λ²/2.
    return k.Periodic(k.SquaredExponential(variance, lengthscale / 2, active_dims=[dim - 1]), period)


def lin(dim, variance):
    return k.Linear(variance, active_dims=[dim - 1])


def kernel(inputs):
    if inputs == 4:
        return se(1, 1.1, 0.9) + se(2, 0.8, 1.2) * lin(3, 0.6) + per(4, 0.7, 1.1, 1.7)
    return se(1, 0.9, 0.4) * per(1, 1.2, 0.8, 0.3) + se(1, 0.7, 1.5) * (per(1, 0.5, 1.3, 0.9) + lin(1, 0.4))


def model(problem):
    X, y, Z = make(problem)
    sgpr = gpflow.models.SGPR((X, y[:, None]), kernel(problem.inputs), Z)
    gpflow.set_trainable(sgpr.inducing_variable, False)
    sgpr.likelihood.variance.assign(NOISE)
    return sgpr


def best_of(function, times):
    spans = []
    for _ in range(times):
        began = time.perf_counter()
        value = function()
        spans.append(time.perf_counter() - began)
    return min(spans), value


def gradient(problem, times):
    sgpr = model(problem)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = sgpr.training_loss()
        return loss, tape.gradient(loss, sgpr.trainable_variables)

    step()
    seconds, (loss, _) = best_of(lambda: [part.numpy() if hasattr(part, "numpy") else part for part in step()], times)
    return {"seconds": seconds, "value": -float(loss)}


def upper(problem, times):
    sgpr = model(problem)
    bound = tf.function(sgpr.upper_bound)
    bound()
    seconds, value = best_of(lambda: float(bound().numpy()), times)
    return {"seconds": seconds, "value": value}


def fit(problem, times):
    """Ten restarts of L-BFGS-B, fifty iterations each."""
    rng, values = np.random.default_rng(1), []
    began = time.perf_counter()
    for _ in range(10):
        sgpr = model(problem)
        for variable in sgpr.trainable_variables:
            variable.assign_add(0.5 * rng.normal(size=variable.shape))
        gpflow.optimizers.Scipy().minimize(sgpr.training_loss, sgpr.trainable_variables, options={"maxiter": 50})
        values.append(-float(sgpr.training_loss().numpy()))
    return {"seconds": time.perf_counter() - began, "value": max(values)}


task, _, name = sys.argv[1:4]
print(json.dumps({"gradient": gradient, "upper": upper, "fit": fit}[task](PROBLEMS[name], 12)))
