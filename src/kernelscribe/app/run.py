"""The command `run`: from a file to a folder of results, with signals, exit codes and a display around the search."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from kernelscribe.api.analysis import Analysis, explain
from kernelscribe.app.display import display, hush
from kernelscribe.app.exits import Exit
from kernelscribe.app.results import JOURNAL, MODEL, csv_text, write_results
from kernelscribe.config import Config, configure, options
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.reader import file_data
from kernelscribe.data.reading import Reading
from kernelscribe.errors import OptionError, OutputError
from kernelscribe.events import Listener, Stop
from kernelscribe.faces import Face
from kernelscribe.files import write
from kernelscribe.report.formats.escape import terminal
from kernelscribe.report.words import language
from kernelscribe.search.cluster import cluster
from kernelscribe.search.journal import Journal
from kernelscribe.search.pool import parallel
from kernelscribe.summary import analysis_dict, analysis_text

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Request", "find", "look", "print_table", "run_search"]

# Both end a search early, with its results; each with the exit code that shells expect.
_SIGNALS = {signal.SIGINT: (Stop.INTERRUPT, Exit.STOPPED), signal.SIGTERM: (Stop.TERMINATE, Exit.ENDED)}


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for.

    Attributes:
        file: the table; None where it is `loaded` already.
        name: what the file is called, where it lies under another name.
        options: of the search.
        typed: the names of those that were given on the command line.
    """

    file: Path | None = None
    loaded: Dataset | None = None
    name: str | None = None
    reading: Reading = field(default_factory=Reading)
    options: dict[str, Any] = field(default_factory=dict)
    typed: frozenset[str] = frozenset()
    out: Path | None = None
    forecast: int | None = None
    workers: int | None = None
    dask: str | None = None
    resume: bool = False
    force: bool = False
    as_json: bool = False

    @property
    def folder(self) -> Path:
        name = "data" if self.file is None else self.file.name.split(".")[0]
        return (self.out or Path(f"{name}-kernelscribe")).absolute()


@dataclass(slots=True)
class _Interrupt:
    """The first signal asks the search to stop; the second ends the process at once."""

    stop: Stop | None = None
    code: Exit = Exit.DONE

    def handle(self, number: int, frame: FrameType | None) -> None:
        stop, code = _SIGNALS[signal.Signals(number)]
        if self.stop is not None:
            os._exit(code)
        self.stop, self.code = stop, code

    @contextmanager
    def armed(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def look(request: Request) -> tuple[Dataset, Config]:
    """The table that is meant, read and checked, and the options of its search."""
    config = _config(request)
    if request.loaded is not None:
        return request.loaded, config
    assert request.file is not None  # noqa: S101
    return file_data(request.file, request.reading, config.memory, request.name), config


def find(request: Request, data: Dataset, config: Config, *, on_event: Listener, stop: Callable[[], Stop | None]) -> Analysis:
    """Search as the request asks; `stop` is asked often, and says why to end early, or None."""
    with _executor(request.dask):
        return explain(
            data, config, workers=request.workers, journal=request.folder / JOURNAL, resume=request.resume, force=request.force,
            on_event=on_event, stop=stop,
        )  # fmt: skip


def run_search(request: Request) -> Exit:
    """Search, write what was found, print it; the exit code."""
    data, config = look(request)
    journal, model = request.folder / JOURNAL, request.folder / MODEL
    if model.exists() and not (request.force or request.resume):
        raise OptionError(f"{model} exists: use --resume to go on with it, --force to write over it, or --out for another folder")
    if not request.as_json:  # where they are part of the result
        _print_notes(data)
    interrupt = _Interrupt()
    shown = display(sys.stderr)
    Thread(target=_preload, daemon=True).start()
    try:
        with interrupt.armed():
            found = find(request, data, config, on_event=shown, stop=lambda: interrupt.stop)
    finally:
        shown.close()
    files, failure = {}, None
    try:
        files = write_results(found, request.folder, request.forecast)
    except OutputError as error:
        failure = error
        click.echo(f"Error: {error}", err=True)
    try:
        # A target that is constant needs no search, and a journal that cannot be written is not there.
        _print(found, request, {**files, **({"journal": journal} if journal.exists() else {})})
    except BrokenPipeError:
        hush(sys.stdout)
    if failure is not None:
        return Exit.CANNOT_WRITE
    if interrupt.stop is not None:
        return interrupt.code
    return Exit.DONE if found.kernel is not None or data.constant else Exit.NO_MODEL


def _preload() -> None:
    """Load what the results need while the workers search: a second, most of it others' modules."""
    with suppress(ImportError):
        import pandas  # noqa: F401, PLC0415
        import vl_convert  # noqa: F401, PLC0415

        import kernelscribe.report.compose  # noqa: PLC0415
        import kernelscribe.report.formats.environment  # noqa: F401, PLC0415


def _print_notes(data: Dataset) -> None:
    """How the table was read, before anything is done with it: guesses can be wrong."""
    names = ", ".join(axis.name for axis in data.axes)
    try:
        click.echo(terminal(f"Explaining {data.target} by {names}, {len(data.y):,} rows."), err=True)
        for note in data.notes:
            click.echo(terminal(f"  {language.notes.sentence(note, Face.TERMINAL)}"), err=True)
    except BrokenPipeError:
        hush(sys.stderr)


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
    with cluster(address) as executor, parallel(executor):
        yield


def _print(found: Analysis, request: Request, files: dict[str, Path]) -> None:
    if request.as_json:
        named = {name: str(path) for name, path in files.items()}
        click.echo(json.dumps({**analysis_dict(found), "files": named}, allow_nan=False))
        return
    for line in analysis_text(found).splitlines():
        click.echo(terminal(line))
    click.echo()
    width = max(len(name) for name in files)
    for name, path in files.items():
        click.echo(f"  {name:{width}}  {path}")


def print_table(frame: "pd.DataFrame", out: Path | None) -> None:
    """A table as CSV: to a file, whole or not at all, or to standard output."""
    if out is None:
        click.echo(csv_text(frame), nl=False)
        return
    try:
        write(out, csv_text(frame))
    except OSError as error:
        raise OutputError(f"cannot write {out}: {error.strerror or error}") from None
    click.echo(str(out))
