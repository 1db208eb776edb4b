"""Taking in what a client sends: counted while it comes, and only as long as it keeps coming."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import ClientDisconnect, Request

from kernelscribe.web.refusal import Refusal
from kernelscribe.web.settings import Settings

__all__ = ["blocks", "values"]

# Bytes of a request that is no upload.
_MOST = 1_000_000
# Bytes beyond the limit that are read and thrown away: a browser shows no answer that comes while it is still sending.
_BEYOND = 300_000_000


async def blocks(request: Request, settings: Settings, most: int) -> AsyncIterator[bytes]:
    """The bytes of a request, at most so many."""
    declared = request.headers.get("content-length", "")
    over, count = declared.isdigit() and int(declared) > most, 0
    try:
        async for block in _steady(request.stream(), settings):
            count += len(block)
            over = over or count > most
            if count > most + _BEYOND:
                break
            if not over:
                yield block
    except TimeoutError:
        raise Refusal(408, "The bytes came too slowly: try again.") from None
    except ClientDisconnect:
        raise Refusal(400, "The connection ended before everything had come: try again.") from None
    if over:
        raise Refusal(413, f"That is too large: at most {most / 1e6:,g} MB are taken here.")


async def _steady(stream: AsyncIterator[bytes], settings: Settings) -> AsyncIterator[bytes]:
    """The stream, until it pauses for too long or takes too long in all."""
    end = asyncio.get_running_loop().time() + settings.patience
    while True:
        left = end - asyncio.get_running_loop().time()
        async with asyncio.timeout(min(settings.pause, left)):
            block = await anext(stream, None)
        if block is None:
            return
        yield block


async def values(request: Request, settings: Settings) -> dict[str, Any]:
    """The JSON object that was sent; none is an empty one."""
    body = b"".join([block async for block in blocks(request, settings, _MOST)])
    try:
        value = json.loads(body or b"{}", parse_constant=_never)
    except (ValueError, RecursionError):
        raise Refusal(400, "The request is not JSON: send one JSON object.") from None
    if not isinstance(value, dict):
        raise Refusal(400, "The request must be one JSON object.")
    return value


def _never(name: str) -> Any:
    """NaN and Infinity, which are no JSON."""
    raise ValueError(name)
