"""The contract of a noise."""

import numpy as np

from kernelscribe.noise import Noise
from kernelscribe.testing.differences import check_gradient, require

__all__ = ["check_noise"]

# What rounding may leave of an identity.
_ROUNDING = 1e-12


def check_noise(noise: Noise, seed: int = 0) -> None:
    """What engines and fits rely on in a noise: positive variances, coordinates that come back, cotangents that agree with
    differences, a level that can be set, boxes and priors for every coordinate."""
    rng = np.random.default_rng(seed)
    kind, X = type(noise), rng.normal(size=(30, 3))
    require(len(noise.values) == len(kind.parameters) == kind.size(), f"{kind.__name__}: values and parameters differ in number")
    require(kind.of(noise.values) == noise, f"{kind.__name__}: its values do not make it again")
    diagonal = noise.diagonal(X)
    require(diagonal.shape == (30,) and bool((diagonal > 0).all()), f"{kind.__name__}: variances must be positive, one a point")
    require(not kind.uniform or bool((diagonal == noise.level).all()), f"{kind.__name__}: it is not uniform")
    u, bar = noise.pack(), rng.normal(size=30)
    again = kind.unpack(u).diagonal(X)
    require(bool(np.allclose(again, diagonal, rtol=_ROUNDING)), f"{kind.__name__}: its coordinates do not make it again")
    try:
        check_gradient(lambda v: float(bar @ kind.unpack(v).diagonal(X)), u, noise.pull(X, bar))
    except AssertionError as error:
        raise AssertionError(f"{kind.__name__}: its derivative is wrong: {error}") from None
    louder = noise.at_level(3 * noise.level)
    good = np.isclose(louder.level, 3 * noise.level) and np.allclose(louder.diagonal(X), 3 * diagonal)
    require(bool(good), f"{kind.__name__}: it is not as loud as it is told to be")
    require(
        len(kind.box()) == len(kind.prior("paper")) == kind.size(), f"{kind.__name__}: boxes, priors and values differ in number"
    )
    for parameter, (low, high) in zip(kind.parameters, kind.box(), strict=True):
        require(low < high and (low > 0 or not parameter.positive), f"{kind.__name__}: the box of {parameter.name} is wrong")
