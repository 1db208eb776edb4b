"""What experiments are made of: cells that are kept, searches that are timed through interruptions, values in days."""

import json

import numpy as np
import pytest

import kernelscribe as ks
import searching
from harness import Ledger, Settings, written
from hourly import found, in_days, theirs
from kernelscribe import events
from kernelscribe.kernels import leaves
from searching import _Clock, bounded_bic, exact_bic, searched, some, waves_bic
from tables import TABLES


@pytest.fixture
def options(tmp_path):
    return Settings("made_up", None, True, tmp_path, 0)


def test_cells_are_measured_once_and_other_settings_begin_anew(options, capsys):
    first = Ledger(options, {"m": (1, 2)})
    assert first.cell("a", lambda: 0.123456789123) == 0.123456789
    first.tell({"so far": 1})
    assert json.loads(first.path.read_text())["complete"] is False
    again = Ledger(options, {"m": (1, 2)})
    assert again.summary == {"so far": 1}
    assert again.cell("a", lambda: pytest.fail("measured twice")) == 0.123456789
    again.finish({"all": 2})
    assert json.loads(again.path.read_text())["complete"] is True
    stale = options.out / "made_up-quick-a.search.jsonl"
    stale.write_text("")
    other = Ledger(options, {"m": (1,)})
    assert (other.kept, other.summary) == ({}, None)
    assert not stale.exists()
    assert "begun anew" in capsys.readouterr().err


def test_a_search_of_several_sessions_counts_with_all_of_them(options):
    ledger = Ledger(options, {})
    ledger.cell("resumed", lambda: {"seconds": 5000.0})
    ledger.cell("other", lambda: {"seconds": 0.0})
    ledger.finish({})
    assert ledger.kept["resumed"]["seconds"] == 5000.0
    assert ledger.kept["other"]["seconds"] > 0
    assert json.loads(ledger.path.read_text())["seconds"] > 5000


def test_results_have_a_line_for_each_cell():
    whole = {"summary": None, "cells": {"a": {"value": [1.0, 2.0]}, "b": {"value": "SE(variance=0.12345678912345)"}}}
    text = written(whole)
    assert json.loads(text) == {"summary": None, "cells": {"a": {"value": [1, 2]}, "b": {"value": "SE(variance=0.123456789)"}}}
    assert sum('"value"' in line for line in text.splitlines()) == 2


def test_a_clock_goes_on_where_it_was_stopped(tmp_path, capsys):
    path, now = tmp_path / "clock", iter([0.0, *[10.0] * 9])
    closed = events.Closed(0, 3, 0, 0, "SE", None, 1, 10.0)
    first = _Clock(path, "solar", lambda: next(now))
    first(closed)
    later = iter([100.0, *[105.0] * 9])
    second = _Clock(path, "solar", lambda: next(later))
    # The journal is read again: the first round is closed at once, with the time that it took then.
    second(closed)
    second(events.Closed(1, 3, 0, 0, "SE*PER", None, 1, 10.0))
    assert second.rounds == {"1": 10.0, "2": 15.0}
    assert second.seconds == 15.0
    assert "depth 2: SE*PER (15 seconds so far)" in capsys.readouterr().out


class Interrupted(_Clock):
    def __call__(self, event):
        super().__call__(event)
        if isinstance(event, events.Closed):
            raise KeyboardInterrupt


SKC = {"depth": 2, "strategy": "skc", "engine": "inducing", "inducing": 10, "restarts": 1, "steps": 10, "count": "paper"}


