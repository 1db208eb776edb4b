"""Charts: that Vega-Lite draws them, what they hold, and that no extreme is lost when there are too many points."""

import json
import re
import subprocess
import sys
import time
from xml.etree import ElementTree

import numpy as np
import pytest

from documents import charts
from kernelscribe.data.axis import Axis
from kernelscribe.report import figures
from kernelscribe.report.figures.shrink import shrink
from kernelscribe.report.formats.picture import svg
from kernelscribe.report.formats.theme import DARK, LIGHT, VARIABLES, config

NUMBERS = Axis("height", "m")
X = np.linspace(0, 10, 50)


def specs():
    for name, spec in charts().items():
        if name == "components":
            yield from ((f"component {number}", one) for number, pair in enumerate(spec) for one in pair)
        else:
            yield name, spec


SPECS = dict(specs())


def words(picture):
    return [each.text for each in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314


def fields(spec):
    return {name for table in spec["datasets"].values() for row in table for name in row}


@pytest.mark.parametrize("name", SPECS)
def test_every_chart_is_drawn(name):
    picture = svg(SPECS[name])
    drawn = ElementTree.fromstring(picture)  # noqa: S314
    marks = [each for each in drawn.iter() if each.get("class", "").startswith("mark-")]
    assert len(marks) >= 2
    assert "NaN" not in picture
    assert "Infinity" not in picture


@pytest.mark.parametrize("name", SPECS)
def test_every_chart_is_plain_json_as_wide_as_its_place_and_without_colours(name):
    spec = SPECS[name]
    text = json.dumps(spec, allow_nan=False)
    assert json.loads(text) == spec
    assert spec["width"] == "container"
    assert "config" not in spec
    assert not re.search(r"#[0-9a-f]{6}", text)


@pytest.mark.parametrize("name", SPECS)
def test_every_style_has_its_colours_in_both_schemes(name):
    used = set(re.findall(r'"style": "([\w-]+)"', json.dumps(SPECS[name])))
    assert used or name == "heat"  # its colours are those of a scale
    for colours in (LIGHT, DARK, VARIABLES):
        assert used <= set(config(colours)["style"])


def test_equal_charts_are_equal_values():
    assert charts.__wrapped__()["band"] == SPECS["band"]


def test_a_picture_holds_nothing_that_answers_to_a_pointer():
    assert len(svg(SPECS["band"])) < len(svg({**SPECS["band"], "layer": [*SPECS["band"]["layer"], *_renamed(SPECS["band"])]}))


def _renamed(spec):
    return [{**each, "name": "kept"} for each in spec["layer"] if each["name"] == "pointer"]


def test_a_forecast_joins_the_known_part_at_the_split():
    spec = figures.band(X, X, X - 1, X + 1, NUMBERS, "y", split=5.0)
    edge = max(x for x in (row["x"] for row in spec["datasets"]["curve"]) if x <= 5)
    filters = [each["transform"][0]["filter"] for each in spec["layer"] if each["mark"].get("style") in ("mean", "ahead")]
    assert filters == [f"datum.x <= {edge}", f"datum.x >= {edge}"]
    assert spec["datasets"]["split"] == [{"x": 5}]


@pytest.mark.parametrize("split", [None, 10.0, 12.0, -1.0])
def test_without_anything_beyond_there_is_no_forecast(split):
    assert '"ahead"' not in json.dumps(figures.band(X, X, X - 1, X + 1, NUMBERS, "y", split=split))


def test_the_axis_reaches_as_far_as_curve_and_data():
    spec = figures.band(X, X, X - 1, X + 1, NUMBERS, "y", figures.Dots([-5.0, 14.0], [0.0, 1.0], [0.0, 1.0]))
    assert {tuple(each["encoding"]["x"]["scale"]["domain"]) for each in spec["layer"]} == {(-5.0, 14.0)}


def test_years_have_no_comma_and_numbers_have_their_unit():
    years = svg(figures.data(1950 + X, X, Axis("date", "years"), "y"))
    assert {"1950", "1960", "date"} <= set(words(years))
    assert "height (m)" in words(svg(figures.data(X, X, NUMBERS, "y")))
    assert "temperature (m)" in words(svg(figures.data(X, X, Axis("temperature", "m"), "y")))


@pytest.mark.parametrize("name", ["row", "rows", "height in rows"])
def test_a_unit_is_not_told_twice(name):
    assert name in words(svg(figures.data(X, X, Axis(name, "rows"), "y")))


def test_dates_are_drawn_as_a_calendar_whatever_the_time_zone():
    axis = Axis("day", "days", "2004-01-01T00:00:00")
    spec = figures.data(np.arange(366.0 * 3), np.arange(366.0 * 3), axis, "y")
    assert spec["datasets"]["points"][0]["x"] == 1072915200000
    assert {"2004", "2005", "2006"} <= set(words(svg(spec)))
    assert spec["layer"][0]["encoding"]["x"]["scale"]["type"] == "utc"
    assert ", '%-d %B %Y')" in spec["layer"][-1]["mark"]["tooltip"]["expr"]


@pytest.mark.parametrize("origin", ["0001-01-01T00:00:00", "1582-10-15T00:00:00", "9999-12-30T12:00:00"])
def test_dates_at_the_ends_of_the_calendar(origin):
    assert svg(figures.data(X * 1e5, X, Axis("day", "days", origin), "y"))


def test_hours_are_told_where_the_steps_are_hours():
    hourly = figures.data(X / 24, X, Axis("time", "days", "2004-01-01T00:00:00"), "y")
    assert ", '%-d %B %Y, %H:%M')" in hourly["layer"][-1]["mark"]["tooltip"]["expr"]


def test_curves_between_days_tell_no_hours():
    axis = Axis("time", "days", "2004-01-01T00:00:00")
    spec = figures.band(X * 20, X, X - 1, X + 1, axis, "y")
    assert ", '%-d %B %Y')" in spec["layer"][-1]["mark"]["tooltip"]["expr"]


def test_missing_numbers_are_null_and_offsets_keep_their_digits():
    y = np.where(X < 1, np.nan, X)
    points = figures.data(X + 1.7e9, y, NUMBERS, "y")["datasets"]["points"]
    assert points[0] == {"x": 1700000000, "y": None}
    assert len({point["x"] for point in points}) == len(X)


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e9, 1e15])
def test_any_scale_is_drawn_to_six_digits_with_short_labels(scale):
    spec = figures.data(X, X * scale, NUMBERS, "y")
    drawn = np.array([point["y"] for point in spec["datasets"]["points"]])
    assert drawn == pytest.approx(X * scale, rel=1e-5, abs=1e-6 * scale)
    assert max(len(word) for word in words(svg(spec))) <= len("height (m)")


