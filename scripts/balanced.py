"""Makes the balanced basis of the sums of exponentials: `python scripts/balanced.py`, after scripts/exponentials.py.

A sum k(d) = 2 Re Σ_j w_j e^(−s_j d) is u(x) B u(z)ᵀ for d = x + z, with u = (Re e^(−s_j x), −Im e^(−s_j x)). In a basis u T whose
functions are orthogonal on x ≥ 0 and in which B is diagonal, nothing cancels: with M = ∫ uᵀu dx = C Cᵀ, Cᵀ B C = Q Λ Qᵀ,

    T = C⁻ᵀ Q |Λ|^½,      k(x + z) = Σ_k sign(Λ_k) (uT)_k(x) (uT)_k(z),      ∫ (uT)_k² = |Λ_k|.

|Λ| are the Hankel singular values of the sum; they fall by a factor of nine from one to the next. T is written as complex numbers
τ_jk, (uT)_k(x) = Re Σ_j e^(−s_j x) τ_jk, in src/kernelscribe/engines/series/balanced_table.py.
"""

import sys
from pathlib import Path

from flint import acb, acb_mat, arb, arb_mat, ctx

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from kernelscribe.engines.series.exponentials import SUMS, Exponentials

TABLE = Path(__file__).resolve().parents[1] / "src" / "kernelscribe" / "engines" / "series" / "balanced_table.py"
# Bits: the functions of fourteen exponentials are all but dependent.
BITS = 600
HEAD = '''"""The balanced basis of every sum of exponentials: signs, and τ by rows. Made by scripts/balanced.py."""

__all__ = ["BALANCED"]

Stored = tuple[tuple[float, ...], tuple[tuple[complex, ...], ...]]

# fmt: off
BALANCED: tuple[Stored, ...] = (
'''


def gramian(rates: list[acb]) -> arb_mat:
    """∫ uᵀu, from ∫ e^(−(r + s)x) = 1/(r + s)."""
    size = len(rates)
    rows = [[arb(0)] * (2 * size) for _ in range(2 * size)]
    for i, r in enumerate(rates):
        for j, s in enumerate(rates):
            both, across = 1 / (r + s), 1 / (r + s.conjugate())
            rows[i][j] = ((both + across) / 2).real
            rows[size + i][size + j] = ((across - both) / 2).real
            rows[i][size + j] = (-(both - across) / 2).imag
            rows[size + j][i] = rows[i][size + j]
    return arb_mat(rows)


def middles(matrix: arb_mat) -> arb_mat:
    return arb_mat([[matrix[i, j].mid() for j in range(matrix.ncols())] for i in range(matrix.nrows())])


def cholesky(M: arb_mat) -> arb_mat:
    """The lower factor."""
    C = arb_mat(M.nrows(), M.nrows())
    for j in range(M.nrows()):
        C[j, j] = (M[j, j] - sum((C[j, k] * C[j, k] for k in range(j)), arb(0))).sqrt()
        for i in range(j + 1, M.nrows()):
            C[i, j] = (M[i, j] - sum((C[i, k] * C[j, k] for k in range(j)), arb(0))) / C[j, j]
    return C


def balanced(sums: Exponentials) -> tuple[list[float], list[list[complex]]]:
    """Signs, and τ."""
    rates, weights = [acb(complex(s)) for s in sums.rates], [acb(complex(w)) for w in sums.weights]
    size = len(rates)
    B = arb_mat(2 * size, 2 * size)
    for j, w in enumerate(weights):
        B[j, j], B[j, size + j] = 2 * w.real, 2 * w.imag
        B[size + j, j], B[size + j, size + j] = 2 * w.imag, -2 * w.real
    C = cholesky(middles(gramian(rates)))
    H = middles(C.transpose() * B * C)
    values, vectors = acb_mat(H).eig(right=True, algorithm="approx")
    order = sorted(range(2 * size), key=lambda k: -abs(float(values[k].real.mid())))
    Q = []
    for k in order:
        column = [vectors[i, k].real.mid() for i in range(2 * size)]
        length = sum((each * each for each in column), arb(0)).sqrt() / abs(values[k].real.mid()).sqrt()
        Q.append([each / length for each in column])
    T = C.transpose().solve(arb_mat(Q).transpose())
    signs = [1.0 if values[k].real.mid() > 0 else -1.0 for k in order]
    return signs, [[complex(float(T[j, k].mid()), float(T[size + j, k].mid())) for k in range(2 * size)] for j in range(size)]


def main() -> None:
    """Write the table."""
    ctx.prec = BITS
    text = HEAD
    for sums in SUMS:
        signs, rows = balanced(sums)
        text += f"    (\n        {tuple(signs)!r},\n        (\n"
        for each in rows:
            text += "            (\n" + "".join(f"                {value!r},\n" for value in each) + "            ),\n"
        text += "        ),\n    ),\n"
    TABLE.write_text(text + ")\n", encoding="utf-8")


if __name__ == "__main__":
    main()
