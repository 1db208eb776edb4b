"""The gradient of the bound on windows and waves.

    ∂ = s2⁻¹[βᵀ∂b − ½ Σ_jk Q_jk ∂G_jk],      Q = W^½B⁻¹W^½ + ββᵀ,

with B⁻¹ only where the band, the arms and the corner are: G is nothing elsewhere. What the entries owe goes back through the
transforms that made them (pairs.py, window_products.py). Prior variances move the value by ½[z² − 1 + (B⁻¹)_jj] each; a
window's also fall as 1/ℓ, since its centres stay.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.arrow import Arrow
from kernelscribe.engines.spectral.bound import Pull, pull_block
from kernelscribe.engines.spectral.pairs import Pair, Share
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import Wave, times
from kernelscribe.engines.spectral.window_products import pull_arms, pull_targets
from kernelscribe.engines.spectral.windows import TermWindows

if TYPE_CHECKING:
    from kernelscribe.engines.spectral.window_bound import Local

__all__ = ["local_pull"]


def local_pull(found: "Local", tables: Tables) -> tuple[list[Pull], float]:
    """The gradient: for every term, in the order of the waves, and in log s2."""
    s2, m = found.s2, found.order.layout.m
    inverse = found.factor.inverse()
    diagonal, corner = inverse.diagonal, np.diagonal(inverse.corner)
    shares = {i: _none(wave) for i, wave in enumerate(found.waves)}
    for i, share in [*_by_band(found, inverse, tables), *_by_arms(found, inverse, tables)]:
        shares[i] = shares[i] + share
    by_log = 0.5 * (found.z[:m] ** 2 - 1 + diagonal)
    pulls = {a.place: _left_out(a, s2, tables) for a in found.terms}
    for a, own in zip(found.live, found.order.features, strict=True):
        pulls[a.place] = _window(a, by_log[own], shares[a.place], pulls[a.place], s2)
    tip = found.stem * found.end
    Q = inverse.corner * np.outer(found.stem, found.stem) + np.outer(tip, tip)
    by_end = 0.5 * (found.end**2 - 1 + corner)
    for k, (i, where) in enumerate(zip(found.others, found.sections, strict=True)):
        pulls[i] = _more(pull_block(found.blocks, tip, s2, k, by_end[where], Q, tables), shares[i])
    taken = float(diagonal.sum()) + float(corner.sum())
    noise = 0.5 * (found.quadratic - found.explained - (found.rows - m - len(corner) + taken))
    return [pulls[i] for i in range(len(found.waves))], noise + 0.5 * found.trace / s2


def _none(wave: Wave) -> Share:
    return Share(0.0, np.zeros(max(len(wave.cycles), 1)), np.zeros(len(wave.roots)))


def _by_band(found: "Local", inverse: Arrow, tables: Tables) -> Iterator[tuple[int, Share]]:
    flat, beta = inverse.band.reshape(-1), found.root * found.z
    features = found.order.features

    def bars(i: int, j: int, both: Pair) -> Iterator[Array]:
        """−½Q/s2 at the entries, twice that where they stand for their mirror images too."""
        scale = np.outer(both.a.root, both.b.root)
        for meeting in both.meetings:
            Q = flat[found.order.places(i, j, meeting)]
            Q *= scale
            Q += beta[features[i][meeting.first]][:, :, None] * beta[features[j][meeting.second]][:, None, :]
            Q *= -(1.0 if both.twice(meeting) else 0.5) / found.s2
            yield Q

    for i, j, both in found.pairs:
        one, two = both.pull(bars(i, j, both), tables)
        yield both.a.place, one
        yield both.b.place, two


def _by_arms(found: "Local", inverse: Arrow, tables: Tables) -> Iterator[tuple[int, Share]]:
    beta, tip = found.root * found.z, found.stem * found.end
    for a, own in zip(found.live, found.order.features, strict=True):
        yield a.place, pull_targets(a, beta[own] / found.s2, tables)
        for i, block, where in zip(found.others, found.blocks, found.sections, strict=True):
            Q = inverse.arms[own, where] * (a.root[:, None] * found.stem[where])
            Q += beta[own][:, :, None] * tip[where]
            Q *= -1 / found.s2
            one, two = pull_arms(a, block, Q, tables)
            yield a.place, one
            yield i, two


def _window(a: TermWindows, by_log: Array, share: Share, rest: Pull, s2: float) -> Pull:
    by_line = np.bincount(a.line, weights=by_log.sum(axis=0), minlength=len(a.w))
    gained = [float(by_line @ (each / a.w)) + 0.5 * a.size * total / s2 for each, total in zip(a.shape, a.kept, strict=True)]
    total = float(by_line.sum())
    return _more(replace(rest, variance=rest.variance + total, lengthscale=-total, shape=gained), share)


def _more(own: Pull, share: Share) -> Pull:
    return replace(
        own,
        lengthscale=own.lengthscale + share.lengthscale,
        period=[slope + float(more) for slope, more in zip(own.period, share.period, strict=False)],
        roots=[slope + float(more) for slope, more in zip(own.roots, share.roots, strict=True)],
    )


def _left_out(a: TermWindows, s2: float, tables: Tables) -> Pull:
    """What a term's rest does through the trace."""
    half = 0.5 * a.rest / s2
    roots = []
    for i in range(len(a.wave.roots)):
        both = times(a.wave.without(i), a.wave.polynomial)
        roots.append(-2 * half * float(both @ tables.moments[: len(both)]))
    none = [0.0] * len(a.wave.cycles)
    return Pull(-half * a.size, 0.0, none, none, roots)
