"""The application: routes, errors in one shape, and what goes on beside the requests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import ASGIApp

from kernelscribe.report.formats.environment import environment
from kernelscribe.web import api, downloads, pages
from kernelscribe.web.assets import Assets
from kernelscribe.web.guard import Guard
from kernelscribe.web.refusal import Refusal
from kernelscribe.web.service import Service
from kernelscribe.web.settings import Settings

__all__ = ["application"]

# Seconds between two looks for files that nobody uses.
_SWEEP = 60.0
_STATIC = Path(__file__).with_name("static")
# Where the framework itself refuses, in our words.
_WORDS = {404: "There is nothing at this address.", 405: "This address does not take that kind of request."}


def application(settings: Settings) -> ASGIApp:
    """The server's application behind its guard."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service = app.state.service = Service(settings)
        service.jobs.recover()
        sweeper = asyncio.create_task(_sweep(service))
        try:
            yield
        finally:
            sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await sweeper
            await service.jobs.close()
            service.store.close()

    app = Starlette(
        routes=[*pages.routes, *downloads.routes, *api.routes, Mount("/static", Assets(directory=_STATIC))],
        exception_handlers={Refusal: _refused, HTTPException: _unknown, Exception: _broken},
        lifespan=lifespan,
    )
    app.state.templates = environment("kernelscribe.web")
    # One report at a time is made in another format: it takes a core for seconds.
    app.state.rendering = asyncio.Lock()
    return Guard(app, settings, lambda request, refusal: pages.show(_within(request, app), refusal))


def _within(request: Request, app: Starlette) -> Request:
    """A request that has not reached the application yet, as if it had."""
    return Request({**request.scope, "app": app})


async def _sweep(service: Service) -> None:
    while True:
        service.uploads.sweep()
        await asyncio.sleep(_SWEEP)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)  # noqa: S101
    return pages.show(request, error)


async def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    return pages.show(request, Refusal(error.status_code, _WORDS.get(error.status_code, "That request makes no sense.")))


async def _broken(request: Request, error: Exception) -> Response:
    """What nobody foresaw: the terminal has the details, the page has not."""
    return pages.show(request, Refusal(500, "Something went wrong inside kernelscribe. What it was stands in its terminal."))
