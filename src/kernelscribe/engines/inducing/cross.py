"""K_mN in blocks of rows: computed, reduced to small matrices, and pulled back through, in memory O(m · block).

P = A Aᵀ is formed from A = L⁻¹K_mN itself. The cheaper route through Ψ = K_mN K_Nm squares the condition number of K_mm: at
N = 9568, m = 320 it put the bound 0.6 nats too high, at m = 640 2.7 nats, well before any factorisation failed.
Blocks are kept for the second pass while they fit the memory allowed, and computed again otherwise.

Legend: K [rows, m] a block of K_Nm in C order, which BLAS reads as K_mN in its own; s = ψ̄, S_half·L⁻¹ = Ψ̄ of lower.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import blas

from kernelscribe.arrays import Array
from kernelscribe.engines.inducing.lower import Reduced
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.kernels.form import Bar, Form, Side
from kernelscribe.kernels.gram import Arithmetic

__all__ = ["Cross"]

# Elements of one block: large enough for BLAS to be at its best, small beside the matrices themselves.
_BLOCK = 2**20


@dataclass(slots=True)
class Cross:
    """K_Nm of one kernel at one point of its parameters, in blocks that lie in the workspace."""

    arithmetic: Arithmetic
    form: Form
    x: Side
    z: Side
    workspace: Workspace
    keeps: bool = field(init=False)
    store: Array = field(init=False)
    tape: Array | None = field(init=False)

    def __post_init__(self) -> None:
        """Keep all blocks, with the exponentials where the arithmetic uses them, if the workspace may hold them."""
        n, m = self.sizes
        terms = len(self.form.terms) if self.arithmetic.tapes else 0
        self.keeps = 8.0 * n * m * (1 + terms) <= self.workspace.limit
        rows = n if self.keeps else min(_step(m), n)
        self.store = self.workspace.room("store", rows, m)
        self.tape = self.workspace.room("tape", terms, rows, m) if terms else None

    @property
    def sizes(self) -> tuple[int, int]:
        return self.x.a.shape[1], self.z.a.shape[1]

    def blocks(self) -> Iterator[tuple[int, int, slice]]:
        """Ranges of rows, and where they lie in the store."""
        n, m = self.sizes
        for start in range(0, n, _step(m)):
            stop = min(start + _step(m), n)
            yield start, stop, slice(start, stop) if self.keeps else slice(0, stop - start)

    def _taped(self, where: slice) -> Array | None:
        return None if self.tape is None else self.tape[:, where]

    def _compute(self, start: int, stop: int, where: slice) -> Array:
        return self.arithmetic.gram(self.form, self.x.block(start, stop), self.z, self._taped(where), self.store[where])

    def reduce(self, L: Array, y: Array) -> Reduced:
        """P, c, yᵀy and tr K. The blocks that are kept are those of A."""
        n, m = self.sizes
        P, c = np.zeros((m, m), order="F"), np.zeros(m)
        for start, stop, where in self.blocks():
            A = blas.dtrsm(1.0, L, self._compute(start, stop, where).T, lower=1, overwrite_b=1)
            P = blas.dsyrk(1.0, A, beta=1.0, c=P, lower=1, overwrite_c=1)
            c += blas.dgemv(1.0, A, y[start:stop])
        P += np.tril(P, -1).T
        return Reduced(P, c, float(y @ y), float(self.form.diagonal(self.x).sum()), n)

    def pull(self, L: Array, S_half: Array, s: Array, y: Array, x_bar: Bar, z_bar: Bar, fitted: Array | None = None) -> None:
        """Add the cotangents of K̄_mN = 2 Ψ̄ K_mN + ψ̄ yᵀ, with Ψ̄ = S_half · L⁻¹ and so Ψ̄ K_mN = S_half · A. Where room for it is
        given, K_Nm ψ̄ [N] is put there."""
        n, m = self.sizes
        right = blas.dtrmv(L, s, lower=1, trans=1) if self.keeps else s
        S = S_half if self.keeps else blas.dtrsm(1.0, L, S_half, side=1, lower=1)
        room = self.workspace.room("bar", min(_step(m), n), m)
        for start, stop, where in self.blocks():
            rows = self.store[where] if self.keeps else self._compute(start, stop, where)
            if fitted is not None:
                fitted[start:stop] = blas.dgemv(1.0, rows.T, right, trans=1)
            K_bar = room[: stop - start]
            # SciPy's BLAS throughout: NumPy's is another library with threads of its own, and the two would fight for the cores.
            blas.dgemm(2.0, S, rows.T, c=K_bar.T, overwrite_c=1)
            blas.dger(1.0, s, y[start:stop], a=K_bar.T, overwrite_a=1)
            x, x_part = self.x.block(start, stop), x_bar.block(start, stop)
            self.arithmetic.adjoint(self.form, x, self.z, K_bar, x_part, z_bar, self._taped(where))


def _step(m: int) -> int:
    return max(_BLOCK // m, 128)
