"""The lower bound of a kernel as a function of its parameters: where kernels and bounds meet.

Legend: as in lower.py; Z the inducing points [m, D].
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from kernelscribe.arrays import Array
from kernelscribe.engines.inducing.cross import Cross
from kernelscribe.engines.inducing.lower import Lower, Reduced, lower
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.engines.linalg import SMALLEST_JITTER, Jittered, factor
from kernelscribe.errors import Status
from kernelscribe.kernels.form import Bar, Form, Side
from kernelscribe.kernels.gram import Arithmetic

__all__ = ["Bound", "Gradient", "variational"]


@dataclass(frozen=True, slots=True)
class Gradient:
    """Derivatives of the bound with regard to the kernel's coordinates, the noise variance and the inducing points."""

    theta: Array
    s2: float
    Z: Array


@dataclass(frozen=True, slots=True)
class Bound:
    """The variational lower bound at one point of the parameters, with what was computed on the way."""

    value: float
    status: Status
    factor: Jittered | None = None
    reduced: Reduced | None = None
    lower: Lower | None = None
    gradient: Gradient | None = None


def variational(
    arithmetic: Arithmetic,
    form: Form,
    theta: Array,
    s2: float,
    X: Array,
    y: Array,
    Z: Array,
    *,
    jitter: float = SMALLEST_JITTER,
    workspace: Workspace | None = None,
    gradient: bool = True,
) -> Bound:
    """The bound, and its gradient on request; −inf with a status where it cannot be computed.

    Args:
        workspace: memory to use again; without one no block is kept between the two passes.
    """
    x, z = form.side(X, theta), form.side(Z, theta)
    Q = factor(arithmetic.gram(form, z, z), jitter)
    if Q is None:
        return Bound(-math.inf, Status.SINGULAR)
    cross = Cross(arithmetic, form, x, z, workspace or Workspace(0.0))
    reduced = cross.reduce(Q.L, y)
    result = lower(reduced, s2)
    if result is None or not math.isfinite(result.value):
        return Bound(-math.inf, Status.NONFINITE, Q, reduced)
    slope = _gradient(cross, Q, reduced, result, s2, y) if gradient else None
    return Bound(result.value, Status.OK, Q, reduced, result, slope)


def _gradient(cross: Cross, Q: Jittered, reduced: Reduced, result: Lower, s2: float, y: Array) -> Gradient:
    form, x, z = cross.form, cross.x, cross.z
    x_bar, z_bar = form.bar(len(x.X)), form.bar(len(z.X))
    m = len(result.u)
    # L⁻ᵀ of both matrices in one solve: W for K̄_mN, and s2·W − P/2s2 for Q̄.
    both = np.empty((m, 2 * m), order="F")
    both[:, :m] = result.W
    both[:, m:] = s2 * result.W - reduced.P / (2 * s2)
    both = blas.dtrsm(1.0, Q.L, both, lower=1, trans_a=1, overwrite_b=1)
    s = blas.dtrsv(Q.L, result.u, lower=1, trans=1) / s2
    cross.pull(Q.L, both[:, :m], s, y, x_bar, z_bar)
    form.pull_diagonal(x, -0.5 / s2, x_bar)
    _pull_inducing(cross.arithmetic, form, z, Q, blas.dtrsm(1.0, Q.L, both[:, m:], side=1, lower=1, overwrite_b=1), z_bar)
    theta_x, _ = form.pull(x, x_bar)
    theta_z, Z_bar = form.pull(z, z_bar)
    return Gradient(theta_x + theta_z, result.s2_bar, Z_bar)


def _pull_inducing(arithmetic: Arithmetic, form: Form, z: Side, Q: Jittered, Q_bar: Array, z_bar: Bar) -> None:
    """Through Q = K_mm + jitter · mean(diag K_mm) · I to both sides of K_mm."""
    m = len(Q_bar)
    K_bar = np.ascontiguousarray(0.5 * (Q_bar + Q_bar.T))
    K_bar.flat[:: m + 1] += Q.jitter * np.trace(Q_bar) / m
    other = form.bar(m)
    arithmetic.adjoint(form, z, z, K_bar, z_bar, other)
    z_bar.a += other.a
    z_bar.phi += other.phi
    z_bar.theta += other.theta
    z_bar.X += other.X
