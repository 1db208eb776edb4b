"""What the exit code of a command says."""

from enum import IntEnum

__all__ = ["Exit"]


class Exit(IntEnum):
    """What the exit code says."""

    DONE = 0
    BAD_INPUT = 2
    NO_MODEL = 3
    CANNOT_WRITE = 4
    STOPPED = 130
    ENDED = 143
