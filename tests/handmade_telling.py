"""Searches over statements without fits: every result is made by hand, from what each component is worth."""

import math
from dataclasses import fields, replace

import numpy as np

from handmade import scales
from kernelscribe import Config, Status
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.fit.facts import Failure, Fault, Fit, Screened
from kernelscribe.kernels import pack
from kernelscribe.noises import NOISES
from kernelscribe.search.facts import Scanned, failure
from kernelscribe.search.telling import begin_telling
from kernelscribe.statements.scan import Scan, Sight
from told_data import SETTINGS

SETTING = SETTINGS["daily"]
WEEK, MONTH = SETTING.calendar
CALM = {"constant": (0.1,), "growing": (0.1, 0.0), "changing": (0.1, 0.1, 0.0, 0.1)}
SEEN = Scan(calendar=(Sight((WEEK,), 40.0), Sight((MONTH,), 30.0)), steps=(Sight((0.1,), 50.0),))
WEEKLY, MONTHLY, STEP = f"cycle({WEEK:.9g})", f"cycle({MONTH:.9g})", "step(0.1)"
# What is not listed is not there: it costs more than it explains.
NOTHING = -20.0


def start(links=("none",), **options):
    config = Config(**options)
    return begin_telling(config, scales(rows=400), SETTING, links)


class World:
    """What statements are worth: the sum of what their components are, each by its name. Some are worth otherwise beside another:
    `beside[a, b]` is what a is worth where b is. What is in `broken` cannot be fitted."""

    def __init__(self, worth, beside=None, scan=SEEN, broken=(), behind=0.0):
        self.worth, self.beside, self.seen, self.broken, self.behind = worth, beside or {}, scan, set(broken), behind
        self.asked, self.tasks = [], []

    def score(self, statement):
        names = [part.name for part in statement.parts]
        found = sum(
            next((value for (a, b), value in self.beside.items() if a == name and b in names), self.worth.get(name, NOTHING))
            for name in names
        )
        link = 0.0 if statement.link == "none" else self.worth.get(statement.link, NOTHING)
        noise = 0.0 if statement.noise == "constant" else self.worth.get(statement.noise, NOTHING)
        return found + link + noise

    def __call__(self, task, state):
        statement = task.candidate.starts[0]
        self.asked.append((task.key.depth, task.stage, statement.name))
        self.tasks.append(task)
        if task.stage == "scan":
            return Scanned(self.scan(statement if task.fit is None else task.fit.statement), 0.1, 1)
        if self.broken & {part.name for part in statement.parts}:
            return failure(task, state.scales, Status.FAILED, Failure(Fault.MEMORY))
        score = self.score(statement)
        if task.stage == "screen":
            return Screened((self.point(statement),), score - self.behind, score, 5, 0.1, Status.OK)
        return made(statement, state.scales, score + (0.1 if task.stage == "renew" else 0.0))

    def scan(self, statement):
        """What is said already is not seen again."""
        there = {part.held for part in statement.parts}
        kinds = {each.name: getattr(self.seen, each.name) for each in fields(Scan)}
        return Scan(**{name: tuple(sight for sight in sights if sight.values not in there) for name, sights in kinds.items()})

    def point(self, statement):
        noise = NOISES[statement.noise].of(CALM[statement.noise])
        return tuple(np.append(pack(statement.built(SETTING).expr), noise.pack()).tolist())

    def names(self, stage, depth=None):
        return [name for at, each, name in self.asked if each == stage and depth in (None, at)]


def made(statement, where, score):
    """A fit with that score."""
    interval, noise = Interval(score, score), NOISES[statement.noise].of(CALM[statement.noise])
    found = NOWHERE if math.isinf(score) else interval
    return Fit(
        replace(where, link=statement.link), statement.expr, noise, Evidence(found, found, exact=score), found, (), "series", 9,
        0.1, Status.OK, statement=statement, score=found,
    )  # fmt: skip


def said(*names, link="none", noise="constant"):
    """The name of a statement of these components."""
    return f"{link}: {' + '.join(sorted(names)) or 'level'} ~ {noise}"


def told(state):
    """What the search ended with."""
    return None if state.best is None else state.fits[state.best].statement.name
