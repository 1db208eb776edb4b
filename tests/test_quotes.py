"""Pages quote what is printed: the demo and the tutorial's commands are run, and `make quotes` would change nothing."""

import re

import pytest
import quotes

from browser import browse

PAGES = {page.relative_to(quotes.ROOT).as_posix(): page.read_text() for page in quotes.PAGES}
QUOTED = [(page, name, text) for page, held in PAGES.items() for name, text in quotes.QUOTE.findall(held)]


def compare(printed):
    """Fails where a page quotes anything else, unless it was printed by an arithmetic that rounds otherwise."""
    ours = {name: text for _, name, text in QUOTED}["arithmetic"]
    stale = [f"{page}: {name}" for page, name, text in QUOTED if name in printed and text != printed[name]]
    if stale and ours != quotes.arithmetic():
        pytest.skip(f"quoted with another arithmetic, and {', '.join(stale)} differ: {ours} Here: {quotes.arithmetic()}")
    assert stale == [], "a page quotes what is not printed: run `make quotes` and read what has changed"


def test_pages_quote_what_the_demo_prints_and_any_browser_shows_its_page(tmp_path):
    """The fault: pages told of a lead of 0.61 nats, slight, and of four parts; the demo printed 8.24, decisive, and eight."""
    printed = quotes.demo(tmp_path)
    assert "rises" in printed["demo_findings"]
    assert "yearly cycle" in printed["demo_findings"]
    assert "Bands of past forecasts" in " ".join(printed["demo_judgement"].replace("\n>", "").split())
    compare(printed)
    page = tmp_path / "kernelscribe-demo" / "index.html"
    assert page.stat().st_size < 3e6
    with browse() as tab:
        tab.open(page, 1280)
        assert tab.complaints == []
        assert tab.requests == [page.as_uri()]


def test_pages_quote_what_the_tutorial_prints(tmp_path):
    printed = quotes.sales(tmp_path)
    assert "a straight line that rises by 1.20 a year" in printed["sales_run"]
    compare(printed)


def test_pages_list_the_options_of_reading_a_table_as_the_code_has_them():
    quoted = {page: text for page, name, text in QUOTED if name == "reading_options"}
    assert quoted == dict.fromkeys(("docs/commands.md", "docs/data.md"), quotes.reading_table())


def test_the_page_of_effort_lists_every_amount_as_the_code_has_it():
    quoted = {name: text for page, name, text in QUOTED if page == "docs/effort.md"}
    assert quoted == quotes.effort_tables(), "an amount has changed: run `make quotes` and read docs/effort.md"


def test_every_quote_is_closed_and_on_the_pages_that_need_it():
    assert sum(held.count("<!-- quote ") for held in PAGES.values()) == len(QUOTED)
    assert sum(held.count("<!-- end quote -->") for held in PAGES.values()) == len(QUOTED)
    names = {(page, name) for page, name, _ in QUOTED}
    assert names >= {("README.md", "demo_findings"), ("README.md", "demo_judgement"), ("docs/tutorial.md", "demo_end")}
    assert not [text for _, _, text in QUOTED if re.search(r"\d s\b|/tmp", text)], "times and folders differ from run to run"


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/tutorial.md"])
def test_numbers_about_a_run_stand_in_quotes_alone(page):
    """95 % is what bands are made for, whatever was found."""
    outside = quotes.QUOTE.sub("", PAGES[page])
    assert set(re.findall(r"[\d.]+ (?:%|nats)", outside)) <= {"95 %"}
    assert not re.findall(r"^  \d\. |^depth \d|BIC +\d", outside, re.MULTILINE)


def test_a_quote_that_is_out_of_date_is_made_anew():
    page = "Before.\n\n<!-- quote a -->\n\nold\n\nlines\n\n<!-- end quote -->\n\nAfter.\n"
    assert quotes.filled(page, {"a": "new", "b": "other"}) == page.replace("old\n\nlines", "new")


def test_another_arithmetic_is_told_not_compared(monkeypatch):
    """A search may come to another description where numbers round otherwise: only the same arithmetic is held to the quotes."""
    with pytest.raises(AssertionError, match="make quotes"):
        monkeypatch.setattr(quotes, "arithmetic", lambda: {name: text for _, name, text in QUOTED}["arithmetic"])
        compare({"demo_findings": "other"})
    monkeypatch.setattr(quotes, "arithmetic", lambda: "Other.")
    with pytest.raises(pytest.skip.Exception, match="quoted with another arithmetic"):
        compare({"demo_findings": "other"})
