"""What a search tries, in as few words as tell one from another: a node of its tree."""

from kernelscribe.data.dataset import Dataset
from kernelscribe.kernels.laws import multiply
from kernelscribe.kernels.normal import normal
from kernelscribe.kernels.tree import Expression, text
from kernelscribe.links import LINKS
from kernelscribe.report.words.english.quantities import amount, cycle_name, row
from kernelscribe.statements.statement import Part, Statement

__all__ = ["node"]

_NOISES = {"constant": "", "growing": "noise that grows or shrinks", "changing": "noise of two levels"}
_SCALES = {"log": "on a logarithmic scale", "root": "on the scale of its root"}


def node(tried: Expression | Statement, data: Dataset) -> str:
    """A kernel as text; a statement, with its values in the user's units, by its components.

    >>> from kernelscribe.data.axis import Axis
    >>> part = Part("cycle", ("changing",), (1.0,), ((1.0, 1.0, 1.0), (1.0, 9.0)))
    >>> data = Dataset.of([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 2.0, 1.0], axes=[Axis("t", "years")])
    >>> node(Statement((Part("bend"), part, Part("rough")), noise="growing"), data)
    'bend + changing yearly cycle + rough + noise that grows or shrinks'
    >>> node(Statement((Part("step", (), (0.0,), ((1.0, 2.5),)),)), data)
    'step at year 3.00'
    """
    if not isinstance(tried, Statement):
        return text(tried, inputs=len(data.axes))
    parts = [_part(part, data) for part in tried.parts] or ["noise alone"]
    noise, scale = _NOISES[tried.noise], "" if LINKS[tried.link].plain else f", {_SCALES[tried.link]}"
    return " + ".join([*parts, *([noise] if noise else [])]) + scale


def _part(part: Part, data: Dataset) -> str:
    before, axis = "".join(f"{each} " for each in part.adjectives), data.axes[0]
    if not part.values or not part.values[0]:
        return f"{before}{part.noun}"
    values = dict(zip(_named(part), part.values[0], strict=True))
    if "period" in values:
        name = cycle_name(axis, values["period"])
        free = "" if part.held or name is None else "about "
        return f"{before}{free}{name} {part.noun}" if name else f"{before}{part.noun} of {amount(axis, values['period'])}"
    return f"{before}{part.noun}{_when(part, data) if part.placed else ''}"


def _named(part: Part) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in part.words[0].base.parameters)


def _when(part: Part, data: Dataset) -> str:
    """The first row that is different, and the last where others follow: between two rows nobody has seen anything."""
    (affine, *_), (extent, *_), (term,) = data.inputs, data.extents, normal(multiply(list(part.leaves())))
    x = affine.centre + affine.scale * data.X[:, 0]
    inside = x[term.diagonal(x[:, None]) > 0]
    if not len(inside):
        return ""
    first, last = (row(data.axes[0], float(each), affine.scale * extent.step) for each in (inside.min(), inside.max()))
    lasts = len(part.words[0].base.breaks(part.values[0][1:])) == 1
    return f" at {first}" if lasts or first == last else f" from {first} to {last}"
