"""kernelscribe: the automatic statistician. Give it a table; it finds the structure and says how sure it is."""

from kernelscribe.config import Config
from kernelscribe.data import Dataset
from kernelscribe.errors import DataError, KernelError, KernelscribeError, OptionError, Status
from kernelscribe.fit import Fit
from kernelscribe.kernels import Expression, Leaf, Product, Sum, parse, simplify, text

# The function and the room share a name. The room is loaded by the imports above, so the function stays bound here,
# and `from kernelscribe.evidence import ...` still finds the room.
from kernelscribe.score import evidence, fit_kernel

__all__ = [
    "Config",
    "DataError",
    "Dataset",
    "Expression",
    "Fit",
    "KernelError",
    "KernelscribeError",
    "Leaf",
    "OptionError",
    "Product",
    "Status",
    "Sum",
    "__version__",
    "evidence",
    "fit_kernel",
    "parse",
    "simplify",
    "text",
]

__version__ = "0.1.0"
