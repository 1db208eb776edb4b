"""Sizes on the scale of the target's link, in words: in per cent on a logarithmic one, where components multiply.

Nothing else turns such a size into a text: without a link it is a number in the units of the target.
"""

import math

import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.links import TargetLink
from kernelscribe.report.description.seen import Known
from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.names import label
from kernelscribe.report.words.english.numbers import number
from kernelscribe.report.words.english.quantities import near, pace, plus_minus

__all__ = [
    "amount_on_scale",
    "change_on_scale",
    "deviation_on_scale",
    "exactly_on_scale",
    "explained",
    "near_on_scale",
    "part_on_scale",
    "rate_on_scale",
    "scale_sentence",
    "scaled",
    "signed_on_scale",
    "slope_on_scale",
]

# From here on a change is told as a factor: "by 200 %" is three times as much, which few take it for.
_FACTOR = 3.0


def amount_on_scale(link: TargetLink, size: float, figures: int = 3) -> str:
    """A size, such as a standard deviation or an error.

    >>> from kernelscribe.links import LINKS
    >>> amount_on_scale(LINKS["none"], 0.0488, 2), amount_on_scale(LINKS["log"], 0.0488, 2), amount_on_scale(LINKS["log"], 2.0, 2)
    ('0.049', '5.0 %', 'a factor of 7.4')
    """
    if not link.multiplies:
        return number(size, figures)
    return _grown(size, figures)


def _grown(size: float, figures: int) -> str:
    """What grows by this many logarithmic units."""
    if not size < math.log(_FACTOR):
        return f"a factor of {number(float(np.exp(size)), figures)}"
    return f"{number(100 * math.expm1(size), figures)} %"


def deviation_on_scale(link: TargetLink, size: float, figures: int = 3) -> str:
    """The same to both sides: ± 0.049; ± 5.0 %; a factor of 7.4 up or down."""
    said = amount_on_scale(link, size, figures)
    return f"{said} up or down" if said.startswith("a factor") else f"± {said}"


def change_on_scale(link: TargetLink, change: float, figures: int = 3) -> str:
    """By how much something rises or, where the change is negative, falls, without its sign.

    >>> from kernelscribe.links import LINKS
    >>> [change_on_scale(LINKS["log"], each) for each in (0.5, -0.5, 3.0, -3.0)]
    ['64.9 %', '39.3 %', 'a factor of 20.1', 'a factor of 20.1']
    """
    if not link.multiplies:
        return number(abs(change), figures)
    falls = -math.log(_FACTOR) < change < 0
    return f"{number(-100 * math.expm1(change), figures)} %" if falls else _grown(abs(change), figures)


def near_on_scale(link: TargetLink, known: Known) -> str:
    """The same of a number whose standard error is known, with as many figures as that allows.

    >>> from kernelscribe.links import LINKS
    >>> near_on_scale(LINKS["none"], Known(-40.123, 2.6)), near_on_scale(LINKS["log"], Known(0.0954, 0.004))
    ('40', '10.0 %')
    """
    if not link.multiplies:
        return near(abs(known.value), known.error)
    if abs(known.value) >= math.log(_FACTOR):
        return _grown(abs(known.value), 2)
    share = math.expm1(known.value)
    return f"{near(100 * abs(share), 100 * (1 + share) * known.error)} %"


def exactly_on_scale(link: TargetLink, known: Known) -> str:
    """The same with the standard error: 40 ± 3; 10.0 ± 0.4 %."""
    if not link.multiplies:
        return plus_minus(abs(known.value), known.error)
    if abs(known.value) >= math.log(_FACTOR):
        return _grown(abs(known.value), 2)
    share = math.expm1(known.value)
    return f"{plus_minus(100 * abs(share), 100 * (1 + share) * known.error)} %"


def signed_on_scale(link: TargetLink, known: Known) -> str:
    """The same with its sign: +40; −12 %; by a factor of 7.4, up or down, where per cent would mislead."""
    said = near_on_scale(link, known)
    if said.startswith("a factor"):
        return f"{said} {'up' if known.value > 0 else 'down'}"
    return f"{'+' if known.value > 0 else '−'}{said}"


def slope_on_scale(link: TargetLink, axis: Axis, known: Known, span: float, *, exact: bool = False) -> str:
    """A slope whose standard error is known, without its sign: 1.5 a year; compound, 3.0 ± 0.2 % a year."""
    per, length = pace(axis, span)
    told = exactly_on_scale if exact else near_on_scale
    return f"{told(link, Known(known.value * length, known.error * length))} {per}"


def rate_on_scale(link: TargetLink, axis: Axis, slope: float, span: float) -> str:
    """A slope, without its sign, by a unit that fits the span: 1.52 a year; compound, 3.0 % a year."""
    per, length = pace(axis, span)
    return f"{change_on_scale(link, slope * length)} {per}"


def part_on_scale(link: TargetLink, value: float, figures: int = 3) -> str:
    """A value of a component with its sign, as its figure has it."""
    shown = number(float(link.part(np.array(value))), figures)
    return f"{shown} %" if link.multiplies else shown


def scaled(link: TargetLink, name: str) -> str:
    """What is described, in short: y; log y; √(y + 3/8)."""
    return name if link.plain else f"log {name}" if link.multiplies else f"√({name} + 3/8)"


def explained(view: View) -> str:
    """What is described, in a sentence: sales; the logarithm of sales."""
    name = label(view.model.data.target)
    return name if view.link.plain else f"the {'logarithm' if view.link.multiplies else 'root'} of {name}"


def scale_sentence(view: View) -> str:
    """On which scale, and what follows; nothing where there is no link."""
    name = label(view.model.data.target)
    if view.link.plain:
        return ""
    if view.link.multiplies:
        return f"{name} is described on a logarithmic scale: components multiply, and their sizes are told in per cent."
    return (
        f"{name} is described on the scale of the square root of {name} + 3/8, on which counts vary by much the same whatever "
        "their size: components add up there, and their sizes are told on that scale."
    )
