"""A kernel that no other file names, through the whole house: parsed, fitted by two engines, certified, taken apart, told, saved
and reported. What is one file in kernels/ needs no other."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import lfilter

import analyses
import kernelscribe as ks
from kernelscribe.api.analysis import Analysis, conclude
from kernelscribe.config import Config
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.kernel import fit
from kernelscribe.kernels import leaves, parse, text
from kernelscribe.model.model import Model
from kernelscribe.summary import analysis_dict

YEARS = Axis("year", "years")
X = 1960 + np.arange(160) / 4


def rough():
    """A walk that bends, and a yearly cycle."""
    rng, s = np.random.default_rng(3), np.sqrt(3) * np.abs(X[:, None] - X[None]) / 6
    K = 4 * (1 + s) * np.exp(-s)
    walk = np.linalg.cholesky(K + 1e-9 * np.eye(len(X))) @ rng.normal(size=len(X))
    return 20 + walk + np.sin(2 * np.pi * X) + 0.2 * rng.normal(size=len(X))


def walked(kind):
    """Departures that last a year, a random walk, and a trend that bends; with a little noise."""
    rng = np.random.default_rng(8)
    steps = rng.normal(size=len(X))
    match kind:
        case "ROUGH":
            y = lfilter([1.0], [1.0, -np.exp(-0.25)], steps)
        case "WALK":
            y = np.cumsum(steps)
        case _:
            y = 0.1 * np.cumsum(np.cumsum(steps))
    return 20 + y + 0.1 * rng.normal(size=len(X))


def broken():
    """A cycle of two years that ends in 1985, and a slow wave from there on."""
    before, after = 3 * np.sin(np.pi * X), 5 * np.sin(2 * np.pi * X / 30)
    return 50 + np.where(X < 1985, before, after) + 0.2 * np.random.default_rng(4).normal(size=len(X))


def whole(kernel, y, engine, tmp_path) -> Analysis:
    """Fitted, concluded, saved and loaded again."""
    data = Dataset.of(X, y, axes=[YEARS], target="level")
    config = Config(engine=engine, inducing=60 if engine == "inducing" else None, restarts=4)
    found = fit(data, parse(kernel), config)
    assert found.usable
    assert found.evidence.interval.lower <= found.evidence.exact <= found.evidence.interval.upper
    made = Model(data, found.expr, found.noise, config)
    kept = conclude(made, replace(analyses.outcome(made), best=found))
    again = ks.load(kept.save(tmp_path / "model.json"))
    assert again.outcome.best.expr == found.expr
    np.testing.assert_array_equal(again.model.posterior.mean(data.X), kept.model.posterior.mean(data.X))
    return again


@pytest.mark.parametrize("engine", ["exact", "inducing"])
def test_a_base_kernel_is_one_file(engine, tmp_path):
    found = whole("MATERN + PER", rough(), engine, tmp_path)
    assert found.kernel == "MATERN + PER"
    assert found.components[0].term.factors[0].kind == "MATERN"
    assert any("departures" in words.summary for words in found.words)
    assert any("yearly cycle" in words.summary for words in found.words)
    assert 0.8 < found.decomposition.explained <= 1
    assert found.components[0].spread[0][0] > 0
    assert found.backtest is not None
    forecast = found.forecast(8)
    assert (forecast["mean"].between(found.model.target.min() - 5, found.model.target.max() + 5)).all()
    page = found.report(tmp_path / "report.md").read_text()
    assert "MATERN" in page
    assert "yearly cycle" in page
    said = json.loads(json.dumps(analysis_dict(found)))
    assert said["components"][0]["lengthscales"][0] == pytest.approx(next(leaves(found.outcome.best.user)).values[1])


@pytest.mark.parametrize("engine", ["exact", "inducing"])
@pytest.mark.parametrize(
    ("kind", "values", "summary", "ahead"),
    [
        ("ROUGH", (0.4, 3.0), " departures of ", "they go back to the level."),
        # Over a year of four steps of one.
        ("WALK", (4 * 0.7, 4 * 1.4), "a level that drifts", "The best forecast of the level is where it is."),
        ("SPLINE", (0.05, 8.0), "a bending trend", "go on with its last slope"),
    ],
)
def test_what_is_rough_or_walks(kind, values, summary, ahead, engine, tmp_path):
    found = whole(kind, walked(kind), engine, tmp_path)
    assert found.kernel == kind
    (leaf,) = leaves(found.outcome.best.user)
    # Some sixty points cannot follow every turn: they see less of it, and for longer.
    slack = 1 if engine == "exact" else 3
    assert values[0] / slack < leaf.values[leaf.base.index("lengthscale") if kind == "ROUGH" else 0] < values[1] * slack
    (words,) = found.words
    assert summary in words.summary
    assert ahead in " ".join(words.outlook)
    assert found.decomposition.explained > (0.9 if engine == "exact" else 0.75)
    # 1 − exp(−2d/ℓ) is nine tenths at 1.15 ℓ, or a little further by what the data leave open.
    (forgets,) = (each.forgets for each in found.components)
    assert forgets is None if kind != "ROUGH" else 0.9 < forgets / leaf.values[1] < 1.5
    page = found.report(tmp_path / "report.md").read_text()
    assert summary in page
    assert ahead in page
    assert f"{kind} for those" in page
    assert "not to be relied on" not in page
    forecast = found.forecast(40)
    mean, width = forecast["mean"].to_numpy(), (forecast["upper_95"] - forecast["lower_95"]).to_numpy()
    assert (np.diff(width) > -1e-9).all()
    level, last = found.model.target.mean(), mean[0]
    match kind:
        case "ROUGH":
            assert abs(mean[-1] - level) < 0.1 * abs(last - level) + 0.2
        case "WALK":
            np.testing.assert_allclose(mean, last, rtol=1e-6)
        case _:
            np.testing.assert_allclose(np.diff(mean), mean[1] - mean[0], rtol=1e-3, atol=1e-6)
    said = json.loads(json.dumps(analysis_dict(found)))["components"][0]
    assert (len(said["lengthscales"]), len(said["locations"])) == ((1, 0) if kind == "ROUGH" else (0, 1))


@pytest.mark.parametrize("engine", ["exact", "inducing"])
def test_an_operator_is_one_file(engine, tmp_path):
    found = whole("CHANGE(PER, SE)", broken(), engine, tmp_path)
    assert found.kernel == "CHANGE(PER, SE)"
    assert found.outcome.best.user.values[0] == pytest.approx(1985, abs=0.5)
    told = " ".join(words.summary for words in found.words)
    assert "until 198" in told
    assert "from 198" in told
    page = found.report(tmp_path / "report.md").read_text()
    assert "until 198" in page
    assert "from 198" in page
    assert text(found.outcome.best.expr, inputs=1) == "CHANGE(PER, SE)"
    # What has ended is not forecast.
    forecast = found.forecast(16)
    assert np.ptp(forecast["mean"]) < 6


def test_the_chooser_finds_an_engine_for_what_waves_cannot_follow():
    rng = np.random.default_rng(0)
    x = np.arange(700) / 7
    y = np.sin(x) + 0.1 * rng.normal(size=700)
    found = ks.fit_kernel("MATERN", x, y, restarts=1)
    assert (found.engine, found.usable) == ("series", True)
