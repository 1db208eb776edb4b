"""kernelscribe: the automatic statistician. Give it a table; it finds the structure and says how sure it is.

The public names are loaded when they are first asked for: `kernelscribe --help` and the web server need none of the libraries.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from kernelscribe.version import __version__

if TYPE_CHECKING:
    from kernelscribe.api.analysis import Analysis, analyse, load
    from kernelscribe.api.estimator import KernelSearchRegressor as KernelSearchRegressor
    from kernelscribe.api.score import evidence, fit_kernel
    from kernelscribe.config import Config
    from kernelscribe.data import Dataset
    from kernelscribe.discovery import discover
    from kernelscribe.errors import (
        ClusterError,
        DataError,
        JournalError,
        KernelError,
        KernelscribeError,
        OptionError,
        OutputError,
        Status,
    )
    from kernelscribe.fit.facts import Fit
    from kernelscribe.kernels import Expression, Leaf, Product, Sum, parse, simplify, text
    from kernelscribe.outcome import Outcome
    from kernelscribe.report.words import sentence
    from kernelscribe.search.pool import parallel

__all__ = [
    "Analysis",
    "ClusterError",
    "Config",
    "DataError",
    "Dataset",
    "Expression",
    "Fit",
    "JournalError",
    "KernelError",
    "KernelscribeError",
    "Leaf",
    "OptionError",
    "Outcome",
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
    "sentence",
    "simplify",
    "text",
]


_ERRORS = (
    "ClusterError",
    "DataError",
    "JournalError",
    "KernelError",
    "KernelscribeError",
    "OptionError",
    "OutputError",
    "Status",
)
_KERNELS = ("Expression", "Leaf", "Product", "Sum", "parse", "simplify", "text")
# Where each name lives. `KernelSearchRegressor` is not among __all__: it needs scikit-learn, which is an extra.
_HOMES = MappingProxyType(
    {name: "kernelscribe.errors" for name in _ERRORS}
    | {name: "kernelscribe.kernels" for name in _KERNELS}
    | {
        "Analysis": "kernelscribe.api.analysis",
        "Config": "kernelscribe.config",
        "Dataset": "kernelscribe.data",
        "Fit": "kernelscribe.fit.facts",
        "KernelSearchRegressor": "kernelscribe.api.estimator",
        "Outcome": "kernelscribe.outcome",
        "analyse": "kernelscribe.api.analysis",
        "discover": "kernelscribe.discovery",
        "evidence": "kernelscribe.api.score",
        "fit_kernel": "kernelscribe.api.score",
        "load": "kernelscribe.api.analysis",
        "parallel": "kernelscribe.search.pool",
        "sentence": "kernelscribe.report.words",
    }
)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
