"""The contract of noise."""

from functools import partial

import numpy as np

from kernelscribe import priors
from kernelscribe.arrays import Array
from kernelscribe.noises import Noise
from kernelscribe.scales import Affine, Extent
from kernelscribe.testing.differences import check_gradient, require

__all__ = ["check_noise"]

# An input and a target in other units.
_AXIS = Affine(2000.0, 7.0)
_OUTPUT = Affine(-3.0, 50.0)
# How often a start is drawn.
_DRAWS = 30


def check_noise(noise: Noise, inputs: int = 1, seed: int = 0) -> None:
    """What engines and fits rely on in noise, at random points: a positive variance at every one, as exact as it says, its
    pull-back against differences, coordinates that lead back to it, levels that can be set, other units, and a box, a reach,
    priors and starts of as many numbers."""
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
    require(bool(np.isclose(noise.average(X), s2.mean())), "its average is not that of its variances")
    _check_digits(noise, X, s2)
    _check_units(noise, X, s2)
    _check_fits(kind, u, X, rng)


def _check_digits(noise: Noise, X: Array, s2: Array) -> None:
    units = np.asarray(noise.rounding(X))
    require(units.shape == s2.shape and bool((units >= 0).all()), "what rounding is worth is a number of units a point")
    finer = noise.diagonal(X.astype(np.longdouble))
    off = np.abs(s2 - finer) / (finer * 2.0**-53)
    require(bool((off <= units).all()), f"a variance is off by {float((off - units).max()):.3g} units more than it says")


def _check_units(noise: Noise, X: Array, s2: Array) -> None:
    inputs = (_AXIS,) * X.shape[1]
    told = noise.user(inputs, _OUTPUT)
    there = told.diagonal(_AXIS.centre + _AXIS.scale * X)
    require(bool(np.allclose(there, s2 * _OUTPUT.scale**2)), "in other units it is another noise")
    require(bool(np.isclose(told.level, noise.level * _OUTPUT.scale**2)), "in other units its level is another")
    back = told.standard(inputs, _OUTPUT)
    require(bool(np.allclose(back.pack(), noise.pack())), "from other units no way leads back")


def _check_fits(kind: type[Noise], u: Array, X: Array, rng: np.random.Generator) -> None:
    extent = Extent.of(X[:, 0])
    sides = kind.box(extent)
    sizes = {kind.size(), len(u), len(sides), len(kind.reach(extent)), *(len(kind.prior(name, extent)) for name in priors.NAMES)}
    require(len(sizes) == 1, f"values, box, reach and priors differ in number: {sorted(sizes)}")
    require(all(low < high for low, high in sides), f"a box is empty: {sides}")
    require(all(each > 0 for each in kind.reach(extent)), "a step reaches nowhere")
    starts = [kind.draw(rng, extent) for _ in range(_DRAWS)]
    for y in (rng.normal(size=len(X)), np.zeros(len(X))):
        starts.append(kind.seen(X[:, 0], y, extent))
    for start in starts:
        inside = all(low <= value <= high for value, (low, high) in zip(start.at_level(0.1).values, sides, strict=True))
        require(inside, f"a start lies outside of its box: {start}")
    for name in priors.NAMES:
        densities = kind.prior(name, extent)
        slopes = np.array([density(value)[1] for density, value in zip(densities, u, strict=True)])
        check_gradient(partial(_log_density, densities), u, slopes)


def _log_density(densities: tuple[priors.Density, ...], u: Array) -> float:
    return sum(density(float(value))[0] for density, value in zip(densities, u, strict=True))
