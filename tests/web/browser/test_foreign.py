"""Foreign text in every place of a page is text: file names, names of columns, cells and titles."""

import csv
import io
import re

import pytest

from kernelscribe.report.formats.escape import readable
from payloads import HARMLESS, PAYLOADS
from webapp import series, until

UNHURT = "window.hit === undefined && ({}).polluted === undefined"
# What no table may hold: a file with NULs is refused, and half of a pair of surrogates is no text.
CELLS = [payload.replace("\ud800", "").replace("\0", "") for payload in PAYLOADS]


def shown(text):
    """A text as a page shows it: white space runs together, and what cannot be shown is gone."""
    return " ".join(readable(text).split())


def texts(page, selector):
    return [" ".join(each.split()) for each in page.locator(selector).all_text_contents()]


def table(names, cells):
    """A table of dates, of a column of numbers for each name, and of a column of text."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["day", *names, "remark"])
    for i, cell in enumerate(cells):
        writer.writerow([f"{2000 + i}-01-01", *(f"{(i + 2) * (k + 3) % 7}.5" for k, _ in enumerate(names)), cell])
    return written.getvalue()


@pytest.fixture(scope="session")
def foreign(app):
    """A search whose target, input, file and title are foreign text."""
    job = app.begin(table([PAYLOADS[0], PAYLOADS[1]], CELLS), "x.csv", depth=0)
    app.settle(job)
    return job


def test_names_of_columns_and_cells_are_text(app, page):
    # No more than eight rows are shown, so the cells come in three tables.
    for first in range(0, len(CELLS), 8):
        some = CELLS[first : first + 8]
        page.goto(f"/read/{app.upload(table(some, (some * 3)[:16]), 'a.csv')}")
        page.wait_for_selector("#begin:not([disabled])")
        wanted = {shown(each) for each in some}
        assert wanted <= {shown(each) for each in texts(page, "#rows th")}
        # Long cells are cut.
        assert {shown(each[:80]) for each in wanted} <= {shown(each) for each in texts(page, "#rows td")}
        assert wanted <= {shown(each) for each in texts(page, "#target option")}
        assert page.locator("main :is(img, iframe, svg svg, main script:not([type]), b b)").count() == 0
        assert page.evaluate(UNHURT)


def test_a_column_of_a_foreign_name_can_be_chosen(app, page):
    page.goto(f"/read/{app.upload(table([PAYLOADS[0], PAYLOADS[1]], CELLS), 'a.csv')}")
    page.wait_for_selector("#begin:not([disabled])")
    page.select_option("#target", PAYLOADS[0])
    until(page, "document.querySelector('#sentence strong').textContent.includes('<script>')")
    page.get_by_role("checkbox", name=PAYLOADS[1]).check()
    until(page, "document.getElementById('sentence').textContent.includes('onerror')")
    assert page.evaluate(UNHURT)


def test_names_of_files_are_text(app, page):
    # What is in the file does not matter here, and reading each would take long.
    page.route("**/preview", lambda route: route.fulfill(status=422, json={"error": {"status": 422, "message": "not read"}}))
    page.expect_errors("status of 422")
    for payload in PAYLOADS:
        sent = payload.replace("\ud800", "") + ".csv"
        page.goto(f"/read/{app.upload(series(12), sent)}")
        page.wait_for_selector("#problem a")
        (title,) = texts(page, "h1")
        # A file has no folder in its name, and the server takes none.
        kept = title.removeprefix("This file cannot be used: ")
        assert kept in {shown(sent), shown(re.split(r"[/\\]", sent)[-1])}, payload
        assert page.evaluate(UNHURT)


def test_titles_are_text_wherever_they_stand(app, page, foreign):
    # The title does not stand in the report, whose charts would be drawn anew on every page.
    page.route("**/report", lambda route: route.fulfill(body="", content_type="text/html"))
    for payload in PAYLOADS:
        title = app.call("PATCH", f"/api/jobs/{foreign}", {"title": payload.replace("\ud800", "")})["title"]
        page.goto("/history")
        assert shown(title) in texts(page, ".title"), payload
        page.goto(f"/jobs/{foreign}")
        assert texts(page, "h1") == [shown(title)], payload
        assert page.locator("[data-rename]").get_attribute("data-name") == title
        page.get_by_role("button", name="Delete").click()
        assert texts(page, "#delete [data-name]") == [shown(title)]
        assert page.evaluate(UNHURT)
    title = app.call("PATCH", f"/api/jobs/{foreign}", {"title": "".join(PAYLOADS[:4])})["title"]
    page.goto("/")
    assert shown(title) in texts(page, ".jobs a")
    page.goto(f"/compare?a={foreign}&b={foreign}")
    assert texts(page, ".beside thead a") == [shown(title)] * 2
    assert page.evaluate(UNHURT)
    app.call("PATCH", f"/api/jobs/{foreign}", {"title": HARMLESS})


def test_a_search_of_foreign_names_is_shown_as_text(page, foreign):
    page.goto(f"/jobs/{foreign}")
    page.click("#how summary")
    page.wait_for_selector("#branches .line")
    assert shown(PAYLOADS[1]) in " ".join(texts(page, ".heading .note"))
    frame = page.frame_locator("iframe.report")
    frame.locator("h1").first.wait_for()
    assert page.evaluate(UNHURT)
    assert page.frames[1].evaluate("window.hit === undefined")
