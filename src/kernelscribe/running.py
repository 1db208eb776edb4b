"""The command `run`: from a file to a folder of results, with signals, exit codes and a display around the search."""

import io
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import click

from kernelscribe.config import Config, configure, options
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.table import read
from kernelscribe.discovery import Discovery, search
from kernelscribe.display import display, hush
from kernelscribe.errors import OptionError
from kernelscribe.exits import Exit
from kernelscribe.model.file import save
from kernelscribe.search.journal import Journal
from kernelscribe.search.pool import parallel
from kernelscribe.search.tree import tree
from kernelscribe.summary import discovery_dict, discovery_text

__all__ = ["Request", "run_search"]

JOURNAL, MODEL = "search.jsonl", "model.json"
_SIGNALS = {signal.SIGINT: ("ctrl-C", Exit.STOPPED), signal.SIGTERM: ("asked to end", Exit.ENDED)}


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for; `typed` names the options that were given on it."""

    file: Path
    options: dict[str, Any]
    typed: frozenset[str] = frozenset()
    target: str | None = None
    time_column: str | None = None
    inputs: str | None = None
    out: Path | None = None
    workers: int | None = None
    dask: str | None = None
    resume: bool = False
    force: bool = False
    as_json: bool = False

    @property
    def folder(self) -> Path:
        return (self.out or Path(f"{self.file.name.split('.')[0]}-kernelscribe")).absolute()


@dataclass(slots=True)
class _Interrupt:
    """The first signal asks the search to stop; the second ends the process at once."""

    reason: str | None = None
    code: Exit = Exit.DONE

    def handle(self, number: int, frame: FrameType | None) -> None:
        reason, code = _SIGNALS[signal.Signals(number)]
        if self.reason is not None:
            os._exit(code)
        self.reason, self.code = reason, code

    @contextmanager
    def armed(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run_search(request: Request) -> Exit:
    """Search, write what was found, print it; the exit code."""
    _open_streams()
    data = _data(request)
    config = _config(request)
    journal, model = request.folder / JOURNAL, request.folder / MODEL
    if model.exists() and not (request.force or request.resume):
        raise OptionError(f"{model} exists: use --resume to go on with it, --force to write over it, or --out for another folder")
    interrupt = _Interrupt()
    shown = display(sys.stderr)
    try:
        with interrupt.armed(), _executor(request.dask):
            found = search(
                data, config, workers=request.workers, journal=journal, resume=request.resume, force=request.force,
                tell=shown, stop=lambda: interrupt.reason,
            )  # fmt: skip
    finally:
        shown.close()
    written = _write(found, data, model)
    try:
        _print(found, request, journal, model if written else None)
    except BrokenPipeError:
        hush(sys.stdout)
    if not written:
        return Exit.CANNOT_WRITE
    if interrupt.reason is not None:
        return interrupt.code
    return Exit.DONE if found.best is not None else Exit.NO_MODEL


def _open_streams() -> None:
    """Standard streams that take everything: one that is closed leads nowhere, letters that one lacks become question marks."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            # Under its usual number, where workers look for it too.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.set_inheritable(number, True)
            if nowhere != number:
                os.close(nowhere)
            setattr(sys, name, open(number, "w", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _data(request: Request) -> Dataset:
    if request.time_column is not None and request.inputs is not None:
        raise OptionError("give --time for one input or --inputs for several, not both")
    named = request.time_column or request.inputs
    inputs = None if named is None else [name.strip() for name in named.split(",")]
    return read(request.file, request.target, [request.time_column] if request.time_column is not None else inputs)


def _config(request: Request) -> Config:
    """The options as given; on resuming, those that were not typed are taken from the journal."""
    given = dict(request.options)
    if request.resume:
        with Journal.resume(request.folder / JOURNAL) as kept:
            before = kept.header["options"]
        given.update({name: value for name, value in before.items() if name in options() and name not in request.typed})
    return configure(given)


@contextmanager
def _executor(address: str | None) -> Iterator[None]:
    """Dask's workers, where an address is given."""
    if address is None:
        yield
        return
    try:
        from distributed import Client  # noqa: PLC0415
    except ImportError:
        raise OptionError('--dask needs the extra: pip install "kernelscribe[dask]"') from None
    try:
        client = Client(address, timeout="20s", set_as_default=False)
    except OSError as error:
        raise OptionError(f"no Dask scheduler answers at {address}: {error}") from None
    with client, parallel(client.get_executor(pure=False)):
        yield


def _write(found: Discovery, data: Dataset, path: Path) -> bool:
    try:
        save(found, data, path)
    except OSError as error:
        click.echo(f"Error: cannot write {path}: {error.strerror or error}", err=True)
        return False
    return True


def _print(found: Discovery, request: Request, journal: Path, model: Path | None) -> None:
    files = {"journal": str(journal), "model": None if model is None else str(model)}
    if request.as_json:
        click.echo(json.dumps({**discovery_dict(found), "files": files}, allow_nan=False))
        return
    click.echo(tree(found.state))
    click.echo()
    click.echo(discovery_text(found))
    click.echo(f"  files           {', '.join(name for name in files.values() if name)}")