@pytest.mark.parametrize("x", [[3.0, 3.0, 3.0], [0.0, 0.0]])
def test_a_single_place_is_drawn(x):
    assert svg(figures.data(x, np.arange(len(x)), NUMBERS, "y"))


def test_intervals_count_from_the_best_and_leave_out_what_has_no_end():
    table = figures.intervals([("a", -10.0, -8.0), ("b", -30.0, -30.0), ("c", -np.inf, -1.0)])["datasets"]["ranks"]
    assert [(row["name"], row["lower"], row["upper"]) for row in table] == [("a", -2, 0), ("b", -22, -22)]


def test_bars_show_their_values():
    assert {"rise", "96.2%", "3.8%"} <= set(words(svg(figures.bars([("rise", 0.962), ("noise", 0.038)]))))


def test_draws_are_columns_of_one_table():
    spec = figures.samples(X, np.array([X, X + 1, X + 2, X + 3, X + 4]), NUMBERS, "y")
    assert fields(spec) == {"x", "y0", "y1", "y2", "y3", "y4"}
    assert [each["mark"]["style"] for each in spec["layer"][:5]] == ["mean", "ahead", "third", "fourth", "mean"]


def test_names_of_fields_and_code_are_ours():
    axis = Axis("__proto__", "constructor")
    spec = figures.band(X, X, X - 1, X + 1, axis, "image", figures.Dots(X, X, X), split=5)
    assert fields(spec) == {"x", "y", "mean", "lower", "upper"}
    said = spec["layer"][-1]["mark"]["tooltip"]["expr"]
    assert re.findall(r"\{'([^']*)':", said) == ["title", "measured", "model", "forecast", "95 % band"]
    assert "__proto__" not in said
    assert {"name": "input", "value": "__proto__: "} in spec["params"]


