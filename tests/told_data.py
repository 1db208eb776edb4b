"""Data for the tests of statements, and statements with values of their own: small enough for dense algebra."""

from dataclasses import replace

import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Part, Statement

DAYS = (Axis("date", "days", "2001-01-01T00:00:00"),)
PLAIN = (Axis("x"),)


def series(n=60, *, every=1.0, axes=DAYS, seed=0):
    """A line with a week and noise, at regular times."""
    rng, x = np.random.default_rng(seed), every * np.arange(n)
    y = 10 + 0.02 * x + 0.6 * np.sin(2 * np.pi * x / 7) + 0.3 * rng.normal(size=n)
    return Dataset.of(x, y, axes=axes)


def at(x, *, axes=DAYS, seed=0):
    """Noise at these times."""
    return Dataset.of(x, np.random.default_rng(seed).normal(size=len(x)), axes=axes)


def _irregular():
    rng = np.random.default_rng(1)
    return np.sort(rng.choice(900, size=180, replace=False)).astype(float)


# From the fewest rows that there can be to some years of days.
DATA = {
    "three": at([0.0, 1.0, 2.0]),
    "twelve": series(12, every=30.4),
    "monthly": series(120, every=365.2425 / 12),
    "daily": series(400),
    "irregular": at(_irregular()),
    "plain": series(50, every=0.1, axes=PLAIN),
    "repeated": at(np.repeat(np.arange(20.0), 3)),
    "far apart": at([0.0, 1.0, 2.0, 1e6]),
}
SETTINGS = {name: Setting.of(data) for name, data in DATA.items()}


def held(noun, setting, *, fixed=True):
    """What a noun has to hold: a place in the middle of the data, and the width of a spell; a cycle its period, where asked."""
    extent = setting.extent
    middle = 0.5 * (extent.low + extent.high)
    places = {"step": (middle,), "kink": (middle,), "spell": (middle, 0.3 * extent.span)}
    return places.get(noun, (2 * setting.shortest,) if noun == "cycle" and fixed else ())


def begun(noun, setting, size=0.3, *, fixed=True):
    """A noun with its first start."""
    own = held(noun, setting, fixed=fixed)
    beginning = own or ((2 * setting.shortest,) if noun == "cycle" else ())
    return Part(noun, held=own, values=(NOUNS[noun].starts(setting, size, beginning)[0],))


def told(*nouns, setting, size=0.3, **more):
    """A statement of these nouns at their first starts."""
    return replace(Statement(tuple(begun(noun, setting, size) for noun in nouns)), **more)
