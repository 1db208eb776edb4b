"""Terms, times and covariances for the tests of the series engine, with dense algebra beside them."""

import re

import numpy as np

from cases import NUMPY
from kernelscribe.engines.series.blocks import cut
from kernelscribe.engines.series.columns import Columns
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.groups import groups
from kernelscribe.engines.series.ingredients import of_form
from kernelscribe.kernels import Form, Leaf, pack, parse
from kernelscribe.kernels.bases import BASES
from kernelscribe.testing import evaluate

NAMES = {kind: tuple(parameter.name for parameter in Leaf(kind).base.parameters) for kind in BASES}

# Every way in which a term can be carried: by a sum of exponentials, lines, powers that fade, walks, gates, and products of them.
LANGUAGE = (
    "SE(1.3, 0.3)",
    "PER(0.9, 0.8, 0.4)",
    "SE(1, 0.5)*PER(1.2, 0.8, 0.4)",
    "SE(1, 0.5)*SE(1, 1.5)*PER(1, 20, 0.4)*PER(1, 30, 1.1)",
    "PER(1, 1, 0.4)*PER(1, 2, 0.4)",
    "LIN(0.8, 0.3)",
    "LIN(0.5, 0.3)*LIN(0.5, -1)*SE(1, 0.5)",
    "LIN(1, 0.3)*PER(1, 1, 0.7)",
    "MATERN(1, 0.5)",
    "ROUGH(1, 0.5)",
    "MATERN(1, 0.5)*PER(1, 0.8, 0.4)",
    "ROUGH(1, 0.5)*SE(1, 0.6)",
    "MATERN(1, 0.5)*MATERN(1, 2)*ROUGH(1, 3)",
    "WALK(0.5, -1.8)",
    "SPLINE(0.3, -1.8)",
    "SPLINE(0.3, -1.8)*PER(1, 0.8, 0.4)",
    "SPLINE(0.3, -1.8)*MATERN(1, 0.5)",
    # The walk begins among the rows.
    "WALK(1, -0.5)*SE(1, 0.4)",
    "SPLINE(1, -0.5)*ROUGH(1, 0.4)",
    # They begin among the rows, and are exactly zero before.
    "STEP(0.8, 0.2)",
    "STEP(1, -0.4)*PER(1, 0.8, 0.4)",
    "STEP(1, 0.1)*SE(1, 0.3)*LIN(1, 0.5)",
    "KINK(0.8, 0.2)",
    "KINK(1, -0.6)*SE(1, 0.5)*PER(1, 0.8, 0.4)",
    "SPELL(1, 0.3, 0.5)",
    "SPELL(1, -0.5, 0.02)",
    "SPELL(1, 0.3, 0.5)*ROUGH(1, 0.4)",
    "STEP(0.5, -1.8)*WALK(1, -1.9) + KINK(0.3, 1.7) + STEP(1, 5)*SE(1, 0.2)",
    "WN(0.6)*STEP(1, 0.3)*SE(1, 0.3)",
    "C(0.7)",
    "C(0.7)*SE(1, 0.3)",
    "WN(0.6)",
    "WN(0.6)*LIN(1, 0.3)*SE(1, 0.3)*PER(1, 1, 0.4)",
    "WN(0.6)*SPLINE(1, -1.8)*MATERN(1, 0.5)",
    "CHANGE(SE(1, 0.3), PER(1, 0.8, 0.4), location=0.1, width=0.05)",
    "WINDOW(SE(1, 0.3), ROUGH(1, 0.4), location=0.1, width=0.5, edge=0.05)",
    "CHANGE(MATERN(1, 0.3), LIN(1, 0), location=-0.2, width=0.0001)*SE(1, 1)",
    "SE(1, 0.1) + SE(0.5, 2)*PER(1, 1, 0.3) + LIN(0.3, 0) + ROUGH(0.2, 0.05)",
)
TIMES = ("regular", "irregular", "clustered", "gapped", "nearly repeated", "repeated")


def kernel(text):
    """From a text in which the values of leaves have no names."""

    def named(found):
        pairs = zip(NAMES[found[1]], found[2].split(","), strict=True)
        return f"{found[1]}({', '.join(f'{name}={value.strip()}' for name, value in pairs)})"

    return parse(re.sub(rf"\b({'|'.join(NAMES)})\(([^()]*)\)", named, text))


def times(kind, n, seed=0):
    """Sorted times on about the standardised scale."""
    rng, x = np.random.default_rng(seed), np.linspace(-1.7, 1.7, n)
    match kind:
        case "irregular":
            return np.sort(rng.uniform(-1.7, 1.7, n))
        case "clustered":
            about = [centre + 0.01 * rng.normal(size=n // 4) for centre in (-1.5, -0.3, 0.9)]
            return np.sort(np.concatenate([*about, rng.uniform(-1.7, 1.7, n - 3 * (n // 4))]))
        case "gapped":
            grid = np.linspace(-1.7, 1.7, 2 * n)
            return np.concatenate([grid[: n // 2], grid[-(n - n // 2) :]])
        case "nearly repeated":
            x[1::2] = x[: n // 2 * 2 : 2] + 1e-12 * rng.random(n // 2)
        case "repeated":
            return np.sort(rng.choice(np.linspace(-1.7, 1.7, max(n // 3, 2)), n))
    return x


def covariance(expr, x, noise, size, allowed=1e-13):
    """Of sorted times, in blocks of that size; terms may be off by `allowed` of their amplitude."""
    form = Form.of(expr)
    side = form.side(x[:, None], pack(expr))
    columns = Columns(tuple(groups(t, made, allowed) for t, made in enumerate(of_form(form, side))))
    noise = np.broadcast_to(np.asarray(noise, dtype=float), x.shape)
    return Covariance(form, side, noise, np.ones(len(x)), columns, cut(x, size), NUMPY)


def dense(expr, x):
    """The kernel's formula for every pair of times."""
    return evaluate(expr, x[:, None], x[:, None])


def rows(x, s2, seed=0):
    """A target that any kernel explains in part."""
    return np.sin(3 * x) + np.sqrt(s2) * np.random.default_rng([seed, 1]).normal(size=len(x))
