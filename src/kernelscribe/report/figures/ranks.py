"""Charts of a few named things: kernels by their score, components by their share. Names stand above their bars, so that
long ones have room on a telephone, too."""

import math
from collections.abc import Sequence

import numpy as np

from kernelscribe.engines.interval import POINTLIKE
from kernelscribe.report.figures.elements import finish, quantity, rows
from kernelscribe.report.figures.layers import Layer, Part, Spec, expression, field
from kernelscribe.report.figures.tips import Place, Tip, TipLine, between, form, number
from kernelscribe.report.words import language

__all__ = ["bars", "intervals"]

# Of a bar with its name above it, in pixels.
_STEP = 44


def intervals(ranks: Sequence[tuple[str, float, float]]) -> Spec:
    """Scores of kernels as intervals: how many nats each may lie from the best, the chosen one first.

    Args:
        ranks: name, lower and upper end of the score, of which more is better. Those without finite ends are left out.
    """
    shown = [(name, low, high) for name, low, high in ranks if math.isfinite(low) and math.isfinite(high)]
    best = max((high for _, _, high in shown), default=0.0)
    lower = np.array([low - best for _, low, _ in shown])
    upper = np.array([high - best for _, _, high in shown])
    table = rows(
        place=range(len(shown)),
        name=[each[0] for each in shown],
        lower=lower,
        upper=upper,
        width=upper - lower,
        middle=(lower + upper) / 2,
    )
    base = Layer("ranks", {"y": _rank()})
    across = quantity("lower", language.charts.NATS_FROM_BEST, lower, upper)
    tip = expression(_kernel(form(lower, upper)).expression)
    layers = []
    for chosen, span, dot in (("datum.place === 0", "span", "dot"), ("datum.place > 0", "span-reference", "dot-reference")):
        part = base.where(chosen)
        layers.append(part.mark("rule", style=span, yOffset=8, tooltip=tip).encode(x=across, x2={"field": "upper"}))
        # An exact score is an interval of hardly any width, which only a dot makes visible.
        layers.append(part.mark("circle", style=dot, size=64, yOffset=8, tooltip=tip).encode(x=_middle(lower, upper)))
    layers.append(_names(base))
    return finish(layers, max(_STEP * len(shown), _STEP), {"ranks": table})


def bars(shares: Sequence[tuple[str, float]]) -> Spec:
    """Shares of a whole, 0 to 1, as bars with their values."""
    names, values = [name for name, _ in shares], np.array([share for _, share in shares], dtype=float)
    base = Layer("shares", {"y": _rank()})
    # Room on the right for the value of the longest bar; the values stand there, so an axis would only repeat them.
    across = field("share", title=None, axis=None, scale={"domain": [0, 1.15 * (float(values.max(initial=0)) or 1)]})
    tip = expression(Tip(Place("datum.name"), (TipLine(language.charts.SHARE, number("share", ".2~%", "datum")),)).expression)
    written = field("share", format=".1%")
    layers = [
        base.mark("bar", style="bar", height=10, yOffset=8, tooltip=tip).encode(x=across),
        base.mark("text", style="value", yOffset=8, dx=6).encode(x=across, text=written),
        _names(base),
    ]
    return finish(layers, max(_STEP * len(names), _STEP), {"shares": rows(place=range(len(names)), name=names, share=values)})


def _kernel(digits: str) -> Tip:
    """What there is to say of a kernel: its score, exact or as an interval."""
    exact, width = number("upper", digits, "datum"), number("width", digits, "datum")
    apart = f"{between('lower', 'upper', digits, 'datum')} + ' {language.charts.NATS}'"
    lines = (
        TipLine(language.charts.FROM_BEST, f"{exact} + ' {language.charts.NATS}'", f"datum.width < {POINTLIKE}"),
        TipLine(language.charts.FROM_BEST, apart, f"datum.width >= {POINTLIKE}"),
        TipLine(language.charts.WITHIN, f"{width} + ' {language.charts.NATS}'", f"datum.width >= {POINTLIKE}"),
    )
    return Tip(Place("datum.name"), lines)


def _rank() -> Part:
    return field("place", "ordinal", title=None, axis=None, scale={"paddingInner": 0, "paddingOuter": 0})


def _middle(lower: np.ndarray, upper: np.ndarray) -> Part:
    return quantity("middle", language.charts.NATS_FROM_BEST, lower, upper)


def _names(base: Layer) -> Layer:
    return base.mark("text", style="label", yOffset=-9).encode(x={"value": 0}, text=field("name", "nominal"))
