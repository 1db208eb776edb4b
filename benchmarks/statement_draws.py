"""Series whose statement is known: each a function of its seed, with its truth.

Sizes are in standard deviations of the noise until the whole is scaled. They are such that what is there can be seen: a component
that moves throughout has a standard deviation of at least 2.5, a spell or an outlier is worth tens of nats. A step is at least
12, and 30 where the level wanders of itself: 10 % of it are then about two of its standard errors, or more.
Sums are such that they can be told apart: one trend, or a line with something short beside it; cycles of different periods.
"""

import math
from dataclasses import dataclass

import numpy as np

import statement_shapes as shapes

# Of every fifty seeds the last ten are large.
RECIPES = (
    "line", "line + cycle", "bend", "bend + cycle", "drift", "drift + cycle", "smooth", "smooth + cycle", "cycle",
    "cycle + slow cycle", "line + cycle + slow cycle", "smooth + cycle + slow cycle", "rough + cycle", "line + rough",
    "matern + cycle", "line + step", "step", "cycle + step", "line + cycle + step", "smooth + step", "bend + step", "line + kink",
    "kink + cycle", "line + spell", "cycle + spell", "line + outlier", "line + cycle + outlier", "changing cycle",
    "line + changing cycle", "bend + changing cycle", "growing cycle", "line + growing cycle", "smooth + growing cycle",
    "late cycle", "line + late cycle", "drift + cycle + step", "rough + cycle + step", "line + smooth + cycle + step",
    "line + cycle + slow cycle + rough", "line + cycle + step + spell",
)  # fmt: skip
LARGE = (
    "line + cycle + slow cycle", "bend + cycle + slow cycle + rough", "drift + cycle", "smooth + changing cycle",
    "smooth + cycle + slow cycle + step", "line + rough + step", "line + growing cycle", "smooth + late cycle",
    "matern + cycle + slow cycle", "line + cycle + step + spell",
)  # fmt: skip
LARGE_ROWS = 20_000
FEWEST = 100
MOST = 2_000
# Months of fifty years: more there are not.
MOST_MONTHS = 600
YEAR = 365.2425
# The tide: a period of hours that is in no calendar.
TIDE = 0.5175
# Standard deviation of all components together on a logarithmic scale: a factor of two either way, so that the scale shows.
LOG_SPREAD = 0.8
# On the plain scale half of the series are positive, and come as near to zero as this share of their standard deviation: there
# a logarithm would bend them.
NEAR_ZERO = 0.3
# From the first row to the last the standard deviation of noise that grows triples, at an even rate.
TRIPLES = math.log(3.0)
# A rough component's length-scale lies between so many rows: longer than a step, and shorter than what is called smooth.
ROUGH_ROWS = (4.0, 10.0)
# It is so many times longer beside a step, which would else be lost among its own moves.
CALMER = 2.5
WANDERING = frozenset({"rough", "matern", "drift"})
DATES = ("days", "months", "hours", "numbers", "irregular")


@dataclass(frozen=True, eq=False)
class Part:
    """A true component at the rows.

    Attributes:
        period: of a cycle, in days or in the units of the times; else None.
        row: where it begins, of what begins: the first row that is different.
        size: of a step.
    """

    noun: str
    values: np.ndarray
    period: float | None = None
    row: int | None = None
    size: float | None = None


@dataclass(frozen=True, eq=False)
class Times:
    """When there are rows: numbers x to compute with (days where there are dates), and what is given to the search."""

    kind: str
    x: np.ndarray
    given: np.ndarray
    fast: float
    slow: float

    @property
    def span(self) -> float:
        return float(self.x[-1] - self.x[0])


@dataclass(frozen=True, eq=False)
class Draw:
    """A series and its truth: link(y) = level + the parts + noise."""

    seed: int
    recipe: str
    times: Times
    y: np.ndarray
    level: float
    parts: tuple[Part, ...]
    noise: np.ndarray
    link: str
    growing: bool
    large: bool


