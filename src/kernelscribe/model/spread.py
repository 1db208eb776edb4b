"""How well the data pin down the numbers of a kernel: standard errors from the curvature of the fit at its top.

With H the second derivative of evidence + log prior in the optimiser's coordinates, their covariance is about −H⁻¹ (Laplace),
and that of any function of them follows from its slope. A direction in which the top is flat says nothing: what depends on it has
no standard error. A statement has priors of its own, and what it holds where it is, as a period of the calendar, has no error
either.
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.choose import choose, prepare
from kernelscribe.fit.again import Curved
from kernelscribe.fit.objective import LogPosterior, reach
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.normal import normal
from kernelscribe.kernels.tree import Expression, pack, unpack
from kernelscribe.model.model import Model

__all__ = ["covariance", "spreads"]

# How far values are moved to see how slopes change, in units of how far the optimiser would go in one step.
_STEP = 1e-3
# In units of how far the optimiser would go in one step: flatter than this is no top.
_FLAT = 0.5
# The share of a coordinate that may lie in flat directions.
_MOVES = 0.1
# A smooth function's second difference is far smaller than its first.
_JUMP = 0.1


def spreads(model: Model) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Standard errors, in the user's units, of the values of every factor of every term; nan where there is none."""
    if model.expr is None:
        return ()
    sizes = [len(factor.values) for term in model.terms for factor in term.factors]
    affordable = (
        len(model.data.y) <= model.config.effort.spread_rows
        or choose(model.data, model.config, Form.of(model.expr)).traits.series
    )
    errors = _errors(model, sum(sizes)) if affordable else np.full(sum(sizes), math.nan)
    supply = iter(errors.tolist())
    return tuple(tuple(tuple(next(supply) for _ in factor.values) for factor in term.factors) for term in model.terms)


def _errors(model: Model, size: int) -> Array:
    assert model.expr is not None  # noqa: S101
    found = covariance(model) if model.curved is None else _of_statement(model.curved)
    if found is None:
        return np.full(size, math.nan)
    matrix, scale, loose = found
    theta = pack(model.expr)
    here = _values(model, theta)
    J = np.zeros((size, len(matrix)))
    for i in np.flatnonzero(((np.diagonal(matrix) > 0) | loose)[: len(theta)]):
        step = np.zeros(len(theta))
        step[i] = _STEP * scale[i]
        ahead, behind = _values(model, theta + step), _values(model, theta - step)
        if len(ahead) != size or len(behind) != size:  # two places that coincide may part, or the reverse
            return np.full(size, math.nan)
        # Factors that are alike may change places on the way: then a value jumps, and has no slope.
        jumps = np.abs(ahead - 2 * here + behind) > _JUMP * np.abs(ahead - behind)
        J[:, i] = np.where(jumps, math.nan, (ahead - behind) / (2 * step[i]))
    errors = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", J, matrix, J), 0.0))
    return np.where((J[:, loose] != 0).any(axis=1) | (errors == 0), math.nan, errors)


def _values(model: Model, theta: Array) -> Array:
    assert model.expr is not None  # noqa: S101
    expr: Expression = unpack(model.expr, theta)
    terms = (term.user(model.data.inputs, model.data.output) for term in normal(expr))
    return np.array([value for term in terms for factor in term.factors for value in factor.values])


def covariance(model: Model) -> tuple[Array, Array, NDArray[np.bool_]] | None:
    """The covariance of the kernel's coordinates and log noise, the scale of each, and which of them the data leave open.

    None where the curvature cannot be computed, or would take too long.
    """
    if model.expr is None:
        return None
    form, u = Form.of(model.expr), np.append(pack(model.expr), model.noise.pack())
    prepared = prepare(model.data, replace(model.config, noise=model.noise.name), form)
    u = np.append(u, prepared.extra)
    n = prepared.size(form)
    scale = reach(prepared, form, model.data, u)[:n]
    steps = np.zeros((n, len(u)))
    np.einsum("ii->i", steps[:, :n])[:] = _STEP * scale
    engine = prepared.smooth(form, u, [*(u + steps), *(u - steps)])
    if engine is None:
        return None
    posterior = LogPosterior.of(engine, form, model.data, model.config.priors)
    H = np.zeros((n, n))
    for i, step in enumerate(steps):
        (above, ahead), (below, behind) = posterior(u + step), posterior(u - step)
        if not math.isfinite(above + below):
            return None
        H[i] = (ahead - behind)[:n] * scale / (2 * _STEP)
    inverse, loose = _inverse(-0.5 * (H + H.T))
    return inverse * np.outer(scale, scale), scale, loose


def _of_statement(curved: Curved) -> tuple[Array, Array, NDArray[np.bool_]]:
    """The same of a statement's coordinates, by its priors: those that are held have no variance."""
    scale, moves = curved.scale, curved.target.free
    inverse, loose = _inverse(curved.curvature)
    free, size = np.flatnonzero(moves), len(moves)
    found, scales, open_ = np.zeros((size, size)), np.ones(size), np.zeros(size, dtype=bool)
    found[np.ix_(free, free)] = inverse * np.outer(scale, scale)
    scales[free], open_[free] = scale, loose
    return found, scales, open_


def _inverse(H: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Of the steep directions of −H, and the coordinates that a flat one moves."""
    curvature, axes = np.linalg.eigh(H)
    steep = curvature > _FLAT
    inverse = (axes[:, steep] / curvature[steep]) @ axes[:, steep].T
    return inverse, (axes[:, ~steep] ** 2).sum(axis=1) > _MOVES
