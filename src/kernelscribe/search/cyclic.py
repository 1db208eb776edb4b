"""Along which inputs cycles are looked for: times, angles and what else comes round, and those that the user names.

With a PER on every input a search of a table finds "a cycle of 3.1 in temperature" wherever such a wave happens to fit a little
better than a smooth curve. Nothing comes round there, so nobody should be told of it. What an input is, is judged by its unit, by
its name, and by its values; in doubt it is none. A series is looked at as ever, unless its only input is plainly no time.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.number_times import says_time
from kernelscribe.errors import OptionError
from kernelscribe.search.rules import STRATEGIES

__all__ = ["comes_round", "cyclic"]

# What comes round by its name, written without "of" and "the", and between which ends its values lie then.
_ROUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("hour", "hr", "hourday", "hourofday", "timeday", "timeofday"), (0.0, 24.0)),
    **dict.fromkeys(("minute", "second"), (0.0, 60.0)),
    **dict.fromkeys(("weekday", "dayweek", "dayofweek", "dow"), (0.0, 7.0)),
    **dict.fromkeys(("day", "daymonth", "dayofmonth"), (0.0, 31.0)),
    **dict.fromkeys(("dayyear", "dayofyear", "doy", "yday", "julianday"), (0.0, 366.0)),
    **dict.fromkeys(("week", "weekyear", "weekofyear"), (0.0, 53.0)),
    **dict.fromkeys(("month", "mnth", "monthyear", "monthofyear"), (0.0, 12.0)),
}
# Words that make an angle of a name, and between which ends its values lie, with a full turn: in degrees, in radians.
_ANGLES = frozenset({"angle", "azimuth", "aspect", "bearing", "direction", "heading", "phase", "winddir", "winddirection"})
_TURNS = ((-180.0, 360.0, 360.0), (-2 * math.pi, 2 * math.pi, 2 * math.pi))
# Words that add nothing to one that speaks of time.
_FILLING = frozenset({"of", "the", "in", "utc", "gmt", "local", "decimal", "dec", "index", "number", "no"})
# A name that says nothing, or only that the rows are in order.
_PLAIN = re.compile(r"[a-z]?\d*|(column|x|input|feature|index|row|step|sample|place|position|sequence|frame)[ _]*\d*")
# Words for what is measured, not waited for.
_MEASURED = frozenset({
    "temperature", "temp", "pressure", "humidity", "price", "cost", "income", "salary", "weight", "mass", "dose", "concentration",
    "speed", "velocity", "voltage", "power", "score", "population",
})  # fmt: skip
# So much of a round, at least, is covered by the values of what comes round.
_HALF = 0.5
# So many of the values of a measurement, at least, stand there more than once.
_REPEATED = 0.1
# Steps that differ by less than this, relatively, are even.
_EVEN = 1e-6


def cyclic(data: Dataset, config: Config) -> tuple[int, ...]:
    """The inputs, counted from 1, that may have cycles: those that are named, all with the paper's strategies, or as judged."""
    every = range(1, len(data.axes) + 1)
    if config.cycles is not None:
        return _named(data.names, config.cycles)
    if STRATEGIES[config.strategy].everywhere:
        return tuple(every)
    columns = [data.X[:, d - 1] * data.inputs[d - 1].scale + data.inputs[d - 1].centre for d in every]
    if len(columns) == 1:
        return () if _no_time(data.axes[0], columns[0]) else (1,)
    return tuple(d for d in every if comes_round(data.axes[d - 1], columns[d - 1]))


def _named(names: Sequence[str], wanted: Sequence[str]) -> tuple[int, ...]:
    for name in wanted:
        if name not in names:
            raise OptionError(f"cycles names {name!r}, which is no input: the inputs are {', '.join(names)}")
    return tuple(d for d, name in enumerate(names, start=1) if name in wanted)


def comes_round(axis: Axis, column: Array) -> bool:
    """Whether one of several inputs is a time, an angle, or a count of what comes round; or runs on evenly, as a count does."""
    words = _words(axis.name)
    if axis.temporal or _clock(words) or (_even(column) and not _MEASURED.intersection(words)):
        return True
    name = "".join(word for word in words if word not in ("of", "the"))
    if name in _ROUNDS:
        low, high = _ROUNDS[name]
        return _within(column, low, high, high - low)
    return bool(_ANGLES.intersection(words)) and any(_within(column, *turn) for turn in _TURNS)


def _no_time(axis: Axis, column: Array) -> bool:
    """Whether the only input is plainly no time: it is called a measurement, or has the same values again and again."""
    if comes_round(axis, column) or _PLAIN.fullmatch(axis.name.lower()) or says_time(axis.name, counts=True):
        return False
    return bool(_MEASURED.intersection(_words(axis.name))) or len(np.unique(column)) <= (1 - _REPEATED) * len(column)


def _words(name: str) -> list[str]:
    """hour_of_day, HourOfDay and "hour of day (local)" have the same; what stands in brackets is a unit."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", re.sub(r"[(\[].*?[)\]]", " ", name))]


def _clock(words: Sequence[str]) -> bool:
    """Whether every word speaks of time, as in "time", "date" or "decimal year"; not "delivery time"."""
    return any(says_time(word) for word in words) and all(says_time(word) or word in _FILLING for word in words)


def _even(column: Array) -> bool:
    """Whether the values, each there once, lie one step apart."""
    steps = np.diff(np.sort(column))
    return bool(np.ptp(steps) <= _EVEN * steps.mean())


def _within(column: Array, low: float, high: float, turn: float) -> bool:
    """Whether the values lie between these ends, and over at least half a round."""
    rounding = _EVEN * turn
    inside = low - rounding <= column.min() and column.max() <= high + rounding
    return bool(inside and np.ptp(column) >= _HALF * turn - rounding)
