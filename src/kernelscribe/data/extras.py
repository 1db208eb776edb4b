"""Libraries that not everybody needs."""

from importlib import import_module
from typing import Any

from kernelscribe.errors import DataError

__all__ = ["extra"]


def extra(module: str, name: str, what: str) -> Any:
    """A module of an extra of the package, or the way to get it."""
    try:
        return import_module(module)
    except ImportError:
        raise DataError(f'{what} needs the extra {name}: pip install "kernelscribe[{name}]"') from None
