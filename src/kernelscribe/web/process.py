"""Processes of our own Python: started, waited for, and ended with all that they have started."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from typing import Any

__all__ = ["ask", "end", "start"]

# Not the folder where the server was started: a file there could pass for a module.
_PYTHON = (sys.executable, "-P", "-m")


async def start(*args: str, **more: Any) -> Process:
    """Begin a module with arguments, as the leader of a group of its own."""
    return await asyncio.create_subprocess_exec(*_PYTHON, *args, start_new_session=True, **{"stdin": DEVNULL, **more})


def end(process: Process) -> None:
    """Kill a process and its group; one that has ended is let alone."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


async def ask(*args: str, order: str = "", seconds: float, **more: Any) -> str | None:
    """What a module answers to an order; None where it fails. TimeoutError where it takes too long."""
    process = await start(*args, **{"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, **more})
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(order.encode())
    finally:
        end(process)
        await process.wait()
    return answer.decode() if process.returncode == 0 else None
