"""Results that are kept line by line, so that a run that was interrupted goes on where it was."""

import json
import os
from pathlib import Path
from typing import Any

__all__ = ["keep", "lines"]


def lines(path: Path) -> list[dict[str, Any]]:
    """What was kept before; nothing where there is no file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def keep(path: Path, done: dict[str, Any]) -> None:
    """One more result, on disk when this returns."""
    with path.open("a") as file:
        file.write(json.dumps(done) + "\n")
        file.flush()
        os.fsync(file.fileno())
