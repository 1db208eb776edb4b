"""CYCLE: a pattern that repeats itself exactly and is zero on average over a period: PER without the constant that it hides.

CYCLE(x, z) = variance · ( exp(−2 sin²(π(x − z)/p) / λ²) − h ) / (1 − h),      h = exp(−ζ)·I₀(ζ),   ζ = 1/λ².

So its variance is that of the pattern alone, and a product with it hides no second component. For a large λ both brackets of
exp − h = (exp − 1) + (1 − h) are small together, and neither loses digits. Its slope in log λ is, with e the exponential and
s = 1 − h,  ( e·4ζ sin² − h′ )/s + (e − h)·h′/s²,   h′ = dh/d log λ = −2ζ·( I₁(ζ) − I₀(ζ) )·exp(−ζ).
"""

import math

import numpy as np
from scipy.special import i0e, i1e

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.bases.per import period_ends
from kernelscribe.kernels.spectral import Harmonics
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["Cycle"]

# Below this ζ the series of s = 1 − h keeps the digits that its difference would lose; above it, s is at least a quarter.
_SERIES = 0.5
# Terms of that series, (−1)^{k+1} ζ^k (2k)!/(2^k k!³), which fall below the last digit long before.
_COEFFICIENTS = tuple((-1) ** (k + 1) * math.factorial(2 * k) / (2**k * math.factorial(k) ** 3) for k in range(24, 0, -1))
# A pattern with sharper corners has more overtones than rows to tell them by; a softer one is a sine wave.
_SHARPEST = 0.1
_SOFTEST = 10.0


def shown(zeta: float) -> float:
    """s = 1 − exp(−ζ)I₀(ζ), to the last digits."""
    if zeta >= _SERIES:
        return 1 - float(i0e(zeta))
    found = 0.0
    for coefficient in _COEFFICIENTS:
        found = found * zeta + coefficient
    return found * zeta


class Cycle(Base):
    name = "CYCLE"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "pure"), Parameter("period", "length"))
    role = Role.CYCLE
    # Of the sine's square and its factor, which count twice where the exponential is steep, of both brackets, and of their quotient.
    roundings = 24.0

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        zeta = values[1] ** -2.0
        s = shown(float(zeta))
        return np.asarray(values[0] * (np.expm1(-2 * zeta * np.sin((np.pi / values[2]) * (x - z)) ** 2) + s) / s)

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        _, lengthscale, period = values
        zeta = float(lengthscale**-2.0)
        s, along = shown(zeta), -2 * zeta * float(i1e(zeta) - i0e(zeta))
        d = x[:, None] - z
        angle = (math.pi / period) * d
        sine = np.sin(angle)
        less = np.expm1(-2 * zeta * sine**2)
        sharper = ((less + 1) * (4 * zeta * sine**2) - along) / s + (less + s) * (along / s**2)
        # d/dd of the exponential, over s.
        slope = bar * (less + 1) * (-4 * zeta / s * (math.pi / period)) * sine * np.cos(angle)
        shape = np.array([(bar * sharper).sum(), -(slope * d).sum()])
        return Pulled(shape, slope.sum(axis=1), -slope.sum(axis=0))

    def steepness(self, values: Array) -> float:
        zeta = float(values[1] ** -2.0)
        # |2ζ sin 2θ·exp(−2ζ sin²θ)| is 2ζ at most, and 2√ζ·e^−½.
        steepest = min(2 * zeta, 2 * math.sqrt(zeta) * math.exp(-0.5))
        return float(steepest * math.pi / (values[2] * shown(zeta)))

    def spectrum(self, shape: Shape) -> Harmonics:
        return Harmonics(shape[0], shape[1], centred=True)

    def finest(self, shape: Shape) -> float:
        return min(shape[1] / 6, shape[0] * shape[1] / (2 * math.pi))

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest, longest = period_ends(extent)
        period = math.exp(rng.uniform(min(shortest, longest), longest))
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2), period

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest, longest = self.box(extent)[2]
        variance, lengthscale, _ = self.draw(rng, extent)
        return variance, lengthscale, math.exp(rng.uniform(math.log(shortest), math.log(longest)))

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        # It has no constant part to be left with: as long a wave as there is leaves its partner as it is over the data.
        return values[0], values[1], 100 * extent.span

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "weak":
                return StudentT(), StudentT(), StudentT()
            case "practical":
                return Normal(0.0, 4.0), Normal(0.0, 1.0), Flat()
            case _:
                return Flat(), Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        # A cycle must be seen twice to be called one; and sampled twice in a period to be seen.
        longest = extent.span / 2
        return (1e-8, 1e6), (_SHARPEST, _SOFTEST), (min(2 * extent.step, longest / 2), longest)
