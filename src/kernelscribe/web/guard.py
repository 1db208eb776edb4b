"""Who may ask: the door before every request, and the headers on every answer.

A page elsewhere can make a browser send requests here. It cannot forge Host, Origin and Sec-Fetch-Site, so these say where a
request comes from: a name that is not ours is an attack by DNS (rebinding), another origin one by a link or form (CSRF).
"""

import hmac
import socket
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kernelscribe.web.refusal import Refusal
from kernelscribe.web.settings import Settings, local

__all__ = ["COOKIE", "POLICY", "Guard"]

# Where a browser keeps the token that it was given in an address.
COOKIE = "kernelscribe"
# Nothing is loaded from elsewhere, no script stands in a page, and no other page may show ours.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
# What these ask for changes nothing.
_HARMLESS = ("GET", "HEAD", "OPTIONS")
# Pictures and styles of the error page itself; nothing in them is anyone's.
_OPEN = "/static/"

Show = Callable[[Request, Refusal], Response]


class Guard:
    """The application behind its door; `show` makes a page or JSON of what is refused."""

    def __init__(self, app: ASGIApp, settings: Settings, show: Show) -> None:
        self.app, self.settings, self.show = app, settings, show

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        try:
            _host(request, self.settings)
            _origin(request)
            answer: ASGIApp = _welcome(request, self.settings) or self.app
        except Refusal as refusal:
            answer = self.show(request, refusal)
        await answer(scope, receive, sealed)


def _host(request: Request, settings: Settings) -> None:
    name = _name(request.headers.get("host", ""))
    if name is None or not _ours(name, settings.host):
        raise Refusal(403, "This server answers under its own address only: open the address that kernelscribe printed.")


def _name(host: str) -> str | None:
    """The name in a Host header; None where it makes no sense."""
    try:
        address = urlsplit(f"//{host}")
        return address.hostname if address.port is None or address.port else None
    except ValueError:
        return None


def _ours(name: str, host: str) -> bool:
    """Whether a name leads here by more than somebody's claim: a name that a stranger registers may lead anywhere."""
    if local(name) or name == host.lower():
        return True
    try:
        number = ip_address(name)
    except ValueError:
        return not local(host) and name == socket.gethostname().lower()
    try:
        return ip_address(host).is_unspecified and number.version == ip_address(host).version
    except ValueError:
        return False


def _origin(request: Request) -> None:
    """Only our own pages may change anything. What sends neither header is no browser, and knows what it does."""
    if request.method in _HARMLESS:
        return
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    strange = site is not None and site not in ("same-origin", "none")
    if origin is not None:
        strange = strange or origin.lower() != f"{request.url.scheme}://{request.headers['host'].lower()}"
    if strange:
        raise Refusal(403, "That request came from another page, which may not change anything here.")


def _welcome(request: Request, settings: Settings) -> Response | None:
    """Check the token where there is one. Given in the address it moves into a cookie, out of sight."""
    if settings.token is None or request.url.path.startswith(_OPEN):
        return None
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    if _same(_cookie(request), settings.token) or _same(bearer, settings.token):
        return None
    if request.method not in _HARMLESS or not _same(request.query_params.get("token", ""), settings.token):
        raise Refusal(401, "Open the address with the token that kernelscribe printed when it started.")
    rest = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
    # One slash alone: two would make a name of what follows.
    path = "/" + request.url.path.lstrip("/")
    answer = RedirectResponse(f"{path}?{urlencode(rest)}" if rest else path, 303)
    answer.set_cookie(COOKIE, settings.token, httponly=True, samesite="strict")
    return answer


def _cookie(request: Request) -> str:
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if cookie is None else cookie.value


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())
