"""The kernel language: expressions, their text, their canonical terms, and the base kernels, one file each."""

from kernelscribe.kernels.algebra import count, distribute, simplify
from kernelscribe.kernels.expression import Expression, Leaf, Product, Sum, leaves, pack, text, unpack
from kernelscribe.kernels.parse import parse
from kernelscribe.kernels.terms import Form
from kernelscribe.kernels.units import Affine, to_standard, to_user

__all__ = [
    "Affine",
    "Expression",
    "Form",
    "Leaf",
    "Product",
    "Sum",
    "count",
    "distribute",
    "leaves",
    "pack",
    "parse",
    "simplify",
    "text",
    "to_standard",
    "to_user",
    "unpack",
]
