"""How the process of a job has ended, as it tells the server: a file in the job's folder."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from kernelscribe.codec import decode, encode
from kernelscribe.files import write
from kernelscribe.web.folder import OUTCOME

__all__ = ["Ending", "read_ending", "write_ending"]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a job.

    Attributes:
        summary: what the lists show of its result; nothing where it failed.
    """

    state: Literal["done", "stopped", "failed"]
    message: str = ""
    summary: dict[str, Any] = field(default_factory=dict)


def write_ending(folder: Path, ending: Ending) -> None:
    """Whole or not at all."""
    write(folder / OUTCOME, json.dumps(encode(ending), allow_nan=False))


def read_ending(folder: Path) -> Ending | None:
    """None where the process has ended without a word.

    Raises:
        ValueError: the file is none of this version.
    """
    path = folder / OUTCOME
    if not path.exists():
        return None
    ending: Ending = decode(Ending, json.loads(path.read_text(encoding="utf-8")))
    return ending
