"""Where programs keep what is theirs on this system: data, and what can be made anew."""

import os
import sys
from pathlib import Path

__all__ = ["cache", "home"]

_NAME = "kernelscribe"


def home() -> Path:
    """Where the data of programs belong."""
    return _folder(Path("Application Support"), "XDG_DATA_HOME", Path(".local") / "share") / _NAME


def cache() -> Path:
    """Where a program may keep what it can make anew."""
    kept = _folder(Path("Caches"), "XDG_CACHE_HOME", Path(".cache")) / _NAME
    return kept / "cache" if sys.platform == "win32" else kept


def _folder(of_mac: Path, variable: str, usual: Path) -> Path:
    """Windows has one folder for both."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / of_mac
    return Path(os.environ.get(variable) or Path.home() / usual)
