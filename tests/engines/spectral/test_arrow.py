"""Matrices that are a band with an arrow, against dense algebra."""

import numpy as np
import pytest

from kernelscribe.engines.spectral.arrow import Arrow, BandLayout, factor


def matrix(m, band, g, rng):
    """A dense positive definite matrix of that pattern."""
    rows, columns = np.indices((m, m))
    part = np.where(np.abs(rows - columns) <= band // 2, rng.normal(size=(m, m)), 0)
    arms = rng.normal(size=(m, g))
    return np.block([[part @ part.T + np.eye(m), arms], [arms.T, 1e3 * np.eye(g)]])


def packed(full, m, layout):
    found = Arrow.identity(layout, len(full) - m)
    rows, columns = (each.ravel() for each in np.indices((m, m)))
    near = (rows >= columns) & (rows < (columns // layout.b + 1) * layout.b + layout.H)
    found.band.reshape(-1)[layout.flat(rows[near], columns[near])] = full[rows[near], columns[near]]
    found.arms[:m], found.corner[:] = full[:m, m:], full[m:, m:]
    return found


LAYOUTS = [
    (100, 10, 3, BandLayout(100, 4, 12, 25)),
    (300, 50, 0, BandLayout(300, 5, 50, 60)),
    (60, 100, 2, BandLayout(60, 5, 100, 12)),
    (331, 96, 5, BandLayout.of(331, 96)),
    (40, 8, 1, BandLayout.of(40, 8)),
]


@pytest.mark.parametrize("m, band, g, layout", LAYOUTS)
def test_factor_solution_and_inverse(m, band, g, layout):
    rng = np.random.default_rng(m)
    full = matrix(m, band, g, rng)
    right = np.zeros(layout.length)
    right[:m], end = rng.normal(size=m), rng.normal(size=g)
    found = factor(packed(full, m, layout), right, end)
    expected = np.linalg.solve(full, np.append(right[:m], end))
    x, tail = found.solution()
    np.testing.assert_allclose(np.append(x[:m], tail), expected, rtol=1e-9, atol=1e-12)
    assert found.determinant == pytest.approx(np.linalg.slogdet(full)[1], rel=1e-12)
    assert found.half @ found.half + found.end @ found.end == pytest.approx(np.append(right[:m], end) @ expected, rel=1e-10)
    many, ends = np.zeros((layout.length, 4)), rng.normal(size=(g, 4))
    many[:m] = rng.normal(size=(m, 4))
    forward = np.concatenate(found.forward(many, ends))
    both = np.concatenate([many[:m], ends])
    np.testing.assert_allclose(forward.T @ forward, both.T @ np.linalg.solve(full, both), rtol=1e-9, atol=1e-12)
    inverse, whole = found.inverse(), np.linalg.inv(full)
    rows, columns = (each.ravel() for each in np.indices((m, m)))
    near = np.abs(rows - columns) <= band
    got = inverse.band.reshape(-1)[layout.flat(rows[near], columns[near])]
    np.testing.assert_allclose(got, whole[rows[near], columns[near]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(inverse.arms[:m], whole[:m, m:], rtol=0, atol=1e-12)
    np.testing.assert_allclose(inverse.corner, whole[m:, m:], rtol=0, atol=1e-12)
    np.testing.assert_allclose(inverse.diagonal, np.diagonal(whole)[:m], rtol=0, atol=1e-12)


@pytest.mark.parametrize("m, band, g, layout", LAYOUTS)
def test_half_of_a_solution_and_squares_near_a_panel(m, band, g, layout):
    rng = np.random.default_rng(m + 1)
    full = matrix(m, band, g, rng)
    right = np.zeros(layout.length)
    right[:m], end = rng.normal(size=m), rng.normal(size=g)
    found = factor(packed(full, m, layout), right, end)
    L = np.linalg.cholesky(full)
    expected = np.linalg.solve(np.eye(m + g) + L.T, np.linalg.solve(L, np.append(right[:m], end)))
    x, tail = found.halfway()
    np.testing.assert_allclose(np.append(x[:m], tail), expected, rtol=1e-9, atol=1e-12)
    # As far as the band reaches, from the first panel and from one further on.
    whole, inverse = np.linalg.inv(full), found.inverse()
    for first in (0, layout.panels // 2):
        start = first * layout.b
        rows = slice(start, min(start + band, m))
        F, G = rng.normal(size=(rows.stop - start, 3)), rng.normal(size=(g, 3))
        v = np.zeros((m + g, 3))
        v[rows], v[m:] = F, G
        np.testing.assert_allclose(inverse.quadratic(first, F, G), np.einsum("in,ij,jn->n", v, whole, v), rtol=1e-9)


@pytest.mark.parametrize("b", [6, 24, 96])
def test_rounding_does_not_grow_from_panel_to_panel(b):
    """Far more features than data see: what rounding left unsymmetric grew by half from each narrow panel to the next."""
    rng = np.random.default_rng(1)
    m, band = 960, 192
    centre = np.arange(m) / 12
    u = np.sort(rng.uniform(0, centre[-1], 200))
    features = np.exp(-((u[:, None] - centre) ** 2) / 4) * np.cos(np.outer(u, rng.uniform(0, 3, m)))
    rows, columns = np.indices((m, m))
    full = np.eye(m) + np.where(np.abs(rows - columns) <= band, 1e3 * features.T @ features, 0)
    layout = BandLayout(m, b, band, m // b)
    found = factor(packed(full, m, layout), np.zeros(m), np.empty(0))
    np.testing.assert_allclose(found.inverse().diagonal, np.diagonal(np.linalg.inv(full)), rtol=0, atol=1e-8)


def test_none_where_it_is_not_positive_definite():
    layout = BandLayout.of(100, 10)
    band, corner = Arrow.identity(layout, 2), Arrow.identity(layout, 2)
    band.band[1, 0, 0] = -1.0
    corner.corner[1, 1] = -1.0
    for each in (band, corner):
        assert factor(each, np.zeros(layout.length), np.zeros(2)) is None
