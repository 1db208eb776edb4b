"""What a fitted statement leaves to be found: scans, in nats, of all that one more column may explain.

With the errors z = L⁻¹y of forecasting every row from those before it, A = LLᵀ, and a column φ whitened the same way, w = L⁻¹φ, a
component v·φφᵀ gains at most

    ½ (q − 1 − log q)  at  v = (q − 1)/wᵀw,      q = (wᵀz)²/wᵀw,  where that is above 1.

Of a wave, which is two columns, c = φᵀA⁻¹y is a transform of A⁻¹y at the times themselves, regular or not, and g = φᵀA⁻¹φ goes
slowly with the frequency: it is found at some frequencies and laid between them. A cycle is the sum over its overtones. Of jumps,
kinks and spells the columns themselves are whitened where rows are few; where they are many the answer of the filter to one of
each is moved along the rows, and only the best places are looked at by themselves.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import finufft
import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from kernelscribe.arrays import Array
from kernelscribe.effort import Effort
from kernelscribe.engines.engine import Engine
from kernelscribe.kernels.form import Form
from kernelscribe.statements.scan import Scan, Sight
from kernelscribe.statements.setting import Setting

__all__ = ["scanned"]

# Frequencies for each that the span resolves.
_FINER = 4
# Frequencies, at most.
_MOST = 2**22
# Overtones of a cycle that are added up.
_OVERTONES = 8
# A line of the spectrum counts from so many times its mean on: below, chance does as well.
_ABOVE = 3.0
# Peaks nearer than this, in steps of the frequencies, are one.
_APART = 6
# Overtones of a period that was seen are not seen again.
_MULTIPLES = 6
# Numbers that are whitened at once.
_COLUMNS = 2**24
# Digits of the transform.
_DIGITS = 1e-6
# Rows at either end that are too few to tell a level or a slope by.
_END = 4
# Rows that the longest spell has, of all: what lasts longer is two jumps.
_SPELL = 0.25
# Lengths of spells where rows are many.
_LENGTHS = (2, 4, 8, 16, 32, 64, 128, 256)
# Rows before the place where the filter's answer is taken: it has settled by then.
_SETTLED = 256


def scanned(engine: Engine, form: Form, u: Array, setting: Setting, effort: Effort) -> Scan:
    """All of it."""
    order = np.argsort(engine.data.X[:, 0], kind="stable")
    x, y = engine.data.X[order, 0], engine.data.y[order]
    whiten = engine.whitening(form, u)
    if whiten is None:
        return Scan()
    z = whiten(y[:, None])[:, 0]
    weighted = (engine.residual(form, u) / engine.noise_at(form, u).diagonal(engine.data.X))[order]
    seen = _cycles(x, weighted, whiten, setting, effort)
    if len(np.unique(x)) < 2 * _END + 2:
        return seen
    places = _every_place(x, z, whiten) if len(x) <= effort.scan_rows else _some_places(x, z, whiten, effort.scan_places)
    return Scan(seen.periods, seen.calendar, *places)


def _gain(c: Array, g: Array) -> Array:
    """Nats, of c = wᵀz and g = wᵀw."""
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(g > 0, c**2 / np.where(g > 0, g, 1.0), 0.0)
    return np.asarray(0.5 * (np.maximum(q, 1.0) - 1 - np.log(np.maximum(q, 1.0))))


# Cycles.


def _cycles(x: Array, weighted: Array, whiten: "Whiten", setting: Setting, effort: Effort) -> Scan:
    spectrum = _Spectrum.of(x, weighted, whiten, setting, effort)
    calendar = [Sight((period,), spectrum.at(period)) for period in setting.calendar]
    return Scan(tuple(spectrum.peaks(effort.scan_periods)), tuple(sorted(calendar, key=lambda each: -each.nats)))


def _weights(x: Array, whiten: "Whiten", unit: float, count: int, most: int) -> Array:
    """g of the waves at multiples of a frequency: at some, and laid between them."""
    at = np.unique(np.rint(np.geomspace(1, max(count, 1), most)).astype(int))
    g = []
    for some in np.array_split(at, -(-len(at) * len(x) // _COLUMNS)):
        angle = 2 * math.pi * unit * some * (x - x[0])[:, None]
        g.append(0.5 * (whiten(np.hstack([np.cos(angle), np.sin(angle)])) ** 2).sum(axis=0).reshape(2, -1).sum(axis=0))
    return np.asarray(np.exp(np.interp(np.log(np.arange(1, count + 1)), np.log(at), np.log(np.concatenate(g)))))


@dataclass(frozen=True)
class _Spectrum:
    """Nats of waves at multiples of a frequency, and of cycles that begin there."""

    unit: float
    first: int
    waves: Array
    cycles: Array

    @classmethod
    def of(cls, x: Array, weighted: Array, whiten: "Whiten", setting: Setting, effort: Effort) -> "_Spectrum":
        unit = 1 / (_FINER * setting.extent.span)
        count = int(min(1 / setting.shortest / unit, _MOST)) + 1
        first = math.ceil(1 / setting.longest / unit)
        angle = 2 * math.pi * unit * (x - x[0])
        turned = (angle + math.pi) % (2 * math.pi) - math.pi
        sums = finufft.nufft1d1(turned, weighted.astype(np.complex128), 2 * count + 1, eps=_DIGITS, isign=-1)[count:]
        power = np.zeros(count + 1)
        power[1:] = 0.5 * np.abs(sums[1:]) ** 2 / _weights(x, whiten, unit, count, effort.scan_waves)
        waves = np.where(power > _ABOVE, power - 1 - np.log(np.maximum(power, 1.0)), 0.0)
        waves[: max(first, 1)] = 0.0
        return cls(unit, first, waves, _with_overtones(waves, first))

    def at(self, period: float) -> float:
        i = round(1 / period / self.unit)
        near = self.cycles[max(i - _FINER, 0) : i + _FINER + 1]
        return float(near.max(initial=0.0))

    def peaks(self, most: int) -> Iterable[Sight]:
        left, numbers = self.cycles.copy(), np.arange(len(self.cycles))
        chance = math.log(max(len(left) / _FINER, 2))
        for _ in range(most):
            i = int(np.argmax(left))
            if left[i] <= chance:
                return
            yield Sight((1 / (i * self.unit),), float(left[i]))
            for multiple in range(1, _MULTIPLES):
                left[np.abs(numbers - multiple * i) <= _APART + multiple] = 0.0


def _with_overtones(waves: Array, first: int) -> Array:
    """Of cycles that show their first line, all lines together; a multiple of a frequency lies between steps, so the best near it
    counts."""
    found, numbers = waves.copy(), np.arange(len(waves))
    shown = numbers[(waves > 0) & (numbers >= first)]
    for overtone in range(2, _OVERTONES + 1):
        those = shown[shown * overtone < len(waves)]
        best = np.zeros(len(those))
        for aside in range(-(overtone // 2), overtone // 2 + 1):
            best = np.maximum(best, waves[np.minimum(those * overtone + aside, len(waves) - 1)])
        found[those] += best
    return found


# Places.

Whiten = Callable[[Array], Array]
Places = tuple[tuple[Sight, ...], tuple[Sight, ...], tuple[Sight, ...], tuple[Sight, ...]]


def _between(x: Array, i: NDArray[np.intp] | int) -> Array:
    """The middle between a row and the one before it."""
    return np.asarray(0.5 * (x[np.asarray(i) - 1] + x[i]))


def _firsts(x: Array) -> NDArray[np.intp]:
    """The first row at every time but the first and the last few."""
    new = np.flatnonzero(np.diff(x) > 0) + 1
    return new[(new >= _END) & (new <= len(x) - _END)]


def _every_place(x: Array, z: Array, whiten: Whiten) -> Places:
    """Whitened column by column: jumps at every row, kinks at every row, and spells between any two."""
    every = np.flatnonzero(np.diff(x) > 0) + 1
    jumps = whiten((np.arange(len(x))[:, None] >= every).astype(np.float64))
    c, G = jumps.T @ z, jumps.T @ jumps
    inner = np.isin(every, _firsts(x))
    steps = _best(np.where(inner, _gain(c, np.diagonal(G)), 0.0), lambda i: (float(_between(x, every[i])),))
    bends = whiten(np.maximum(x[:, None] - x[every], 0.0))
    kinks = _best(np.where(inner, _gain(bends.T @ z, (bends**2).sum(axis=0)), 0.0), lambda i: (float(x[every[i]]),))
    spells, outliers = _spells(x, every, c, G)
    return steps, kinks, spells, outliers


def _spells(x: Array, every: NDArray[np.intp], c: Array, G: Array) -> tuple[tuple[Sight, ...], tuple[Sight, ...]]:
    """A spell is a jump less a later one; the first row and the last have no jump on their other side."""
    g = np.diagonal(G)
    gains = _gain(c[:, None] - c, g[:, None] + g - 2 * G)
    length = every - every[:, None]
    gains = np.where((length > 0) & (length <= max(_SPELL * len(x), 1)), gains, 0.0)
    several = np.where(length > 1, gains - math.log(len(x)), 0.0)
    single = np.where(length == 1, gains, 0.0)

    def stretch(k: int) -> tuple[float, ...]:
        i, j = np.unravel_index(k, gains.shape)
        start, stop = float(_between(x, every[i])), float(_between(x, every[j]))
        return 0.5 * (start + stop), stop - start

    return _best(several.ravel(), stretch), _best(single.ravel(), stretch)


def _best(gains: Array, values: Callable[[int], tuple[float, ...]]) -> tuple[Sight, ...]:
    if not gains.size:
        return ()
    k = int(np.argmax(gains))
    return (Sight(values(k), float(gains[k])),) if gains[k] > 0 else ()


def _some_places(x: Array, z: Array, whiten: Whiten, most: int) -> Places:
    """By the filter's answers, moved along; then the best places by themselves."""
    n, at = len(x), min(_SETTLED, len(x) // 8)
    numbers = np.arange(n)
    slope = np.maximum(numbers - at, 0.0) * float(np.median(np.diff(x)))
    answers = whiten(np.column_stack([(numbers >= at).astype(np.float64), slope]))[at:]
    jump, bend = answers.T
    inner = _firsts(x)
    steps = _tops(_moved(jump, z), inner, most)
    kinks = _tops(_moved(bend, z), inner, most)
    spells, outliers = _moved_spells(jump, z, x, most)
    return (
        _exactly(whiten, z, [(float(_between(x, i)),) for i in steps], lambda s: x >= s[0]),
        _exactly(whiten, z, [(float(x[i]),) for i in kinks], lambda s: np.maximum(x - s[0], 0.0)),
        _exactly(whiten, z, spells, lambda s: np.abs(x - s[0]) <= s[1] / 2, math.log(n)),
        _exactly(whiten, z, outliers, lambda s: np.abs(x - s[0]) <= s[1] / 2),
    )


def _moved(answer: Array, z: Array) -> Array:
    """Nats of a column whose whitened form is this answer, from every row on."""
    n = len(z)
    whole = np.zeros(n)
    whole[: len(answer)] = answer
    # Not by scipy.signal, which takes as long to load as all else together.
    size = next_fast_len(2 * n, real=True)
    c = irfft(rfft(z, size) * np.conj(rfft(whole, size)), size)[:n]
    left = np.cumsum(whole**2)[::-1]
    return _gain(c, left)


def _moved_spells(jump: Array, z: Array, x: Array, most: int) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    spells: list[tuple[float, tuple[float, ...]]] = []
    outliers: list[tuple[float, tuple[float, ...]]] = []
    for length in (1, *(each for each in _LENGTHS if each <= _SPELL * len(x))):
        gains = _moved(jump - np.concatenate([np.zeros(length), jump[:-length]]), z)
        gains[[0, *range(len(x) - length, len(x))]] = 0.0
        for i in _tops(gains, np.arange(1, len(x) - length), most if length == 1 else 1):
            start, stop = float(_between(x, i)), float(_between(x, i + length))
            found = (float(gains[i]), (0.5 * (start + stop), stop - start))
            (outliers if length == 1 else spells).append(found)
    return ([values for _, values in sorted(each, reverse=True)[:most] if values[1] > 0] for each in (spells, outliers))  # type: ignore[return-value]


def _tops(gains: Array, among: NDArray[np.intp], most: int) -> list[int]:
    if not len(among):
        return []
    order = among[np.argsort(-gains[among])]
    return [int(i) for i in order[:most]]


def _exactly(
    whiten: Whiten,
    z: Array,
    places: list[tuple[float, ...]],
    column: Callable[[tuple[float, ...]], NDArray[Any]],
    less: float = 0.0,
) -> tuple[Sight, ...]:
    """The best of some places, by whitened columns of their own."""
    if not places:
        return ()
    W = whiten(np.column_stack([column(place).astype(np.float64) for place in places]))
    gains = _gain(W.T @ z, (W**2).sum(axis=0)) - less
    i = int(np.argmax(gains))
    return (Sight(places[i], float(gains[i])),) if gains[i] > 0 else ()
