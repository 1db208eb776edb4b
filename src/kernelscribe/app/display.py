"""Showing a search as it goes: a live table where there is a terminal, a line per round where there is none."""

import os
import sys
from typing import Any, Protocol, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from kernelscribe import events
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.tree import Expression
from kernelscribe.report.words import language
from kernelscribe.statements.statement import Statement

__all__ = ["Display", "LineDisplay", "Screen", "display", "hush"]

# What is being done, as somebody who watches would say it.
_STAGES = {
    "screen": "screening",
    "polish": "fitting",
    "decide": "deciding",
    "renew": "looking again",
    "scan": "looking at what is left",
}


class Display(Protocol):
    """Takes events, and tidies up at the end."""

    def __call__(self, event: events.Event) -> None: ...
    def close(self) -> None: ...


def display(stream: TextIO = sys.stderr) -> Display:
    """What fits the stream: rich shows nothing until the end without a terminal, so lines it is there."""
    return Screen(stream) if stream.isatty() else LineDisplay(stream)


def hush(stream: TextIO) -> None:
    """Whatever is still written to this stream, whose reader has gone away as `| head` does, goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _standing(tried: Expression | Statement, interval: Interval | None) -> str:
    """How good it is, by what it is compared with others by."""
    what = "score" if isinstance(tried, Statement) else "BIC"
    return f"{what} {'none yet' if interval is None else language.facts.nats(interval)}"


class LineDisplay:
    """One line per round."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.data: Dataset | None = None

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Began():
                self.data = event.data
                known = f", {event.known} results known from the journal" if event.known else ""
                crew = f"{event.workers} worker{'' if event.workers == 1 else 's'} with one thread of linear algebra each"
                names, rows = ", ".join(event.data.names), len(event.data.y)
                self._say(
                    f"{rows:,} rows, {event.data.target} by {names}; engine {event.engine}, strategy {event.strategy}, "
                    f"{crew}{known}"
                )
            case events.Closed():
                gone = "".join(f", {n} {what}" for n, what in ((event.dropped, "dropped"), (event.failed, "failed")) if n)
                best = "none could be fitted"
                if event.best is not None:
                    best = f"best {self.name(event.best)}, {_standing(event.best, event.best_standing)}"
                self._say(f"depth {event.depth}: {event.candidates} tried{gone}; {best} ({event.seconds:.1f} s)")
            case events.Warned():
                self._say(f"warning: {event.message}")
            case events.Ended(stop=events.Stop() as stop):
                self._say(f"stopped: {language.facts.stop(stop)}")

    def name(self, tried: Expression | Statement) -> str:
        """A kernel without the number of its input, where there is one; a statement by its components."""
        return "" if self.data is None else language.nodes.node(tried, self.data)

    def _say(self, line: str) -> None:
        try:
            self.stream.write(line + "\n")
            self.stream.flush()
        except BrokenPipeError:
            # No reason to end the search.
            hush(self.stream)

    def close(self) -> None:
        """Nothing is left open."""


class Screen:
    """Depth, kernels done, the best kernel with its interval, and the time, redrawn in place; rounds stay above as lines."""

    def __init__(self, stream: TextIO) -> None:
        self.console = Console(file=stream)
        self.progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=self.console
        )
        self.bar = self.progress.add_task("starting", total=None)
        self.best = ""
        self.lines = LineDisplay(_Above(self.console))
        self.live = Live(console=self.console, get_renderable=self._draw, refresh_per_second=8, transient=True)
        self.live.start()

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Stage():
                # Not reset, which would set the clock back to nought with every stage.
                stage = f"depth {event.depth}: {_STAGES[event.stage]}"
                self.progress.update(self.bar, total=event.tasks, completed=0, description=stage)
            case events.Found():
                self.progress.advance(self.bar)
                if event.best is not None:
                    self.best = f"best so far: {self.lines.name(event.best)}, {_standing(event.best, event.best_standing)}"
            case _:
                self.lines(event)

    def _draw(self) -> Group:
        return Group(self.progress, Text(self.best, overflow="ellipsis", no_wrap=True))

    def close(self) -> None:
        self.live.stop()


class _Above:
    """A stream that prints above the live part."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def write(self, line: str) -> int:
        self.console.print(Text(line.rstrip("\n")))
        return len(line)

    def flush(self) -> None:
        """The console does that itself."""