def test_a_curve_is_pointed_at_where_no_dot_is_near():
    spec = figures.band(X, X, X - 1, X + 2, NUMBERS, "y", figures.Dots(X[:25], X[:25] + 9, X[:25] + 0.25))
    places = spec["datasets"]["places"]
    assert [row.get("y") for row in places[:25]] == pytest.approx(X[:25] + 9, abs=1e-4)
    assert not any("y" in row for row in places[25:])
    assert [row["x"] for row in places] == pytest.approx(X, abs=1e-4)
    for row, fit in zip(places, [*(X[:25] + 0.25), *X[25:]], strict=True):
        assert [row["lower"], row["mean"], row["upper"]] == pytest.approx([fit - 1, fit, fit + 2], abs=1e-4)


def test_shrinking_keeps_every_extreme_and_both_ends():
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.uniform(0, 1, 50_000)), rng.normal(size=50_000)
    kept = shrink(x, [y], pixels=100)
    assert len(kept) <= 202
    assert kept[0] == 0
    assert kept[-1] == len(x) - 1
    pixel = np.minimum(((x - x[0]) * (100 / (x[-1] - x[0]))).astype(int), 99)
    for number in range(100):
        inside, shown = y[pixel == number], y[kept][pixel[kept] == number]
        assert (shown.min(), shown.max()) == (inside.min(), inside.max())


def test_shrinking_keeps_the_extremes_of_all_columns():
    rng = np.random.default_rng(1)
    x, a, b = np.arange(20_000.0), rng.normal(size=20_000), rng.normal(size=20_000)
    kept = shrink(x, [a, b], pixels=50)
    assert {a.argmin(), a.argmax(), b.argmin(), b.argmax()} <= set(kept)
    assert len(kept) <= 4 * 50 + 2


def test_shrinking_puts_rows_in_order_and_passes_over_nan():
    rng = np.random.default_rng(2)
    order = rng.permutation(10_000)
    x, y = np.arange(10_000.0)[order], np.sin(np.arange(10_000.0))[order]
    y[::3] = np.nan
    kept = shrink(x, [y], pixels=100)
    assert np.all(np.diff(x[kept]) > 0)
    assert np.nanmax(y[kept]) == np.nanmax(y)


def test_short_series_and_series_in_one_place_are_kept():
    assert list(shrink(np.array([2.0, 1.0]), [np.zeros(2)])) == [1, 0]
    assert len(shrink(np.zeros(5_000), [np.arange(5_000.0)], pixels=10)) == 2


def test_a_million_points_take_well_under_a_second():
    rng = np.random.default_rng(0)
    x, y = np.arange(1e6), rng.normal(size=1_000_000)
    start = time.process_time()
    shrink(x, [y])
    assert time.process_time() - start < 0.5


def test_a_million_points_make_a_small_chart():
    rng = np.random.default_rng(0)
    spec = figures.data(np.arange(1e6), rng.normal(size=1_000_000), NUMBERS, "y")
    assert len(spec["datasets"]["points"]) <= 802
    assert len(json.dumps(spec)) < 60_000


def test_importing_renderers_loads_no_converter():
    code = (
        "import sys; from kernelscribe.report.formats import render, escape, picture;"
        "print([name for name in ('vl_convert', 'jinja2', 'typst', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
