"""Words for components that act in a part of the data, and for base kernels that nobody here has heard of."""

import numpy as np
import pytest

import analyses
from kernelscribe.data.axis import Axis
from kernelscribe.kernels import parse
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.bases.se import SquaredExponential
from kernelscribe.kernels.normal import Factor, Term, normal
from kernelscribe.report.compose import compose
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.document import plain
from kernelscribe.report.words import language
from reading import words
from subjects import YEARS, lin, per

LINE, CYCLE = "LIN(variance=1, location=1950)", "PER(variance=1, lengthscale=1, period=1)"
TABLE = (Axis("temperature"), Axis("depth", "m"))
ENDS = {1: ((1960.0, 2000.0),), 2: ((0.0, 10.0), (0.0, 10.0))}


def subjects(kernel, axes=(YEARS,)):
    return [Subject.of(term, axes, ENDS[len(axes)]) for term in normal(parse(kernel))]


def change(before, after, dim="", place=1980.4):
    return f"CHANGE{dim}({before}, {after}, location={place}, width=0.1)"


@pytest.mark.parametrize(
    ("kernel", "summary"),
    [
        (change(LINE, "0"), "a straight line, which applies until 1980"),
        (change("0", f"{LINE}*{LINE}"), "a quadratic polynomial, which applies from 1980 onwards"),
        (change(CYCLE, "0"), "a yearly cycle, which applies until 1980"),
        (f"WINDOW(0, {LINE}, location=1980, width=10, edge=0.1)", "a straight line, which applies from 1975 until 1985"),
        (change("0", "C(variance=2)"), "a constant, which applies from 1980 onwards"),
    ],
)  # fmt: skip
def test_a_gate_says_where_and_changes_nothing_else(kernel, summary):
    assert language.component.describe(subjects(kernel)[0]).summary == summary


def test_what_goes_on_is_told_as_without_the_gate():
    gated, free = subjects(change("0", f"{LINE}*{LINE}"))[0], subjects(f"{LINE}*{LINE}")[0]
    assert language.component.describe(gated).outlook == language.component.describe(free).outlook


def test_the_size_of_a_part_grows_though_the_part_ends():
    told = " ".join(language.component.describe(subjects(change(f"{CYCLE}*{LINE}", "0"))[0]).details)
    assert "Its size grows." in told


def test_a_gate_on_another_input_is_named_by_it():
    (line,) = subjects(change("LIN1(variance=1, location=3)", "0", 2, 5.0), TABLE)
    told = language.component.describe(line)
    assert told.summary == "a straight line in temperature, which applies until depth = 5.00 m"
    assert told.outlook == ("Outside the range of temperature in the data the line is assumed to go on as before.",)


def test_gates_on_several_inputs_are_left_to_the_figure():
    inner = change("LIN1(variance=1, location=3)", "0", 2, 5.0)
    (line,) = subjects(change("0", inner, 1, 3.0), TABLE)
    assert "could not be worked out" in language.component.describe(line).summary


def test_a_line_that_acts_for_a_while_has_no_slope_over_all_the_data():
    rng = np.random.default_rng(0)
    x = 2000 + np.arange(120) / 12
    y = np.where(x < 2005, 3 * (x - 2000), 0.0) + 0.1 * rng.normal(size=120)
    kernel = "CHANGE(LIN(variance=9, location=2000), C(variance=1), location=2005, width=0.01)"
    found = analyses.analysis(kernel, x, y, noise=0.01, axes=(YEARS,))
    assert [each.summary for each in found.words] == [
        "a straight line, which applies until January 2005",
        "a constant, which applies from January 2005 onwards",
    ]
    assert "a year" not in " ".join(map(plain, words(compose(found))))


class Unheard(SquaredExponential):
    """A base kernel that no file of the report knows: its role and its quantities are all that there is to go by."""

    name = "UNHEARD"


@pytest.mark.parametrize("more", [(), (per(1.0),), (lin(1950.0),), (per(1.0), lin(1950.0))])
def test_a_base_kernel_nobody_has_heard_of_gets_good_words(monkeypatch, more):
    """The same words as the squared exponential: both vary smoothly over a length-scale."""
    monkeypatch.setattr("kernelscribe.kernels.normal.BASES", {**BASES, "UNHEARD": Unheard()})
    mine, theirs = (Subject.of(Term(1.0, (Factor(kind, 1, (3.0,)), *more)), (YEARS,), ENDS[1]) for kind in ("UNHEARD", "SE"))
    assert language.component.describe(mine) == language.component.describe(theirs)
    assert language.headline.headline([mine]) == language.headline.headline([theirs])


def test_rough_variation_is_told_drawn_and_listed():
    found = analyses.series(60, "MATERN(variance=1, lengthscale=2)")
    assert [each.summary for each in found.words] == ["slow departures of ± 0.63 that last about 2.0 years"]
    assert "lengthscale 2.000" in " ".join(map(plain, words(compose(found))))
    assert language.brief.brief(parse("MATERN*PER"), ["year"]) == "a cycle that changes its shape"
