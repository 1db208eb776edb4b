"""Scripts, styles and pictures of the pages: a browser keeps them, and asks each time whether they are still the same."""

import hashlib
import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

__all__ = ["Assets"]


class Assets(StaticFiles):
    """Files that are known by what is in them: an update may leave their size and date as they were."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        mark = hashlib.sha256(Path(full_path).read_bytes()).hexdigest()
        headers = {"Cache-Control": "no-cache", "ETag": f'"{mark}"'}
        answer = FileResponse(full_path, status_code, headers, stat_result=stat_result)
        return NotModifiedResponse(answer.headers) if self.is_not_modified(answer.headers, Headers(scope=scope)) else answer
