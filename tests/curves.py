"""Data for posteriors on one input, places to ask them, and what it means to agree."""

import numpy as np


def rows(kind, n, cycle=0.11, size=0.3, seed=0):
    """Places over a range of about 3.4, and values that no kernel was made for: a slow wave and a fast one of this period."""
    rng = np.random.default_rng(seed)
    x = np.linspace(-1.7, 1.7, n) if kind == "regular" else np.sort(rng.uniform(-1.7, 1.7, n))
    if kind == "gaps":
        x = np.delete(x, np.arange(n // 5, n // 3))
    y = np.sin(3 * x) + size * np.sin(2 * np.pi * x / cycle) + 0.1 * rng.normal(size=len(x))
    return x[:, None], y / y.std()


def far(n=240):
    """Within the data, close to both ends, and up to ten ranges beyond them; in no order."""
    ahead = 1.7 + 3.4 * np.geomspace(1e-4, 10, n // 4)
    X = np.concatenate([np.linspace(-1.7, 1.7, n // 2), ahead, -ahead])[:, None]
    return np.random.default_rng(3).permutation(X)


def agree_by_term(got, expected, room, means=1e-6):
    """Means of all terms [n, terms] to so much of what these together may be."""
    np.testing.assert_allclose(got / np.sqrt(room)[:, None], expected / np.sqrt(room)[:, None], rtol=0, atol=means)


def agree(got, expected, room, means=1e-6, variances=1e-6):
    """Means to so much of what the terms may be, variances to so much of what they are without data."""
    np.testing.assert_allclose(got[0] / np.sqrt(room), expected[0] / np.sqrt(room), rtol=0, atol=means)
    np.testing.assert_allclose(got[1] / room, expected[1] / room, rtol=0, atol=variances)
