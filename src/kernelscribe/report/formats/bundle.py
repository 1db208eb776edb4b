"""Vega and all that it needs as one script.

Putting it together takes seconds, so it is made once for each version of the converter that brings it, and kept in the user's
cache folder. A folder that cannot be read or written costs those seconds anew, and nothing else.
"""

from contextlib import suppress
from functools import cache
from importlib.metadata import version
from threading import Lock, Thread

from kernelscribe import folders
from kernelscribe.files import write

__all__ = ["bundle", "prepare"]

# What the page calls, of all that is in the bundle.
_SNIPPET = "window.vegaEmbed = vegaEmbed;"
# Whoever comes second waits for the script rather than making it again.
_BUNDLING = Lock()


def prepare() -> None:
    """Begin to bundle, on a core of its own, while the content of the page is still being computed."""
    Thread(target=bundle, daemon=True).start()


def bundle() -> str:
    """The script."""
    with _BUNDLING:
        return _bundled()


@cache
def _bundled() -> str:
    import vl_convert  # noqa: PLC0415

    name = f"vega-{version('vl-convert-python')}.js"
    # Somebody who has no home has no cache either: a RuntimeError.
    with suppress(OSError, RuntimeError, UnicodeDecodeError):
        return (folders.cache() / name).read_bytes().decode()
    made = str(vl_convert.javascript_bundle(_SNIPPET))
    with suppress(OSError, RuntimeError):
        folders.cache().mkdir(parents=True, exist_ok=True)
        write(folders.cache() / name, made)
    return made
