"""The pages: templates filled with what the service knows. Everything from outside is escaped by Jinja."""

from typing import Any

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from kernelscribe import datasets
from kernelscribe.version import __version__
from kernelscribe.web.folder import aim
from kernelscribe.web.options import fields, reading_fields
from kernelscribe.web.refusal import TITLES, Refusal, give
from kernelscribe.web.service import Service

__all__ = ["page", "routes", "show"]

# Analyses on the first page: a glance, not a list.
_RECENT = 5
# Analyses in the history: more make a page slow, and nobody scrolls so far.
_SHOWN = 500


def page(request: Request, template: str, code: int = 200, /, **values: Any) -> Response:
    made: Environment = request.app.state.templates
    return HTMLResponse(made.get_template(template).render(version=__version__, **values), code)


def show(request: Request, refusal: Refusal) -> Response:
    """What is refused: JSON for scripts, a page for people."""
    if request.url.path.startswith("/api/"):
        return give({"error": {"status": refusal.status, "message": refusal.message}}, refusal.status)
    title = TITLES.get(refusal.status, TITLES[400 if refusal.status < 500 else 500])  # noqa: PLR2004
    return page(request, "error.html", refusal.status, status=refusal.status, title=title, message=refusal.message)


async def start(request: Request) -> Response:
    service: Service = request.app.state.service
    return page(
        request,
        "start.html",
        examples=[{"name": name, "about": datasets.about(name)} for name in datasets.NAMES],
        recent=[service.describe(job) for job in service.store.latest(_RECENT)],
        limits={"max_upload_mb": service.settings.max_upload // 1_000_000},
    )


async def read(request: Request) -> Response:
    service: Service = request.app.state.service
    upload = service.upload(request.path_params["id"])
    earlier = request.query_params.get("from")
    asked = service.job(earlier).request if earlier else {"reading": {}, "forecast": None, "options": {}}
    options = dict(asked["options"])
    budget = options.pop("budget", None)
    return page(
        request,
        "read.html",
        upload={"id": upload.id, "name": upload.name, "size": upload.size},
        fields=fields(options),
        reading=reading_fields(),
        defaults={"reading": asked["reading"], "forecast": asked["forecast"], "budget": budget, "options": options},
    )


async def job(request: Request) -> Response:
    service: Service = request.app.state.service
    return page(request, "job.html", job=service.describe(service.job(request.path_params["id"])))


async def history(request: Request) -> Response:
    service: Service = request.app.state.service
    return page(request, "history.html", jobs=[service.describe(job) for job in service.store.latest(_SHOWN)])


async def compare(request: Request) -> Response:
    service: Service = request.app.state.service
    both = []
    for name in ("a", "b"):
        found = service.job(request.query_params.get(name, ""))
        both.append({**service.describe(found), "result": service.result(found), "aim": aim(service.jobs.folder(found.id))})
    return page(request, "compare.html", a=both[0], b=both[1], same=_same(*both))


def _same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Whether two analyses explain the same target in the same rows, by whatever inputs; by names where that is all there is."""
    known = a["aim"] is not None and b["aim"] is not None
    return all(a[name] == b[name] for name in (("aim",) if known else ("target", "rows", "file_name")))


routes = [
    Route("/", start),
    Route("/read/{id}", read),
    Route("/jobs/{id}", job),
    Route("/history", history),
    Route("/compare", compare),
]
