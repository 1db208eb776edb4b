"""The pages: templates filled with what the desk knows. Everything from outside is escaped by Jinja."""

from typing import Any

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from kernelscribe import __version__, datasets
from kernelscribe.web.desk import Desk
from kernelscribe.web.folder import aim
from kernelscribe.web.options import fields
from kernelscribe.web.refusal import TITLES, Refusal, give

__all__ = ["page", "routes", "show"]

_RECENT, _SHOWN = 5, 500


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
    desk: Desk = request.app.state.desk
    return page(
        request,
        "start.html",
        examples=[{"name": name, "about": datasets.about(name)} for name in datasets.NAMES],
        recent=[desk.describe(job) for job in desk.store.latest(_RECENT)],
        limits={"max_upload_mb": desk.settings.max_upload // 1_000_000},
    )


async def read(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    upload = desk.upload(request.path_params["id"])
    earlier = request.query_params.get("from")
    asked = desk.job(earlier).request if earlier else {"reading": {}, "forecast": None, "options": {}}
    options = dict(asked["options"])
    budget = options.pop("budget", None)
    return page(
        request,
        "read.html",
        upload={"id": upload.id, "name": upload.name, "size": upload.size},
        fields=fields(options),
        defaults={"reading": asked["reading"], "forecast": asked["forecast"], "budget": budget, "options": options},
    )


async def job(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    return page(request, "job.html", job=desk.describe(desk.job(request.path_params["id"])))


async def history(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    return page(request, "history.html", jobs=[desk.describe(job) for job in desk.store.latest(_SHOWN)])


async def compare(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    both = []
    for name in ("a", "b"):
        found = desk.job(request.query_params.get(name, ""))
        both.append({**desk.describe(found), "result": desk.result(found), "aim": aim(desk.jobs.folder(found.id))})
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
