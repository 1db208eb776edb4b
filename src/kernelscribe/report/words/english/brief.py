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
    cycles, lines = kinds[Role.CYCLE], kinds[Role.LINE]
    if cycles:
        head = f"a cycle{where}" if cycles == 1 else f"a cycle{where} within a cycle"
        changes = " that slowly changes its shape" if kinds[Role.SMOOTH] else ""
        grows = " and" * bool(changes and lines) + " whose swings grow or shrink" * bool(lines)
        return head + changes + grows
    if kinds[Role.SMOOTH]:
        return f"a smooth curve{where}" + " whose swings grow or shrink" * bool(lines)
    if kinds[Role.NOISE]:
        return f"noise{where}" + " that grows or shrinks" * bool(lines)
    if lines == 0:
        return "a level"
    if lines == 1:
        return f"a straight line{where}"
    return f"a curve of degree {lines}{where}"


def _several(one: str) -> str:
    """The plural of a phrase that begins with "a": the first noun takes the s."""
    for noun in ("cycle", "curve", "line", "level"):
        if f" {noun}" in one:
            return one.removeprefix("a ").replace(noun, f"{noun}s", 1).replace("changes its", "change their", 1)
    return one
