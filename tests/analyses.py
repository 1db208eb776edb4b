"""Analyses without searches: models with values that were chosen by hand, and outcomes that say what a test needs."""

from dataclasses import replace

import numpy as np

import models
from kernelscribe.api.analysis import Analysis
from kernelscribe.config import Config
from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.notes import Note
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.errors import Status
from kernelscribe.events import Stop
from kernelscribe.fit.facts import AtBound, End, Fit
from kernelscribe.kernels import Leaf, parse, to_standard
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from kernelscribe.outcome import Decision, DecisionKind, Outcome, Rival
from kernelscribe.search.tree import Children, Mark, Twig
from models import drawn, standard_noise

YEARS, DATES, PLAIN = Axis("year", "years"), Axis("date", "days", "2004-01-01T00:00:00"), Axis("depth", "m")
TREND = "LIN(variance=0.3, location=2000)"
CYCLE = "SE(variance=1, lengthscale=4)*PER(variance=1, lengthscale=1, period=1)"
SHORT = "SE(variance=0.3, lengthscale=0.3)"
HELD = Backtest(((50.0, 51.0), (80.0, 78.5), (95.0, 94.1)), 60, 5, 0.71, 2.2, 0.0, True)
NARROW = replace(HELD, covered=((50.0, 40.0), (80.0, 61.0), (95.0, 77.0)), widening=2.5)
HOSTILE = '<script>alert("x")</script>\x1b[31m|#{}_*`$\n= "\'\\'


def outcome(model, at_bound=(), bic=None, **more):
    """What a search would have said of this kernel."""
    interval = Interval(-101.25, -100.75)
    best = None
    if model.expr is not None:
        best = Fit(
            model.data.scales, model.expr, model.noise, Evidence(interval, interval),
            bic or interval.shift(-10), at_bound, "inducing", 4321, 12.3, Status.OK,
        )  # fmt: skip
    usual = {
        "best": best, "contenders": (), "behind": (), "noise_bic": -300.0,
        "decision": Decision(DecisionKind.EXACT), "stopped": None,
        "tree": Children((Twig(parse("SE"), Interval(-110.9, -110.9), Mark.CHOSEN, Children()),)), "strategy": "auto",
        "depth": 2, "tried": 31, "dropped": 4, "failed": 1, "evaluations": 4321, "seconds": 12.3, "workers": 2,
    }  # fmt: skip
    return Outcome(**{**usual, **more})


def with_rivals(found, *rivals):
    """The same analysis, of a search that has tried these too."""
    contenders, behind = (tuple(each for each in rivals if each.told is told) for told in (False, True))
    return replace(found, outcome=replace(found.outcome, contenders=contenders, behind=behind))


def with_best(found, **more):
    """The same analysis, with another fit of the chosen kernel."""
    return replace(found, outcome=replace(found.outcome, best=replace(found.outcome.best, **more)))


def with_effort(found, **amounts):
    """The same analysis, of a model with other amounts of work."""
    return replace(found, model=models.with_effort(found.model, **amounts))


def analysis(kernel, X, y, *, noise=0.1, axes=None, target="level", notes=(), tested=None, options=None, **more):
    """An analysis of these data by a kernel with values in their units, and noise, or its variance, in those of the target."""
    data = Dataset.of(X, y, axes=axes, target=target, notes=notes)
    expr = None if kernel is None else to_standard(parse(kernel), data.inputs, data.output)
    own = standard_noise(noise, data)
    config = Config(**{"backend": "numpy", "noise": own.name, **(options or {})})
    model = Model(data, expr, own, config, 0.0 if tested is None else tested.widening)
    return Analysis(model, outcome(model, **more), tested)


def rival(model, kernel, lower, upper, told):
    """A kernel that was not chosen, by its values in the user's units."""
    expr = to_standard(parse(kernel), model.data.inputs, model.data.output)
    return Rival(expr, Constant(0.1), Interval(lower, upper), told)


def months(n=120, kernel=f"{TREND} + {CYCLE}", axis=YEARS, seed=0):
    """Monthly values from the year 2004 on, drawn from the kernel."""
    years = 2004 + np.arange(n) / 12
    y = drawn(kernel, years, 0.1, np.random.default_rng(seed))
    return (years if axis.unit == "years" else (years - 2004) * DAYS_A_YEAR), 100 + y


def series(n=120, kernel=f"{TREND} + {CYCLE}", **more):
    """A line and a yearly cycle, in decimal years."""
    x, y = months(n, kernel)
    return analysis(kernel, x, y, **{"axes": (YEARS,), **more})