def draw(seed: int, rows: int | None = None) -> Draw:
    """The draw of a seed; `rows` in place of its own number, to try things out."""
    large = seed % 50 >= len(RECIPES)
    recipe = LARGE[seed % 50 - len(RECIPES)] if large else RECIPES[seed % 50]
    rng, nouns = np.random.default_rng([seed, 41]), recipe.split(" + ")
    times = _times(nouns, rng, rows, large)
    growing, link = seed % 4 == 3, "log" if seed % 3 == 2 else "none"
    noise = rng.normal(size=len(times.x)) * _loudness(times, growing)
    parts = [_part(noun, nouns, times, rng) for noun in nouns]
    return _scaled(Draw(seed, recipe, times, noise, 0.0, tuple(parts), noise, link, growing, large), rng)


def summed(draw: Draw) -> np.ndarray:
    """What the statement says of every row, without noise, on the scale of its link."""
    return draw.level + np.sum([part.values for part in draw.parts], axis=0)


def _loudness(times: Times, growing: bool) -> np.ndarray:
    """The standard deviation of the noise at every row, whose mean square is 1."""
    share = (times.x - times.x[0]) / times.span
    sd = np.exp(TRIPLES * share) if growing else np.ones(len(share))
    return sd / math.sqrt(float(np.mean(sd**2)))


def _scaled(drawn: Draw, rng: np.random.Generator) -> Draw:
    """In units of their own, and on the scale of the link."""
    total = np.sum([part.values for part in drawn.parts], axis=0)
    if drawn.link == "log":
        scale, level = LOG_SPREAD / float(total.std()), rng.uniform(0, 6)
    else:
        scale = 10 ** rng.uniform(-1, 3)
        lowest = float((scale * (total + drawn.noise)).min())
        level = NEAR_ZERO * scale * float(total.std()) - lowest if drawn.seed % 2 else scale * rng.normal()
    parts = tuple(
        Part(each.noun, scale * each.values, each.period, each.row, None if each.size is None else scale * each.size)
        for each in drawn.parts
    )
    u = level + scale * (total + drawn.noise)
    y = np.exp(u) if drawn.link == "log" else u
    return Draw(
        drawn.seed, drawn.recipe, drawn.times, y, level, parts, scale * drawn.noise, drawn.link, drawn.growing, drawn.large
    )


def _times(nouns: list[str], rng: np.random.Generator, rows: int | None, large: bool) -> Times:
    kind = str(
        rng.choice(("days", "hours", "numbers", "irregular") if large else ("days", "months", "hours", "numbers", "irregular"))
    )
    fast, slow = _periods(kind, rng)
    step = {"hours": 1 / 24, "months": YEAR / 12}.get(kind, 1.0)
    need = max(FEWEST, *(_needed(noun, nouns, fast / step, slow / step) for noun in nouns))
    most = max(MOST_MONTHS if kind == "months" else MOST, need)
    own = LARGE_ROWS if large else round(math.exp(rng.uniform(math.log(need), math.log(most))))
    x, given = _stamps(kind, rows or own, rng)
    return Times(kind, x, given, fast, slow)


def _periods(kind: str, rng: np.random.Generator) -> tuple[float, float]:
    """A fast and a slow period, of the calendar in two of three series with dates."""
    free = bool(rng.uniform() < 1 / 3)
    fast = rng.uniform(9.3, 12.9)
    match kind:
        case "days":
            return (fast if free else 7.0), YEAR
        case "hours":
            return (TIDE if free else 1.0), 7.0
        case "months":
            return YEAR, YEAR * rng.uniform(3.2, 4.7)
    return fast, fast * rng.uniform(3.2, 4.7)


def _needed(noun: str, nouns: list[str], fast: float, slow: float) -> int:
    """Rows from which a noun can be seen: some rounds of a cycle, more where they change, and room for two length-scales."""
    rounds = {
        "cycle": 5 * fast, "slow cycle": 3.2 * slow, "changing cycle": 15 * fast, "growing cycle": 10 * fast,
        "late cycle": 14 * fast,
    }  # fmt: skip
    short = 400.0 if {"rough", "matern", "smooth"} & set(nouns) and len(nouns) > 1 else 0.0
    return math.ceil(max(rounds.get(noun, 0.0), short))