@pytest.fixture
def wave(options, monkeypatch):
    """A series, and a search of it that was interrupted at the end of its first round."""
    x = np.linspace(0.0, 10.0, 40)
    data = ks.Dataset.of(x, np.sin(x) + 0.1 * np.random.default_rng(0).normal(size=40))
    with monkeypatch.context() as patch:
        patch.setattr(searching, "_Clock", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            searched(options, "solar skc", data, **SKC)
    return data


def test_an_interrupted_search_goes_on(options, wave, capsys):
    noted = json.loads((options.out / "made_up-quick-solar-skc.search.clock").read_text())
    whole = searched(options, "solar skc", wave, **SKC)
    assert whole["rounds"][0]["seconds"] == noted["rounds"]["1"]
    assert whole["bic"] == searched(options, "all at once", wave, **SKC)["bic"]
    assert [each["depth"] for each in whole["rounds"]] == [1, 2]
    assert {each["depth"] for each in whole["kernels"]} == {1, 2}
    assert whole["seconds"] >= whole["rounds"][1]["seconds"] >= whole["rounds"][0]["seconds"] > 0
    exact = exact_bic(wave, whole["values"], whole["noise"])
    assert whole["bic"][0] - 1e-3 <= exact <= whole["bic"][1] + 1e-3
    assert not list(options.out.iterdir())
    assert "solar skc, depth 2" in capsys.readouterr().out


def test_what_is_found_on_some_rows_is_told_in_units_of_the_whole(options, wave):
    part = some(wave, 25, np.random.default_rng(1))
    assert len(part.y) == 25
    assert set(part.X[:, 0]) < set(wave.X[:, 0])
    assert abs(part.y.std() - 1) > 0.01  # the search scales these rows by themselves
    one = searched(options, "part", part, depth=1, strategy="cks", restarts=1)
    assert exact_bic(part, one["values"], one["noise"]) == pytest.approx(one["bic"][0], abs=0.1)


def test_a_choice_is_judged_on_waves_by_our_own_count():
    x = np.linspace(-1.7, 1.7, 300)
    data, values, noise = (
        ks.Dataset.of(x, np.sin(20 * x)),
        "SE(variance=1, lengthscale=0.2)*PER(variance=1, lengthscale=1, period=0.3)",
        0.1,
    )
    low, high = waves_bic(data, values, noise)
    # Of two variances that are multiplied the paper charges for both, we for one.
    exact = exact_bic(data, values, noise) + 0.5 * np.log(300)
    assert low <= exact <= high <= low + 0.1


def test_a_choice_is_bounded_by_the_papers_count():
    x = np.linspace(-1.7, 1.7, 200)
    data, values = ks.Dataset.of(x, np.sin(20 * x)), "SE(variance=1, lengthscale=0.1)"
    exact, few, many = exact_bic(data, values, 0.1), bounded_bic(data, values, 0.1, 10), bounded_bic(data, values, 0.1, 80)
    assert few[0] + 100 < many[0] <= exact <= many[1] < few[1]
    assert many[1] < many[0] + 0.1


def test_a_search_ends_with_its_budget(options, wave):
    clock = options.out / "made_up-quick-solar-skc.search.clock"
    noted = json.loads(clock.read_text())
    clock.write_text(json.dumps({**noted, "seconds": 3600.0}))
    cut = searched(options, "solar skc", wave, budget=3600.0, **SKC)
    assert cut["stopped"]
    assert [each["depth"] for each in cut["rounds"]] == [1]
    assert cut["seconds"] > 3600


@pytest.mark.parametrize(
    ("periods", "how"),
    [
        ([14.8], "found"),
        ([0.5175, 0.5], "found as a beat"),
        ([0.9973, 0.5175], "found as a beat"),
        ([0.5175], "missed"),
        ([1.0, 1.0], "missed"),
        ([1.0, 0.5], "missed"),
        ([0.5175, 0.25], "missed"),
        ([], "missed"),
    ],
)
def test_a_period_is_found_itself_or_as_a_beat(periods, how):
    assert found(periods, [(13.5, 15.5)]) == how


def test_values_are_told_in_days():
    days = np.arange(0.0, 100.0, 0.5)
    data = ks.Dataset.of(days, np.sin(days))
    scale, centre = data.inputs[0].scale, data.inputs[0].centre
    leaves = (("SE", [2.0, 3.0 / scale]), ("PER", [1.0, 0.7, 1.0 / scale]), ("LIN", [0.5, (20.0 - centre) / scale]))
    told = in_days({"parameters": [{"kind": kind, "values": values} for kind, values in leaves]}, data)
    assert told[0] == {"kind": "SE", "variance": 2.0, "lengthscale, days": pytest.approx(3.0)}
    assert told[1] == {"kind": "PER", "variance": 1.0, "shape": 0.7, "period, days": pytest.approx(1.0)}
    assert told[2] == {"kind": "LIN", "variance": 0.5, "location": pytest.approx(20.0)}


@pytest.mark.parametrize(
    ("kind", "kernel", "periods"),
    [("gefcom", "SE1*PER1 + SE1*(PER1 + LIN1)", [1.003, 174.0]), ("tidal", "SE1*PER1*PER1", [0.517525, 14.7653])],
)
def test_the_kernels_of_the_paper_in_the_units_of_the_data(kind, kernel, periods):
    days = np.arange(0.0, 400.0, 0.5)
    data = ks.Dataset.of(days, np.sin(days))
    expr = ks.parse(theirs(kind, data))
    scale = data.inputs[0].scale
    assert ks.text(expr) == kernel
    assert [leaf.values[2] * scale for leaf in leaves(expr) if leaf.kind == "PER"] == pytest.approx(periods)


def test_values_of_kernels_are_told_with_their_units():
    values = [
        {"kind": "LIN", "variance": 0.99, "location": 2006.33},
        {"kind": "SE", "variance": 30.0, "lengthscale, days": 119.63},
    ]
    row = {
        "data": "gefcom", "way": "SKC", "kernel": "SE1 + LIN1", "values": values, "found": {"daily": "missed"}, "depth": None,
        "seconds": 60.0, "stopped": None, "by waves": [-2.0, -1.0],
    }  # fmt: skip
    assert "| LIN (σ² 0.99, location 2006.3); SE (σ² 30, lengthscale 119.6 days) |" in TABLES["hourly"]({"searches": [row]})
