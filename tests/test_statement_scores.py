"""How the benchmark of statements holds what was told against what is true, on results made by hand."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import statement_scores as scores
from jsonl import keep, lines
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.bases import BASES
from statement_draws import Part, draw
from statement_runs import measured, missed
from statement_scores import Told
from statement_series import judge
from statement_tables import recovered, share, shown

X = np.arange(100.0)
LINE = Part("line", X - X.mean())
WAVE = Part("cycle", np.cos(2 * np.pi * X / 10), period=10.0)
SLOW = Part("smooth", np.sin(X / 20))
STEP = Part("step", 4.0 * (X >= 60), row=60, size=4.0)


def test_correlations_are_about_means_and_of_what_does_not_move_none():
    assert scores.correlation(X, 3 * X + 7) == pytest.approx(1)
    assert scores.correlation(X, -X) == pytest.approx(-1)
    assert scores.correlation(X, np.ones(100)) == 0


def test_a_component_is_matched_by_one_told_or_by_the_sum_of_two():
    early, late = (Told(("LIN",), np.where((X < 50) == first, LINE.values, 0.0)) for first in (True, False))
    one, two = scores.alike(LINE.values, [early, late])
    assert (one < scores.ALIKE, two) == (True, pytest.approx(1))
    assert scores.matched(LINE, [early, late])["matched"]
    assert not scores.matched(LINE, [early])["matched"]
    assert scores.matched(LINE, []) == {"noun": "line", "one": 0.0, "two": 0.0, "matched": False}


def test_a_background_counts_where_it_is_true_or_stands_for_what_is_true():
    rng = np.random.default_rng(0)
    line, hum = Told(("LIN",), LINE.values), Told(("ROUGH",), rng.normal(size=100))
    assert scores.counted([LINE], [line, hum]) == 1
    assert scores.counted([LINE, Part("rough", rng.normal(size=100))], [line, hum]) == 2
    assert scores.counted([LINE, SLOW], [line, Told(("MATERN",), SLOW.values)]) == 2
    assert scores.counted([LINE], [line, Told(("ROUGH", "PER"), hum.mean)]) == 2


@pytest.mark.parametrize(
    ("row", "size", "dated", "sized"),
    [(60, 4.0, True, True), (61, 3.7, True, True), (60, 3.5, True, False), (62, 4.0, False, False), (60, -4.0, True, False)],
)
def test_a_step_is_dated_within_a_row_and_sized_within_a_tenth(row, size, dated, sized):
    told = [Told(("LIN",), LINE.values), Told(("STEP",), size * (row <= X) - 1.0)]
    found = scores.dated(STEP, told)
    assert (found["told_row"], found["told_size"]) == (row, pytest.approx(size))
    assert (found["dated"], found["sized"]) == (dated, sized)


def test_a_step_that_is_told_as_something_else_is_not_dated():
    assert not scores.dated(STEP, [Told(("SE",), STEP.values), Told(("STEP", "PER"), STEP.values)])["dated"]


@pytest.mark.parametrize("kind", ["PER", "CYCLE"])
def test_components_of_an_analysis_are_read_by_their_terms(kind):
    class Factor(dict[str, float]):
        pass

    Factor.kind = kind
    component = SimpleNamespace(term=SimpleNamespace(factors=(Factor(period=7.02), SimpleNamespace(kind="SE"))), mean=X)
    (told,) = scores.told([component])
    assert (told.kinds, told.periods) == ((kind, "SE"), (7.02,))
    assert scores.finds([told, Told(("STEP",), X), Told(("CHANGE", kind), X)]) == {
        "cycles": 2, "breaks": 2, "outliers": 0,
    }  # fmt: skip
    odd = Told(("SPELL",), np.eye(1, len(X), 3)[0])
    assert scores.finds([odd, Told(("SPELL",), np.arange(len(X)) % 4 / 1.0)]) == {"cycles": 0, "breaks": 1, "outliers": 1}
    assert scores.periods_found((7.0, 14.0), [told]) == [True, False]


def test_every_kernel_that_repeats_itself_counts_as_a_cycle():
    assert {name for name, base in BASES.items() if base.role is Role.CYCLE} == scores.CYCLES


def perfect(seed):
    """The score of a result that tells the truth."""
    drawn = draw(seed, rows=120)
    kinds = {"step": "STEP", "rough": "ROUGH"}
    told = [Told((kinds.get(part.noun, "SE"),), part.values) for part in drawn.parts]
    return {"part": "known", "seed": seed, "rows": 120, "seconds": 1.0, **scores.score(drawn, told, drawn.link)}


def test_the_truth_told_back_has_all_shares_full_and_a_failure_counts_as_nothing_told():
    true, failed = perfect(36), {"part": "known", "seed": 37, "error": "broken", **missed("known", 37, 120)}
    assert set(recovered([true]).values()) == {"3 of 3 (100 %)", "1 of 1 (100 %)"}
    both = recovered([true, failed])
    assert both["number of components"] == "1 of 2 (50 %)"
    assert both["components matched"] == "3 of 7 (43 %)"
    assert both["steps dated and sized"] == "1 of 2 (50 %)"
    assert shown("known", [json.loads(json.dumps(each)) for each in (true, failed)]).startswith("Failed: known  37: broken")


def test_a_search_that_breaks_is_a_line_that_says_so():
    line = measured("known", 0, 30, "", {"no_such_option": 1})
    assert "no_such_option" in line["error"]
    assert (line["true"], line["told"]) == (1, 0)


def test_false_finds_are_counted_by_draws():
    made = [{"kind": "white", "rows": 200, "seconds": 1.0, "cycles": count, "breaks": 0, "outliers": 0} for count in (0, 2, 0, 0)]
    assert "| white | 200 | 1 of 4 (25 %) | 0 of 4 (0 %) | 0 of 4 (0 %) | 1 |" in shown("false", made)
    assert share([]) == "–"


def test_versions_stand_side_by_side_with_the_least_seconds_of_their_turns():
    made = [
        {"kind": "solar.csv", "rows": 402, "version": version, "kernel": "SE", "components": 1, "link": "none", "bic": 1.0,
         "seconds": seconds}
        for version, seconds in (("before", 9.0), ("now", 4.0), ("before", 8.0), ("now", 5.0))
    ]  # fmt: skip
    assert "| solar.csv | 402 | SE | 1 | none | 1.0 | 8.0 | SE | 1 | none | 1.0 | 4.0 |" in shown("series", made)


def test_a_forecast_is_judged_by_its_error_and_its_band():
    came = np.array([1.0, 2.0, 3.0, 4.0])
    found = judge(came, came + 2, came - 1, came + np.array([1, 1, 1, -0.5]))
    assert found == {"rmse": 2.0, "coverage": 0.75, "width": pytest.approx(1.625)}


def test_results_are_kept_line_by_line(tmp_path):
    path = tmp_path / "known.jsonl"
    assert lines(path) == []
    keep(path, {"seed": 1})
    keep(path, {"seed": 2})
    assert lines(path) == [{"seed": 1}, {"seed": 2}]
