"""A target on another scale from end to end: search, forecasts, tables, files, words and charts."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import kernelscribe as ks
from kernelscribe.app.cli import cli
from kernelscribe.app.results import write_results
from kernelscribe.config import Config
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.kernels import parse, to_standard
from kernelscribe.model.backtest import backtest
from kernelscribe.model.components import decompose
from kernelscribe.model.forecast import draws, table
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.scale_words import rate_on_scale
from kernelscribe.search.pool import Inline
from kernelscribe.summary import analysis_dict, analysis_text

YEARS = Axis("time", "years")
GROWTH = "LIN(variance=0.09, location=2004) + PER(variance=0.01, lengthscale=2, period=1)"


def sales(n=96, seed=0):
    """Growth of 30 % a year on a logarithmic scale, a year of ± 10 %, and noise of 3 %."""
    t = 2000 + np.arange(n) / 12
    noise = 0.03 * np.random.default_rng(seed).normal(size=n)
    return Dataset.of(t, 100 * np.exp(0.3 * (t - 2000) + 0.1 * np.sin(2 * np.pi * t) + noise), axes=[YEARS], target="sales")


def modelled(name="log"):
    data = sales().linked(name)
    return Model(data, to_standard(parse(GROWTH), data.inputs, data.output), Constant(9e-4 / data.output.scale**2), Config())


@pytest.fixture(scope="module")
def found():
    """A small search for real, on the logarithm."""
    with ks.parallel(Inline()):
        return ks.analyse(sales(60), transform="log", strategy="cks", depth=1, seed=0)


@pytest.fixture(scope="module")
def calls():
    t = 2000 + np.arange(60) / 12
    counts = np.random.default_rng(0).poisson(np.exp(1 + 1.2 * np.sin(2 * np.pi * t)))
    with ks.parallel(Inline()):
        return ks.analyse(Dataset.of(t, counts, axes=[YEARS], target="calls"), transform="root", strategy="cks", depth=0, seed=0)


@pytest.fixture(scope="module")
def text(found, tmp_path_factory):
    return found.report(tmp_path_factory.mktemp("report") / "report.md").read_text()


def test_a_search_on_the_logarithm_beats_one_on_the_target(found):
    with ks.parallel(Inline()):
        plain = ks.analyse(sales(60), strategy="cks", depth=1, seed=0)
    assert (found.outcome.link, plain.outcome.link) == ("log", "none")
    assert found.model.data.link == "log"
    assert found.bic.lower > plain.bic.upper + 5
    assert found.outcome.structure


def test_a_prediction_is_lognormal():
    """Quantiles, median and standard deviation as scipy has them for the same mean and deviation of the logarithm."""
    made, X = modelled(), np.array([[2001.0], [2004.2], [2012.0]])
    predicted = made.predict(X)
    law = stats.lognorm(s=predicted.deviation, scale=np.exp(predicted.transformed))
    np.testing.assert_allclose(predicted.median, law.median(), rtol=1e-12)
    np.testing.assert_allclose(predicted.std, law.std(), rtol=1e-9)
    for level in (50, 95):
        np.testing.assert_allclose(predicted.band(level), law.interval(level / 100), rtol=1e-9)


def test_columns_of_a_table_multiply():
    made, X = modelled(), np.array([[2001.0], [2008.5]])
    parts = decompose(made)
    frame = table(made, X, [each.standard for each in parts.components], [each.offset for each in parts.components])
    product = np.exp(parts.level) * np.prod(1 + frame[["LIN1", "PER1"]].to_numpy() / 100, axis=1)
    np.testing.assert_allclose(product, frame["mean"], rtol=1e-9)


def test_bands_never_reach_zero(found, calls):
    far = 2000 + np.array([0.0, 20.0, 100.0])
    assert (found.predict(far, level=99.9)["lower_99.9"] > 0).all()
    assert (calls.predict(far, level=99.9)["lower_99.9"] >= 0).all()
    assert (found.forecast(6)["mean"] > 100).all()


def test_draws_are_values_of_the_target():
    made, X = modelled(), np.array([[2001.0], [2009.0]])
    beneath = made.predict(X, noisy=False)
    courses = draws(made, X, 20_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.median(courses, axis=0), beneath.median, rtol=0.01)
    np.testing.assert_allclose(np.log(courses).std(axis=0), beneath.deviation, rtol=0.03)


def test_the_model_is_that_of_the_logarithm_taken_back():
    """The same kernel on a table of logarithms has the same components, errors and bands, on that scale."""
    made, t = modelled(), sales().inputs[0]
    x = t.centre + t.scale * sales().X[:, 0]
    data = Dataset.of(x, np.log(sales().values), axes=[YEARS], target="sales")
    plain = Model(data, made.expr, made.noise, Config())
    X = np.array([[2003.3], [2010.0]])
    np.testing.assert_allclose(np.log(made.predict(X).median), plain.predict(X).median, rtol=1e-12)
    np.testing.assert_allclose(np.log(made.predict(X).band(80)), plain.predict(X).band(80), rtol=1e-12)
    np.testing.assert_allclose(made.target, sales().values, rtol=1e-12)
    assert made.noise_sd == pytest.approx(0.03)
    for one, other in zip(decompose(made).components, decompose(plain).components, strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-9, atol=1e-12)
    tested, same = backtest(made), backtest(plain)
    assert tested.covered == same.covered
    assert tested.widening == same.widening
    assert 0.5 < tested.error / (same.error * made.target[len(made.target) // 2 :].mean()) < 2


def test_a_model_comes_back_from_its_file(found, calls, tmp_path):
    for each in (found, calls):
        again = ks.load(each.save(tmp_path / "model.json"))
        assert again.model.data.link == each.model.data.link == again.outcome.link
        assert again.model.data.jacobian == each.model.data.jacobian
        assert again.model.data.plain == each.model.data.plain
        np.testing.assert_array_equal(again.forecast(5).to_numpy(), each.forecast(5).to_numpy())
        np.testing.assert_array_equal(again.model.target, each.model.target)
        back = again.model.data.linked("none")
        np.testing.assert_allclose(back.values, each.model.data.values, rtol=1e-12)


def test_the_files_of_a_run_hold_the_users_values(found, tmp_path):
    write_results(found, tmp_path)
    lines = (tmp_path / "components.csv").read_text().splitlines()
    assert lines[0].split(",")[:3] == ["ds", "sales", "mean"]
    values = np.array([float(line.split(",")[1]) for line in lines[1:]])
    np.testing.assert_allclose(values, sales(60).values, rtol=1e-12)


def test_the_report_tells_sizes_in_per_cent(text):
    assert "sales is described on a logarithmic scale: components multiply, and their sizes are told in per cent." in text
    noise = re.search(r"Noise: \*\*± (\S+) %\*\*", text)
    assert 2 < float(noise[1]) < 4
    assert "of the variance of the logarithm of sales" in text
    assert "as the product of two components" in text
    assert re.search(r"multiply a constant level of 2\d\d\.\d to make", text)
    assert re.search(r"from \d\.\d\d % to \d+\.\d %", text)
    assert "its logarithm may be easier" not in text


def test_charts_of_components_are_in_per_cent(found):
    view = View(found)
    assert str(found.document()).count("% of the level") >= 2
    x = np.array([[2000.5], [2004.0]])
    mean, lower, upper = view.shape(x, [found.components[0].standard], view.centred[0])
    assert ((lower < mean) & (mean < upper) & (lower > -100)).all()
    level = float(np.exp(view.level))
    height = view.height(x, [found.components[0].standard], view.centred[0])
    np.testing.assert_allclose(view.together(x, 0)[0], level * (1 + height / 100), rtol=1e-9)
    np.testing.assert_allclose(view.sums[-1] * (1 + view.left(-1) / 100), found.model.target, rtol=1e-9)


def test_growth_is_told_as_compound():
    made = modelled()
    component = next(each for each in decompose(made).components if str(each.term) == "LIN1")
    yearly = 100 * np.expm1(component.slope)
    assert yearly == pytest.approx(35, abs=1)
    assert rate_on_scale(made.link, YEARS, component.slope, 8.0) == f"{yearly:.1f} % a year"


def test_counts_are_told_on_the_scale_of_their_root(calls, tmp_path):
    report = calls.report(tmp_path / "report.md").read_text()
    assert "calls is described on the scale of the square root of calls + 3/8" in report
    assert "of the variance of the root of calls" in report
    assert "part of √(calls + 3/8)" in str(calls.document())
    assert (calls.model.target == np.rint(calls.model.target)).all()


def test_the_terminal_and_json_say_the_scale(found):
    said = analysis_text(found)
    assert "explaining log sales by time" in said
    assert "described on a logarithmic scale" in said
    assert re.search(r"noise with a standard deviation of \d\.\d\d %", said)
    assert analysis_dict(found)["transform"] == "log"
    assert json.dumps(analysis_dict(found))


def test_the_command_line_takes_the_scale_and_refuses_what_does_not_fit(tmp_path):
    file = tmp_path / "sales.csv"
    file.write_text("time,sales\n" + "".join(f"{i},{3 + i % 5 - (3 if i == 5 else 0)}\n" for i in range(20)))
    refused = CliRunner().invoke(cli, ["score", str(file), "SE", "--transform", "log"])
    assert "sales is 0 in row 6" in f"{refused.output}{refused.exception}"
    scored = CliRunner().invoke(cli, ["score", str(file), "SE", "--transform", "root", "--json"])
    assert json.loads(scored.output)["transform"] == "root"


def test_a_journal_of_another_scale_is_refused_by_the_option(tmp_path):
    journal = tmp_path / "search.jsonl"
    with ks.parallel(Inline()):
        ks.analyse(sales(30), transform="log", strategy="cks", depth=0, journal=journal)
        with pytest.raises(ks.JournalError, match="transform was 'log', is now 'auto'"):
            ks.analyse(sales(30), strategy="cks", depth=0, journal=journal, resume=True)
        again = ks.analyse(sales(30), transform="log", strategy="cks", depth=0, journal=journal, resume=True)
    assert again.outcome.link == "log"
