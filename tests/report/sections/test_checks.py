"""What is told of the model's errors."""

import re

import numpy as np
import pytest
from scipy import stats

import analyses
from kernelscribe.report.compose import compose
from kernelscribe.report.document import Strong, pieces, plain
from reading import section, sentences
from sections import figures, long, only, tables


def test_checks_that_find_nothing_say_so(document):
    found = section(document, "checks")
    (table,) = tables(found)
    assert len(table.rows) == 6
    assert all(re.fullmatch(r"\d\.\d{3}|<0\.001", plain(cell)) for row in table.rows for cell in row[1:])
    assert "Nothing was found that chance does not explain." in sentences(found)
    assert set(figures(found)) == {"acf", "periodogram", "quantiles"}


def test_checks_that_find_something_name_it_and_what_it_may_mean():
    x, y = analyses.months(240)
    kernel = "LIN(variance=0.3, location=2000)"
    found = section(
        compose(analyses.analysis(kernel, x, y + 3 * np.sin(2 * np.pi * x), noise=6.0, axes=(analyses.YEARS,))), "checks"
    )
    said = " ".join(sentences(found))
    assert "A cycle of about 1.0" in said
    assert "there may be a cycle that no component describes" in said
    bold = [cell for row in tables(found)[0].rows for cell in row if any(isinstance(part, Strong) for part in pieces(cell))]
    assert plain(bold[0]) == "<0.001"


def test_checks_of_some_rows_say_how_many():
    said = " ".join(sentences(only("checks", (long(options={"inducing": 100})))))
    assert "Of the 2,500 rows, the last 2,000 were looked at." in said
    assert "each value predicted from all rows before it" in said


def test_checks_by_waves_look_at_all_rows_and_say_what_their_errors_are(monkeypatch):
    waves = {"engine": "spectral"}
    said = " ".join(sentences(only("checks", long(options=waves))))
    assert "were looked at" not in said
    assert "what it leaves over, with the little that the curve took of the noise given back" in said
    assert "too small to matter" not in said
    monkeypatch.setattr("kernelscribe.report.words.english.checks._MANY", 2500)
    assert "even departures are found that are too small to matter" in " ".join(sentences(only("checks", long(options=waves))))


def test_the_quantiles_of_many_errors_keep_the_largest():
    """A few hundred are drawn, with the same band as if all were."""
    found = long()
    errors = np.sort(found.criticism.errors)
    chart = figures(only("checks", (found)))["quantiles"].spec["datasets"]["values"]
    assert len(chart) < 1300
    assert [chart[0]["y"], chart[-1]["y"]] == pytest.approx([errors[0], errors[-1]], rel=1e-5)
    ends = stats.norm.ppf(stats.beta.ppf([0.025, 0.975], 2500, 1))
    assert [chart[-1]["lower"], chart[-1]["upper"]] == pytest.approx(ends, rel=1e-4)
