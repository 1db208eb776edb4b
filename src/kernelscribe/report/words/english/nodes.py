"""What a search tries, in as few words as tell one from another: a node of its tree."""

from collections.abc import Sequence

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.kernels.tree import Expression, text
from kernelscribe.links import LINKS
from kernelscribe.report.words.english.quantities import amount, cycle_name, place
from kernelscribe.statements.statement import Part, Statement

__all__ = ["node"]

_NOISES = {"constant": "", "growing": "noise that grows or shrinks", "changing": "noise of two levels"}
_SCALES = {"log": "on a logarithmic scale", "root": "on the scale of its root"}


def node(tried: Expression | Statement, axes: Sequence[Axis]) -> str:
    """A kernel as text; a statement, with its values in the user's units, by its components.

    >>> part = Part("cycle", ("changing",), (1.0,), ((1.0, 1.0, 1.0), (1.0, 9.0)))
    >>> node(Statement((Part("bend"), part, Part("rough")), noise="growing"), [Axis("t", "years")])
    'bend + changing yearly cycle + rough + noise that grows or shrinks'
    """
    if not isinstance(tried, Statement):
        return text(tried, inputs=len(axes))
    parts = [_part(part, axes[0]) for part in tried.parts] or ["noise alone"]
    noise, scale = _NOISES[tried.noise], "" if LINKS[tried.link].plain else f", {_SCALES[tried.link]}"
    return " + ".join([*parts, *([noise] if noise else [])]) + scale


def _part(part: Part, axis: Axis) -> str:
    before = "".join(f"{each} " for each in part.adjectives)
    if not part.values or not part.values[0]:
        return f"{before}{part.noun}"
    values = dict(zip(_named(part), part.values[0], strict=True))
    if "period" in values:
        name = cycle_name(axis, values["period"])
        free = "" if part.held or name is None else "about "
        return f"{before}{free}{name} {part.noun}" if name else f"{before}{part.noun} of {amount(axis, values['period'])}"
    if part.held:
        return f"{before}{part.noun} at {_place(axis, values['location'])}"
    return f"{before}{part.noun}"


def _named(part: Part) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in part.words[0].base.parameters)


def _place(axis: Axis, value: float) -> str:
    """To the day, or with as many figures as any place."""
    return place(axis, value, DAYS_A_YEAR / axis.days(1.0) if axis.temporal else abs(value))
