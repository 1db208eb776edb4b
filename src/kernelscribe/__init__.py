"""kernelscribe: the automatic statistician. Give it a table; it finds the structure and says how sure it is."""

from typing import Any

from kernelscribe.analysis import Analysis, analyse, load
from kernelscribe.config import Config
from kernelscribe.data import Dataset
from kernelscribe.discovery import Discovery, discover
from kernelscribe.errors import DataError, JournalError, KernelError, KernelscribeError, OptionError, OutputError, Status
from kernelscribe.fit import Fit
from kernelscribe.kernels import Expression, Leaf, Product, Sum, parse, simplify, text

# The function `evidence` and the room share a name. The room is loaded by the imports above, so the function stays bound here,
# and `from kernelscribe.evidence import ...` still finds the room.
from kernelscribe.score import evidence, fit_kernel
from kernelscribe.search.pool import parallel

__all__ = [
    "Analysis",
    "Config",
    "DataError",
    "Dataset",
    "Discovery",
    "Expression",
    "Fit",
    "JournalError",
    "KernelError",
    "KernelscribeError",
    "Leaf",
    "OptionError",
    "OutputError",
    "Product",
    "Status",
    "Sum",
    "__version__",
    "analyse",
    "discover",
    "evidence",
    "fit_kernel",
    "load",
    "parallel",
    "parse",
    "simplify",
    "text",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`KernelSearchRegressor` is loaded when it is first asked for: it needs scikit-learn, which is an extra."""
    if name != "KernelSearchRegressor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kernelscribe.estimator import KernelSearchRegressor  # noqa: PLC0415

    return KernelSearchRegressor
