"""The laws of kernels, one function each: they ask the nodes, never their names. None changes what a kernel is."""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Product, Sum, Zero, owners

__all__ = ["add", "amplify", "charge", "count", "distribute", "multiply", "scale", "simplify"]


def add(parts: list[Expression]) -> Expression:
    """The sum of one or more expressions."""
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


def multiply(parts: list[Expression]) -> Expression:
    """The product of one or more expressions."""
    return parts[0] if len(parts) == 1 else Product(tuple(parts))


def amplify(expr: Expression, factor: float) -> Expression:
    """factor · k; what has no values stays without."""
    match expr:
        case Leaf(values=values):
            return expr if values is None else replace(expr, values=(values[0] * factor, *values[1:]))
        case Sum(args):
            return Sum(tuple(amplify(arg, factor) for arg in args))
        case Operation(args=args):
            return replace(expr, args=tuple(amplify(arg, factor) for arg in args))
        case Product((first, *rest)):
            return Product((amplify(first, factor), *rest))
        case Zero():
            return expr
    raise AssertionError(expr)


def scale(expr: Expression) -> float:
    """The mean of k(x, x) over standardised inputs, about which it says how large the kernel's part is; 1 without values. Of what
    acts somewhere alone, and of the branches of an operation, each where it acts."""
    match expr:
        case Leaf(values=values):
            return 1.0 if values is None else expr.base.size(np.array(values))
        case Sum(args):
            return sum(scale(arg) for arg in args)
        case Operation(args=args):
            return sum(scale(arg) for arg in args) / len(args)
        case Product(args):
            return float(np.prod([scale(arg) for arg in args]))
        case Zero():
            return 0.0


def simplify(expr: Expression) -> Expression:
    """The same kernel with every product of factors that are one, as of SE on one input, written as one: 1/ℓ² adds and variances
    multiply. A factor that merges with one in every summand of a sum beside it is nothing of its own, and goes into them.

    >>> from kernelscribe.kernels.language import parse
    >>> str(simplify(parse("SE*PER*SE + LIN")))
    'SE1*PER1 + LIN1'
    >>> str(simplify(parse("SE*(SE + SE*PER)")))
    'SE1 + SE1*PER1'
    """
    match expr:
        case Leaf() | Zero():
            return expr
        case Sum(args):
            return Sum(tuple(simplify(arg) for arg in args))
        case Operation(args=args):
            return replace(expr, args=tuple(simplify(arg) for arg in args))
        case Product(args):
            return multiply(_absorbed(_merged(simplify(arg) for arg in args)))


def _merged(factors: Iterable[Expression]) -> list[Expression]:
    """Factors, those that merge as one, in the place of the first of them."""
    alike: dict[tuple[str, int], Leaf] = {}
    rest: list[Expression] = []
    for each in factors:
        if isinstance(each, Leaf) and _merges(each):
            known = alike.get((each.kind, each.dim))
            alike[each.kind, each.dim] = each if known is None else _merge(known, each)
        else:
            rest.append(each)
    return [*alike.values(), *rest]


def _absorbed(factors: list[Expression]) -> list[Expression]:
    """Factors, without those that are one with a factor of every summand of a sum among them."""
    for i, factor in enumerate(factors):
        for j, other in enumerate(factors):
            if isinstance(factor, Leaf) and _merges(factor) and isinstance(other, Sum):
                if all(_holds(summand, factor) for summand in other.args):
                    inside = Sum(tuple(simplify(multiply([factor, summand])) for summand in other.args))
                    return _absorbed([inside if k == j else each for k, each in enumerate(factors) if k != i])
    return factors


def _merges(leaf: Leaf) -> bool:
    shape = (1.0,) * (len(leaf.base.parameters) - 1)
    return leaf.base.merge(shape, shape) is not None


def _merge(one: Leaf, other: Leaf) -> Leaf:
    if one.values is None or other.values is None:
        return replace(one, values=None)
    shape = one.base.merge(one.values[1:], other.values[1:]) or ()
    return replace(one, values=(one.values[0] * other.values[0], *shape))


def distribute(expr: Expression) -> tuple[Expression, ...]:
    """The kernel as a sum of simplified products of leaves, one entry a summand; of an operation, the leaves beneath it, within
    the branch where they stand.

    >>> from kernelscribe.kernels.language import parse
    >>> [str(part) for part in distribute(parse("SE*(PER + LIN)"))]
    ['SE1*PER1', 'SE1*LIN1']
    >>> [str(part) for part in distribute(parse("CHANGE(SE, PER + LIN)"))]
    ['CHANGE1(SE1, 0)', 'CHANGE1(0, PER1)', 'CHANGE1(0, LIN1)']
    """
    form = Form.of(expr)
    return tuple(_within(form, term) for term in form.terms)


def _within(form: Form, term: tuple[int, ...]) -> Expression:
    """A term as an expression: its leaves multiplied, the operations around them."""
    members = [(form.owners[form.factors[i].owner], form.factors[i].branch) for i in term]
    found = simplify(multiply([owner for owner, _ in members if isinstance(owner, Leaf)]))
    for owner, branch in reversed(members):
        if isinstance(owner, Operation):
            args = tuple(found if i == branch else Zero() for i in range(len(owner.args)))
            found = replace(owner, args=args)
    return found


def count(expr: Expression, how: str = "identified", noise: int = 1) -> int:
    """How many parameters the BIC charges for, those of the noise included, which are so many.

    `paper` counts every node's own. `identified` counts what the data can tell apart: one variance a product (the others
    only rescale it), one shape for factors that merge, and of a sum of equal kernels on one input as many numbers as that sum
    has, three for lines.
    """
    if how == "paper":
        return noise + sum(len(owner.base.parameters) for owner in owners(expr))
    return noise + _identified(simplify(expr))


def charge(expr: Expression, how: str, rows: int, noise: int = 1) -> float:
    """What the BIC takes for the parameters, in nats: half a log N for each."""
    return 0.5 * count(expr, how, noise) * math.log(rows)


def _identified(expr: Expression) -> int:
    match expr:
        case Leaf():
            return len(expr.base.parameters)
        case Operation(args=args):
            return len(expr.base.parameters) + sum(_identified(arg) for arg in args)
        case Product(args):
            return sum(_identified(arg) for arg in args) - (len(args) - 1)
        case Sum(args):
            alone = [arg for arg in args if isinstance(arg, Leaf)]
            kinds = {(leaf.kind, leaf.dim): leaf.base for leaf in alone}
            numbers = {key: sum((leaf.kind, leaf.dim) == key for leaf in alone) for key in kinds}
            others = sum(_identified(arg) for arg in args if not isinstance(arg, Leaf))
            return others + sum(base.identified(numbers[key]) for key, base in kinds.items())
        case Zero():
            return 0


def _holds(summand: Expression, factor: Leaf) -> bool:
    """Whether a summand has a factor of the same kind on the same input."""
    parts = summand.args if isinstance(summand, Product) else (summand,)
    return any(isinstance(each, Leaf) and (each.kind, each.dim) == (factor.kind, factor.dim) for each in parts)
