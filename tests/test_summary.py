"""What a search has found, in words and as JSON; and the slope of a line by the paper's formula."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import discover, fit_kernel, parallel
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.events import Stop
from kernelscribe.kernels import text
from kernelscribe.outcome import Decision, DecisionKind, Rival
from kernelscribe.report.words.english.nodes import node
from kernelscribe.search.pool import Inline
from kernelscribe.search.shown import in_user_units
from kernelscribe.summary import as_dict, as_text, outcome_dict, outcome_text

X = np.arange(40.0)
Y = X / 10 + np.sin(2 * np.pi * X / 8) + 0.1 * np.random.default_rng(0).normal(size=40)
DATA = Dataset.of(X, Y)


@pytest.fixture(scope="module")
def found():
    with parallel(Inline()):
        return discover(X, Y, depth=1, restarts=2, strategy="cks")


@pytest.fixture(scope="module")
def told():
    """A search over statements."""
    with parallel(Inline()):
        return discover(X, X / 10 + 0.5 * np.random.default_rng(1).normal(size=40))


@pytest.mark.parametrize("kernel", ["LIN", "PER + LIN"])
def test_slope_by_the_dense_formula(kernel):
    """σ²(x − l)ᵀ[σ²(x − l)(x − l)ᵀ + s2·I]⁻¹(y − mean), all in the data's units."""
    x, y = 3 * X + 1000, 50 * Y - 7
    fit = fit_kernel(kernel, x, y, restarts=2)
    line = next(each for each in as_dict(fit)["parameters"] if each["kind"] == "LIN")
    away = x - line["location"]
    C = line["variance"] * np.outer(away, away) + fit.user_noise.level * np.eye(len(x))
    dense = line["variance"] * away @ np.linalg.solve(C, y - y.mean())
    slopes = [each["slope"] for each in as_dict(fit)["components"]]
    assert slopes[-1] == pytest.approx(dense, rel=1e-6)
    assert slopes[:-1] == [None] * (len(slopes) - 1)


def test_slope_with_several_inputs_and_in_a_product():
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(50, 2)) * [1, 20]
    y = 2 * inputs[:, 0] - 0.3 * inputs[:, 1] + 0.1 * rng.normal(size=50)
    slopes = {each["text"]: each["slope"] for each in as_dict(fit_kernel("LIN1 + LIN2", inputs, y, restarts=2))["components"]}
    assert slopes["LIN2"] == pytest.approx(-0.3, abs=0.05)
    assert as_dict(fit_kernel("SE*LIN", X, Y, restarts=1))["components"][0]["slope"] is None


def test_in_words(found):
    said = outcome_text(found, DATA)
    assert f"explaining y by x1, {len(X)} rows" in said
    assert "chosen          by exact values" in said
    assert f"searched        {len(found.fits)} kernels" in said
    assert "next best" in said
    assert "No structure" not in said
    assert "not separated" not in said


def test_an_exact_value_is_said_once(found):
    """Beside an interval it is named; where the interval is that value, it is not repeated."""
    assert "exactly" not in as_text(found.best)
    assert f"  evidence        {found.best.evidence.exact:.2f} nats\n" in as_text(found.best)
    wide = replace(found.best, evidence=replace(found.best.evidence, interval=Interval(-5.0, 50.0), exact=7.0))
    assert "  evidence        between -5.00 and 50.00 nats, exactly 7.00\n" in as_text(wide)


def test_runners_up_in_words(found):
    near = [Rival(fit.expr, fit.noise, Interval(-5.0, 50.0), told=False) for fit in found.fits if fit.usable][:2]
    said = outcome_text(replace(found, contenders=tuple(near * 4), decision=Decision(DecisionKind.OPEN, 8)), DATA)
    assert "chosen          left open: the intervals of 8 more reach into that of the best" in said
    assert "not told from it:" in said
    assert said.count("BIC between -5.00 and 50.00") == 5
    assert "and 3 more" in said


def test_no_structure_and_no_model_in_words(found):
    assert "No structure: noise alone has a BIC of" in outcome_text(replace(found, noise_bic=1e6), DATA)
    assert not replace(found, noise_bic=1e6).structure
    said = outcome_text(replace(found, best=None), DATA)
    assert said.startswith(f"No model: none of {len(found.fits)} kernels could be fitted.")


def test_as_json(found):
    data = json.loads(json.dumps(outcome_dict(found, DATA), allow_nan=False))
    assert data["strategy"] == "cks"
    assert data["fits"] == len(found.fits)
    assert data["dropped"] + data["failed"] <= data["fits"]
    assert data["decision"] == "by exact values"
    assert data["runners_up"] == []
    assert data["structure"] is True
    assert data["noise_bic"] < data["bic"]["lower"]
    assert data["stopped"] is None
    # Every screening, what polishing added to it, and every copy, whether it was kept or not.
    cost = sum(result.evaluations for task, result in found.state.log if task.stage in ("screen", "polish", "renew"))
    twice = sum(task.screened.evaluations for task, _ in found.state.log if task.stage == "polish")
    assert data["evaluations"] == cost - twice > sum(fit.evaluations for fit in found.fits)
    assert data["components"][0]["text"] == data["terms"][0]


def test_as_json_without_a_model_or_with_runners_up(found):
    nothing = outcome_dict(replace(found, best=None, stopped=Stop.INTERRUPT), DATA)
    assert nothing["kernel"] is None
    assert nothing["structure"] is False
    assert nothing["stopped"] == "ctrl-C"
    json.dumps(nothing, allow_nan=False)
    other = next(fit for fit in found.fits if fit.usable)
    near = outcome_dict(replace(found, contenders=(Rival.of(other, told=False),)), DATA)["runners_up"]
    bic = {"lower": other.bic.lower, "upper": other.bic.upper}
    assert near == [{"kernel": text(other.expr, inputs=1), "statement": None, "bic": bic, "score": None}]


def test_statements_in_words(told):
    said = outcome_text(told, DATA).splitlines()
    assert said[0] == "line"
    assert f"  searched        {len(told.fits)} statements" in said[-1]
    assert any(line.startswith("  score           ") for line in said)
    assert not any("next best" in line for line in said)
    near = [line.strip() for line in said if line.startswith("    ")]
    assert [line.split("  score ")[0] for line in near[: len(told.contenders)]] == [
        node(in_user_units(each.statement, told.best.scales), DATA) for each in told.contenders[:5]
    ]


def test_statements_as_json(told):
    data = json.loads(json.dumps(outcome_dict(told, DATA), allow_nan=False))
    assert data["statement"] == "line"
    assert data["score"]["lower"] == told.best.score.lower > data["noise_bic"]
    assert len(data["runners_up"]) == len(told.contenders)
    assert all(each["score"]["upper"] >= data["score"]["lower"] - 2 for each in data["runners_up"])


def test_noise_alone_is_a_statement_without_structure(told):
    alone = told.state.fits["none: level ~ constant"]
    found = replace(told, best=alone, contenders=())
    assert not found.structure
    assert outcome_text(found, DATA).startswith("noise alone\n")


def test_the_answer_depends_on_data_and_options_alone(found):
    """Reports of the same search differ in their times alone."""
    with parallel(Inline()):
        again = discover(X, Y, depth=1, restarts=2, strategy="cks")
    left, right = (outcome_dict(each, DATA) for each in (found, again))
    assert {key for key in left if left[key] != right[key]} <= {"seconds"}
