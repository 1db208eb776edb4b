"""Our side of the measurements: one task on one problem, in a process of its own; prints one JSON object."""

import json
import math
import resource
import sys
import time
from dataclasses import replace

import numpy as np

from kernelscribe import Config, Dataset, parse
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.exact.likelihood import exact
from kernelscribe.engines.inducing.bound import variational
from kernelscribe.engines.inducing.cg import quadratic
from kernelscribe.engines.inducing.engine import CACHE_BYTES, Inducing
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.fit.kernel import fit
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.kernels.tree import rebuild
from kernelscribe.noises import Constant
from problems import NOISE, PROBLEMS, Problem, make

REPEATS = 12
_GPFLOW_JITTER = 1e-6


def best_of(function, times=REPEATS):
    spans = []
    function()
    for _ in range(times):
        began = time.perf_counter()
        value = function()
        spans.append(time.perf_counter() - began)
    return min(spans), value


def rate() -> float:
    """dgemm in flops a second, on matrices of the size that the bound multiplies."""
    A, B = np.random.default_rng(0).normal(size=(2, 1500, 1500))
    return 2 * 1500**3 / best_of(lambda: A @ B)[0]


def given(problem: Problem, backend: str):
    X, y, Z = make(problem)
    expr = parse(problem.kernel)
    return arithmetic(backend), Form.of(expr), pack(expr), X, y, Z


def gradient(problem, backend):
    sums, form, theta, X, y, Z = given(problem, backend)
    # The same absolute jitter as GPflow, so that the values can be compared.
    jitter = _GPFLOW_JITTER / form.diagonal(form.side(Z, theta)).mean()
    workspace = Workspace(CACHE_BYTES)
    seconds, bound = best_of(lambda: variational(sums, form, theta, Constant(NOISE), X, y, Z, jitter=jitter, workspace=workspace))
    flops = 3 * problem.rows * problem.inducing**2
    return {"seconds": seconds, "value": bound.value, "flops_seconds": flops / rate()}


def gradient_exact(problem, backend):
    sums, form, theta, X, y, _ = given(problem, backend)
    seconds, found = best_of(lambda: exact(sums, form, theta, Constant(NOISE), X, y))
    return {"seconds": seconds, "value": found[0]}


def upper(problem, backend):
    """Everything that the paper's upper bound needs at given values, from the kernel matrix on."""
    sums, form, theta, X, y, Z = given(problem, backend)

    def run():
        sketch = Sketch.of(sums, form, theta, Constant(NOISE), X, Z)
        below = sketch.structured("nystrom")
        found = quadratic(sketch.product(2e9), y, NOISE, below, below, slack=0.1, most=1000)
        return -0.5 * below.logdet + found.upper - 0.5 * len(y) * math.log(2 * math.pi), found

    seconds, (value, found) = best_of(run, 2)
    return {"seconds": seconds, "value": value, "slack": found.slack, "iterations": found.iterations}


def _fit(problem, backend, **options):
    X, y, _ = make(problem)
    bare = rebuild(parse(problem.kernel), lambda leaf: replace(leaf, values=None))
    data = Dataset.of(X, y)
    config = Config(steps=50, restarts=10, tighten="paper", exact_limit=0, backend=backend, seed=1, **options)
    fit(data, bare, replace(config, restarts=1, steps=1))
    began = time.perf_counter()
    found = fit(data, bare, config)
    return {"seconds": time.perf_counter() - began, "value": found.evidence.paper.lower, "evaluations": found.evaluations}


def fit_inducing(problem, backend):
    return _fit(problem, backend, inducing=problem.inducing)


def fit_exact(problem, backend):
    return _fit(problem, backend, engine="exact")


def memory(problem, backend):
    """What the lower bound with gradient adds to the process at m=640."""
    sums, form, theta, X, y, _ = given(problem, backend)
    Z = X[:640].copy()
    variational(sums, form, theta, Constant(NOISE), X[:1000], y[:1000], Z[:50])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    variational(sums, form, theta, Constant(NOISE), X, y, Z, workspace=Workspace(CACHE_BYTES))
    return {"megabytes": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024}


def tighten(_, noise):
    """Widths of the paper's interval and of ours on data drawn from the kernel itself."""
    s2, n, rng = float(noise), 2000, np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    expr = parse("*".join(f"SE{d}(variance=1, lengthscale={1 if d < 3 else 1.5})" for d in (1, 2, 3, 4)))
    form, theta, sums = Form.of(expr), pack(expr), arithmetic()
    K = sums.gram(form, form.side(X, theta), form.side(X, theta))
    y = np.linalg.cholesky(K + s2 * np.eye(n)) @ rng.normal(size=n)
    data = replace(Dataset.of(X, y), X=X, y=y)
    u = np.append(theta, math.log(s2))
    found = Inducing(sums, data, Config(), X[:320].copy(), Workspace(CACHE_BYTES)).certify(form, u)
    value = Exact(sums, data).value(form, u)
    if not found.interval.lower <= value <= found.interval.upper:
        raise SystemExit("the interval does not hold the exact value")
    return {"paper": found.paper.width, "tight": found.interval.width}


TASKS = {
    "gradient": gradient, "gradient_exact": gradient_exact, "upper": upper, "fit": fit_inducing, "fit_exact": fit_exact,
    "memory": memory, "tighten": tighten, "rate": lambda *_: {"gigaflops": rate() / 1e9},
}  # fmt: skip

if __name__ == "__main__":
    task, name, backend_name = sys.argv[1:4]
    print(json.dumps(TASKS[task](PROBLEMS[name], backend_name)))
