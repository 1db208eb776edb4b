"""Every page for everyone: no serious fault that axe-core finds, by day and by night, and nothing too wide for a telephone."""

import pytest

from webapp import endless, series

OPEN = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="session")
def pages(app, finished):
    """Address of every page, and what shows that it is ready."""
    ambiguous = "day,sales\n" + "".join(f"0{1 + i % 9}/0{1 + i // 9}/2020,{i}.5\n" for i in range(40))
    stores = "day,store,sales\n" + "".join(f"2020-01-{d:02d},S{k},{k}.{d}\n" for k in range(20) for d in range(1, 29))
    words = "name\nAnn\nBob\n"
    failed = app.begin("a,b\n" + "1,2\n" * 3, "few.csv", depth=0)
    app.settle(failed)
    return {
        "start": ("/", "#file"),
        "reading": (f"/read/{app.upload(series(40), 'a.csv')}", "#begin:not([disabled])"),
        "question": (f"/read/{app.upload(ambiguous, 'b.csv')}", "#ask legend"),
        "stores": (f"/read/{app.upload(stores, 'd.csv')}", "#ask select"),
        "refused": (f"/read/{app.upload(words, 'c.csv')}", "#problem a"),
        "report": (f"/jobs/{finished}", "iframe.report"),
        "other": (f"/jobs/{failed}", "h1"),
        "history": ("/history", "#pick"),
        "compare": (f"/compare?a={finished}&b={finished}", "table.beside"),
        "error": ("/nowhere", "h1"),
    }


NAMES = ("start", "reading", "question", "stores", "refused", "report", "other", "history", "compare", "error")


def show(page, pages, name):
    page.expect_errors("status of 404", "status of 422")
    address, ready = pages[name]
    page.goto(address)
    page.wait_for_selector(ready)
    page.evaluate(OPEN)
    if name == "report":
        page.wait_for_selector("#branches .line.best")


def faults(page, axe):
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { iframes: false })")["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]


def test_pages_have_no_serious_fault(coloured, pages, axe):
    found = {}
    for name in NAMES:
        show(coloured, pages, name)
        found[name] = faults(coloured, axe)
    assert found == {name: [] for name in NAMES}


def test_a_search_under_way_and_dialogs_have_no_serious_fault(app, page, axe, finished):
    job = app.begin(series(60), "wait.csv", **endless())
    page.goto(f"/jobs/{job}")
    page.wait_for_selector("#branches .line")
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += faults(page, axe)
    page.expect_errors("status of 404")
    app.call("DELETE", f"/api/jobs/{job}")
    page.wait_for_selector("text=Error 404")
    page.goto(f"/jobs/{finished}")
    for name in ("Rename", "Delete"):
        page.get_by_role("button", name=name).click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += faults(page, axe)
        page.keyboard.press("Escape")
    assert found == []


def test_axe_is_awake(page, axe):
    """What finds nothing anywhere must find what is there."""
    page.goto("/")
    page.evaluate("document.querySelector('label[for=file]').remove()")
    assert "label" in [fault for fault, _ in faults(page, axe)]


def test_nothing_is_wider_than_a_telephone(phone, pages):
    for name in NAMES:
        show(phone, pages, name)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, name


def test_who_wants_no_motion_gets_none(phone, finished):
    phone.goto(f"/jobs/{finished}")
    phone.click("#how summary")
    phone.wait_for_selector(".line.best .bar")
    assert phone.locator(".line.best .bar").evaluate("bar => getComputedStyle(bar).transitionDuration") == "0s"
