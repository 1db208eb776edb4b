"""Rewriting kernels without changing them: simplification, sums of products, and how many parameters are identified."""

import math
from dataclasses import replace

import numpy as np

from kernelscribe.kernels.form import expand
from kernelscribe.kernels.tree import Expression, Leaf, Product, Sum, leaves

__all__ = ["add", "amplify", "charge", "count", "distribute", "multiply", "scale", "simplify"]

# A sum of k LIN on one input is a quadratic form in (1, x): three numbers, however many terms are written.
_LINES = 3


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
        case Product((first, *rest)):
            return Product((amplify(first, factor), *rest))
    raise AssertionError(expr)


def scale(expr: Expression) -> float:
    """The mean of k(x, x) over standardised inputs, about which it says how large the kernel's part is; 1 without values."""
    match expr:
        case Leaf(values=values):
            if values is None:
                return 1.0
            ends = np.array([-1.0, 1.0])  # mean 0 and variance 1, which is all that k(x, x) of a base kernel depends on
            return float(expr.base.evaluate(ends, ends, np.array(values)).mean())
        case Sum(args):
            return sum(scale(arg) for arg in args)
        case Product(args):
            return float(np.prod([scale(arg) for arg in args]))


def simplify(expr: Expression) -> Expression:
    """The same kernel with every product of SE on one input written as one SE: 1/ℓ² adds and variances multiply.

    >>> from kernelscribe.kernels.language import parse
    >>> str(simplify(parse("SE*PER*SE + LIN")))
    'SE1*PER1 + LIN1'
    """
    match expr:
        case Leaf():
            return expr
        case Sum(args):
            return Sum(tuple(simplify(arg) for arg in args))
        case Product(args):
            smooth: dict[int, Leaf] = {}
            rest: list[Expression] = []
            for arg in (simplify(arg) for arg in args):
                if isinstance(arg, Leaf) and arg.kind == "SE":
                    smooth[arg.dim] = _merge(smooth[arg.dim], arg) if arg.dim in smooth else arg
                else:
                    rest.append(arg)
            return multiply([*smooth.values(), *rest])


def _merge(one: Leaf, other: Leaf) -> Leaf:
    if one.values is None or other.values is None:
        return replace(one, values=None)
    (v, ell), (w, ell_other) = one.values, other.values
    return replace(one, values=(v * w, ell * ell_other / math.hypot(ell, ell_other)))


def distribute(expr: Expression) -> tuple[Expression, ...]:
    """The kernel as a sum of simplified products of leaves, one entry a summand.

    >>> from kernelscribe.kernels.language import parse
    >>> [str(part) for part in distribute(parse("SE*(PER + LIN)"))]
    ['SE1*PER1', 'SE1*LIN1']
    """
    parts = tuple(leaves(expr))
    return tuple(simplify(multiply([parts[i] for i in term])) for term in expand(expr))


def count(expr: Expression, how: str = "identified") -> int:
    """How many parameters the BIC charges for, the noise variance included.

    `paper` counts every leaf's own. `identified` counts what the data can tell apart: one variance a product (the others
    only rescale it), one length-scale for a product of SE, and three numbers for a sum of LIN on one input.
    """
    if how == "paper":
        return 1 + sum(len(leaf.base.parameters) for leaf in leaves(expr))
    return 1 + _identified(simplify(expr))


def charge(expr: Expression, how: str, rows: int) -> float:
    """What the BIC takes for the parameters, in nats: half a log N for each."""
    return 0.5 * count(expr, how) * math.log(rows)


def _identified(expr: Expression) -> int:
    match expr:
        case Leaf():
            return len(expr.base.parameters)
        case Product(args):
            return sum(_identified(arg) for arg in args) - (len(args) - 1)
        case Sum(args):
            total = sum(_identified(arg) for arg in args)
            lines = [arg.dim for arg in args if isinstance(arg, Leaf) and arg.kind == "LIN"]
            return total - sum(max(2 * lines.count(dim) - _LINES, 0) for dim in set(lines))
