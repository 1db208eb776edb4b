"""The standard streams of a command, before it does anything."""

import io
import os
import sys

__all__ = ["open_streams"]


def open_streams() -> None:
    """Standard streams that take everything: one that is closed leads nowhere, letters that one lacks become question marks."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            # Under its usual number, where workers look for it too.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.set_inheritable(number, True)
            if nowhere != number:
                os.close(nowhere)
            setattr(sys, name, open(number, "w", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
