"""The kernel language: expressions, their text, their canonical terms, and the base kernels, one file each."""

from kernelscribe.kernels.form import Form
from kernelscribe.kernels.language import parse
from kernelscribe.kernels.laws import count, distribute, simplify
from kernelscribe.kernels.tree import Expression, Leaf, Product, Sum, leaves, pack, text, unpack
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
