"""The command `web`: a socket, a token where others may come in, and the server until ctrl-C."""

import secrets
import socket
import sys
import threading
import webbrowser
from urllib.parse import quote

import click
import uvicorn

from kernelscribe.errors import JournalError, OptionError, OutputError
from kernelscribe.search.lock import Lock
from kernelscribe.web.app import application
from kernelscribe.web.settings import Settings, local

__all__ = ["address", "serve", "server"]


def serve(settings: Settings, *, show: bool) -> None:
    """Serve until ctrl-C; `show` opens a browser."""
    if not local(settings.host) and settings.token is None:
        raise OptionError(
            f"others could reach {settings.host}, so a token is needed: give one with --token or in KERNELSCRIBE_TOKEN, as in "
            f"--token {secrets.token_urlsafe(16)}"
        )
    with _folder(settings), _socket(settings) as listening:
        where = address(settings, listening.getsockname()[1])
        click.echo(f"kernelscribe is at {where}\nCtrl-C ends it; searches that are not done go on when it is started again.")
        sys.stdout.flush()
        if show:
            threading.Timer(0.7, webbrowser.open, (where,)).start()
        server(settings).run(sockets=[listening])


def server(settings: Settings) -> uvicorn.Server:
    """The server, not yet listening."""
    config = uvicorn.Config(
        application(settings), log_level="warning", access_log=False, server_header=False, date_header=False,
        limit_concurrency=200, timeout_keep_alive=10, timeout_graceful_shutdown=1, proxy_headers=False, ws="none",
    )  # fmt: skip
    return uvicorn.Server(config)


def address(settings: Settings, port: int) -> str:
    """What to open in a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    token = "" if settings.token is None else f"?token={quote(settings.token)}"
    return f"http://{host}:{port}/{token}"


def _folder(settings: Settings) -> Lock:
    """The folder, for one server alone."""
    try:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return Lock(settings.folder / "server")
    except JournalError:
        raise OptionError(
            f"another kernelscribe web uses {settings.folder}: open that one, or give another folder with --data-dir"
        ) from None
    except OSError as error:
        raise OutputError(
            f"cannot use {settings.folder}: {error.strerror or error}: give another folder with --data-dir"
        ) from None


def _socket(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        where = f"{settings.host}:{settings.port}"
        raise OptionError(
            f"cannot listen at {where}: {error.strerror or error}: give another --port (0 takes any that is free), or --host"
        ) from None
    return listening
