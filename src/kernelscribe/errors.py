"""What can go wrong, as types: errors for the caller, statuses for results.

A fit that fails is a result, not an exception: it carries a `Status` whose text tells the user what to do.
Errors are for input that cannot be used at all; the command line turns them into one sentence and exit code 2.
"""

from dataclasses import dataclass
from enum import Enum

from kernelscribe.faces import Advice, Face

__all__ = [
    "ClusterError",
    "DataError",
    "JournalError",
    "KernelError",
    "KernelscribeError",
    "OptionError",
    "OutputError",
    "Question",
    "Status",
]


@dataclass(frozen=True, slots=True)
class Question:
    """What only the user can answer: a sentence, the option that settles it, and the values that it may have, each in words.

    Attributes:
        column: of the option `where`, the column that is to have the value.
    """

    option: str
    text: str
    choices: tuple[tuple[str, str], ...]
    column: str = ""


class KernelscribeError(Exception):
    """Any error that kernelscribe raises on purpose.

    Attributes:
        advice: what to do about it, where that is said with options: each face writes their names its own way.
    """

    def __init__(self, message: str, advice: Advice | None = None) -> None:
        super().__init__(message)
        self.advice = advice

    def said(self, face: Face) -> str:
        """The whole sentence, as that face says it."""
        fault = super().__str__()
        return fault if self.advice is None else f"{fault}: {self.advice.said(face)}"

    def __str__(self) -> str:
        return self.said(Face.PYTHON)


class ClusterError(KernelscribeError):
    """A Dask scheduler does not answer, or no longer; the message says which and what to do."""


class DataError(KernelscribeError, ValueError):
    """The table cannot be used; the message says which part and what to do.

    Attributes:
        question: whose answer would make it usable, where there is one.
    """

    def __init__(self, message: str, advice: Advice | None = None, question: Question | None = None) -> None:
        super().__init__(message, advice)
        self.question = question


class JournalError(KernelscribeError):
    """The journal of a search cannot be used; the message says why and what to do."""


class KernelError(KernelscribeError, ValueError):
    """The text of a kernel, or its values, cannot be used."""


class OptionError(KernelscribeError, ValueError):
    """An option has a value that makes no sense, alone or with the data."""


class OutputError(KernelscribeError, OSError):
    """A file cannot be written; the message says which and why. The command line gives it an exit code of its own."""


class Status(Enum):
    """How a computation ended. The value is the sentence shown to the user."""

    OK = "done"
    LOOSE = "the interval holds but is wider than asked: allow more iterations, more inducing points, or more noise"
    SINGULAR = "rounding left the covariance singular: with inducing points, use fewer of them; else allow for more noise"
    NONFINITE = "no start gave a finite score: check the data for extreme values, or allow more restarts"
    FAILED = "every restart of the optimiser failed: allow more restarts, or try a simpler kernel"
    TIMEOUT = "the time allowed was used up; the best values found so far are kept: allow more time"
    DROPPED = "screening left it far behind the best, so it was not polished"
    CRASHED = "its worker died each time it was tried: it may need more memory than there is"
    INCONSISTENT = "the lower bound came out above the upper bound through rounding: do not rank this kernel"

    @property
    def usable(self) -> bool:
        """Whether the numbers that come with this status may be ranked against others."""
        return self in (Status.OK, Status.LOOSE, Status.TIMEOUT)
