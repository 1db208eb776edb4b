"""What is told of the choice and its rivals."""

from dataclasses import replace

import numpy as np
import pytest

import analyses
from analyses import series
from kernelscribe.engines.interval import Interval
from kernelscribe.report.description.view import View
from kernelscribe.report.document import plain
from kernelscribe.report.words import language
from reading import sentences
from sections import callouts, figures, long, only, tables


def test_rivals_among_many_rows_are_said_to_be_less_well_fitted():
    said, contested = "only the chosen kernel and the next best had their values fitted to the end", analyses.contested()
    waves = analyses.with_best(contested, engine="spectral")
    assert said not in tables(only("sure", waves))[0].caption, "few rows"
    waves, contested = (analyses.with_effort(each, many_rows=50) for each in (waves, contested))
    assert said in tables(only("sure", waves))[0].caption
    assert said not in tables(only("sure", contested))[0].caption, "another engine"
    alone = analyses.with_rivals(waves, *waves.outcome.rivals[:1])
    assert said not in tables(only("sure", alone))[0].caption, "the next best alone"


def test_rivals_are_held_against_the_choice():
    found = only("sure", analyses.contested())
    rows = [[plain(cell) for cell in row] for row in tables(found)[0].rows]
    assert [row[0] for row in rows] == ["SE + SE*PER + LIN", "SE*PER", "LIN"]
    assert rows[0][2:] == ["−0.75 to 1.75", "left open"]
    assert rows[1][2:] == ["2.75 to 4.25", "weak: at least 16 times less probable"]
    assert rows[2][3] == "beyond doubt: more than a million times less probable"
    said = " ".join(sentences(found))
    assert "SE + SE*PER + LIN: with smooth ups and downs that last about 3.6 months besides" in said
    assert "The choice is left open: the intervals of 1 more" in said
    warnings = callouts(found, "warning")
    assert any("the time allowed was used up" in each for each in warnings)
    assert any("lengthscale of SE1" in each for each in warnings)
    assert "rivals" in figures(found)
    assert "coverage" in figures(found)
    top = " ".join(sentences(only("findings", analyses.contested())))
    assert "One other description explains the data so nearly as well" in top


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (f"{analyses.TREND} + {analyses.CYCLE}", "with the same components, whose values"),
        (analyses.CYCLE, "without the straight line"),
        (f"{analyses.TREND} + {analyses.CYCLE.replace('period=1', 'period=0.5')}", "half-yearly cycle"),
    ],
)
def test_what_a_rival_would_mean_is_told_by_its_components(kernel, said):

    found = series()
    assert said in language.confidence.instead_of(View(found), analyses.rival(found.model, kernel, -112.0, -110.0, False))


def test_a_clear_choice_is_told_in_one_sentence():
    found = series()
    lone = analyses.with_rivals(found, analyses.rival(found.model, analyses.TREND, -180.0, -170.0, True))
    said = " ".join(sentences(only("findings", lone)))
    assert "The next best description (without " in said
    assert "is at least 58.75 nats behind: by the BIC it is more than a million times less probable." in said


def test_scores_of_a_subset_are_not_held_against_those_of_all_rows():
    found = series(options={"strategy": "subset", "subset": 50})
    sure = only("sure", analyses.with_rivals(found, analyses.rival(found.model, analyses.TREND, -80.0, -70.0, True)))
    assert "compared on 50 of the rows" in " ".join(sentences(sure))
    assert "rivals" not in figures(sure)
    assert plain(tables(sure)[0].rows[0][2]) == "–"


@pytest.mark.parametrize(("rows", "said"), [(1, "One further row is not counted"), (12, "Twelve further rows are not counted")])
def test_rows_that_nobody_could_have_known_of_are_counted(rows, said):
    tested = analyses.HELD
    assert tested.unforeseeable == 0
    assert "not counted" not in language.backtest.how(tested)
    assert f" {said}: something had begun there, or ended, of" in language.backtest.how(replace(tested, unforeseeable=rows))


def test_a_choice_for_simplicity_says_that_the_other_is_ahead():
    found = series()
    above = analyses.rival(found.model, f"{analyses.TREND} + {analyses.CYCLE}", -110.5, -110.4, False)
    sure = only("sure", analyses.with_rivals(found, above))
    assert plain(tables(sure)[0].rows[0][3]) == "ahead by less than its size is worth"


def test_noise_alone_is_compared():
    near = replace(series().outcome, noise_bic=-111.0)
    said = " ".join(sentences(only("sure", replace(series(), outcome=near))))
    assert "so there may be no structure at all" in said


@pytest.mark.parametrize(("lower", "upper", "said"), [
    (-4411.52, -4411.5, "Its own BIC is certified: the true value, by all 120 rows, lies between −4,411.52 and −4,411.50, "
     "an interval 0.02 nats wide."),
    (-110.751, -110.749, "Its own BIC is −110.75, by all 120 rows."),
    (-110.75, np.inf, "Its own BIC, by all 120 rows, is certified to be at least −110.75; from above it could not be bounded."),
])  # fmt: skip
def test_what_is_known_of_the_chosen_score(lower, upper, said):
    assert said in sentences(only("sure", (series(bic=Interval(lower, upper)))))


def test_a_score_that_is_not_known_is_not_told():
    assert "Its own BIC" not in " ".join(sentences(only("sure", (series(bic=Interval(-np.inf, np.inf))))))


def test_a_kernel_too_fast_for_its_waves_is_a_warning(monkeypatch):
    assert not callouts(only("sure", (long())), "warning")
    monkeypatch.setattr("kernelscribe.engines.spectral.posterior_waves._MOST", 40)
    (warning,) = callouts(only("sure", (long(length=20, options={"engine": "spectral"}))), "warning")
    assert "rests on all rows, by 40 waves, which leave out" in warning


def test_intervals_without_width_are_single_numbers():
    found = series()
    exact = analyses.with_best(found, bic=Interval(-110.0, -110.0))
    said = " ".join(sentences(only("appendix", exact)))
    assert "−110.00" in said
    assert "−110.00 to" not in said
