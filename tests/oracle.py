"""log p(y) in balls (Arb): an oracle whose own rounding is enclosed."""

import flint
import numpy as np

from kernelscribe.kernels import Leaf, Operation, Sum, Zero

# Binary digits; the next are tried where a ball is wider than this.
BITS, WIDEST = (200, 800, 3200), 1e-9


def precise(expr, X, y, noise):
    """log N(y | 0, K + Λ) by the textbook, of these very numbers; rounded once, at the end."""
    before = flint.ctx.prec
    try:
        for flint.ctx.prec in BITS:
            try:
                found = _density(expr, X, y, noise)
            except ZeroDivisionError:
                continue
            if found.rad() < WIDEST:
                return float(found.mid())
    finally:
        flint.ctx.prec = before
    raise ArithmeticError(f"expected a ball narrower than {WIDEST}, but {BITS[-1]} binary digits do not suffice")


def _density(expr, X, y, noise):
    columns = [[flint.arb(float(value)) for value in row] for row in np.transpose(X)]
    n, K, variances = len(y), _matrix(expr, columns), [_variance(noise, x) for x in columns[0]]
    A = flint.arb_mat([[K[i][j] + (variances[i] if i == j else 0) for j in range(n)] for i in range(n)])
    rows = flint.arb_mat([[flint.arb(float(value))] for value in y])
    quadratic = (rows.transpose() * A.solve(rows))[0, 0]
    return -(A.det().log() + quadratic + n * (2 * flint.arb.pi()).log()) / 2


def _variance(noise, x):
    v = [flint.arb(value) for value in noise.values]
    match noise.name:
        case "constant":
            return v[0]
        case "growing":
            return v[0] * (v[1] * (x - flint.arb(noise.middle))).exp()
        case "changing":
            t = (x - v[2]) / v[3]
            return v[0] / (1 + t.exp()) + v[1] / (1 + (-t).exp())
    raise AssertionError(noise)


def _matrix(expr, columns):
    if isinstance(expr, Leaf):
        x, v = columns[expr.dim - 1], [flint.arb(value) for value in expr.values]
        rows = [[_entry(expr.kind, v, x[i], x[j]) for j in range(i + 1)] for i in range(len(x))]
        return [[rows[max(i, j)][min(i, j)] for j in range(len(x))] for i in range(len(x))]
    if isinstance(expr, Zero):
        return [[flint.arb(0)] * len(columns[0]) for _ in columns[0]]
    parts = [_matrix(arg, columns) for arg in expr.args]
    if isinstance(expr, Operation):
        x, v = columns[expr.dim - 1], [flint.arb(value) for value in expr.values]
        gates = [[_gate(expr.kind, v, point, branch) for point in x] for branch in range(len(parts))]
        parts = [
            [[row[j] * gate[i] * gate[j] for j in range(len(x))] for i, row in enumerate(part)]
            for part, gate in zip(parts, gates, strict=True)
        ]
    return [[_joined(expr, entries) for entries in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]


def _joined(expr, entries):
    found, *rest = entries
    for each in rest:
        found = found + each if isinstance(expr, Sum | Operation) else found * each
    return found


def _entry(kind, v, x, z):  # noqa: PLR0911, PLR0912  (a formula each)
    match kind:
        case "SE":
            return v[0] * (-((x - z) ** 2) / (2 * v[1] ** 2)).exp()
        case "PER":
            return v[0] * (-2 * (flint.arb.pi() * (x - z) / v[2]).sin() ** 2 / v[1] ** 2).exp()
        case "CYCLE":
            zeta = 1 / v[1] ** 2
            hidden = (-zeta).exp() * zeta.bessel_i(flint.arb(0))
            return v[0] * ((-2 * zeta * (flint.arb.pi() * (x - z) / v[2]).sin() ** 2).exp() - hidden) / (1 - hidden)
        case "MATERN":
            s = flint.arb(3).sqrt() * abs(x - z) / v[1]
            return v[0] * (1 + s) * (-s).exp()
        case "ROUGH":
            return v[0] * (-abs(x - z) / v[1]).exp()
        case "WALK":
            return v[0] * _since(v[1], x, z)
        case "SPLINE":
            s = _since(v[1], x, z)
            return v[0] * (s**3 / 3 + s**2 * abs(x - z) / 2)
        case "STEP":
            return v[0] if x >= v[1] and z >= v[1] else flint.arb(0)
        case "KINK":
            return v[0] * _since(v[1], x, x) * _since(v[1], z, z)
        case "SPELL":
            return v[0] if all(2 * abs(point - v[1]) <= v[2] for point in (x, z)) else flint.arb(0)
        case "C":
            return v[0]
        case "WN":
            return v[0] if x == z else flint.arb(0)
        case "LIN":
            return v[0] * (x - v[1]) * (z - v[1])
    raise AssertionError(kind)


def _since(o, x, z):
    """How far the earlier of two points lies beyond o; all three are exact, so that balls can be compared."""
    first = x if x < z else z
    return first - o if first > o else flint.arb(0)


def _gate(kind, v, x, branch):
    if kind == "CHANGE":
        t = (x - v[0]) / v[1]
        return 1 / (1 + (-t if branch else t).exp())
    inside = 1 / ((1 + (-(x - v[0] + v[1] / 2) / v[2]).exp()) * (1 + ((x - v[0] - v[1] / 2) / v[2]).exp()))
    return inside if branch else 1 - inside
