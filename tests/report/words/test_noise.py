"""What is said of noise that varies, and that nothing more is said of noise that does not."""

import numpy as np
import pytest

import analyses
from kernelscribe.model.criticism import Check
from kernelscribe.noises import Changing, Growing
from kernelscribe.report.compose import compose
from kernelscribe.report.description.view import View
from kernelscribe.report.document import plain
from kernelscribe.report.words import language
from kernelscribe.report.words.english.checks import _meaning
from kernelscribe.summary import analysis_dict, analysis_text, as_text
from reading import words

KERNEL = "SE(variance=4, lengthscale=3)"
X = 2004 + np.arange(144) / 12
Y = np.sin(X) + 0.1 * np.cos(50 * X)


def view(noise, axis=analyses.YEARS):
    return View(analyses.analysis(KERNEL, X, Y, noise=noise, axes=(axis,)))


def growing(first, last):
    """By its standard deviations at both ends of the data."""
    span = X[-1] - X[0]
    return Growing(first * last, 2 * np.log(last / first) / span, middle=0.5 * (X[0] + X[-1]))


@pytest.mark.parametrize(("noise", "says"), [
    (0.04, ""),
    (growing(0.3, 1.2), "It grows along the data, from ± 0.300 in January 2004 to ± 1.20 in December 2015."),
    (growing(1.2, 0.3), "It shrinks along the data, from ± 1.20 in January 2004 to ± 0.300 in December 2015."),
    (growing(0.3, 0.302), "It may grow or shrink along the data, but hardly does."),
    (Changing(0.04, 0.16, 2010.34, 0.01), "It doubles in May 2010, from ± 0.200 to ± 0.400."),
    (Changing(0.16, 0.04, 2010.34, 0.01), "It halves in May 2010, from ± 0.400 to ± 0.200."),
    (Changing(0.04, 0.36, 2010.34, 0.5), "It grows in May 2010, within about 2.0 years, from ± 0.200 to ± 0.600."),
    (Changing(0.36, 0.2, 2010.34, 0.01), "It shrinks in May 2010, from ± 0.600 to ± 0.447."),
    (Changing(0.04, 0.0402, 2010.34, 0.01), "It may change in May 2010, but hardly does."),
], ids=str)  # fmt: skip
def test_how_it_goes(noise, says):
    assert language.noise.sentence(view(noise)) == says


@pytest.mark.parametrize(("noise", "says"), [
    (0.04, ""),
    (growing(0.3, 0.4), ""),
    (growing(0.3, 1.2), "The noise grows from ± 0.30 to ± 1.2."),
    (Changing(0.36, 0.04, 2010.34, 0.01), "The noise shrinks from ± 0.60 to ± 0.20."),
], ids=str)  # fmt: skip
def test_the_headline_says_so_where_it_goes_far(noise, says):
    found = view(noise)
    assert language.noise.in_short(found) == says
    assert language.findings.headline(found).endswith(says)


def test_of_a_table_the_input_is_named():
    rng = np.random.default_rng(0)
    inputs = rng.uniform(0, 10, size=(60, 2))
    found = analyses.analysis(
        "SE1(variance=1, lengthscale=3)", inputs, rng.normal(size=60), noise=Growing(0.1, 0.3, 5.0),
        axes=(analyses.PLAIN, analyses.YEARS),
    )  # fmt: skip
    assert language.noise.sentence(View(found)).startswith("It grows along depth, from ± 0.15")


@pytest.mark.parametrize("noise", [growing(0.3, 1.2), Changing(0.04, 0.16, 2010.34, 0.01)], ids=str)
def test_the_report_says_it_where_noise_is_told(noise):
    found = analyses.analysis(KERNEL, X, Y, noise=noise, axes=(analyses.YEARS,))
    says, told = language.noise.sentence(View(found)), " ".join(map(plain, words(compose(found))))
    assert f", on average. {says}" in told
    assert says in analysis_text(found)
    assert f"noise, {noise.name}" in told
    assert all(parameter.name in told for parameter in noise.parameters)
    assert f"provided that what was found goes on. {language.noise.onwards(View(found))}" in told


@pytest.mark.parametrize("noise", [0.04, growing(0.3, 1.2), Changing(0.04, 0.16, 2010.34, 0.01)], ids=str)
def test_json_has_its_kind_and_its_values(noise):
    found = analyses.analysis(KERNEL, X, Y, noise=noise, axes=(analyses.YEARS,))
    told = analysis_dict(found)["noise"]
    expected = found.model.noise.user(found.model.data.inputs, found.model.data.output)
    assert told == {"kind": expected.name} | {
        parameter.name: value for parameter, value in zip(expected.parameters, expected.values, strict=True)
    }
    line = next(line for line in as_text(found.outcome.best).splitlines() if "noise variance" in line)
    assert ("in the middle" in line) == (not expected.uniform)


def test_a_drift_is_told_by_what_was_assumed():
    check = Check("drift", 0.001, 0.3)
    assert _meaning(check, uniform=True, plain=True).startswith("The noise is taken to be the same throughout, but it grows")
    assert _meaning(check, uniform=False, plain=True).startswith(
        "The noise varies in another way: beside what is told of it, it grows"
    )
