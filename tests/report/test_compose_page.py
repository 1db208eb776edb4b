"""One full report in a browser."""

import analyses
from browser import browse
from kernelscribe.report import html
from kernelscribe.report.compose import compose

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
