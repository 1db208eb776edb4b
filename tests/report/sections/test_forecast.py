"""What is told and drawn beyond the data."""

from dataclasses import replace

import pytest

from analyses import HELD, NARROW, series
from reading import section, sentences
from sections import callouts, figures, only, tables


def test_the_forecast_has_a_band_draws_rows_and_an_outlook(document):
    found = section(document, "forecast")
    (table,) = tables(found)
    assert len(table.rows) == 8
    assert table.rows[0][0] == "1 January 2014"
    analysis = series()
    frame = analysis.forecast()
    mean, lower, upper = (float(cell) for cell in table.rows[-1][1:])
    assert mean == pytest.approx(frame["mean"].iloc[-1], abs=0.01)
    assert lower == pytest.approx(frame["lower_95"].iloc[-1], abs=0.01)
    assert upper == pytest.approx(frame["upper_95"].iloc[-1], abs=0.01)
    assert {"ahead", "draws", "ahead-1", "ahead-2", "ahead-3"} == set(figures(found))
    for told in analysis.words:
        assert " ".join(told.outlook) in " ".join(sentences(found))
    assert "widened" not in " ".join(sentences(found))


def test_the_steps_can_be_chosen():
    found = only("forecast", series(), 3)
    assert "reaches three steps beyond the data" in " ".join(sentences(found))
    assert len(tables(found)[0].rows) == 3


def test_bands_that_were_widened_are_said_to_be():
    analysis = series(tested=NARROW)
    ahead, sure = (" ".join(sentences(only(name, analysis))) for name in ("forecast", "sure"))
    assert "they are 1.88 times as wide as the model alone would draw them" in ahead
    assert "without the widening" in ahead
    (note,) = callouts(only("sure", analysis), "note")
    assert "bands that should have held 95 % of the values held 77.0 %" in note
    assert "multiplied by 1 + 2.5 · t" in note
    assert callouts(only("sure", analysis), "warning") == []
    assert "widened to match" in " ".join(sentences(only("findings", analysis)))
    assert "was 0.710; taking the last value seen instead would have made it 2.20, or 3.1 times as large" in sure


def test_a_model_that_forecasts_no_better_than_the_last_value_is_said_to():
    said = " ".join(sentences(only("sure", series(tested=replace(HELD, error=2.5)))))
    assert "As a forecaster the model is of no use here" in said
