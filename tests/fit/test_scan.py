"""What a fitted statement leaves to be found, against the evidence itself: dense algebra with one more column, or cycle."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import minimize_scalar

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import STANDARD
from kernelscribe.engines.choose import prepare
from kernelscribe.fit.scan import scanned
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.tree import leaves, with_leaves
from kernelscribe.noises import Constant
from kernelscribe.statements.scan import Scan
from kernelscribe.statements.setting import Setting
from kernelscribe.testing import evaluate
from told_data import DAYS

LEVEL = "C(variance=4)"
BACKGROUNDS = {
    "white": LEVEL,
    "rough": LEVEL + " + ROUGH(variance=0.5, lengthscale=0.2)",
    "drift": LEVEL + " + WALK(variance=0.7, location=-1.8)",
}
NOISE = 0.3
each_background = pytest.mark.parametrize("background", BACKGROUNDS)


class Left:
    """Data with a fitted background: A = K + noise, so scaled that yᵀA⁻¹y = N, as it is at the top of the evidence."""

    def __init__(self, background, x, extra, seed=0, engine="exact"):
        rng, n = np.random.default_rng(seed), len(x)
        expr, X = parse(BACKGROUNDS[background]), ((x - x.mean()) / x.std())[:, None]
        K = evaluate(expr, X, X) + NOISE * np.eye(n)
        self.data = Dataset.of(x, np.linalg.cholesky(K) @ rng.normal(size=n) + extra, axes=DAYS)
        A = evaluate(expr, self.data.X, self.data.X) + NOISE * np.eye(n)
        self.factor = float(self.y @ np.linalg.solve(A, self.y)) / n
        self.A, self.L = self.factor * A, cholesky(self.factor * A, lower=True)
        louder = [replace(leaf, values=(leaf.values[0] * self.factor, *leaf.values[1:])) for leaf in leaves(expr)]
        self.expr = with_leaves(expr, louder)
        self.engine = engine

    @property
    def y(self):
        return self.data.y

    @property
    def x(self):
        """Standardised."""
        return self.data.X[:, 0]

    def scan(self, **amounts):
        form = Form.of(self.expr)
        u = np.append(pack(self.expr), Constant(NOISE * self.factor).pack())
        engine = prepare(self.data, Config(engine=self.engine), form)
        return scanned(engine, form, u, Setting.of(self.data), replace(STANDARD, **amounts))

    def evidence(self, A):
        return -0.5 * (self.y @ np.linalg.solve(A, self.y) + np.linalg.slogdet(A)[1])

    def gain(self, column):
        """Of v·φφᵀ at its best v, by trying: no formula of ours."""
        B, base = np.outer(column, column), self.evidence(self.A)
        size = float(np.abs(column).max()) ** 2 or 1.0
        found = minimize_scalar(lambda t: -self.evidence(self.A + math.exp(t) / size * B), bounds=(-14, 9), method="bounded")
        return max(-found.fun - base, 0.0)

    def gains(self, columns):
        """The same of many, by whitening each with a dense factor."""
        W, z = solve_triangular(self.L, columns, lower=True), solve_triangular(self.L, self.y, lower=True)
        g = (W**2).sum(axis=0)
        q = np.maximum((W.T @ z) ** 2 / np.maximum(g, 1e-300), 1.0)
        return 0.5 * (q - 1 - np.log(q))

    def cycle_gain(self, period):
        """Of a cycle of that period in days, at the best of some shapes and at its best variance."""
        base, found = self.evidence(self.A), 0.0
        for shape in (0.4, 1.0, 3.0):
            text = f"CYCLE(variance=1, lengthscale={shape}, period={period / self.data.inputs[0].scale})"
            C = evaluate(parse(text), self.data.X, self.data.X)
            at_best = minimize_scalar(
                lambda t, C=C: -self.evidence(self.A + math.exp(t) * C), bounds=(-9, 4), method="bounded", options={"maxiter": 15}
            )
            found = max(found, -at_best.fun - base)
        return found


def step(x, place):
    return (x >= place).astype(float)


def kink(x, place):
    return np.maximum(x - place, 0.0)


def spell(x, middle, width):
    return (np.abs(x - middle) <= width / 2).astype(float)


def candidates(x):
    """Every step and kink, every spell of several rows, and every single row, by what they hold."""
    n, firsts = len(x), [i for i in range(1, len(x)) if x[i] > x[i - 1]]
    between = {i: 0.5 * (x[i - 1] + x[i]) for i in firsts}
    inner = [i for i in firsts if 4 <= i <= n - 4]
    pairs = [(i, j) for i in firsts for j in firsts if i < j <= i + n / 4]
    stretch = {(i, j): (0.5 * (between[i] + between[j]), between[j] - between[i]) for i, j in pairs}
    return {
        "steps": [(step, (between[i],)) for i in inner],
        "kinks": [(kink, (x[i],)) for i in inner],
        "spells": [(spell, stretch[i, j]) for i, j in pairs if j - i > 1],
        "outliers": [(spell, stretch[i, j]) for i, j in pairs if j - i == 1],
    }


def best(left, kind):
    """The best of all candidates of that kind: its gain by trying, less the choice of the length of a spell."""
    found = candidates(left.x)[kind]
    columns = np.column_stack([shape(left.x, *values) for shape, values in found])
    shape, values = found[int(np.argmax(left.gains(columns)))]
    return values, left.gain(shape(left.x, *values)) - (math.log(len(left.x)) if kind == "spells" else 0.0)


SHAPES = {"steps": step, "kinks": kink, "spells": spell, "outliers": spell}
X40 = np.arange(40.0)
UNEVEN = np.sort(np.random.default_rng(5).choice(200, size=40, replace=False)).astype(float)
TIMES = {"regular": X40, "irregular": UNEVEN, "repeated": np.repeat(UNEVEN[:20], 2)}
PLANTED = {
    "nothing": np.zeros(40),
    "a step": 3.0 * (X40 >= 17),
    "a kink": 0.3 * np.maximum(X40 - 22, 0),
    "a spell": 3.0 * ((X40 >= 9) & (X40 < 14)),
    "an outlier": 5.0 * (X40 == 31),
}


@each_background
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("planted", PLANTED)
@pytest.mark.parametrize("engine", ["exact", "series"])
def test_of_few_rows_every_place_is_held_against_the_evidence(background, times, planted, engine):
    left = Left(background, TIMES[times], PLANTED[planted], seed=3, engine=engine)
    seen = left.scan()
    for kind, shape in SHAPES.items():
        values, gain = best(left, kind) if candidates(left.x)[kind] else ((), 0.0)
        found = getattr(seen, kind)
        if gain <= 1e-6:
            assert found == ()
            continue
        (sight,) = found
        assert sight.nats == pytest.approx(gain, rel=1e-3, abs=2e-3)
        own = left.gain(shape(left.x, *sight.values)) - (math.log(40) if kind == "spells" else 0.0)
        assert sight.nats == pytest.approx(own, rel=1e-3, abs=2e-3)
        assert planted == "nothing" or times == "repeated" or sight.values == pytest.approx(values)


@each_background
def test_no_variance_gains_more_than_a_scan_says(background):
    """What is seen is a bound of what there is to be had, at every place and every size."""
    rng = np.random.default_rng(1)
    left = Left(background, X40, PLANTED["a step"], seed=4)
    seen, base = left.scan(), left.evidence(left.A)
    for kind, shape in SHAPES.items():
        most = max((sight.nats for sight in getattr(seen, kind)), default=0.0) + (math.log(40) if kind == "spells" else 0.0)
        every = candidates(left.x)[kind]
        for i in rng.permutation(len(every))[:20]:
            column, variance = shape(left.x, *every[i][1]), math.exp(rng.uniform(-6, 6))
            assert left.evidence(left.A + variance * np.outer(column, column)) - base <= most + 1e-6


@pytest.mark.parametrize("planted", PLANTED)
def test_a_place_that_was_planted_is_the_one_that_is_seen(planted):
    left = Left("white", X40, 2 * PLANTED[planted], seed=6)
    seen = left.scan()
    scale, middle = left.data.inputs[0].scale, left.data.inputs[0].centre
    match planted:
        case "a step":
            assert seen.steps[0].values[0] * scale + middle == pytest.approx(16.5)
        case "a kink":
            assert seen.kinks[0].values[0] * scale + middle == pytest.approx(22, abs=1)
        case "a spell":
            assert seen.spells[0].values[0] * scale + middle == pytest.approx(11)
            assert seen.spells[0].values[1] * scale == pytest.approx(5)
        case "an outlier":
            assert seen.outliers[0].values[0] * scale + middle == pytest.approx(31)
            assert seen.outliers[0].values[1] * scale == pytest.approx(1)
        case _:
            assert all(sight.nats < 2 + math.log(40) for kind in SHAPES for sight in getattr(seen, kind))


MANY = 320
XMANY = np.arange(float(MANY))
PLANTED_AMONG_MANY = {
    "steps": 1.5 * (XMANY >= 190),
    "kinks": 0.03 * np.maximum(XMANY - 200, 0),
    "spells": 2.5 * ((XMANY >= 100) & (XMANY < 116)),
    "outliers": 5.0 * (XMANY == 250),
}


@each_background
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("engine", ["exact", "series"])
def test_of_many_rows_the_best_place_is_found_by_answers_that_are_moved_along(background, kind, engine):
    """Nearly the best of all places, and told with the gain that it has there."""
    left = Left(background, XMANY, PLANTED_AMONG_MANY[kind], seed=2, engine=engine)
    (sight,) = getattr(left.scan(scan_rows=50), kind)
    less = math.log(MANY) if kind == "spells" else 0.0
    own = left.gain(SHAPES[kind](left.x, *sight.values)) - less
    assert sight.nats == pytest.approx(own, rel=1e-3, abs=5e-3)
    (exhaustive,) = getattr(left.scan(scan_rows=MANY), kind)
    assert sight.nats <= exhaustive.nats + 1e-3
    assert sight.nats >= exhaustive.nats - max(1.0, 0.1 * exhaustive.nats)


def test_too_few_times_have_cycles_alone():
    left = Left("white", np.repeat(np.arange(9.0), 4), np.zeros(36))
    seen = left.scan()
    assert (seen.steps, seen.kinks, seen.spells, seen.outliers) == ((), (), (), ())


def test_an_engine_that_cannot_whiten_sees_no_places():
    left = Left("white", XMANY, np.sin(2 * np.pi * XMANY / 7) + 3 * (XMANY > 100), engine="inducing")
    seen = left.scan()
    assert seen == Scan(seen.periods, seen.calendar)


# Cycles.

DAYS_OF = {
    "regular": np.arange(360.0),
    "irregular": np.sort(np.random.default_rng(8).choice(1800, size=360, replace=False)).astype(float),
    "gapped": np.concatenate([np.arange(180.0), np.arange(320.0, 500.0)]),
}


def wave(x, period, *sizes):
    return sum(size * np.sin(2 * np.pi * k * x / period + k) for k, size in enumerate(sizes, start=1))


@each_background
@pytest.mark.parametrize("times", DAYS_OF)
@pytest.mark.parametrize("period", [7.0, 11.3])
@pytest.mark.parametrize("engine", ["exact", "series"])
def test_a_line_that_was_planted_is_the_first_to_be_seen(background, times, period, engine):
    x = DAYS_OF[times]
    left = Left(background, x, wave(x, period, 0.9, 0.4), seed=1, engine=engine)
    seen = left.scan()
    resolved = period**2 / (x[-1] - x[0])
    assert seen.periods[0].values[0] * left.data.inputs[0].scale == pytest.approx(period, abs=resolved / 2)
    if period == 7:
        assert seen.calendar[0].values[0] * left.data.inputs[0].scale == pytest.approx(7)


@each_background
@pytest.mark.parametrize("times", DAYS_OF)
def test_a_cycle_is_worth_what_the_evidence_says(background, times):
    """All its lines together. Where rows are uneven a filter bends waves a little, which the periodogram does not know of."""
    x = DAYS_OF[times]
    left = Left(background, x, wave(x, 7.0, 0.8, 0.5, 0.3), seed=2)
    (week, *_) = left.scan().calendar
    assert week.nats == pytest.approx(left.cycle_gain(7.0), rel=0.15 if times == "regular" else 0.3)


def test_overtones_are_not_seen_as_cycles_of_their_own():
    x = DAYS_OF["regular"]
    left = Left("white", x, wave(x, 11.3, 1.0, 0.7, 0.5), seed=3)
    periods = [sight.values[0] * left.data.inputs[0].scale for sight in left.scan().periods]
    assert not any(abs(period * k / 11.3 - 1) < 0.02 for period in periods[1:] for k in (2, 3, 4))


def test_two_cycles_are_both_seen_best_first():
    x = DAYS_OF["regular"]
    left = Left("white", x, wave(x, 11.3, 0.8) + wave(x, 23.9, 1.4), seed=4)
    first, second, *_ = left.scan().periods
    scale = left.data.inputs[0].scale
    assert (first.values[0] * scale, second.values[0] * scale) == (pytest.approx(23.9, rel=0.02), pytest.approx(11.3, rel=0.02))
    assert first.nats > second.nats


def test_the_week_is_seen_in_days_of_which_a_fifth_is_left():
    rng = np.random.default_rng(0)
    x = np.sort(rng.choice(2000, size=400, replace=False)).astype(float)
    left = Left("white", x, wave(x, 7.0, 1.0), seed=5, engine="series")
    (week, *_) = left.scan().calendar
    assert week.values[0] * left.data.inputs[0].scale == pytest.approx(7)
    assert week.nats > 50


@each_background
def test_of_noise_alone_hardly_a_cycle_is_seen(background):
    """Of twenty draws, one or two at most have a line that is worth more than there are frequencies to choose from and a bit."""
    x = DAYS_OF["regular"]
    seen = [Left(background, x, 0.0, seed).scan().periods for seed in range(20)]
    assert sum(any(sight.nats > math.log(len(x)) + 3 for sight in each) for each in seen) <= 2


def test_no_more_periods_are_seen_than_are_asked_for():
    x = DAYS_OF["regular"]
    left = Left("white", x, wave(x, 11.3, 0.8) + wave(x, 23.9, 1.4), seed=4)
    first, *others = left.scan(scan_periods=5).periods
    assert len(others) in (1, 2, 3, 4)
    assert left.scan(scan_periods=1).periods == (first,)
