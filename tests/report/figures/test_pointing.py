"""What charts say under the pointer, in a browser: where it is, what was measured, what the model makes of it."""

import re

import numpy as np
import pytest

from browser import browse
from kernelscribe.data.axis import Axis
from kernelscribe.report import figures
from kernelscribe.report.document import Document, Figure, Section
from kernelscribe.report.formats import html
from kernelscribe.report.formats.escape import readable
from payloads import PAYLOADS

DAYS, DEPTH = Axis("day", "days", "2004-01-01T00:00:00"), Axis("depth", "m")
X, Y = np.arange(0.0, 300.0, 10.0), 100 + 5 * np.sin(np.arange(30.0) / 3)
GRID = np.linspace(0, 350, 400)
MEAN = 101 + 5 * np.sin(GRID / 30)
DOTS = figures.Dots(X, Y, Y + 1)
FEW = figures.Dots(*(np.delete(each, np.s_[5:25]) for each in DOTS[:3]))
LAGS = np.arange(1.0, 30.0)
ERRORS = np.linspace(-2, 2, 41)
NUMBER = r"−?[\d,]+(\.\d+)?"
RANGE = f"{NUMBER} to {NUMBER}"
DATE = r"\d\d? [A-Z][a-z]+ 2004"
DOT = ".mark-symbol.role-mark path:nth-child(4)"

