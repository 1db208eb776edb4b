"""log p(y) in balls of 200 binary digits (Arb): an oracle whose own rounding is enclosed."""

import flint
import numpy as np

from kernelscribe.kernels import Leaf, Sum

BITS = 200


def precise(expr, X, y, s2):
    """log N(y | 0, K + s2·I) by the textbook, of these very numbers; rounded once, at the end."""
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        K = _matrix(expr, [[flint.arb(float(value)) for value in row] for row in np.transpose(X)])
        n = len(y)
        A = flint.arb_mat([[K[i][j] + (flint.arb(s2) if i == j else 0) for j in range(n)] for i in range(n)])
        rows = flint.arb_mat([[flint.arb(float(value))] for value in y])
        quadratic = (rows.transpose() * A.solve(rows))[0, 0]
        found = -(A.det().log() + quadratic + n * (2 * flint.arb.pi()).log()) / 2
        assert found.rad() < 1e-9
        return float(found.mid())
    finally:
        flint.ctx.prec = before


def _matrix(expr, columns):
    if isinstance(expr, Leaf):
        x, v = columns[expr.dim - 1], [flint.arb(value) for value in expr.values]
        rows = [[_entry(expr.kind, v, x[i], x[j]) for j in range(i + 1)] for i in range(len(x))]
        return [[rows[max(i, j)][min(i, j)] for j in range(len(x))] for i in range(len(x))]
    parts = [_matrix(arg, columns) for arg in expr.args]
    return [[_joined(expr, entries) for entries in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]


def _joined(expr, entries):
    found, *rest = entries
    for each in rest:
        found = found + each if isinstance(expr, Sum) else found * each
    return found


def _entry(kind, v, x, z):
    match kind:
        case "SE":
            return v[0] * (-((x - z) ** 2) / (2 * v[1] ** 2)).exp()
        case "PER":
            return v[0] * (-2 * (flint.arb.pi() * (x - z) / v[2]).sin() ** 2 / v[1] ** 2).exp()
        case _:
            return v[0] * (x - v[1]) * (z - v[1])
