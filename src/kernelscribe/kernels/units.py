"""Between the standardised data, on which kernels are fitted, and the user's units, in which they are told.

With x = centre + scale·x̃ and y = centre + scale·ỹ: lengths and periods grow by the input's scale, locations move with it,
variances grow by the square of the output's scale, once for every product, and those of LIN shrink by the square of the
input's. In a product only the product of the variances means anything, so its first leaf carries the output's share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernelscribe.errors import KernelError
from kernelscribe.kernels.tree import Expression, Leaf, Product, Sum

__all__ = ["Affine", "to_standard", "to_user"]


@dataclass(frozen=True, slots=True)
class Affine:
    """user = centre + scale · standard."""

    centre: float
    scale: float

    @property
    def inverse(self) -> "Affine":
        return Affine(-self.centre / self.scale, 1 / self.scale)


def to_user(expr: Expression, inputs: Sequence[Affine], output: Affine) -> Expression:
    """The same kernel with its values in the user's units."""
    return _convert(expr, inputs, output.scale**2)


def to_standard(expr: Expression, inputs: Sequence[Affine], output: Affine) -> Expression:
    """The inverse of `to_user`."""
    return _convert(expr, [each.inverse for each in inputs], output.scale**-2)


def _convert(expr: Expression, inputs: Sequence[Affine], share: float) -> Expression:
    match expr:
        case Leaf():
            return _leaf(expr, inputs[expr.dim - 1], share)
        case Sum(args):
            return Sum(tuple(_convert(arg, inputs, share) for arg in args))
        case Product((first, *rest)):
            return Product((_convert(first, inputs, share), *(_convert(arg, inputs, 1.0) for arg in rest)))
    raise AssertionError(expr)


def _leaf(leaf: Leaf, axis: Affine, share: float) -> Leaf:
    if leaf.values is None:
        raise KernelError(f"{leaf} has no values to convert")
    new = []
    for parameter, value in zip(leaf.base.parameters, leaf.values, strict=True):
        match parameter.kind:
            case "variance":
                new.append(value * share / axis.scale**leaf.base.degree)
            case "length":
                new.append(value * axis.scale)
            case "place":
                new.append(value * axis.scale + axis.centre)
            case "pure":
                new.append(value)
    return replace(leaf, values=tuple(new))
