"""Between the standardised data, on which kernels are fitted, and the user's units, in which they are told.

With x = centre + scale·x̃ and y = centre + scale·ỹ: lengths and periods grow by the input's scale, rates shrink by it, locations
move with it, variances grow by the square of the output's scale, once for every product, and shrink by the input's to the power
of the base kernel's degree. In a product only the product of the variances means anything, so its first leaf carries the output's
share; an operation has no variance, and hands the share on to its branches.
"""

from collections.abc import Sequence
from dataclasses import replace

from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base, Parameter
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Owner, Product, Sum, Zero
from kernelscribe.scales import Affine

__all__ = ["in_user_units", "to_standard", "to_user"]


def to_user(expr: Expression, inputs: Sequence[Affine], output: Affine) -> Expression:
    """The same kernel with its values in the user's units."""
    return _convert(expr, inputs, output.scale**2)


def to_standard(expr: Expression, inputs: Sequence[Affine], output: Affine) -> Expression:
    """The inverse of `to_user`."""
    return _convert(expr, [each.inverse for each in inputs], output.scale**-2)


def _convert(expr: Expression, inputs: Sequence[Affine], share: float) -> Expression:
    match expr:
        case Leaf():
            return replace(expr, values=_values(expr, inputs, share))
        case Operation(args=args):
            return replace(expr, values=_values(expr, inputs, share), args=tuple(_convert(arg, inputs, share) for arg in args))
        case Sum(args):
            return Sum(tuple(_convert(arg, inputs, share) for arg in args))
        case Product((first, *rest)):
            return Product((_convert(first, inputs, share), *(_convert(arg, inputs, 1.0) for arg in rest)))
        case Zero():
            return expr
    raise AssertionError(expr)


def _values(owner: Owner, inputs: Sequence[Affine], share: float) -> tuple[float, ...]:
    if owner.values is None:
        raise KernelError(f"{owner} has no values to convert")
    axis, degree = inputs[owner.dim - 1], owner.base.degree if isinstance(owner.base, Base) else 0
    return tuple(
        value * share / axis.scale**degree if parameter.kind == "variance" else in_user_units(parameter, value, axis)
        for parameter, value in zip(owner.base.parameters, owner.values, strict=True)
    )


def in_user_units(parameter: Parameter, value: float, axis: Affine) -> float:
    """One value of a shape in the units of its input."""
    match parameter.kind:
        case "length":
            return value * axis.scale
        case "place":
            return value * axis.scale + axis.centre
        case "rate":
            return value / axis.scale
        case _:
            return value
