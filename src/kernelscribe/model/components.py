"""The components of a model: one for each term of its normal form, those with the largest share of the variance first.

What each is worth on rows that were left out comes from cross-validation in ten blocks (contiguous in time, or of shuffled rows
of a table) with the values of the full fit: the mean absolute error of all components, and of all but one. The model was fitted
to all the data, so that error tells components apart; it is no estimate of how well new data are predicted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.posterior import Rows, diagonal
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Term
from kernelscribe.model.model import Model
from kernelscribe.model.shares import divided
from kernelscribe.model.spread import spreads
from kernelscribe.model.told import told
from kernelscribe.outcome import Presence
from kernelscribe.streams import stream

__all__ = ["Component", "Decomposition", "decompose", "folds", "forgets", "nothing"]

# A component is negligible when its mean moves by less than this share of the target's standard deviation
_MOVES = 0.01
# and removes less than this share of the error;
_HELPS = 0.001
# and in any case when it hardly moves at all, whatever it would do without its neighbours.
_STILL = 0.001
# Of a statement, one that is worth more nats than this is never negligible, however small it is,
_DEMANDED = 1.0
# and any other is whose mean has less than this share of the variance.
_LARGE = 0.001
# Ranges of the data within which it is looked at when a component has forgotten them,
_FAR = 10.0
# and the share of its variance without the data that is then back.
_FORGOTTEN = 0.9
# Places beyond which a trend's steps are no larger than rounding:
_SMOOTH = 2000
# then a mean that falls back by no more than this share of its range is taken to rise.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Component:
    """One component, in the user's units.

    Attributes:
        term: its kernel; `standard` the same for the standardised data.
        spread: standard errors of the values of its factors; nan where there are none.
        mean: its posterior mean at every row, less its average over the rows, the `offset`, which belongs to the level.
        share: of the target's variance, from 0 to 1: what it adds on average over all orders of the components (shares.py).
        total: its share and those of all before it.
        rest: its share of what the components before it left of the variance.
        error: cross-validated mean absolute error of all components but it.
        drop: share by which it lowers that error; negative where it raises it.
        monotone: +1 or −1 where its mean only rises or falls along its only input, else 0.
        slope: its mean's rise from the first to the last point of its only input, over their distance; 0 with several inputs.
        forgets: how far beyond the data its variance is back at nine tenths of what it was without them; None if never.
        worth: nats that the score of the statement loses without it; None where that was not looked at.
    """

    term: Term
    standard: Term
    spread: tuple[tuple[float, ...], ...]
    mean: Array
    offset: float
    share: float
    total: float
    rest: float
    error: float
    drop: float
    monotone: int
    slope: float
    forgets: float | None
    worth: float | None = None


@dataclass(frozen=True)
class Decomposition:
    """Components in order of their shares, the largest first, and what was too small to be one.

    Attributes:
        baseline: mean absolute error of the target's mean alone, in the user's units.
        error: cross-validated mean absolute error of the whole model.
        explained: share of the target's variance that the whole model explains, from 0 to 1; the rest is noise.
        level: what is constant: the target's mean, the posterior mean of a constant term, and the offsets of the others.
        tested: how many rows were cross-validated.
        minor: terms that were left out, with `minor_share` the share of the variance they explain together, at most.
    """

    components: tuple[Component, ...]
    baseline: float
    error: float
    explained: float
    level: float
    minor: tuple[Term, ...]
    minor_share: float
    tested: int


def folds(model: Model) -> list[Rows]:
    """Rows in ten blocks: contiguous along the only input, at random where there are several."""
    n = len(model.data.y)
    if model.series:
        order = np.argsort(model.data.X[:, 0], kind="stable")
    else:
        order = stream(model.config.seed, "folds").permutation(n)
    return [np.sort(block) for block in np.array_split(order, min(model.config.effort.folds, n))]


def decompose(model: Model, presences: Sequence[Presence] = ()) -> Decomposition:
    """The model's components in order, with what the evidence says of their presence."""
    if not model.terms:
        return nothing(model)
    y, scale = model.data.y, model.data.output.scale
    constant = np.array([not term.factors for term in model.terms])
    # What a component is on average belongs to the level: a line that is zero far from the data would hide a constant that others
    # take back, and none of them would help before all are there.
    offsets = np.where(constant, 0.0, model.means.mean(axis=0))
    means, y = model.means - offsets, y - offsets.sum()
    explained = _within(1 - float((y - means.sum(axis=1)).var()) / float(y.var()))
    some, held_out = _held_out(model)
    error, without = _errors(y[some], held_out - offsets)
    drops = 1 - np.divide(error, without, out=np.ones(len(without)), where=without > 0)
    moves, worths = means.std(axis=0) / y.std(), _worths(model, presences)
    matters = _matters(moves, drops, worths)
    kept, small = np.flatnonzero(matters & ~constant), np.flatnonzero(~matters & ~constant)
    shares = divided(means[:, kept], explained)
    errors_of = spreads(model)
    found, total = [], 0.0
    for i in np.argsort(-shares, kind="stable"):
        j, share = kept[i], float(shares[i])
        monotone, slope = _direction(model, model.terms[j], means[:, j])
        before, total = total, _within(total + share)
        found.append(
            Component(
                term=model.terms[j].user(model.data.inputs, model.data.output),
                standard=model.terms[j],
                spread=errors_of[j],
                mean=means[:, j] * scale,
                offset=float(offsets[j]) * scale,
                share=share,
                total=total,
                rest=_within(share / (1 - before)) if before < 1 else 0.0,
                error=float(without[j]) * scale,
                drop=float(drops[j]),
                monotone=monotone,
                slope=slope,
                forgets=forgets(model, model.terms[j]),
                worth=worths[j],
            )
        )
    return Decomposition(
        components=tuple(found),
        baseline=float(np.abs(model.data.y[some]).mean()) * scale,
        error=error * scale,
        explained=explained,
        level=float(model.data.output.centre + scale * (offsets.sum() + means[:, constant].sum(axis=1).mean())),
        minor=tuple(model.terms[j].user(model.data.inputs, model.data.output) for j in small),
        minor_share=_within(float(means[:, small].sum(axis=1).var()) / float(y.var())),
        tested=len(some),
    )


