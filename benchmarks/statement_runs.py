"""One search each: of a known statement, of noise alone, of a thinned series. What comes back is a line of results."""

import math
import time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import statement_shapes as shapes
from statement_draws import YEAR, draw
from statement_scores import finds, periods_found, score, told

# Noises in which there is nothing to find: independent, short-lived, wandering, and with heavy tails.
NOISES = ("white", "OU", "walk", "Student")
# Steps over which short-lived noise is remembered.
REMEMBERED = 5.0
# Degrees of freedom: the fewest with a variance.
FREEDOM = 3
# Of a thinned series: days, of twelve years, and the share of them that is left.
DAYS = 4383
LEFT = 1 / 5


def measured(part: str, seed: int, rows: int | None, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """One line of a part, or what went wrong in its place."""
    key = {"part": part, "seed": seed, "asked": rows, "kind": kind}
    try:
        with threadpool_limits(1):
            return key | RUNS[part](seed, rows, kind, options)
    except Exception as error:  # noqa: BLE001, RUF100  (one draw that fails must not end the others; it is told, and done again)
        return key | missed(part, seed, rows) | {"error": f"{type(error).__name__}: {error}"}


def missed(part: str, seed: int, rows: int | None) -> dict[str, Any]:
    """What counts for a search that failed: nothing was told of what is there."""
    if part != "known":
        return {}
    drawn = draw(seed, rows)
    return {"rows": len(drawn.y), "seconds": 0.0} | score(drawn, [], "")


def _analysed(x: np.ndarray, y: np.ndarray, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The analysis with its components, and what is kept of every one."""
    import kernelscribe as ks  # noqa: PLC0415  (who only wants to see results need not load it)

    began = time.perf_counter()
    found = ks.analyse(x, y, workers=1, **options)
    count = len(found.components)
    kept = {"rows": len(y), "kernel": found.kernel, "bic": found.bic.lower, "components": count}
    return found, kept | {"seconds": time.perf_counter() - began}


def known(seed: int, rows: int | None, _: str, options: dict[str, Any]) -> dict[str, Any]:
    drawn = draw(seed, rows)
    found, kept = _analysed(drawn.times.given, drawn.y, options)
    return kept | score(drawn, told(found.components), getattr(found.model.data, "link", "none"))


def noise(kind: str, seed: int, rows: int) -> np.ndarray:
    """Noise alone."""
    rng = np.random.default_rng([seed, rows, NOISES.index(kind)])
    match kind:
        case "OU":
            return shapes.rough(np.arange(float(rows)), rng, REMEMBERED)
        case "walk":
            return shapes.drift(np.arange(float(rows)), rng)
        case "Student":
            return rng.standard_t(FREEDOM, size=rows)
    return rng.normal(size=rows)


def false(seed: int, rows: int | None, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """Odd seeds have days, so that the calendar is tried too."""
    y = noise(kind, seed, rows or 0)
    x = np.datetime64("2015-01-01") + np.arange(len(y)) if seed % 2 else np.arange(float(len(y)))
    found, kept = _analysed(x, y, options)
    return kept | finds(told(found.components))


def thinned_series(seed: int, days: int) -> tuple[np.ndarray, np.ndarray]:
    """Dates and values of the days that are left: a week, a year and a slow trend, in noise."""
    rng, x = np.random.default_rng([seed, 43]), np.arange(float(days))
    curves = (shapes.cycle(x, rng, 7.0), shapes.cycle(x, rng, YEAR), shapes.smooth(x, rng, max(days / 4, YEAR)))
    y = sum(2.0 * curve / curve.std() for curve in curves) + rng.normal(size=days)
    left = np.sort(rng.choice(days, math.ceil(LEFT * days), replace=False))
    return (np.datetime64("2000-01-01") + left), np.asarray(y)[left]


def thinned(seed: int, rows: int | None, _: str, options: dict[str, Any]) -> dict[str, Any]:
    found, kept = _analysed(*thinned_series(seed, rows or DAYS), options)
    parts = told(found.components)
    week, year = periods_found((7.0, YEAR), parts)
    return kept | {"week": week, "year": year, "periods": sorted(period for each in parts for period in each.periods)}


RUNS = {"known": known, "false": false, "thinned": thinned}
