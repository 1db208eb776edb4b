"""The moves of the search: from one kernel to its neighbours, one function a rule, the rule its docstring.

A neighbour keeps the fitted values of its origin; what is new has none. Whoever fits it fills them in.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from kernelscribe.kernels.base import Role
from kernelscribe.kernels.bases import PAPER
from kernelscribe.kernels.form import MOST_TERMS, terms
from kernelscribe.kernels.laws import add, amplify, multiply, scale, simplify
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Product, Sum, Zero, text

__all__ = ["MOVES", "base_kernels", "drop", "extend", "neighbours", "swap", "switch"]

Put = Callable[[Expression], Expression]


def base_kernels(inputs: int, cycles: Collection[int] | None = None) -> tuple[Leaf, ...]:
    """B: every base kernel of the paper on every input, but PER only on those that may have cycles, where these are given."""
    every = (Leaf(kind, dim) for dim in range(1, inputs + 1) for kind in PAPER)
    return tuple(leaf for leaf in every if leaf.base.role is not Role.CYCLE or cycles is None or leaf.dim in cycles)


def extend(expr: Expression, bases: Sequence[Leaf], where: str = "sub") -> Iterator[Expression]:
    """k → k + B and k → k × B, for every sub-expression k (`sub`) or for the whole kernel alone (`root`)."""
    for part, put in _spots(expr) if where == "sub" else [(expr, _whole)]:
        for base in bases:
            yield put(part + base)
            yield put(part * base)


def swap(expr: Expression, bases: Sequence[Leaf], where: str = "sub") -> Iterator[Expression]:
    """B → B′: any base kernel in k replaced by any other base kernel."""
    yield from _replaced(expr, lambda _: bases)


def switch(expr: Expression, bases: Sequence[Leaf], where: str = "sub") -> Iterator[Expression]:
    """B → B′ on the same input: what was taken for smooth may be a line, and the other way round."""
    yield from _replaced(expr, lambda leaf: tuple(base for base in bases if base.dim == leaf.dim))


def drop(expr: Expression, bases: Sequence[Leaf], where: str = "sub") -> Iterator[Expression]:
    """k + k′ → k and k × k′ → k: a part that has become useless goes."""
    for part, put in _spots(expr):
        if not isinstance(part, Sum | Product):
            continue
        for i, gone in enumerate(part.args):
            rest = [*part.args[:i], *part.args[i + 1 :]]
            yield put(add(rest) if isinstance(part, Sum) else amplify(multiply(rest), scale(gone)))


MOVES: dict[str, Callable[[Expression, Sequence[Leaf], str], Iterator[Expression]]] = {
    "extend": extend,
    "swap": swap,
    "switch": switch,
    "drop": drop,
}


def neighbours(expr: Expression, bases: Sequence[Leaf], moves: Sequence[str], where: str = "sub") -> tuple[Expression, ...]:
    """What the moves make of a kernel by these base kernels: simplified, each once, in the order of the moves, without itself."""
    found: dict[str, Expression] = {}
    for name in moves:
        for each in MOVES[name](expr, bases, where):
            plain = simplify(each)
            found.setdefault(text(plain), plain)
    found.pop(text(simplify(expr)), None)
    return tuple(each for each in found.values() if terms(each) <= MOST_TERMS)


def _replaced(expr: Expression, choices: Callable[[Leaf], Sequence[Leaf]]) -> Iterator[Expression]:
    """Every leaf replaced by every choice. Its size goes to its neighbours in a product, so that nothing else changes."""
    for part, put in _spots(expr):
        if isinstance(part, Leaf):
            if part is expr:
                yield from (leaf for leaf in choices(part) if leaf.kind != part.kind or leaf.dim != part.dim)
            continue
        if not isinstance(part, Sum | Product):
            continue
        for i, old in enumerate(part.args):
            if not isinstance(old, Leaf):
                continue
            rest = [*part.args[:i], *part.args[i + 1 :]]
            for leaf in choices(old):
                if (leaf.kind, leaf.dim) == (old.kind, old.dim):
                    continue
                yield put(Sum((leaf, *rest)) if isinstance(part, Sum) else Product((amplify(multiply(rest), scale(old)), leaf)))


def _whole(new: Expression) -> Expression:
    return new


def _spots(expr: Expression, put: Put = _whole) -> Iterator[tuple[Expression, Put]]:
    """Every sub-expression with a function that puts another in its place."""
    if not isinstance(expr, Zero):
        yield expr, put
    if isinstance(expr, Leaf):
        return
    for i, arg in enumerate(expr.args):
        yield from _spots(arg, _inside(expr, i, put))


def _inside(expr: Sum | Product | Operation | Zero, i: int, put: Put) -> Put:
    return lambda new: put(replace(expr, args=(*expr.args[:i], new, *expr.args[i + 1 :])))
