"""Charts that hold a model against the data: observed values before the band in which they are expected."""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.report.figures.elements import finish, quantity, rows, up
from kernelscribe.report.figures.layers import Layer, Part, Spec, field
from kernelscribe.report.figures.shrink import shrink
from kernelscribe.report.figures.tips import Tip, TipLine, between, form, named, number, pointer
from kernelscribe.report.words import language

__all__ = ["acf", "coverage", "periodogram", "quantiles"]

# Of a chart, in pixels: two of them stand side by side.
_HEIGHT = 220
# Columns in each of which the lowest and the highest value are kept.
_PIXELS = 300
# How numbers about one are written.
_SMALL = ".3~f"


def acf(lags: Array, values: Array, lower: Array, upper: Array, title: str = language.charts.LAG) -> Spec:
    """Autocorrelations as stems, and the band in which they lie if nothing is left to find."""
    table = _table(lags, values, lower, upper)
    base = _base(title, np.append(0, lags))
    tall = up("y", language.charts.AUTOCORRELATION, values, lower, upper)
    layers = [
        _area(base, language.charts.AUTOCORRELATION, lower, upper),
        base.mark("rule", style="stem").encode(y=tall, y2={"datum": 0}),
        base.mark("circle", style="dot", size=18).encode(y=tall),
    ]
    tip = Tip(named(title, form(lags)), (TipLine(language.charts.AUTOCORRELATION, number("y", _SMALL)), _chance(_SMALL)))
    return finish([*layers, *pointer(base, "datum.y", tip, lags)], _HEIGHT, {"values": table})


def periodogram(frequencies: Array, power: Array, lower: Array, upper: Array, title: str = language.charts.FREQUENCY) -> Spec:
    """Power by frequency, and the band in which it is expected."""
    table = _table(frequencies, power, lower, upper)
    base = _base(title, frequencies)
    layers = [
        _area(base, language.charts.DECIBELS, lower, upper),
        base.mark("line", style="mean").encode(y=up("y", language.charts.DECIBELS, power, lower, upper)),
    ]
    tip = Tip(named(title, ".3~r"), (TipLine(language.charts.POWER, f"{number('y', '.3~r')} + ' dB'"), _chance(".3~r", " dB")))
    return finish([*layers, *pointer(base, "datum.y", tip, frequencies)], _HEIGHT, {"values": table})


def quantiles(expected: Array, observed: Array, lower: Array, upper: Array) -> Spec:
    """Sorted values against those expected: on the diagonal if the model is right."""
    table = _table(expected, observed, lower, upper)
    base = _base(language.charts.EXPECTED, expected)
    tall = up("y", language.charts.OBSERVED, observed, lower, upper)
    layers = [
        _area(base, language.charts.OBSERVED, lower, upper),
        _diagonal().encode(x=quantity("x", language.charts.EXPECTED, expected), y=tall),
        base.mark("circle", style="dot", size=14).encode(y=tall),
    ]
    tip = Tip(named(language.charts.EXPECTED, _SMALL), (TipLine(language.charts.OBSERVED, number("y", _SMALL)), _chance(_SMALL)))
    ends = [float(np.min(expected)), float(np.max(expected))]
    return finish([*layers, *pointer(base, "datum.y", tip, expected)], _HEIGHT, {"values": table, "ends": rows(x=ends, y=ends)})


def coverage(levels: Array, observed: Array, lower: Array | None = None, upper: Array | None = None) -> Spec:
    """How often data lie in bands of each level: on the diagonal if the bands are as wide as they should be. Shares in 0 to 1."""
    levels, observed = np.asarray(levels, dtype=float), np.asarray(observed, dtype=float)
    bounds = {} if lower is None or upper is None else {"lower": np.asarray(lower), "upper": np.asarray(upper)}
    table = rows(x=levels, y=observed, **bounds)
    across, tall = _share("x", language.charts.LEVEL), _share("y", language.charts.INSIDE)
    base = Layer("values", {"x": across})
    layers = [_diagonal().encode(x=across, y=tall), base.mark("line", style="mean").encode(y=tall)]
    layers.append(base.mark("circle", style="dot", size=30).encode(y=tall))
    if bounds:
        bottom = _share("lower", language.charts.INSIDE)
        layers.insert(0, base.mark("area", style="band-reference").encode(y=bottom, y2={"field": "upper"}))
    lines = (TipLine(language.charts.INSIDE, number("y", ".1~%")), *([_chance(".1~%")] if bounds else []))
    layers += pointer(base, "datum.y", Tip(named(language.charts.LEVEL, ".1~%"), lines), levels)
    return finish(layers, _HEIGHT, {"values": table, "ends": rows(x=[0, 1], y=[0, 1])})


def _table(x: Array, y: Array, lower: Array, upper: Array) -> list[dict[str, object]]:
    x, y, lower, upper = (np.asarray(each, dtype=float) for each in (x, y, lower, upper))
    kept = shrink(x, [y], _PIXELS)
    return rows(x=x[kept], y=y[kept], lower=lower[kept], upper=upper[kept])


def _share(column: str, title: str) -> Part:
    """An axis from nothing to all."""
    return field(column, title=title, scale={"domain": [0, 1]}, axis={"format": "%"})


def _base(title: str, x: Array) -> Layer:
    return Layer("values", {"x": quantity("x", title, x)})


def _area(base: Layer, title: str, lower: Array, upper: Array) -> Layer:
    return base.mark("area", style="band-reference").encode(y=up("lower", title, lower, upper), y2={"field": "upper"})


def _diagonal() -> Layer:
    return Layer("ends", {}).mark("line", style="split")


def _chance(format: str, unit: str = "") -> TipLine:
    """The band in which values lie that are chance alone."""
    return TipLine(language.charts.BY_CHANCE, f"{between('lower', 'upper', format)} + '{unit}'")
