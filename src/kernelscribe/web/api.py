"""The JSON routes: what pages do by script, and anyone may do by hand."""

from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from kernelscribe import datasets
from kernelscribe.web import options
from kernelscribe.web.intake import blocks, values
from kernelscribe.web.log import entries
from kernelscribe.web.refusal import Refusal, give
from kernelscribe.web.service import Service
from kernelscribe.web.store import OVER, Upload
from kernelscribe.web.stream import follow

__all__ = ["routes"]


async def upload(request: Request) -> Response:
    service: Service = request.app.state.service
    name = request.headers.get("x-filename", "")
    return _brought(await service.uploads.take(name, blocks(request, service.settings, service.settings.max_upload)))


async def example(request: Request) -> Response:
    service: Service = request.app.state.service
    name = request.path_params["name"]
    if name not in datasets.NAMES:
        raise Refusal(404, f"There is no such example; there are {', '.join(datasets.NAMES)}.")
    return _brought(await service.uploads.take(f"{name}.csv", _once(datasets.source(name))))


async def _once(block: bytes) -> AsyncIterator[bytes]:
    yield block


def _brought(upload: Upload) -> Response:
    return give({"id": upload.id, "name": upload.name, "size": upload.size}, 201)


async def preview(request: Request) -> Response:
    service: Service = request.app.state.service
    asked = await values(request, service.settings)
    return give(await service.look(service.upload(request.path_params["id"]), options.reading(asked.get("reading"))))


async def begin(request: Request) -> Response:
    service: Service = request.app.state.service
    asked = await values(request, service.settings)
    upload = service.upload(str(asked.get("upload", "")))
    order = {
        "reading": options.reading(asked.get("reading")),
        "forecast": options.forecast(asked.get("forecast")),
        "options": options.choices(asked.get("options")),
    }
    title = options.title(asked.get("title"), upload.name)
    service.uploads.room()
    return give({"id": service.jobs.submit(upload, service.uploads.path(upload.id), title, order).id}, 201)


async def job(request: Request) -> Response:
    service: Service = request.app.state.service
    return give(service.describe(service.job(request.path_params["id"])))


async def rename(request: Request) -> Response:
    service: Service = request.app.state.service
    found = service.job(request.path_params["id"])
    asked = await values(request, service.settings)
    service.store.change(found.id, title=options.title(asked.get("title"), found.title))
    return give(service.describe(service.job(found.id)))


async def remove(request: Request) -> Response:
    service: Service = request.app.state.service
    service.jobs.remove(service.job(request.path_params["id"]))
    return Response(status_code=204)


async def stop(request: Request) -> Response:
    service: Service = request.app.state.service
    found = service.job(request.path_params["id"])
    service.jobs.stop(found)
    return give(service.describe(service.job(found.id)), 202)


async def events(request: Request) -> Response:
    service: Service = request.app.state.service
    found = service.job(request.path_params["id"])
    after = _number(request.headers.get("last-event-id") or request.query_params.get("after") or "0")
    folder = service.jobs.folder(found.id)
    if found.state in OVER and after >= sum(1 for _ in entries(folder)):
        # Tells a browser not to come back: there is nothing more.
        return Response(status_code=204)
    return StreamingResponse(follow(service.store, found.id, folder, after), media_type="text/event-stream")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 12:  # noqa: PLR2004
        raise Refusal(400, "The number of an event is a whole number.")
    return int(text)


routes = [
    Route("/api/uploads", upload, methods=["POST"]),
    Route("/api/examples/{name}", example, methods=["POST"]),
    Route("/api/uploads/{id}/preview", preview, methods=["POST"]),
    Route("/api/jobs", begin, methods=["POST"]),
    Route("/api/jobs/{id}", job, methods=["GET"]),
    Route("/api/jobs/{id}", rename, methods=["PATCH"]),
    Route("/api/jobs/{id}", remove, methods=["DELETE"]),
    Route("/api/jobs/{id}/stop", stop, methods=["POST"]),
    Route("/api/jobs/{id}/events", events, methods=["GET"]),
]
