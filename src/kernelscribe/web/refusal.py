"""What the server refuses, as one plain sentence with a status: the only shape in which errors leave it."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from starlette.responses import Response

__all__ = ["TITLES", "Refusal", "give"]

TITLES: Mapping[int, str] = MappingProxyType({
    400: "That request makes no sense",
    401: "This address needs its token",
    403: "Not from there",
    404: "There is no such page",
    405: "That cannot be done here",
    408: "Too slow",
    409: "Not now",
    413: "Too large",
    415: "Not this kind of file",
    422: "That cannot be used",
    429: "Too much at once",
    500: "Something went wrong",
    507: "No room left",
})  # fmt: skip


class Refusal(Exception):  # noqa: N818  (an answer, not a fault)
    """A request that is not answered as asked; the message is one plain sentence without a path."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


def give(value: Any, status: int = 200) -> Response:
    """JSON in ASCII, for names may hold what no encoding can write."""
    return Response(json.dumps(value, allow_nan=False), status, media_type="application/json")
