"""A kernel is a sentence: `Leaf | Sum | Product | Operation | Zero`, frozen, flat and sorted.

The canonical text of an expression is its identity; values do not enter it, nor the order of arguments of sums and products.
Fitted values live in the nodes that own parameters, leaves and operations, so whoever builds a larger kernel from a fitted one
inherits them by construction.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base, Parametric
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.operators import OPERATORS
from kernelscribe.kernels.operators.operator import Operator

__all__ = [
    "Expression",
    "Leaf",
    "Operation",
    "Owner",
    "Product",
    "Sum",
    "Zero",
    "leaves",
    "owners",
    "pack",
    "rebuild",
    "text",
    "unpack",
    "with_leaves",
    "with_owners",
]


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
        _check(self)

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


@dataclass(frozen=True, slots=True)
class Zero(_Algebra):
    """Nothing: what stands in a branch of an operation where no kernel acts."""

    args: tuple["Expression", ...] = ()

    __str__ = _Algebra.__str__


@dataclass(frozen=True, slots=True)
class Operation(_Algebra):
    """An operator on one input, with values of its own that all its branches share."""

    kind: str
    args: tuple["Expression", ...]
    dim: int = 1
    values: tuple[float, ...] | None = None

    __str__ = _Algebra.__str__

    def __post_init__(self) -> None:
        if self.kind not in OPERATORS:
            raise KernelError(f"there is no operator {self.kind!r}; there are {', '.join(OPERATORS)}")
        if len(self.args) != len(self.base.branches):
            raise KernelError(f"{self.kind} takes {len(self.base.branches)} kernels ({', '.join(self.base.branches)})")
        if all(isinstance(arg, Zero) for arg in self.args):
            raise KernelError(f"{self.kind} needs a kernel in one of its branches at least")
        _check(self)

    @property
    def base(self) -> Operator:
        return OPERATORS[self.kind]


Owner = Leaf | Operation
Expression = Leaf | Sum | Product | Operation | Zero


def _check(owner: Owner) -> None:
    base: Parametric = owner.base
    if owner.dim < 1:
        raise KernelError(f"inputs are counted from 1, but {owner.kind} was asked for input {owner.dim}")
    if owner.values is None:
        return
    if len(owner.values) != len(base.parameters):
        names = ", ".join(parameter.name for parameter in base.parameters)
        raise KernelError(f"{owner.kind} has {len(base.parameters)} values ({names}), got {len(owner.values)}")
    for parameter, value in zip(base.parameters, owner.values, strict=True):
        if not np.isfinite(value) or (parameter.positive and value <= 0):
            what = "positive and finite" if parameter.positive else "finite"
            raise KernelError(f"{parameter.name} of {owner.kind} must be {what}, got {value:g}")


def _flat(node: type[Sum] | type[Product], args: Sequence[Expression]) -> tuple[Expression, ...]:
    """Arguments with those of the same node spliced in, in canonical order. The sort is stable and blind to values."""
    flat: list[Expression] = []
    for arg in args:
        if isinstance(arg, Zero):
            raise KernelError("nothing (0) can only stand in a branch of an operator")
        # `type(...) is node`, not a shared class told apart by a flag: a product inside a sum must stay a product.
        flat.extend(arg.args if type(arg) is node else (arg,))
    if len(flat) < 2:  # noqa: PLR2004
        raise KernelError(f"a {node.__name__.lower()} needs at least two kernels")
    return tuple(sorted(flat, key=_order))


def _order(expr: Expression) -> tuple[tuple[tuple[int, int], ...], str]:
    kinds = [*BASES, *OPERATORS]
    return tuple((owner.dim, kinds.index(owner.kind)) for owner in owners(expr)), text(expr)


def owners(expr: Expression) -> Iterator[Owner]:
    """The nodes that own parameters, an operation before what is beneath it: the order of every parameter vector."""
    if isinstance(expr, Leaf | Operation):
        yield expr
    if not isinstance(expr, Leaf):
        for arg in expr.args:
            yield from owners(arg)


def leaves(expr: Expression) -> Iterator[Leaf]:
    """The leaves from left to right."""
    return (owner for owner in owners(expr) if isinstance(owner, Leaf))


def text(expr: Expression, *, inputs: int | None = None, values: bool = False) -> str:
    """The canonical text. For one input the number may be left out (`inputs=1`); values are written in full on request."""
    return _text(expr, inputs == 1, values, False)


def _text(expr: Expression, bare: bool, values: bool, inside: bool) -> str:
    match expr:
        case Leaf():
            numbers = _numbers(expr) if values else []
            return _head(expr, bare) + (f"({', '.join(numbers)})" if numbers else "")
        case Operation(args=args):
            within = [_text(arg, bare, values, False) for arg in args] + (_numbers(expr) if values else [])
            return f"{_head(expr, bare)}({', '.join(within)})"
        case Sum(args):
            joined = " + ".join(_text(arg, bare, values, False) for arg in args)
            return f"({joined})" if inside else joined
        case Product(args):
            return "*".join(_text(arg, bare, values, True) for arg in args)
        case Zero():
            return "0"


def _head(owner: Owner, bare: bool) -> str:
    return owner.kind if bare and owner.dim == 1 else f"{owner.kind}{owner.dim}"


def _numbers(owner: Owner) -> list[str]:
    if owner.values is None:
        return []
    return [f"{p.name}={float(v)!r}" for p, v in zip(owner.base.parameters, owner.values, strict=True)]


def rebuild(expr: Expression, change: Callable[[Leaf], Expression]) -> Expression:
    """The same tree with every leaf replaced by what `change` makes of it, from left to right."""
    if isinstance(expr, Leaf):
        return change(expr)
    return replace(expr, args=tuple(rebuild(arg, change) for arg in expr.args))


def with_leaves(expr: Expression, new: Sequence[Leaf]) -> Expression:
    """The same tree with other leaves of the same kinds, in the order of `leaves`."""
    supply = iter(new)
    return rebuild(expr, lambda _: next(supply))


def with_owners(expr: Expression, values: Iterator[tuple[float, ...] | None]) -> Expression:
    """The same tree with other values in the nodes that own parameters, in the order of `owners`."""
    if isinstance(expr, Leaf):
        return replace(expr, values=next(values))
    if isinstance(expr, Operation):
        own = next(values)
        return replace(expr, values=own, args=tuple(with_owners(arg, values) for arg in expr.args))
    return replace(expr, args=tuple(with_owners(arg, values) for arg in expr.args))


def pack(expr: Expression) -> Array:
    """The optimiser's coordinates: logarithms of positive values, places as they are, owner after owner."""
    coordinates = []
    for owner in owners(expr):
        if owner.values is None:
            raise KernelError(f"{text(expr)} has no values yet: fit it, or write them, as in {_example(owner)}")
        for parameter, value in zip(owner.base.parameters, owner.values, strict=True):
            coordinates.append(np.log(value) if parameter.positive else value)
    return np.array(coordinates)


def unpack(expr: Expression, theta: Array) -> Expression:
    """The same tree with the values of these coordinates: the inverse of `pack`."""
    new, at = [], 0
    for owner in owners(expr):
        parameters = owner.base.parameters
        pairs = zip(parameters, theta[at : at + len(parameters)], strict=False)
        new.append(tuple(float(np.exp(u)) if p.positive else float(u) for p, u in pairs))
        at += len(parameters)
    if at != len(theta):
        raise KernelError(f"{text(expr)} has {at} parameters, got {len(theta)}")
    return with_owners(expr, iter(new))


def _example(owner: Owner) -> str:
    return _text(replace(owner, values=(1.0,) * len(owner.base.parameters)), False, True, False).replace("=1.0", "=1")
