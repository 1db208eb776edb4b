"""The kernel language: expressions, their text, their canonical terms, and the base kernels, one file each."""

from kernelscribe.kernels.form import Form
from kernelscribe.kernels.language import parse
from kernelscribe.kernels.laws import count, distribute, simplify
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Product, Sum, Zero, leaves, pack, text, unpack
from kernelscribe.kernels.units import Affine, to_standard, to_user

__all__ = [
    "Affine",
    "Expression",
    "Form",
    "Leaf",
    "Operation",
    "Product",
    "Sum",
    "Zero",
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
