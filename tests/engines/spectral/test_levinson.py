"""Many rows, where no dense matrix fits: stationary kernels on a regular grid by Durbin's recursion, which knows no waves."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.kernels import Form, pack
from kernelscribe.testing import toeplitz_evidence
from spectra import kernel


def covariances(lags, s2):
    """Of SE(1, 0.8)*PER(0.5, 0.9, 0.21) + SE(0.7, 0.15) + PER(0.4, 1.2, 0.047), with the noise."""
    r = 0.5 * np.exp(-(lags**2) / (2 * 0.8**2) - 2 * np.sin(np.pi * lags / 0.21) ** 2 / 0.9**2)
    r += 0.7 * np.exp(-(lags**2) / (2 * 0.15**2)) + 0.4 * np.exp(-2 * np.sin(np.pi * lags / 0.047) ** 2 / 1.2**2)
    r[0] += s2
    return r


EXPR = kernel("SE(1, 0.8)*PER(0.5, 0.9, 0.21) + SE(0.7, 0.15) + PER(0.4, 1.2, 0.047)")


@pytest.mark.parametrize("n, s2", [(5_000, 0.01), (38_070, 0.2)])
def test_agreement_on_a_regular_grid(n, s2):
    from kernelscribe.data.dataset import Dataset

    rng = np.random.default_rng(0)
    x = np.linspace(-1.7, 1.7, n)
    y = np.sin(2 * np.pi * x / 0.21) * np.cos(x) + 0.5 * np.sin(2 * np.pi * x / 0.047) + math.sqrt(s2) * rng.normal(size=n)
    data = replace(Dataset.of(x, y), X=x[:, None], y=y)
    form, u = Form.of(EXPR), np.append(pack(EXPR), math.log(s2))
    exact = toeplitz_evidence(covariances(x - x[0], math.exp(u[-1])), y)
    engine = Spectral.of(data)
    value, _ = replace(engine, tolerance=1e-9, most=4000).objective(form, u)
    assert value == pytest.approx(exact, rel=0, abs=1e-5)
    evidence = engine.certify(form, u)
    assert evidence.interval.lower <= exact <= evidence.interval.upper
    assert evidence.interval.width < 0.1
    climbed, _ = engine.objective(form, u)
    assert exact - 0.1 <= climbed <= exact
    screened, _ = engine.coarse().objective(form, u)
    assert exact - 1 <= screened <= exact


def test_the_recursion_itself():
    rng = np.random.default_rng(1)
    x = np.linspace(-1, 1, 80)
    r, y = covariances(x - x[0], 0.1), rng.normal(size=80)
    T = r[np.abs(np.subtract.outer(np.arange(80), np.arange(80)))]
    expected = -0.5 * (y @ np.linalg.solve(T, y) + np.linalg.slogdet(T)[1] + 80 * math.log(2 * math.pi))
    assert toeplitz_evidence(r, y) == pytest.approx(expected, abs=1e-9)