def nothing(model: Model) -> Decomposition:
    """Where nothing was found, or nothing that noise alone would not show: the mean, and noise about it."""
    error = float(np.abs(model.data.y).mean()) * model.data.output.scale
    return Decomposition((), error, error, 0.0, model.data.output.centre, (), 0.0, len(model.data.y))


def _matters(moves: Array, drops: Array, worths: Sequence[float | None]) -> NDArray[np.bool_]:
    """Which terms are told of: those that the evidence demands, or that are large; where it was not asked, those that move, or
    help and are not still."""
    nats = np.array([math.nan if each is None else each for each in worths])
    seen = (moves >= _MOVES) | ((drops >= _HELPS) & (moves >= _STILL))
    return np.where(np.isnan(nats), seen, (nats > _DEMANDED) | (moves**2 >= _LARGE))


def _worths(model: Model, presences: Sequence[Presence]) -> list[float | None]:
    """Of every term, what it is worth to the statement."""
    nats = {each.part.name: each.nats for each in presences}
    return [None if part is None else nats.get(part.name) for part in told(model.terms, model.statement)]


def _within(share: float) -> float:
    """From 0 to 1, whatever rounding has done."""
    return min(max(share, 0.0), 1.0)


def _held_out(model: Model) -> tuple[Rows, Array]:
    """The rows that are cross-validated, and the mean of every term there without its own block."""
    n = len(model.data.y)
    if not model.posterior.sparse:
        return np.arange(n), model.posterior.held_out(folds(model))
    rng, size = stream(model.config.seed, "tested components"), model.config.effort.component_rows
    some = np.sort(rng.choice(n, size=size, replace=False))
    thinned = replace(model, data=model.data.rows(some))
    return some, thinned.posterior.held_out(folds(thinned))


def _errors(y: Array, held_out: Array) -> tuple[float, Array]:
    """Mean absolute errors: of all terms together, and of all but each of them [J]."""
    left = y - held_out.sum(axis=1)
    return float(np.abs(left).mean()), np.array([float(np.abs(left + term).mean()) for term in held_out.T])


def _direction(model: Model, term: Term, mean: Array) -> tuple[int, float]:
    """Whether the mean only rises or falls along the term's only input, and its slope from end to end, in the user's units."""
    if len(term.dims) != 1:
        return 0, 0.0
    x, first = np.unique(model.data.X[:, term.dims[0] - 1], return_index=True)
    steps = np.diff(mean[first])
    # Among a million rows the steps of a trend are no larger than rounding.
    least = _ROUNDING * float(np.ptp(mean)) if len(x) > _SMOOTH else 0.0
    monotone = 1 if (steps > -least).all() else -1 if (steps < least).all() else 0
    slope = (mean[first[-1]] - mean[first[0]]) / (x[-1] - x[0])
    return monotone, float(slope * model.data.output.scale / model.data.inputs[term.dims[0] - 1].scale)


def forgets(model: Model, term: Term) -> float | None:
    """How far beyond the end of the only input the term's variance is for good at nine tenths of its prior's."""
    if not model.series or not (term.of(Role.SMOOTH) or term.of(Role.ROUGH)):
        return None
    extent, looks = model.data.extents[0], model.config.effort.forgetting_places
    far = extent.step * (_FAR * extent.span / extent.step) ** np.linspace(0, 1, looks)
    X = (extent.high + far)[:, None]
    variance = model.posterior.predict(X, [term])[1]
    below = np.flatnonzero(variance < _FORGOTTEN * diagonal([term], X))
    first = 0 if len(below) == 0 else int(below[-1]) + 1
    return None if first == looks else float(far[first] * model.data.inputs[0].scale)
