"""Names that a user gave, cleaned of what no sentence can hold."""

import re
import unicodedata

__all__ = ["clean"]

# Longer names are cut: a sentence has to stay readable.
_LONGEST = 60
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|\x9b[0-?]*[ -/]*[@-~]")


def clean(name: str) -> str:
    """Without control characters, on one line, not too long; empty where nothing is left."""
    plain = _ESCAPES.sub("", name)
    kept = "".join(" " if each.isspace() else each for each in plain if each.isspace() or unicodedata.category(each)[0] != "C")
    words = " ".join(kept.split())
    if len(words) > _LONGEST:
        words = words[: _LONGEST - 1].rstrip() + "…"
    return words
