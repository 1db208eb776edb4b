"""The contract of noise."""

from functools import partial

import numpy as np

from kernelscribe import priors
from kernelscribe.arrays import Array
from kernelscribe.noise import Noise
from kernelscribe.testing.differences import check_gradient, require

__all__ = ["check_noise"]


def check_noise(noise: Noise, inputs: int = 1, seed: int = 0) -> None:
    """What engines and fits rely on in noise, at random points: a positive variance at every one, its pull-back against
    differences, coordinates that lead back to it, levels that can be set, and a box and priors of as many numbers."""
    kind, u, rng = type(noise), noise.pack(), np.random.default_rng(seed)
    X, bar = rng.normal(size=(30, inputs)), rng.normal(size=30)
    s2 = noise.diagonal(X)
    require(s2.shape == (30,), f"the variance has one number a point, got {s2.shape}")
    require(bool((s2 > 0).all()), "a variance is not positive")
    require(not noise.uniform or bool(np.allclose(s2, noise.level)), "noise that is uniform has its level everywhere")
    require(bool(np.allclose(kind.unpack(u).diagonal(X), s2)), "its coordinates do not lead back to it")
    check_gradient(lambda v: float(bar @ kind.unpack(v).diagonal(X)), u, noise.pull(X, bar))
    require(bool(np.allclose(noise.amplified(3.0).diagonal(X), 3 * s2)), "amplified, it is not three times as loud")
    require(bool(np.isclose(noise.at_level(0.2).level, 0.2)), "its level cannot be set")
    sizes = {kind.size(), len(noise.values), len(kind.box()), *(len(kind.prior(name)) for name in priors.NAMES)}
    require(len(sizes) == 1, f"values, box and priors differ in number: {sorted(sizes)}")
    require(all(low < high for low, high in kind.box()), f"a box is empty: {kind.box()}")
    for name in priors.NAMES:
        densities = kind.prior(name)
        slopes = np.array([density(value)[1] for density, value in zip(densities, u, strict=True)])
        check_gradient(partial(_log_density, densities), u, slopes)


def _log_density(densities: tuple[priors.Density, ...], u: Array) -> float:
    return sum(density(float(value))[0] for density, value in zip(densities, u, strict=True))
