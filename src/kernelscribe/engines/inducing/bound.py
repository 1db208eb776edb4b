"""The lower bound of a kernel as a function of its parameters: where kernels and bounds meet.

Where noise varies, K and y are those of weights.py.

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
from kernelscribe.engines.weights import Weights
from kernelscribe.errors import Status
from kernelscribe.kernels.form import Bar, Form, Side
from kernelscribe.kernels.gram import Arithmetic
from kernelscribe.noises import Noise

__all__ = ["Bound", "Gradient", "variational"]


@dataclass(frozen=True, slots=True)
class Gradient:
    """Derivatives of the bound with regard to the coordinates of the kernel, those of the noise, and the inducing points."""

    theta: Array
    noise: Array
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
    noise: Noise,
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
    weights = Weights.of(noise, X)
    x, z, y = weights.side(form.side(X, theta)), form.side(Z, theta), weights.target(y)
    Q = factor(arithmetic.gram(form, z, z), jitter)
    if Q is None:
        return Bound(-math.inf, Status.SINGULAR)
    cross = Cross(arithmetic, form, x, z, workspace or Workspace(0.0))
    reduced = cross.reduce(Q.L, y)
    result = lower(reduced, weights.s2)
    if result is None or not math.isfinite(result.value):
        return Bound(-math.inf, Status.NONFINITE, Q, reduced)
    slope = _gradient(cross, Q, reduced, result, noise, weights, y) if gradient else None
    return Bound(result.value + weights.logs, Status.OK, Q, reduced, result, slope)


def _gradient(cross: Cross, Q: Jittered, reduced: Reduced, result: Lower, noise: Noise, weights: Weights, y: Array) -> Gradient:
    form, x, z, s2 = cross.form, cross.x, cross.z, weights.s2
    x_bar, z_bar = form.bar(len(x.X)), form.bar(len(z.X))
    m = len(result.u)
    # L⁻ᵀ of both matrices in one solve: W for K̄_mN, and s2·W − P/2s2 for Q̄.
    both = np.empty((m, 2 * m), order="F")
    both[:, :m] = result.W
    both[:, m:] = s2 * result.W - reduced.P / (2 * s2)
    both = blas.dtrsm(1.0, Q.L, both, lower=1, trans_a=1, overwrite_b=1)
    s = blas.dtrsv(Q.L, result.u, lower=1, trans=1) / s2
    fitted = None if weights.uniform else np.empty(len(y))
    cross.pull(Q.L, both[:, :m], s, y, x_bar, z_bar, fitted)
    form.pull_diagonal(x, -0.5 / s2, x_bar)
    _pull_inducing(cross.arithmetic, form, z, Q, blas.dtrsm(1.0, Q.L, both[:, m:], side=1, lower=1, overwrite_b=1), z_bar)
    theta_x, _ = form.pull(x, x_bar)
    theta_z, Z_bar = form.pull(z, z_bar)
    if fitted is None:
        # Whichever row the cotangent of noise that all share stands at.
        bar = np.zeros(len(y))
        bar[0] = result.s2_bar
    else:
        # The bound falls by the squares of y − Aᵀu over 2s2, and ψ̄ = L⁻ᵀu/s2.
        bar = weights.pull(x, x_bar, y, fitted - y / s2)
    return Gradient(theta_x + theta_z, noise.pull(x.X, bar), Z_bar)


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
