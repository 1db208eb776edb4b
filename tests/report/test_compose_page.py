"""Full reports in a browser."""

import re

import pytest

import analyses
from browser import browse
from kernelscribe.report.compose import compose
from kernelscribe.report.formats import html

ALL_DRAWN = "[...document.querySelectorAll('[data-chart]')].every((each) => each.dataset.state === 'drawn')"


def test_a_full_report_is_drawn_on_a_telephone_without_a_word_of_complaint(tmp_path):
    page = html.render(compose(analyses.contested()))
    assert len(page.encode()) < 3_000_000
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    with browse() as tab:
        tab.open(path, width=390)
        tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        tab.wait(ALL_DRAWN, seconds=60)
        assert tab.complaints == []
        assert tab.requests == [path.resolve().as_uri()]
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        broken = "[...document.querySelectorAll('a[href^=\"#\"]')].filter((each) => !document.querySelector(each.hash)).length"
        assert tab.evaluate(broken) == 0


def test_dates_are_drawn_as_a_calendar_by_the_interpreter_of_the_page(tmp_path):
    """The first chart of a dated series: its years stand below it, and its dots are spread over them."""
    path = tmp_path / "report.html"
    path.write_text(html.render(compose(analyses.dated())), encoding="utf-8")
    with browse() as tab:
        tab.open(path)
        tab.wait("document.querySelector('[data-chart]').dataset.state === 'drawn'", seconds=60)
        texts = tab.evaluate(
            "[...document.querySelector('[data-chart]').querySelectorAll('text')].map((each) => each.textContent)"
        )
        assert {"2005", "2010", "2014"} <= set(texts)
        lefts = tab.evaluate(
            "[...document.querySelector('[data-chart]').querySelectorAll('.mark-symbol path')]"
            ".map((each) => each.getBoundingClientRect().left)"
        )
        assert max(lefts) - min(lefts) > 300
        assert tab.complaints == []


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a dated series."""
    found = analyses.dated()
    path = tmp_path_factory.mktemp("dated") / "report.html"
    path.write_text(html.render(compose(found)), encoding="utf-8")
    with browse() as tab:
        tab.open(path)
        tab.wait("document.querySelector('figure#main [data-chart]').dataset.state === 'drawn'", seconds=60)
        yield found, tab


@pytest.mark.parametrize("row", [3, 40, 110])
def test_a_dot_of_a_dated_report_tells_its_date_and_what_was_measured(report, row):
    found, tab = report
    heading, told = tab.tooltip(f"figure#main .mark-symbol.role-mark path:nth-child({row + 1})")
    moment = found.model.axes[0].date(found.model.inputs[row, 0])
    assert heading.startswith(f"{moment.day} {moment:%B %Y}")
    assert list(told) == ["measured", "model", "95 % band"]
    assert float(told["measured"]) == pytest.approx(found.model.target[row], abs=1e-3)
    expected = found.model.predict(found.model.inputs[[row]])
    assert float(told["model"]) == pytest.approx(expected.median[0], abs=0.02)
    low, high = (float(each) for each in told["95 % band"].split(" to "))
    assert [low, high] == pytest.approx([each[0] for each in expected.band(95)], abs=0.05)


def test_the_line_of_a_dated_report_tells_its_date_and_the_model(report):
    _, tab = report
    # Three months are missing between these dots, and the first chart of the report reaches a year beyond the last one.
    places = "(n) => document.querySelectorAll('figure#main .mark-symbol.role-mark path')[n].getBoundingClientRect().x"
    whole = "document.querySelector('figure#main [data-chart]').getBoundingClientRect()"
    left, width = tab.evaluate(f"{whole}.x"), tab.evaluate(f"{whole}.width")
    before, after, last = (tab.evaluate(f"({places})({row})") for row in (49, 50, 116))
    heading, told = tab.tooltip("figure#main [data-chart]", ((before + after) / 2 - left) / width)
    assert re.fullmatch(r"\d+ (March|April|May) 2008.*", heading)
    assert list(told) == ["model", "95 % band"]
    heading, told = tab.tooltip("figure#main [data-chart]", (last + 30 - left) / width)
    assert re.fullmatch(r"\d+ [A-Z][a-z]+ 2014.*", heading)
    assert list(told) == ["forecast", "95 % band"]
    assert tab.complaints == []