# Of each chart where to point (and how far across), the heading, and what must be said under which label.
CHARTS = {
    "data": (figures.data(X, Y, DAYS, "y"), DOT, 0.5, "31 January 2004", {"measured": "104.207"}),
    "dot": (figures.band(GRID, MEAN, MEAN - 2, MEAN + 2, DAYS, "y", DOTS, 290), DOT, 0.5, "31 January 2004",
            {"measured": "104.207", "model": r"105\.21", "95 % band": r"103\.21 to 107\.21"}),
    "line": (figures.band(GRID, MEAN, MEAN - 2, MEAN + 2, DAYS, "y", FEW, 290), "[data-chart]", 0.5, DATE,
             {"model": NUMBER, "95 % band": RANGE}),
    "forecast": (figures.band(GRID, MEAN, MEAN - 2, MEAN + 2, DAYS, "y", DOTS, 290), "[data-chart]", 0.95, DATE,
                 {"forecast": NUMBER, "95 % band": RANGE}),
    "component": (figures.band(GRID, MEAN, MEAN - 2, MEAN + 2, DAYS, "part", name="component 1"), "[data-chart]", 0.5, DATE,
                  {"component 1": NUMBER, "95 % band": RANGE}),
    "depth": (figures.band(GRID, MEAN, MEAN - 2, MEAN + 2, DEPTH, "y", DOTS), DOT, 0.5, "depth: 30 m",
              {"measured": "104.207", "model": r"105\.21", "95 % band": r"103\.21 to 107\.21"}),
    "shared": (figures.data(np.repeat(X, 2), np.ravel([Y, Y + 9], "F"), DAYS, "y"), DOT, 0.5, "11 January 2004",
               {"measured": "110.636"}),
    "samples": (figures.samples(GRID, np.array([MEAN, MEAN + 1]), DAYS, "y", 290), "[data-chart]", 0.5, DATE,
                {"course 1": NUMBER, "course 2": NUMBER}),
    "residuals": (figures.residuals(X, Y - 100, DAYS, "what is left"), DOT, 0.5, "31 January 2004", {"left over": r"4\.21"}),
    "scatter": (figures.scatter(X, Y, DEPTH, "y"), DOT, 0.5, "depth: 30 m", {"measured": "104.207"}),
    "against": (figures.against(Y + 1, Y, "level"), DOT, 0.5, "level", {"measured": "104.207", "model": "105.207"}),
    "heat": (figures.heat(X[:9], X[:9] / 10, np.outer(X[:9] - 30, X[:9]), DAYS, DEPTH, "part", "component 2"),
             ".mark-rect path:nth-child(12)", 0.5, "21 January 2004, depth: 1 m", {"component 2": "−400"}),
    "acf": (figures.acf(LAGS, 0.5**LAGS, 0 * LAGS - 0.25, 0 * LAGS + 0.25, "rows apart"), DOT, 0.5, "rows apart: 4",
            {"autocorrelation": "0.063", "95 % by chance": "−0.25 to 0.25"}),
    "periodogram": (figures.periodogram(LAGS / 60, -LAGS, 0 * LAGS - 20, 0 * LAGS + 6, "cycles per row"), "[data-chart]", 0.5,
                    r"cycles per row: 0\.\d+", {"power": f"{NUMBER} dB", "95 % by chance": "−20 to 6 dB"}),
    "quantiles": (figures.quantiles(ERRORS, 2 * ERRORS, ERRORS - 0.5, ERRORS + 0.5), DOT, 0.5, r"expected: −1\.7",
                  {"observed": r"−3\.4", "95 % by chance": r"−2\.2 to −1\.2"}),
    "coverage": (figures.coverage(np.arange(1, 10) / 10, np.arange(1, 10) / 12), DOT, 0.5, "level of the band: 40%",
                 {"data inside it": r"33\.3%"}),
    "intervals": (figures.intervals([("SE + PER", -10.0, -8.0), ("SE", -30.0, -30.0)]), ".mark-rule.role-mark line", 0.25,
                  r"SE \+ PER", {"from the best": "−2 to 0 nats", "known to within": "2 nats"}),
    "exact": (figures.intervals([("SE", -30.0, -30.0), ("PER", -50.0, -50.0)]), ".mark-symbol.role-mark path", 0.5,
              "SE", {"from the best": "0 nats"}),
    "bars": (figures.bars([("rise", 0.962), ("noise", 0.038)]), ".mark-rect.role-mark path", 0.5, "rise", {"share": r"96\.2%"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    """A page of these charts."""
    drawn = tuple(Figure(spec, "", name, f"chart-{name}") for name, (spec, *_) in CHARTS.items())
    path = tmp_path_factory.mktemp("pointing") / "charts.html"
    path.write_text(html.render(Document("t", "", (Section("s", drawn),))), encoding="utf-8")
    with browse() as found:
        found.open(path)
        yield found


def drawn(tab, chart):
    tab.evaluate(f"document.querySelector('{chart}').scrollIntoView({{block: 'center', behavior: 'instant'}})")
    tab.wait(f"document.querySelector('{chart} [data-chart]').dataset.state === 'drawn'")


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_says_where_the_pointer_is_and_names_what_it_tells(tab, name):
    _, there, across, place, lines = CHARTS[name]
    drawn(tab, f"#chart-{name}")
    heading, told = tab.tooltip(f"#chart-{name} {there}", across)
    assert re.fullmatch(place, heading)
    assert list(told) == list(lines)
    assert [label for label, text in lines.items() if not re.fullmatch(text, told[label])] == [], told
    assert tab.complaints == []


def test_names_and_units_of_inputs_are_text_under_the_pointer(tmp_path):
    names = [*PAYLOADS, "image", "title"]
    axes = [axis for name in names for axis in (Axis(name, "m"), Axis("b", name))]
    shown = tuple(Figure(figures.data(X, Y, axis, axis.name), "", "", f"chart-{n}") for n, axis in enumerate(axes))
    path = tmp_path / "charts.html"
    path.write_text(html.render(Document("t", "", (Section("s", shown),))), encoding="utf-8")
    with browse() as tab:
        tab.open(path)
        for n, axis in enumerate(axes):
            drawn(tab, f"#chart-{n}")
            heading, told = tab.tooltip(f"#chart-{n} {DOT}")
            assert " ".join(heading.split()) == " ".join(readable(f"{axis.name}: 30 {axis.unit}").split())
            assert told == {"measured": "104.207"}
        assert tab.evaluate("window.hit === undefined && !document.querySelector('#vg-tooltip-element :is(img, b, svg, script)')")
        assert tab.complaints == []
