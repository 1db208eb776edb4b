"""Random Fourier features: unbiased for every kernel, and a bound on the log-determinant in expectation."""

import numpy as np
import pytest

from cases import kernel, points
from kernelscribe.engines.fourier import features, nld
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.testing import evaluate

KERNELS = ["SE", "PER", "LIN", "SE*PER", "SE + PER", "SE*LIN", "SE1*PER1 + SE2*(PER2 + LIN1)", "LIN*LIN + PER"]


def filled(text, seed):
    from dataclasses import replace

    from cases import values
    from kernelscribe.kernels import leaves
    from kernelscribe.kernels.tree import with_leaves

    rng, expr = np.random.default_rng(seed), parse(text)
    return with_leaves(expr, [replace(leaf, values=values(rng, leaf.kind)) for leaf in leaves(expr)])


@pytest.mark.parametrize("text", KERNELS)
def test_features_are_unbiased(text):
    expr = filled(text, 1)
    rng = np.random.default_rng(2)
    X = points(rng, 12, 2, "irregular")
    form, theta = Form.of(expr), pack(expr)
    Phi = features(form, form.side(X, theta), 60000, rng)
    K = evaluate(expr, X, X)
    scale = np.sqrt(np.outer(np.diagonal(K), np.diagonal(K))) + 0.1 * np.abs(K).max()
    assert np.abs((Phi @ Phi.T - K) / scale).max() < 0.05


@pytest.mark.parametrize("text", KERNELS)
def test_bound_in_expectation(text):
    expr = filled(text, 3)
    rng = np.random.default_rng(4)
    X = points(rng, 40, 2, "irregular")
    form, theta, s2 = Form.of(expr), pack(expr), 0.1
    exact = -0.5 * np.linalg.slogdet(evaluate(expr, X, X) + s2 * np.eye(40))[1]
    draws = [nld(features(form, form.side(X, theta), 20, rng), s2) for _ in range(300)]
    assert np.mean(draws) >= exact - 3 * np.std(draws) / np.sqrt(len(draws)) - 1e-9


def test_more_features_come_closer():
    expr = kernel(np.random.default_rng(9), 1, 3)
    rng = np.random.default_rng(5)
    X = points(rng, 50, 1, "irregular")
    form, theta = Form.of(expr), pack(expr)
    exact = -0.5 * np.linalg.slogdet(evaluate(expr, X, X) + 0.1 * np.eye(50))[1]
    gaps = [
        np.mean([nld(features(form, form.side(X, theta), size, rng), 0.1) for _ in range(50)]) - exact for size in (10, 100, 1000)
    ]
    assert gaps[0] > gaps[1] > gaps[2] > -0.5
