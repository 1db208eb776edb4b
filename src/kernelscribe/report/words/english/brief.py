"""A kernel in one line of plain English, before anything is known of its values: what is tried, while it is tried."""

from collections import Counter
from collections.abc import Sequence

from kernelscribe.kernels.base import Role
from kernelscribe.kernels.laws import distribute
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Zero, leaves
from kernelscribe.report.words.english.names import label
from kernelscribe.report.words.english.numbers import count_word, listing

__all__ = ["brief"]

# What stands in a branch of an operator, by what that is called.
_BRANCHES = {
    "before": "until a change",
    "after": "from a change on",
    "outside": "outside a stretch",
    "inside": "within a stretch",
}
# What happens at a place.
_EVENTS = {Role.STEP: "a jump", Role.KINK: "a change of slope", Role.SPELL: "a while that lies higher or lower"}


def brief(expr: Expression, names: Sequence[str]) -> str:
    """The parts of a kernel, joined by "and"; inputs are named where there are several.

    >>> from kernelscribe.kernels.language import parse
    >>> brief(parse("SE*PER + LIN + LIN"), ["year"])
    'a cycle that slowly changes its shape and two straight lines'
    >>> brief(parse("SE1*LIN2"), ["water", "age"])
    'a smooth curve along water, in proportion to age'
    """
    parts = Counter(_gated(term, names if len(names) > 1 else ()) for term in distribute(expr))
    return listing([one if count == 1 else f"{count_word(count)} {_several(one)}" for one, count in parts.items()])


def _gated(term: Expression, names: Sequence[str]) -> str:
    """A summand, and in which branches it stands."""
    if not isinstance(term, Operation):
        return _summand(tuple(leaves(term)), names)
    (branch, inner), *_ = (
        (name, arg) for name, arg in zip(term.base.branches, term.args, strict=True) if not isinstance(arg, Zero)
    )
    return f"{_gated(inner, names)} {_BRANCHES[branch]}"


def _summand(factors: Sequence[Leaf], names: Sequence[str]) -> str:
    """One summand: what each input contributes, the first of them the head."""
    dims = list(dict.fromkeys(each.dim for each in factors))
    kinds = {dim: Counter(each.base.role for each in factors if each.dim == dim) for dim in dims}
    # Lines along one input only scale what happens along the others.
    dims.sort(key=lambda dim: set(kinds[dim]) == {Role.LINE})
    head, *rest = (_along(kinds[dim], label(names[dim - 1]) if names else "", first=i == 0) for i, dim in enumerate(dims))
    return ", ".join([head, *rest])


def _along(kinds: Counter[Role], name: str, *, first: bool) -> str:
    where = f" along {name}" if name else ""
    if not first and set(kinds) == {Role.LINE}:
        return f"in proportion to {name}" + (f" to the power {kinds[Role.LINE]}" if kinds[Role.LINE] > 1 else "")
    phrase = _shape(kinds, where)
    return phrase if first else f"times {phrase}"


def _shape(kinds: Counter[Role], where: str) -> str:
    """The cases in the order of the report's words."""
    scales = kinds[Role.LINE] + kinds[Role.DRIFT] + kinds[Role.BEND]
    swings = " whose swings grow or shrink"
    if kinds[Role.CYCLE]:
        return _cycle(kinds, where)
    if kinds[Role.NOISE]:
        return f"noise{where}" + " that grows or shrinks" * bool(scales)
    if kinds[Role.SMOOTH] or kinds[Role.ROUGH]:
        return f"{'short-lived departures' if kinds[Role.ROUGH] else 'a smooth curve'}{where}" + swings * bool(scales)
    happens = next((said for role, said in _EVENTS.items() if kinds[role]), "")
    if happens:
        return f"{happens}{where}"
    if kinds[Role.DRIFT] or kinds[Role.BEND]:
        what = "a level that wanders" if kinds[Role.DRIFT] else "a trend that bends"
        return f"{what}{where}" + f" and{swings}" * (scales > 1)
    return _lines(kinds[Role.LINE], where)


def _cycle(kinds: Counter[Role], where: str) -> str:
    head = f"a cycle{where}" if kinds[Role.CYCLE] == 1 else f"a cycle{where} within a cycle"
    others = kinds[Role.ROUGH] + kinds[Role.DRIFT] + kinds[Role.BEND]
    changes = " that slowly changes its shape" if kinds[Role.SMOOTH] else " that changes its shape" if others else ""
    lines = bool(kinds[Role.LINE])
    return head + changes + " and" * bool(changes and lines) + " whose swings grow or shrink" * lines


def _lines(number: int, where: str) -> str:
    if number == 0:
        return "a level"
    return f"a straight line{where}" if number == 1 else f"a curve of degree {number}{where}"


def _several(one: str) -> str:
    """The plural of a phrase that begins with "a": the first noun takes the s, and verbs follow."""
    for noun in ("cycle", "curve", "line", "level", "trend"):
        if f" {noun}" in one:
            many = one.removeprefix("a ").replace(noun, f"{noun}s", 1).replace("changes its", "change their", 1)
            return many.replace("wanders", "wander", 1).replace("bends", "bend", 1)
    return f"kinds of {one}"
