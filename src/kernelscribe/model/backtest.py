"""How good would past forecasts have been? Bands on rows that the model did not see, and how far to widen those to come.

A series: from five moments in its second half the next tenth is forecast from all rows before, with the structure that was found
and values fitted again to those rows alone (from some thousand rows on with those of the full fit, which hardly differ, and then
some of the next tenth are forecast). A component of a statement that is zero at all of those rows, as a jump that is yet to come,
is not known there; and rows behind such a jump, or behind the end of a while that lasted, are left out: no forecast could have
known of it, and the bands to come promise nothing of the kind. If the 95 % bands held fewer of the other rows than they should,
the variance of forecasts is multiplied by 1 + c·t, where t is how far the forecast reaches beyond the data, in tenths of their
range, and c the smallest number that would have mended the past: a model that is a little wrong is the more wrong the farther it
reaches.

A table: rows of ten random parts are predicted from the others with the values of the full fit, which is a little flattering.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from threadpoolctl import threadpool_limits

from kernelscribe.arrays import Array
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import condition
from kernelscribe.engines.posterior import Rows
from kernelscribe.fit.again import foreseeable, refitted
from kernelscribe.fit.again import seen as seen_by
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels.normal import normal
from kernelscribe.model.components import folds
from kernelscribe.model.model import Model
from kernelscribe.streams import stream

__all__ = ["LEVELS", "Backtest", "backtest"]

# Of the bands that are told, in per cent.
LEVELS = (50.0, 80.0, 95.0)
# The share of the rows that is forecast from each moment.
_AHEAD = 0.1
# The band, in per cent, that is widened until it would have held its share.
_LEVEL = 95.0
# Widenings that are tried: none, then ever larger ones.
_WIDENINGS = np.concatenate([[0.0], np.geomspace(0.05, 200.0, 120)])


@dataclass(frozen=True)
class Backtest:
    """What was predicted without having been seen.

    Attributes:
        covered: for every level, in per cent, the share of rows inside its band, in per cent.
        rows: how many were predicted; `origins` from how many moments (0 for a table).
        unforeseeable: how many were left out, since what the statement says of them began or ended after the moment.
        error: root mean squared error, in the user's units; `naive` that of the last value seen (series) or the mean (tables).
        widening: c; 0 where the bands were wide enough, and for tables.
        refitted: whether the values were fitted again to the rows before.
    """

    covered: tuple[tuple[float, float], ...]
    rows: int
    origins: int
    error: float
    naive: float
    widening: float
    refitted: bool
    unforeseeable: int = 0


def backtest(model: Model) -> Backtest | None:
    """The backtest; None where the rows are too few."""
    if not model.terms or len(model.data.y) < model.config.effort.backtest_fewest:
        return None
    with threadpool_limits(1):
        return _series(model) if model.series else _table(model)


def _series(model: Model) -> Backtest | None:
    effort, order = model.config.effort, np.argsort(model.data.X[:, 0], kind="stable")
    refit = len(order) <= effort.backtest_rows
    rng = stream(model.config.seed, "forecast origins")
    if not refit and model.posterior.sparse:
        order = order[_some(rng, len(order), effort.backtest_sample)]
    x, n = model.data.X[order, 0], len(order)
    z, far, errors, naive, hidden = [], [], [], [], 0
    for share in effort.backtest_origins:
        cut, end = round(share * n), round((share + _AHEAD) * n)
        if x[cut - 1] == x[0]:  # of one place alone nothing can be forecast
            continue
        before, forecast = order[:cut], cut + _some(rng, end - cut, effort.forecast_rows)
        known = _foreseeable(model, before, order[forecast])
        hidden, forecast = hidden + int((~known).sum()), forecast[known]
        if not len(forecast):
            continue
        after = order[forecast]
        mean, sd = _forecast(model, model.data.rows(before), model.data.X[after], refit)
        z.append((model.data.y[after] - mean) / sd)
        errors.append(model.target[after] - model.user(mean))
        naive.append(model.target[after] - model.target[before[-1]])
        # On its own range: by then that was all there was.
        far.append((x[forecast] - x[cut - 1]) / (_AHEAD * (x[cut - 1] - x[0])))
    if not z:
        return None
    scores = np.concatenate(z)
    widening = _widening(scores, np.concatenate(far))
    found = _summary(scores, np.concatenate(errors), np.concatenate(naive), len(z), widening, refit)
    return replace(found, unforeseeable=hidden)


def _foreseeable(model: Model, before: Rows, after: Rows) -> NDArray[np.bool_]:
    if model.statement is None:
        return np.ones(len(after), dtype=bool)
    return foreseeable(model.statement, model.data.X[before], model.data.X[after])


def _some(rng: np.random.Generator, rows: int, most: int) -> Rows:
    """All of so many rows, or some of them at random, in order."""
    return np.arange(rows) if rows <= most else np.sort(rng.choice(rows, size=most, replace=False))


def _widening(z: Array, far: Array) -> float:
    """The smallest c with which the 95 % band would have held its share of the rows that lay beyond those seen."""
    z, far, reach = z[far > 0], far[far > 0], float(ndtri(0.5 + _LEVEL / 200))
    if len(z) == 0:
        return 0.0
    for c in _WIDENINGS:
        if np.mean(np.abs(z) <= reach * np.sqrt(1 + c * far)) >= _LEVEL / 100:
            return float(c)
    return float(_WIDENINGS[-1])


def _forecast(model: Model, seen: Dataset, X: Array, refit: bool) -> tuple[Array, Array]:
    """Mean and standard deviation at X by the same structure, from what was seen."""
    assert model.expr is not None  # noqa: S101
    expr, noise = model.expr, model.noise
    if model.statement is not None:
        statement = seen_by(model.statement, seen.X)
        if refit and model.curved is not None:
            statement, noise = refitted(seen, model.config, statement, noise, model.curved)
        expr = statement.expr
    elif refit:
        ladder = Ladder.of(seen, model.config)
        fit = finish(ladder, expr, ladder.renewed(expr, noise, 0), rough=True)
        expr, noise = (fit.expr, fit.noise) if fit.usable else (expr, noise)
    mean, variance = condition(seen, normal(expr), noise, model.config).predict(X)
    return mean, np.sqrt(variance + noise.diagonal(X))


def _table(model: Model) -> Backtest:
    rows = stream(model.config.seed, "tested rows").permutation(len(model.data.y))[: model.config.effort.backtest_rows]
    some = Model(model.data.rows(np.sort(rows)), model.expr, model.noise, model.config)
    y, mean, sd = some.data.y, np.empty(len(rows)), np.empty(len(rows))
    for fold in folds(some):
        others = np.setdiff1d(np.arange(len(y)), fold)
        m, variance = condition(some.data.rows(others), some.terms, some.noise, some.config).predict(some.data.X[fold])
        mean[fold], sd[fold] = m, np.sqrt(variance + some.noise.diagonal(some.data.X[fold]))
    centre = (some.data.plain or some.data.output).centre
    return _summary((y - mean) / sd, some.target - some.user(mean), some.target - centre, 0, 0.0, False)


def _summary(z: Array, errors: Array, naive: Array, origins: int, widening: float, refitted: bool) -> Backtest:
    return Backtest(
        covered=tuple((level, float(100 * np.mean(np.abs(z) <= ndtri(0.5 + level / 200)))) for level in LEVELS),
        rows=len(z),
        origins=origins,
        error=_size(errors),
        naive=_size(naive),
        widening=widening,
        refitted=refitted,
    )


def _size(errors: Array) -> float:
    return float(np.sqrt(np.mean(errors**2)))
