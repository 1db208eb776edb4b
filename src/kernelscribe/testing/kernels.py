"""Contracts of base kernels and operators: everything that the laws, the engines and the words rely on."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import i0e

from kernelscribe import priors
from kernelscribe.arrays import Array
from kernelscribe.engines.digits import UNIT
from kernelscribe.kernels.base import Base, Parametric
from kernelscribe.kernels.exponential import Cotangent, Exponential, Features
from kernelscribe.kernels.operators.operator import Branch, Operator
from kernelscribe.kernels.spectral import Alone, Amplitude, Fading, Gaussian, Harmonics, Root, Spectrum, Steady, Walk
from kernelscribe.scales import Extent
from kernelscribe.testing.differences import numerical_gradient, require

__all__ = ["check_base", "check_operator"]

_STEP = 1e-6
# Points that derivatives are compared at lie no nearer to each other, nor to a place where a formula jumps or has a corner.
_APART = 1e-3
# Units in the last place that a formula may be off by, and so many for every unit by which a rounded input moves it: digits.py.
_UNITS = 8.0
_INPUT_UNITS = 8.0


def check_base(base: Base, seed: int = 0, cases: int = 20) -> None:
    """Everything that the engines rely on in a base kernel, on random points and values."""
    rng = np.random.default_rng(seed)
    require(base.parameters[0].kind == "variance", f"{base.name}: the first parameter must be a variance")
    require(base.name.isalpha() and base.name.isupper(), f"{base.name}: a name is made of capital letters")
    for x in _columns(rng, cases):
        extent = Extent.of(x)
        for values in (np.array(base.scatter(rng, extent)), np.array(base.draw(rng, extent))):
            _check_values(base, values, extent)
        _check_matrix(base, x, values)
        _check_pair(base, x, values, rng)
        if base.exponential is not None:
            _check_features(base, base.exponential, x, values)
            _check_pull(base, base.exponential, x, values, rng)
        _check_digits(base, x, values)
        _check_spectrum(base, x, values)
        _check_normal(base, x, values)
        _check_scale(base, x, values)
        _check_priors(base, values, extent)


def check_operator(operator: Operator, seed: int = 0, cases: int = 20) -> None:
    """Everything that the engines and the words rely on in an operator, on random points and values."""
    rng = np.random.default_rng(seed)
    require(operator.name.isalpha() and operator.name.isupper(), f"{operator.name}: a name is made of capital letters")
    for x in _columns(rng, cases):
        extent = Extent.of(x)
        for values in (np.array(operator.scatter(rng, extent)), np.array(operator.draw(rng, extent))):
            _check_values(operator, values, extent)
        for number in range(len(operator.branches)):
            gate = operator.gate(x, values, number)
            require(bool(((gate >= 0) & (gate <= 1)).all()), f"{operator.name}: a gate lies between 0 and 1")
            _check_pull(operator, Branch(operator, number), x, values, rng)
            _check_regions(operator, x, values, number)
        _check_priors(operator, values, extent)


def _check_regions(operator: Operator, x: Array, values: Array, number: int) -> None:
    """Where a branch is said to act its gate is open, well inside and well outside."""
    regions = operator.regions(tuple(values), number)
    inside = np.any([(x > start) & (x < stop) for start, stop in regions], axis=0)
    ends = np.array([end for region in regions for end in region if math.isfinite(end)])
    far = np.abs(x[:, None] - ends).min(axis=1) > 10 * float(values[-1])
    gate = operator.gate(x, values, number)
    require(bool((gate[far & inside] > 0.5).all()), f"{operator.name}: a gate is shut where its branch is said to act")  # noqa: PLR2004
    require(bool((gate[far & ~inside] < 0.5).all()), f"{operator.name}: a gate is open where its branch is said not to act")  # noqa: PLR2004


def _columns(rng: np.random.Generator, cases: int) -> Iterator[Array]:
    """Irregular, regular and repeated inputs, standardised as the engines see them."""
    for case in range(cases):
        x = [rng.normal(size=30), np.linspace(-1.7, 1.7, 40), np.repeat(rng.normal(size=12), 3)][case % 3]
        yield (x - x.mean()) / x.std()


def _check_values(base: Parametric, values: Array, extent: Extent) -> None:
    box = base.box(extent)
    require(len(values) == len(base.parameters) == len(box), f"{base.name}: draws, boxes and parameters differ in number")
    for parameter, value, (low, high) in zip(base.parameters, values, box, strict=True):
        require(low < high, f"{base.name}: the box of {parameter.name} is empty: {low:g} to {high:g}")
        require(math.isfinite(value), f"{base.name}: drew {value} for {parameter.name}")
        require(not parameter.positive or (value > 0 and low > 0), f"{base.name}: {parameter.name} must be positive")


def _check_matrix(base: Base, x: Array, values: Array) -> None:
    K = base.evaluate(x[:, None], x[None], values)
    require(bool(np.allclose(K, K.T, rtol=1e-12)), f"{base.name}: not symmetric")
    least = float(np.linalg.eigvalsh(K)[0])
    require(least >= -1e-10 * float(np.trace(K)), f"{base.name}: not positive semi-definite, eigenvalue {least:g}")
    doubled = values.copy()
    doubled[0] *= 2
    require(
        bool(np.allclose(base.evaluate(x[:, None], x[None], doubled), 2 * K)), f"{base.name}: not proportional to its variance"
    )


def _gram(features: Features, other: Features, variance: float) -> Array:
    E = np.exp(-0.5 * ((features.phi[:, :, None] - other.phi[:, None]) ** 2).sum(axis=0))
    left = 1.0 if features.a is None else features.a[:, None]
    right = 1.0 if other.a is None else other.a[None]
    return np.asarray(variance * left * right * E)


def _check_pair(base: Base, x: Array, values: Array, rng: np.random.Generator) -> None:
    """The pull-back of the formula and its diagonal, against the formula itself."""
    diagonal = np.diagonal(base.evaluate(x[:, None], x[None], values))
    require(bool(np.allclose(base.diagonal(x, values), diagonal, rtol=1e-12)), f"{base.name}: the diagonal is not its formula's")
    z, positive = _clear(base, x[::3] + 0.01, values[1:]), np.array([p.positive for p in base.parameters])
    # Apart, since differences must not reach over a kink.
    x = _clear(base, x, values[1:])
    z = z[np.abs(z[:, None] - x).min(axis=1) > _APART]
    bar = rng.normal(size=(len(x), len(z)))

    def functional(shape: Array, points: Array, others: Array) -> float:
        u = np.append(0.0, shape)
        unit = np.where(positive, np.exp(np.where(positive, u, 0.0)), u)
        return float(np.vdot(bar, base.evaluate(points[:, None], others[None], unit)))

    shape = np.where(positive, np.log(np.where(positive, values, 1.0)), values)[1:]
    pulled = base.pull(x, z, np.array([1.0, *values[1:]]), bar)
    _close(base, "parameters", pulled.shape, numerical_gradient(lambda s: functional(s, x, z), shape))
    _close(base, "points", pulled.x, numerical_gradient(lambda p: functional(shape, p, z), x))
    _close(base, "other points", pulled.z, numerical_gradient(lambda p: functional(shape, x, p), z))


def _clear(base: Parametric, x: Array, shape: Array) -> Array:
    """The points that lie apart from where the formula jumps or has a corner."""
    breaks = np.array(base.breaks(tuple(float(v) for v in shape)))
    return np.asarray(x[(np.abs(x[:, None] - breaks) > _APART).all(axis=1)])


def _check_normal(base: Base, x: Array, values: Array) -> None:
    """The shares of the normal form add up to the kernel; what merges and what gathers is the same kernel."""
    shape = tuple(float(v) for v in values[1:])
    parts = [share * (base.unit(x[:, None], x[None], shape) if stays else 1.0) for share, stays in base.split(shape)]
    whole = base.evaluate(x[:, None], x[None], np.array([1.0, *shape]))
    require(bool(np.allclose(sum(parts), whole, rtol=1e-9, atol=1e-9)), f"{base.name}: its shares do not add up to it")
    merged = base.merge(shape, shape)
    if merged is not None:
        squared = base.evaluate(x[:, None], x[None], np.array([1.0, *merged]))
        require(bool(np.allclose(squared, whole**2, rtol=1e-9)), f"{base.name}: what it merges to is not the product")
    other = tuple(v + 0.3 for v in shape)
    gathered = base.gather(0.7, shape, 1.9, other)
    if gathered is not None:
        both = 0.7 * whole + 1.9 * base.evaluate(x[:, None], x[None], np.array([1.0, *other]))
        one = 2.6 * base.evaluate(x[:, None], x[None], np.array([1.0, *gathered[0]])) + gathered[1]
        require(bool(np.allclose(one, both, rtol=1e-9)), f"{base.name}: what it gathers to is not the sum")


def _check_features(base: Base, form: Exponential, x: Array, values: Array) -> None:
    features = form.features(x, values)
    require(features.phi.shape == (form.rank, len(x)), f"{base.name}: φ must be [rank, n], got {features.phi.shape}")
    K = np.broadcast_to(_gram(features, features, float(values[0])), (len(x), len(x)))
    expected = base.evaluate(x[:, None], x[None], values)
    # It may be nothing at any of the points.
    worst = float(np.abs(K - expected).max() / (np.abs(expected).max() or 1.0))
    require(worst < 1e-10, f"{base.name}: features and formula differ by {worst:g}")  # noqa: PLR2004
    moved = np.linalg.norm(form.features(x + _STEP, values).phi - features.phi, axis=0).max(initial=0.0) / _STEP
    steepest = form.steepness(values)
    require(moved <= steepest * (1 + 1e-4), f"{base.name}: φ moves by {moved:g} an input, more than its steepness {steepest:g}")
    require(not base.stationary or features.a is None, f"{base.name}: a stationary kernel has a = 1")


def _check_digits(base: Base, x: Array, values: Array) -> None:
    """Entries are off by no more than certificates allow a formula, by the same in more digits, where the machine has them."""
    # Formulas are written for any floating-point numbers; their types say float64, which is what engines give them.
    wide: Any = x.astype(np.longdouble)
    exact = base.evaluate(wide[:, None], wide[None], np.asarray(values, dtype=wide.dtype))
    off = np.abs(base.evaluate(x[:, None], x[None], values) - exact)
    diagonal = np.sqrt(base.diagonal(x, values))
    units = _UNITS + _INPUT_UNITS * base.steepness(values) * float(np.abs(x).max())
    worst = float((off - units * UNIT * np.outer(diagonal, diagonal)).max())
    require(worst <= 0, f"{base.name}: digits of its formula are off by more than {units:g} units in the last place")


def _check_spectrum(base: Base, x: Array, values: Array) -> None:
    """What engines of series are told is the formula."""
    spectrum = base.spectrum(tuple(float(v) for v in values[1:]))
    if spectrum is not None:
        unit = base.evaluate(x[:, None], x[None], np.array([1.0, *values[1:]]))
        told = _told(base, spectrum, x[:, None], x[None], values)
        require(bool(np.allclose(told, unit, rtol=1e-9, atol=1e-12)), f"{base.name}: its spectrum is not its formula's")


def _told(base: Base, spectrum: Spectrum, x: Array, z: Array, values: Array) -> Array:  # noqa: PLR0911  (one for each kind)
    """The factor that a spectrum stands for, by the formula of its docstring."""
    d = np.abs(x - z)
    match spectrum:
        case Gaussian(lengthscale):
            return np.asarray(np.exp(-0.5 * (d / lengthscale) ** 2))
        case Harmonics(lengthscale, period, centred):
            e, hidden = np.exp(-2 * (np.sin(np.pi * d / period) / lengthscale) ** 2), float(i0e(lengthscale**-2.0))
            return np.asarray((e - hidden) / (1 - hidden) if centred else e)
        case Root(location):
            return np.asarray((x - location) * (z - location))
        case Amplitude():
            features = None if base.exponential is None else base.exponential.features(x[:, 0], values)
            return np.full(d.shape, math.nan) if features is None else _gram(features, features, 1.0)
        case Fading():
            return spectrum.at(d)
        case Walk(location, order):
            s = np.maximum(np.minimum(x, z) - location, 0.0)
            return np.asarray(s if order == 1 else s**3 / 3 + s**2 * d / 2)
        case Steady():
            return np.ones_like(d)
        case Alone():
            return np.asarray((d == 0).astype(np.float64))


def _check_pull(base: Parametric, form: Exponential, x: Array, values: Array, rng: np.random.Generator) -> None:
    """The pull-back against central differences of a random linear functional of the features."""
    first = int(base.parameters[0].kind == "variance")
    x = _clear(base, x, values[first:])
    n, positive = len(x), np.array([p.positive for p in base.parameters])
    bar = Cotangent(rng.normal(size=(form.rank, n)), rng.normal(size=n))

    def functional(shape: Array, points: Array) -> float:
        u = np.append(np.log(values[:first]), shape)
        features = form.features(points, np.where(positive, np.exp(np.where(positive, u, 0.0)), u))
        a = 0.0 if features.a is None else float(bar.a @ features.a)
        return float(np.vdot(bar.phi, features.phi)) + a

    shape = np.where(positive, np.log(np.where(positive, values, 1.0)), values)[first:]
    shape_bar, x_bar = form.pull(x, values, form.features(x, values), bar)
    _close(base, "parameters", shape_bar, numerical_gradient(lambda s: functional(s, x), shape))
    _close(base, "points", x_bar, numerical_gradient(lambda p: functional(shape, p), x))


def _close(base: Parametric, what: str, got: Array, expected: Array) -> None:
    scale = 1 + float(np.abs(expected).max(initial=0.0))
    worst = float(np.abs(got - expected).max(initial=0.0)) / scale
    require(worst < 1e-5, f"{base.name}: derivative of the {what} is off by {worst:g}: {got} instead of {expected}")  # noqa: PLR2004


def _check_scale(base: Base, x: Array, values: Array) -> None:
    """The law of units: stretching and moving the axis, with the values changed as their kinds say, changes nothing."""
    stretch, origin = 3.7, -2.5
    change = {"variance": stretch**-base.degree, "length": stretch, "pure": 1.0, "place": stretch}
    moved = np.array(
        [v * change[p.kind] + (origin if p.kind == "place" else 0) for p, v in zip(base.parameters, values, strict=True)]
    )
    far = stretch * x + origin
    before, after = base.evaluate(x[:, None], x[None], values), base.evaluate(far[:, None], far[None], moved)
    require(bool(np.allclose(before, after, rtol=1e-9, atol=1e-12)), f"{base.name}: breaks the law of units")


def _check_priors(base: Parametric, values: Array, extent: Extent) -> None:
    for name in priors.NAMES:
        densities = base.prior(name, extent)
        require(len(densities) == len(base.parameters), f"{base.name}: prior {name} has {len(densities)} densities")
        for density, parameter, value in zip(densities, base.parameters, values, strict=True):
            u = math.log(value) if parameter.positive else float(value)
            slope = (density(u + _STEP)[0] - density(u - _STEP)[0]) / (2 * _STEP)
            require(
                abs(density(u)[1] - slope) <= 1e-4 * (1 + abs(slope)),
                f"{base.name}: prior {name} of {parameter.name} has slope {density(u)[1]:g}, differences say {slope:g}",
            )