def dated(n=120):
    """The same with dates, notes of every kind, and an odd row."""
    x, y = months(n, axis=DATES)
    y[40] += 5
    kernel = (
        f"LIN(variance={0.3 / DAYS_A_YEAR**2}, location=0) + SE(variance=1, lengthscale={4 * DAYS_A_YEAR})"
        f"*PER(variance=1, lengthscale=1, period={DAYS_A_YEAR})"
    )
    notes = (
        Note("time_guessed", {"column": "date"}),
        Note.plain("repair", "Two rows were left out."),
        Note.plain("notice", "All well."),
    )
    return analysis(kernel, np.delete(x, [50, 51, 52]), np.delete(y, [50, 51, 52]), axes=(DATES,), notes=notes, tested=NARROW)


def plain():
    """Along a depth, which is no time."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(0, 30, 80))
    return analysis("SE(variance=1, lengthscale=4)", x, np.sin(x / 4) + 0.2 * rng.normal(size=80), noise=0.04, axes=(PLAIN,))


def table(n=150):
    """Three inputs: a line in one, a surface over two, and an interaction of all."""
    rng = np.random.default_rng(4)
    X = rng.uniform(0, 10, (n, 3))
    y = X[:, 0] + 2 * np.sin(X[:, 1]) * np.cos(X[:, 2] / 2) + 0.02 * (X - 5).prod(axis=1) + 0.2 * rng.normal(size=n)
    kernel = (
        "LIN1(variance=1, location=0) + SE2(variance=2, lengthscale=2)*SE3(variance=1, lengthscale=3)"
        " + LIN1(variance=0.0004, location=5)*LIN2(variance=1, location=5)*LIN3(variance=1, location=5)"
    )
    axes = (Axis("temperature", "°C"), Axis("pressure", "hPa"), Axis("load"))
    return analysis(kernel, X, y, noise=0.04, axes=axes, tested=replace(NARROW, origins=0, widening=0.0, refitted=False))


def contested():
    """A series with rivals of every sort, one of which the scores do not tell from the chosen one."""
    found = series(
        tested=HELD,
        stopped=Stop.TIME,
        at_bound=(AtBound.of(Leaf("SE"), "lengthscale", End.LOWER),),
        decision=Decision(DecisionKind.OPEN, 1),
    )
    return with_rivals(
        found,
        rival(found.model, f"{TREND} + {CYCLE} + {SHORT}", -112.5, -110.5, False),
        rival(found.model, CYCLE, -115.0, -114.0, True),
        rival(found.model, TREND, -180.0, -170.0, True),
    )


def constant():
    x = 2004 + np.arange(24) / 12
    found = analysis(None, x, np.full(24, 7.5), axes=(YEARS,))
    return replace(found, outcome=Outcome.empty("auto"))


def nothing():
    """Noise, for which a kernel was found that explains less than nothing."""
    rng = np.random.default_rng(5)
    return analysis("SE(variance=0.01, lengthscale=1)", np.arange(60.0), rng.normal(size=60), noise=1.0, noise_bic=-90.0)


def none():
    """No kernel could be fitted."""
    rng = np.random.default_rng(6)
    return analysis(
        None,
        np.arange(40.0),
        rng.normal(size=40),
        noise=1.0,
        decision=Decision(DecisionKind.NONE),
        stopped=Stop.TERMINATE,
    )


def few(n=5):
    x = 2004.0 + np.arange(n)
    return analysis(
        "LIN(variance=1, location=2004)", x, 3 + 2 * (x - 2004) + 0.1 * np.cos(9 * x), noise=0.01, axes=(YEARS,), depth=0
    )


def hostile():
    x, y = months(60)
    return analysis(f"{TREND} + {CYCLE}", x, y, axes=(Axis(HOSTILE, "years"),), target=HOSTILE, tested=HELD)


def one():
    x, y = months(60, "SE(variance=4, lengthscale=3)")
    return analysis("SE(variance=4, lengthscale=3)", x, y, axes=(YEARS,))


def many():
    """Seven components, some of which explain nothing."""
    kernel = " + ".join([TREND, CYCLE, SHORT, "SE(variance=2, lengthscale=20)", "PER(variance=0.1, lengthscale=2, period=0.25)"])
    return series(150, kernel, options={"seed": 3, "depth": 4})


ALL = (series, dated, plain, table, contested, constant, nothing, none, few, hostile, one, many)
