"""A kernel is a sentence: `Leaf | Sum | Product`, frozen, flat and sorted.

The canonical text of an expression is its identity; values do not enter it, nor the order of arguments. Fitted values
live in the leaves, so whoever builds a larger kernel from a fitted one inherits them by construction.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base
from kernelscribe.kernels.bases import BASES

__all__ = ["Expression", "Leaf", "Product", "Sum", "leaves", "pack", "rebuild", "text", "unpack", "with_leaves"]


class _Algebra:
    """`+` and `*` for expressions."""

    __slots__ = ()

    def __add__(self: "Expression", other: "Expression") -> "Sum":  # type: ignore[misc]
        return Sum((self, other))

    def __mul__(self: "Expression", other: "Expression") -> "Product":  # type: ignore[misc]
        return Product((self, other))

    def __str__(self: "Expression") -> str:  # type: ignore[misc]
        return text(self)


@dataclass(frozen=True, slots=True)
class Leaf(_Algebra):
    """A base kernel on one input (counted from 1), with its values or, before fitting, without."""

    kind: str
    dim: int = 1
    values: tuple[float, ...] | None = None

    __str__ = _Algebra.__str__

    def __post_init__(self) -> None:
        if self.kind not in BASES:
            raise KernelError(f"there is no base kernel {self.kind!r}; there are {', '.join(BASES)}")
        if self.dim < 1:
            raise KernelError(f"inputs are counted from 1, but {self.kind} was asked for input {self.dim}")
        if self.values is not None:
            self._check(self.values)

    def _check(self, values: tuple[float, ...]) -> None:
        parameters = self.base.parameters
        if len(values) != len(parameters):
            raise KernelError(
                f"{self.kind} has {len(parameters)} values ({', '.join(p.name for p in parameters)}), got {len(values)}"
            )
        for parameter, value in zip(parameters, values, strict=True):
            if not np.isfinite(value) or (parameter.positive and value <= 0):
                what = "positive and finite" if parameter.positive else "finite"
                raise KernelError(f"{parameter.name} of {self.kind} must be {what}, got {value:g}")

    @property
    def base(self) -> Base:
        return BASES[self.kind]


@dataclass(frozen=True, slots=True)
class Sum(_Algebra):
    """A sum of at least two expressions, none of them a sum."""

    args: tuple["Expression", ...]

    __str__ = _Algebra.__str__

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", _flat(Sum, self.args))


@dataclass(frozen=True, slots=True)
class Product(_Algebra):
    """A product of at least two expressions, none of them a product."""

    args: tuple["Expression", ...]

    __str__ = _Algebra.__str__

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", _flat(Product, self.args))


Expression = Leaf | Sum | Product


def _flat(node: type[Sum] | type[Product], args: Sequence[Expression]) -> tuple[Expression, ...]:
    """Arguments with those of the same node spliced in, in canonical order. The sort is stable and blind to values."""
    flat: list[Expression] = []
    for arg in args:
        # `type(...) is node`, not a shared class told apart by a flag: a product inside a sum must stay a product.
        flat.extend(arg.args if type(arg) is node else (arg,))
    if len(flat) < 2:  # noqa: PLR2004
        raise KernelError(f"a {node.__name__.lower()} needs at least two kernels")
    return tuple(sorted(flat, key=_order))


def _order(expr: Expression) -> tuple[tuple[tuple[int, int], ...], str]:
    kinds = list(BASES)
    return tuple((leaf.dim, kinds.index(leaf.kind)) for leaf in leaves(expr)), text(expr)


def leaves(expr: Expression) -> Iterator[Leaf]:
    """The leaves from left to right: the order of every parameter vector."""
    if isinstance(expr, Leaf):
        yield expr
    else:
        for arg in expr.args:
            yield from leaves(arg)


def text(expr: Expression, *, inputs: int | None = None, values: bool = False) -> str:
    """The canonical text. For one input the number may be left out (`inputs=1`); values are written in full on request."""
    return _text(expr, inputs == 1, values, False)


def _text(expr: Expression, bare: bool, values: bool, inside: bool) -> str:
    match expr:
        case Leaf(kind, dim, numbers):
            head = kind if bare and dim == 1 else f"{kind}{dim}"
            if not values or numbers is None:
                return head
            named = zip(expr.base.parameters, numbers, strict=True)
            return f"{head}({', '.join(f'{p.name}={float(v)!r}' for p, v in named)})"
        case Sum(args):
            joined = " + ".join(_text(arg, bare, values, False) for arg in args)
            return f"({joined})" if inside else joined
        case Product(args):
            return "*".join(_text(arg, bare, values, True) for arg in args)


def rebuild(expr: Expression, change: Callable[[Leaf], Expression]) -> Expression:
    """The same tree with every leaf replaced by what `change` makes of it, from left to right."""
    if isinstance(expr, Leaf):
        return change(expr)
    return replace(expr, args=tuple(rebuild(arg, change) for arg in expr.args))


def with_leaves(expr: Expression, new: Sequence[Leaf]) -> Expression:
    """The same tree with other leaves of the same kinds, in the order of `leaves`."""
    supply = iter(new)
    return rebuild(expr, lambda _: next(supply))


def pack(expr: Expression) -> Array:
    """The optimiser's coordinates: logarithms of positive values, places as they are, leaf after leaf."""
    coordinates = []
    for leaf in leaves(expr):
        if leaf.values is None:
            raise KernelError(f"{text(expr)} has no values yet: fit it, or write them, as in {_example(leaf)}")
        for parameter, value in zip(leaf.base.parameters, leaf.values, strict=True):
            coordinates.append(np.log(value) if parameter.positive else value)
    return np.array(coordinates)


def unpack(expr: Expression, theta: Array) -> Expression:
    """The same tree with the values of these coordinates: the inverse of `pack`."""
    new, at = [], 0
    for leaf in leaves(expr):
        own = theta[at : at + len(leaf.base.parameters)]
        at += len(leaf.base.parameters)
        pairs = zip(leaf.base.parameters, own, strict=True)
        new.append(replace(leaf, values=tuple(float(np.exp(u)) if p.positive else float(u) for p, u in pairs)))
    if at != len(theta):
        raise KernelError(f"{text(expr)} has {at} parameters, got {len(theta)}")
    return with_leaves(expr, new)


def _example(leaf: Leaf) -> str:
    return f"{leaf.kind}{leaf.dim}({', '.join(f'{p.name}=1' for p in leaf.base.parameters)})"
