"""What is shown while a search goes: lines where there is no terminal, a live table where there is one."""

import io

import numpy as np
import pytest

from kernelscribe import Status, events, parse
from kernelscribe.app.display import _STAGES, LineDisplay, Screen, display
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.search import work

SE, PER = parse("SE1"), parse("PER1")


def dataset(rows, names, target):
    X = np.random.default_rng(0).normal(size=(rows, len(names)))
    return Dataset.of(X, X[:, 0], names=names, target=target)


STORY = (
    events.Began(dataset(1234, ("time", "heat"), "load"), "inducing", "auto", 2, 0),
    events.Stage(0, "screen", 3),
    events.Found(0, "screen", SE, None, Status.OK, None, None, None, None, 0.1),
    events.Stage(0, "polish", 2),
    events.Found(0, "polish", SE, None, Status.OK, None, Interval(-3.0, -2.0), SE, Interval(-3.0, -2.0), 0.1),
    events.Found(0, "polish", PER, None, Status.FAILED, Failure(Fault.MEMORY), None, SE, Interval(-3.0, -2.0), 0.1),
    events.Stage(0, "decide", 1),
    events.Found(0, "decide", SE, None, Status.OK, None, Interval(-2.5, -2.5), SE, Interval(-2.5, -2.5), 0.1),
    events.Warned("a worker died [not markup]"),
    events.Closed(0, 3, 1, 1, SE, Interval(-2.5, -2.5), 1, 12.34),
    events.Ended(events.Stop.INTERRUPT, 12.4),
)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(screen, stream, story=STORY):
    for event in story:
        screen(event)
    screen.close()
    return stream.getvalue()


def test_lines():
    stream = io.StringIO()
    said = shown(display(stream), stream).splitlines()
    assert said[0].startswith("1,234 rows, load by time, heat; engine inducing, strategy auto, 2 workers")
    assert "known from the journal" not in said[0]
    assert said[1] == "warning: a worker died [not markup]"
    assert said[2].startswith("depth 0: 3 tried, 1 dropped, 1 failed; best SE1, ")
    assert said[2].endswith("BIC -2.5 (12.3 s)")
    assert said[3:] == ["stopped: ctrl-C"]


def test_lines_of_a_search_that_goes_on_and_finds_nothing():
    stream = io.StringIO()
    story = (
        events.Began(dataset(9, ("x1",), "y"), "exact", "skc", 2, 7),
        events.Closed(0, 3, 0, 3, None, None, 0, 0.0),
        events.Ended(None, 0.1),
    )
    said = shown(LineDisplay(stream), stream, story).splitlines()
    assert said[0].endswith(", 7 results known from the journal")
    assert said[1:] == ["depth 0: 3 tried, 3 failed; none could be fitted (0.0 s)"]


def test_one_worker_and_one_input_in_short():
    """No number where there is one input, no plural where there is one worker."""
    stream = io.StringIO()
    story = (
        events.Began(dataset(9, ("x1",), "y"), "exact", "auto", 1, 0),
        events.Closed(0, 3, 0, 0, parse("SE1*(PER1 + LIN1)"), Interval(-2.5, -1.5), 1, 0.0),
    )
    said = shown(LineDisplay(stream), stream, story).splitlines()
    assert said[0].endswith("strategy auto, 1 worker with one thread of linear algebra each")
    assert said[1] == "depth 0: 3 tried; best SE*(PER + LIN), BIC -2.5 .. -1.5 (0.0 s)"


def test_every_stage_has_a_word():
    assert set(_STAGES) == {*work._STAGES, *work._STATEMENT_STAGES}


def test_the_stream_decides():
    assert isinstance(display(io.StringIO()), LineDisplay)
    terminal = display(Terminal())
    assert isinstance(terminal, Screen)
    terminal.close()


@pytest.mark.parametrize("width", ["20", "200"])
def test_a_terminal_of_any_width(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    screen = display(stream)
    said = shown(screen, stream)
    assert "1,234 rows" in said
    assert "stopped: ctrl-C" in said
    assert "[not markup]" in said.replace("\n", " ")


def test_the_live_part_shows_stage_and_best(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    screen = Screen(Terminal())
    for event in STORY[:5]:
        screen(event)
    with screen.console.capture() as drawn:
        screen.console.print(screen._draw())
    screen.close()
    assert "depth 0: fitting" in drawn.get()
    assert "1/2" in drawn.get()
    assert "best so far: SE" in drawn.get()
    assert "-3.0 .. -2.0" in drawn.get()
