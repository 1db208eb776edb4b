"""The events of a job for a browser, as server-sent events numbered by their lines in the log: nothing is lost or told twice."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from kernelscribe.web.log import entries
from kernelscribe.web.store import Store

__all__ = ["follow"]

# Seconds between two looks at the log: what happens is seen at once.
_PAUSE = 0.2
# Looks without news before a sign of life, every 15 seconds: proxies end a connection that says nothing for longer.
_QUIET = 75


async def follow(store: Store, id: str, folder: Path, after: int) -> AsyncIterator[str]:
    """Everything after that number, until the job has ended or is gone."""
    offset, number, quiet = 0, 0, 0
    yield "retry: 2000\n\n"
    while True:
        quiet += 1
        for behind, entry in entries(folder, offset):
            offset, number, quiet = behind, number + 1, 0
            if number > after:
                yield _message(number, entry)
            if entry["event"] == "ended":
                return
        if store.job(id) is None:
            return
        if quiet >= _QUIET:
            quiet = 0
            yield ": still here\n\n"
        await asyncio.sleep(_PAUSE)


def _message(number: int, entry: dict[str, Any]) -> str:
    return f"id: {number}\nevent: {entry['event']}\ndata: {json.dumps(entry['data'])}\n\n"
