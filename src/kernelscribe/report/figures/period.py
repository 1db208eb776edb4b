"""A cycle over one period, by the calendar's own names: months, days of the week, hours."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.elements import along, coordinates, finish, rows, up
from kernelscribe.report.figures.layers import Layer, Spec
from kernelscribe.report.figures.tips import ROW, Place, Tip, TipLine, between, form, number, pointer
from kernelscribe.report.words import language

__all__ = ["CALENDAR", "period"]

# Of a chart, in pixels.
_HEIGHT = 200
# So few places are marked one by one.
_FEW = 31
# By how many days a period has: how its places are called on the axis, and under the pointer.
CALENDAR: Mapping[int, tuple[str, str]] = MappingProxyType({365: ("%b", "%-d %B"), 7: ("%a", "%A, %H:%M"), 1: ("%H:%M", "%H:%M")})
# A Monday that begins a year: days from here on are months, days of the week and hours at once.
_ORIGIN = "2001-01-01T00:00:00"


def period(x: Array, mean: Array, lower: Array, upper: Array, days: int, title: str, name: str) -> Spec:
    """The curve of one period with its band.

    Args:
        x: days since the beginning of a year, a week or a day, in order.
        days: of the period, as in CALENDAR.
        title: of the vertical axis.
        name: of the curve under the pointer.
    """
    axis, (ticks, heading) = Axis("", "days", _ORIGIN), CALENDAR[days]
    table = rows(x=coordinates(x, axis), mean=mean, lower=lower, upper=upper)
    base = Layer("curve", {"x": {**along(axis, x), "title": None, "axis": {"format": ticks, "title": None}}})
    digits = form(lower, upper, spread=float(np.median(np.asarray(upper) - lower)) / 2)
    lines = (TipLine(name, number("mean", digits)), TipLine(language.charts.BAND, between("lower", "upper", digits)))
    layers = [
        base.mark("area", style="band").encode(y=up("lower", title, lower, upper), y2={"field": "upper"}),
        base.mark("line", style="mean", point=len(x) <= _FEW).encode(y=up("mean", title, lower, upper)),
        *pointer(base, "datum.mean", Tip(Place(f"utcFormat({ROW}.x, '{heading}')"), lines), x),
    ]
    return finish(layers, _HEIGHT, {"curve": table})
