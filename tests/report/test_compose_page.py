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
