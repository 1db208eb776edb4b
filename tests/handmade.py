"""Searches without fits: every result is made by hand, from a table of BIC intervals."""

import math
from dataclasses import replace

import numpy as np

from kernelscribe import Config, Status, parse
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.fit.facts import Failure, Fault, Fit, Screened
from kernelscribe.kernels.tree import rebuild, text
from kernelscribe.noises import Constant
from kernelscribe.scales import Affine, Scales
from kernelscribe.search.facts import failure
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.state import absorb, begin, pending

VALUES = {"SE": (1.0, 1.0), "PER": (1.0, 1.0, 0.5), "LIN": (1.0, 0.0)}
# BICs of the base kernels, of which the first is the best.
BASE = {"SE": -10, "PER": -20, "LIN": -30}


def scales(inputs=1, rows=100):
    return Scales(rows, (Affine(0.0, 1.0),) * inputs, Affine(0.0, 1.0), tuple("abc"[:inputs]), "y", (0.0,) * inputs)


def start(strategy, *, inputs=1, rows=100, exact=False, **options):
    return begin(Config(strategy=strategy, **options), scales(inputs, rows), base_kernels(inputs), sharp=exact)


def fitted(expr, where, ends, status=Status.OK, engine="inducing"):
    """A fit whose BIC is that interval; None for one that came to nothing."""
    interval = NOWHERE if ends is None else Interval(*ends)
    full = rebuild(expr, lambda leaf: leaf if leaf.values else replace(leaf, values=VALUES[leaf.kind]))
    status = Status.FAILED if ends is None else status
    exact = interval.lower if interval.width == 0 else None
    return Fit(where, full, Constant(0.1), Evidence(interval, interval, exact=exact), interval, (), engine, 1, 0.1, status)


def screened(score, hope=None):
    hope = score if hope is None else hope
    return Screened(((0.0,),), score, hope, 1, 0.1, Status.OK)


def _below(name):
    return (-1000.0 - sum(name.encode()),) * 2


def _pair(ends):
    return ends if isinstance(ends, tuple | None) else (ends, ends)


class Table:
    """BIC intervals by the kernel's text. Kernels that are not listed end where `rest` says: far below. A kernel that is fitted
    again ends where it was, or where `renewed` says; that and `exact` may tell tasks apart by (text, number)."""

    def __init__(self, known, exact=None, dropped=(), rest=_below, renewed=None, engine="inducing"):
        self.known, self.renewed = ({name: _pair(ends) for name, ends in each.items()} for each in (known, renewed or {}))
        self.exact, self.dropped, self.rest, self.asked, self.keys = exact or {}, set(dropped), rest, [], []
        self.engine = engine

    def __call__(self, task, state):
        name = text(task.candidate.expr, inputs=len(state.scales.names))
        numbered = (name, task.number)
        self.asked.append((task.key.depth, task.stage, name))
        self.keys.append(task.key)
        if task.stage == "screen":
            return screened(-math.inf if (task.key.depth, name) in self.dropped else 0.0)
        if task.stage == "decide":
            value = self.exact.get(numbered, self.exact.get(name))
            if value is None:
                return failure(task, state.scales, Status.FAILED, Failure(Fault.MEMORY))
            return fitted(task.fit.expr, state.scales, (value, value))
        ends = self.known.get(name, self.rest(name))
        if task.stage == "renew":
            ends = self.renewed.get(numbered, self.renewed.get(name, ends))
        return fitted(task.candidate.expr, state.scales, ends, engine=self.engine)


# For a Table. Bounds leave all three open; SE, renewed, has an interval again, and has to be decided once more.
TWICE = {
    "known": {"SE": (-12, -8), "PER": (-13, -9), "LIN": (-13.5, -9.5)},
    "exact": {("SE", 0): -10, "PER": -10.5, "LIN": -11, ("SE", 3): -8},
    "renewed": {"SE": (-11.2, -6.0)},
}


def play(state, table, rng=None, until=lambda state: False):
    """Answer every question, in order or shuffled, to the end of the search or until something is so."""
    while not state.done and not until(state):
        tasks = list(pending(state))
        for i in rng.permutation(len(tasks)) if rng is not None else range(len(tasks)):
            state = absorb(state, tasks[i], table(tasks[i], state))
    return state


def shuffled(seed):
    return np.random.default_rng(seed)


def short(names):
    """Texts of a search with one input, without its number."""
    return [name.replace("1", "") for name in names]


def fits(**ends):
    """Fits with names of our own: rules look at names and intervals alone."""
    return {name: fitted(parse("SE"), scales(), pair if isinstance(pair, tuple) else (pair, pair)) for name, pair in ends.items()}


def rounds(table, stage="screen"):
    """What was asked in each round, in order."""
    depths = sorted({depth for depth, each, _ in table.asked if each == stage})
    return [[name for depth, each, name in table.asked if depth == d and each == stage] for d in depths]
