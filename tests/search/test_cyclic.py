"""Along which inputs cycles are looked for: by their units, names and values, or as the user says."""

import math

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import kernelscribe as ks
from kernelscribe.app.cli import Exit, cli
from kernelscribe.config import Config
from kernelscribe.data import from_frame
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import OptionError
from kernelscribe.kernels import leaves
from kernelscribe.report.description.program import program
from kernelscribe.report.description.view import View
from kernelscribe.report.sections.appendix import appendix
from kernelscribe.search.cyclic import comes_round, cyclic
from kernelscribe.search.pool import Inline
from reading import sentences

N = 60
RNG = np.random.default_rng(0)
MEASURED = np.round(RNG.normal(20, 5, N), 1)


def table(strategy="auto", cycles=None, **columns):
    frame = pd.DataFrame(columns)
    data = Dataset.of(frame.to_numpy(), RNG.normal(size=N), names=list(frame))
    return [data.names[d - 1] for d in cyclic(data, Config(strategy=strategy, cycles=cycles))]


def spread(low, high):
    return RNG.uniform(low, high, N)


def whole(low, high):
    return RNG.integers(low, high + 1, N).astype(float)


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("time", spread(0, 9)), ("t", spread(0, 9)), ("Time (UTC)", spread(0, 9)), ("decimal_year", spread(1990, 2020)),
        ("hour", whole(0, 23)), ("Hour of day", spread(0, 24)), ("hour_of_day", whole(1, 24)), ("hr", whole(0, 23)),
        ("month", whole(1, 12)), ("mnth", whole(1, 12)), ("weekday", whole(0, 6)), ("DayOfWeek", whole(1, 7)),
        ("day_of_year", whole(1, 366)), ("doy", whole(1, 365)), ("day", whole(1, 31)), ("week", whole(1, 52)),
        ("wind direction", spread(0, 360)), ("wind_direction (deg)", spread(-180, 180)), ("angle", spread(0, 2 * math.pi)),
        ("phase", spread(-math.pi, math.pi)), ("run", np.arange(N)), ("month", np.arange(1.0, N + 1)), ("x1", RNG.permutation(N)),
    ],
)  # fmt: skip
def test_what_comes_round_among_several_inputs(name, column):
    assert comes_round(Axis(name), np.asarray(column, dtype=float))


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("temperature", MEASURED), ("pressure", spread(990, 1030)), ("x1", spread(0, 1)), ("price", whole(1, 12)),
        ("delivery time", spread(0, 30)), ("Age (day)", whole(1, 365)), ("hours", spread(0, 12)), ("hour", spread(0, 90)),
        ("hour", whole(9, 17)), ("month", whole(1, 120)), ("steering angle", spread(-540, 540)), ("angle", spread(0, 20)),
        ("temperature", np.linspace(0, 30, N)), ("weekdays worked", whole(0, 6)), ("degrees", spread(0, 30)),
    ],
)  # fmt: skip
def test_what_does_not(name, column):
    assert not comes_round(Axis(name), column)


def test_dates_and_years_come_round():
    assert comes_round(Axis("sold", "days", "2004-01-01T00:00:00"), MEASURED)
    assert comes_round(Axis("built", "years"), MEASURED)


def test_a_search_of_a_table_proposes_cycles_only_where_something_comes_round():
    """The fault: a cycle was told in an input that is no time."""
    frame = pd.DataFrame({"temperature": MEASURED, "hour": whole(0, 23), "pressure": spread(990, 1030)})
    frame["output"] = np.sin(3 * frame["temperature"]) + 0.1 * RNG.normal(size=N)
    with ks.parallel(Inline()):
        found = ks.analyse(frame, depth=1, restarts=1, steps=5, backend="numpy")
    tried = [leaf for fit in found.outcome.fits for leaf in leaves(fit.expr) if leaf.kind == "PER"]
    assert {leaf.dim for leaf in tried} == {2}
    said = " ".join(sentences(appendix(View(found))))
    assert "Cycles were looked for only along hour" in said


def test_the_paper_looks_along_every_input_and_the_user_along_those_that_are_named():
    columns = {"temperature": MEASURED, "hour": whole(0, 23), "pressure": spread(990, 1030)}
    for strategy in ("skc", "skc-lb", "cks", "subset"):
        assert table(strategy, **columns) == ["temperature", "hour", "pressure"]
    assert table(**columns) == ["hour"]
    assert table(cycles=("pressure", "temperature"), **columns) == ["temperature", "pressure"]
    assert table("skc", cycles=(), **columns) == []
    with pytest.raises(OptionError, match="cycles names 'wind', which is no input: the inputs are temperature, hour, pressure"):
        table(cycles=("wind",), **columns)


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("x1", MEASURED), ("x", whole(0, 5)), ("depth", spread(0, 300)), ("column 1", whole(0, 5)), ("time", whole(0, 5)),
        ("year", np.arange(N)), ("height", np.arange(N)), ("sunspot day", whole(0, 5)), ("hour", whole(0, 23)),
    ],
)  # fmt: skip
def test_a_single_input_is_a_series(name, column):
    assert table(**{name: np.asarray(column, dtype=float)}) == [name]


@pytest.mark.parametrize(
    ("name", "column"),
    [("temperature", MEASURED), ("temperature (°C)", spread(0, 30)), ("rooms", whole(1, 9)), ("advertising", whole(0, 40))],
)
def test_a_single_input_that_is_plainly_no_time_is_none(name, column):
    assert table(**{name: column}) == []
    assert table(cycles=(name,), **{name: column}) == [name]


def test_arrays_are_searched_as_ever():
    x = RNG.permutation(np.repeat(np.arange(20.0), 3))
    assert cyclic(Dataset.of(x, RNG.normal(size=N)), Config()) == (1,)
    assert cyclic(from_frame(pd.DataFrame({"date": pd.date_range("2020", periods=9), "y": RNG.normal(size=9)})), Config()) == (1,)


def test_the_order_of_the_rows_does_not_matter():
    columns = {"run": np.arange(N, dtype=float), "temperature": MEASURED, "hour": whole(0, 23)}
    order = RNG.permutation(N)
    assert table(**{name: column[order] for name, column in columns.items()}) == table(**columns) == ["run", "hour"]


def test_named_on_the_command_line_kept_in_the_journal_and_in_the_model(tmp_path):
    path, out = tmp_path / "plant.csv", tmp_path / "out"
    columns = {"water": MEASURED, "valve": spread(0, 1), "flow": RNG.normal(size=N)}
    pd.DataFrame(columns).to_csv(path, index=False)
    run = ["run", path, "--out", out, "--depth", 0, "--restarts", 1, "--steps", 5, "--backend", "numpy"]

    def command(*more):
        with ks.parallel(Inline()):
            return CliRunner().invoke(cli, [str(each) for each in (*run, *more)])

    refused = command("--cycles", "steam")
    assert isinstance(refused.exception, OptionError)
    assert not (out / "search.jsonl").exists()
    assert command("--cycles", "valve, water").exit_code == Exit.DONE
    assert command("--resume").exit_code == Exit.DONE
    found = ks.load(out / "model.json")
    assert found.model.config.cycles == ("valve", "water")
    assert isinstance(hash(found.model.config), int)
    assert 'cycles=["valve", "water"]' in program(View(found))