def _stamps(kind: str, rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Times as numbers, and as they are given."""
    count = np.arange(rows)
    match kind:
        case "days":
            given = np.datetime64("1960-01-01") + count
        case "hours":
            given = np.datetime64("2018-01-01T00:00:00") + count * np.timedelta64(3600, "s")
        case "months":
            given = (np.datetime64("1970-01") + count).astype("datetime64[D]")
        case "numbers":
            return count.astype(float), count.astype(float)
        case _:
            x = np.sort(rng.uniform(0, rows, rows))
            return x, x
    return (given - given[0]) / np.timedelta64(1, "D"), given


def _part(noun: str, nouns: list[str], times: Times, rng: np.random.Generator) -> Part:
    """A component, scaled to what can be seen."""
    x, rows = times.x, len(times.x)
    row = round(rows * rng.uniform(0.35, 0.6))
    match noun:
        case "step":
            size = rng.choice((-1.0, 1.0)) * rng.uniform(12, 18) * (2.5 if WANDERING & set(nouns) else 1)
            return Part(noun, size * shapes.window(x, row, rows), row=row, size=float(size))
        case "spell":
            first = round(rows * rng.uniform(0.7, 0.8))
            last = first + max(8, round(rows * rng.uniform(0.05, 0.12)))
            return Part(noun, rng.choice((-1.0, 1.0)) * rng.uniform(6, 9) * shapes.window(x, first, last), row=first)
        case "outlier":
            return Part(noun, rng.choice((-1.0, 1.0)) * rng.uniform(12, 18) * shapes.window(x, row, row + 1), row=row)
        case "kink":
            return Part(noun, _sized(rng.choice((-1.0, 1.0)) * shapes.kink(x, row), rng), row=row)
        case "late cycle":
            return Part(noun, _sized(shapes.late_cycle(x, rng, times.fast, row), rng), times.fast, row)
    period = times.slow if noun == "slow cycle" else times.fast if "cycle" in noun else None
    values = _moving(noun, nouns, times, rng)
    # A bend is sized by how much it bends: one that is nearly straight would be a line.
    seen = shapes.straightened(x, values) if noun == "bend" else values
    return Part(noun, _sized(values, rng, float(seen.std())), period)


def _moving(noun: str, nouns: list[str], times: Times, rng: np.random.Generator) -> np.ndarray:
    """What moves throughout, of any size."""
    x, slow = times.x, noun == "slow cycle"
    makers = {
        "line": lambda: shapes.line(x, rng),
        "drift": lambda: shapes.drift(x, rng),
        "bend": lambda: shapes.bend(x / times.span, rng),
        "smooth": lambda: _smooth(nouns, times, rng),
        "rough": lambda: shapes.rough(x, rng, _short(nouns, times, rng)),
        "matern": lambda: shapes.matern(x, rng, _short(nouns, times, rng)),
        "changing cycle": lambda: shapes.changing_cycle(x, rng, times.fast, times.span * rng.uniform(1 / 5, 1 / 3)),
        "growing cycle": lambda: shapes.growing_cycle(x, rng, times.fast),
    }
    return makers.get(noun, lambda: shapes.cycle(x, rng, times.slow if slow else times.fast))()


def _smooth(nouns: list[str], times: Times, rng: np.random.Generator) -> np.ndarray:
    """Longer than the longest cycle, which it could take for its own, and without a line where there is one beside it."""
    longest = max(times.slow * ("slow cycle" in nouns), times.fast)
    curve = shapes.smooth(times.x, rng, max(times.span * rng.uniform(1 / 12, 1 / 5), longest))
    return shapes.straightened(times.x, curve) if "line" in nouns else curve


def _short(nouns: list[str], times: Times, rng: np.random.Generator) -> float:
    """The length-scale of what is rough."""
    step = times.span / (len(times.x) - 1)
    return step * rng.uniform(*ROUGH_ROWS) * (CALMER if "step" in nouns else 1.0)


def _sized(values: np.ndarray, rng: np.random.Generator, spread: float | None = None) -> np.ndarray:
    """With a standard deviation that can be seen, of the curve or, where it is given, of what is to be seen of it."""
    return values * rng.uniform(2.5, 4.5) / (values.std() if spread is None else spread)
