"""The report in a frame of the page, and the files of a job. Both are served so that nothing in them can act on the server."""

import asyncio
import zipfile
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kernelscribe.files import PAGE
from kernelscribe.web import process
from kernelscribe.web.folder import OUT, Download, offered
from kernelscribe.web.refusal import Refusal, give
from kernelscribe.web.service import Service
from kernelscribe.web.store import OVER

__all__ = ["routes"]

# The report brings a policy of its own, which allows no host. A sandbox makes it a stranger to the pages around it.
_FRAMED = "sandbox allow-scripts allow-popups; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
_SEALED = "sandbox; default-src 'none'; frame-ancestors 'none'"


async def report(request: Request) -> Response:
    path = _folder(request) / OUT / PAGE
    if not path.is_file():
        raise Refusal(404, "This analysis has no report.")
    # Cross-origin, for in its sandbox the report has no origin that could be the same.
    headers = {"Content-Security-Policy": _FRAMED, "Cache-Control": "private, no-cache"}
    return FileResponse(path, media_type="text/html", headers=headers)


async def file(request: Request) -> Response:
    path, wanted = await _wanted(request)
    return FileResponse(path, media_type=wanted.kind, filename=wanted.name, headers={"Content-Security-Policy": _SEALED})


async def make(request: Request) -> Response:
    """Have a file ready before it is downloaded: a browser tells no more of a download that fails than that it did."""
    path, wanted = await _wanted(request)
    return give({"name": wanted.name, "bytes": path.stat().st_size})


async def _wanted(request: Request) -> tuple[Path, Download]:
    """The file that is asked for, made now where it is not there yet."""
    service: Service = request.app.state.service
    folder = _folder(request)
    wanted = next((each for each in offered(folder) if each.name == request.path_params["name"]), None)
    if wanted is None:
        raise Refusal(404, "This analysis has no such file.")
    path = folder / OUT / wanted.name
    if not path.is_file():
        async with request.app.state.rendering:
            await _made(folder, wanted, service.settings.render_time)
    return path, wanted


def _folder(request: Request) -> Path:
    service: Service = request.app.state.service
    found = service.job(request.path_params["id"])
    if found.state not in OVER:
        raise Refusal(409, "The search goes on: its files are there when it is done.")
    return service.jobs.folder(found.id)


async def _made(folder: Path, wanted: Download, seconds: float) -> None:
    """Have `kernelscribe report` write the report in another format, if nobody has meanwhile."""
    out = folder / OUT
    if (out / wanted.name).is_file():
        return
    target = out / f"report.{wanted.made}"
    try:
        # What it says when it fails stands in the terminal.
        order = ("kernelscribe", "report", str(out), "--format", wanted.made, "--out", str(target))
        answer = await process.ask(*order, seconds=seconds, stderr=None)
    except TimeoutError:
        answer = None
    if answer is None:
        raise Refusal(500, "It cannot be written in this format: why stands in the terminal. The web page says the same.")
    if target.name != wanted.name:
        await asyncio.to_thread(_pack, target, out / wanted.name)


def _pack(text: Path, archive: Path) -> None:
    """A text and the figures beside it in one file."""
    partial = archive.with_suffix(".part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in (text, *sorted(text.with_name(f"{text.stem}-figures").glob("*"))):
            packed.write(path, path.relative_to(text.parent))
    partial.replace(archive)


routes = [
    Route("/jobs/{id}/report", report),
    Route("/jobs/{id}/files/{name}", file),
    Route("/api/jobs/{id}/files/{name}", make, methods=["POST"]),
]
