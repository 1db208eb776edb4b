"""The search as a tree: marks, intervals, what is left out."""

from dataclasses import replace

import numpy as np

from handmade import Table, fitted, play, scales, start
from kernelscribe import Status, parse, text
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.report.words import language
from kernelscribe.search.facts import Candidate
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.state import begin
from kernelscribe.search.tree import Children, Mark, tree


def data(names):
    X = np.random.default_rng(0).normal(size=(9, len(names)))
    return Dataset.of(X, X[:, 0], names=names)


def shown(state):
    return language.facts.tree(tree(state), data(state.scales.names)).splitlines()


def test_nothing_yet():
    assert tree(start("auto")) == Children()
    assert shown(start("auto")) == []


def test_marks():
    """* is chosen, ? cannot be told from it, + grew, - did not."""
    known = {"SE": -10, "PER": -20, "LIN": -30, "SE + PER": (4, 9), "SE*PER": (5, 8), "SE + LIN": -12, "SE*LIN": None}
    state = play(start("skc-lb", depth=1, buffer=1), Table(known, dropped={(0, "LIN"), (1, "SE + SE")}))
    chosen, open_, other = tree(state).shown[0].children.shown
    assert [each.mark for each in (chosen, open_, other)] == [Mark.CHOSEN, Mark.OPEN, Mark.OTHER]
    assert (chosen.tried, chosen.standing) == (parse("SE*PER"), Interval(5, 8))
    assert (tree(state).lower, tree(state).dropped, tree(state).failed) == (0, 1, 0)
    assert shown(state) == [
        "├ + SE                                       -10.0",
        "│ ├ * SE*PER                                 5.0 .. 8.0",
        "│ ├ ? SE + PER                               4.0 .. 9.0",
        "│ ├ - SE + LIN                               -12.0",
        "│ └ and 1 dropped after screening, 1 failed",
        "├ - PER                                      -20.0",
        "└ and 1 dropped after screening",
    ]


def test_five_are_shown_and_those_that_grew():
    """A kernel that grew is shown wherever it stands, with what grew from it."""
    state = begin(start("skc").config, scales(2), base_kernels(2), sharp=False)
    fits, candidates = {}, {}
    for rank, name in enumerate(["SE1", "PER1", "LIN1", "SE2", "PER2", "LIN2", "SE1*SE2"]):
        fits[name] = fitted(parse(name), state.scales, (-rank, -rank))
        candidates[name] = Candidate(parse(name), 0)
    child = parse("LIN2*PER1")
    fits[text(child)], candidates[text(child)] = fitted(child, state.scales, (-50, -50)), Candidate(child, 1, "LIN2")
    lines = shown(replace(state, fits=fits, candidates=candidates, grown=("LIN2",)))
    assert [line.split()[-2] for line in lines[:-1]] == ["SE1", "PER1", "LIN1", "SE2", "PER2", "LIN2", "PER1*LIN2"]
    assert [line.split()[1] for line in lines[:6]] == ["*", "-", "-", "-", "-", "+"]
    assert lines[-1] == "└ and 1 lower"


def test_a_search_of_failures():
    state = play(start("auto"), Table(dict.fromkeys(["SE", "PER", "LIN"])))
    assert shown(state) == ["└ and 3 failed"]
    assert all(fit.status is Status.FAILED for fit in state.fits.values())
