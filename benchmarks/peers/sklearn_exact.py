"""scikit-learn's exact Gaussian process on the shared problems: value and gradient, and a ten-restart fit."""

import json
import os
import sys
import time
import warnings
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS=sys.argv[2], OMP_NUM_THREADS=sys.argv[2])

import numpy as np
from scipy.optimize import minimize
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, Kernel, WhiteKernel
from sklearn.gaussian_process.kernels import ConstantKernel as Constant

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from problems import NOISE, PROBLEMS, make

warnings.simplefilter("ignore")


def kernel(inputs: int) -> Kernel:
    """scikit-learn has no kernels on one column alone: its nearest relative has one length-scale an input."""
    return Constant(1.0) * RBF(np.ones(inputs)) + WhiteKernel(NOISE)


def gradient(X, y):
    model = GaussianProcessRegressor(kernel(X.shape[1]), optimizer=None, alpha=0).fit(X, y)
    spans = []
    for _ in range(5):
        began = time.perf_counter()
        value, _ = model.log_marginal_likelihood(model.kernel_.theta, eval_gradient=True)
        spans.append(time.perf_counter() - began)
    return {"seconds": min(spans), "value": float(value)}


def fit(X, y):
    def optimise(objective, start, bounds):
        done = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 50})
        return done.x, done.fun

    began = time.perf_counter()
    model = GaussianProcessRegressor(kernel(X.shape[1]), optimizer=optimise, alpha=0, n_restarts_optimizer=9, random_state=1)
    model.fit(X, y)
    return {"seconds": time.perf_counter() - began, "value": float(model.log_marginal_likelihood_value_)}


inputs, target, _ = make(PROBLEMS[sys.argv[3]])
print(json.dumps({"gradient": gradient, "fit": fit}[sys.argv[1]](inputs, target)))
