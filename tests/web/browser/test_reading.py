"""From a file to a search: it is taken in, shown as it was read, asked about where it is ambiguous, refused in plain words."""

import pytest

from webapp import series, soon, until


def give(page, name, content):
    page.goto("/")
    body = content if isinstance(content, bytes) else content.encode()
    page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": body})


def test_from_a_file_to_its_report_with_every_download(app, page):
    give(page, "shop.csv", series(36))
    page.wait_for_selector("#sentence strong")
    assert page.text_content("h1") == "How this file was read: shop.csv"
    assert page.text_content("#sentence") == "sales is to be explained by month, from 36 rows."
    assert page.locator("#notes li").count() >= 2
    assert page.locator("#chart svg path.series").count() == 1
    assert page.locator("#rows tbody tr").count() == 8
    assert page.locator("#rows th").all_text_contents() == ["month", "visitors", "sales"]
    page.select_option("#target", "visitors")
    until(page, "document.getElementById('sentence').textContent.startsWith('visitors is')")
    page.select_option("#target", "sales")
    until(page, "document.getElementById('sentence').textContent.startsWith('sales is')")
    page.click("#more summary")
    page.fill("#option-depth", "0")
    page.fill("#forecast", "5")
    page.click("#begin")
    page.wait_for_selector("iframe.report")

    report = page.frame_locator("iframe.report")
    report.locator("h1").wait_for()
    # Charts are drawn when they come into sight; a browser that is never idle draws no others.
    page.locator("iframe.report").evaluate("(frame) => frame.scrollIntoView()")
    report.locator("[data-chart][data-state=drawn]").first.wait_for()
    assert page.locator("iframe.report").get_attribute("sandbox") == "allow-scripts allow-popups"
    assert "sales" in page.text_content("#headline")

    beginnings = {
        "index.html": b"<!doctype html>",
        "report.pdf": b"%PDF-",
        "report-markdown.zip": b"PK",
        "forecast.csv": b"ds,mean",
        "components.csv": b"ds,sales",
        "model.json": b"{",
        "search.jsonl": b"{",
        "reproduce.py": b"",
    }
    links = page.locator(".files a")
    names = links.evaluate_all("links => links.map((link) => link.pathname.split('/').at(-1))")
    assert set(names) == set(beginnings)
    for i, name in enumerate(names):
        with page.expect_download() as coming:
            links.nth(i).click()
        assert coming.value.failure() is None, f"{name}: {page.context.request.get(links.nth(i).get_attribute('href')).status}"
        content = coming.value.path().read_bytes()
        assert content.lower().startswith(beginnings[name].lower()), name
        assert len(content) > 100, name
    compile(app_text(app, page, "reproduce.py"), "reproduce.py", "exec")
    assert app_text(app, page, "forecast.csv").count("\n") == 6


def test_a_format_that_cannot_be_made_says_so(page, finished):
    wrong = {"error": {"status": 500, "message": "The report cannot be written."}}
    page.route("**/api/jobs/*/files/report.pdf", lambda route: route.fulfill(status=500, json=wrong))
    page.expect_errors("status of 500")
    page.goto(f"/jobs/{finished}")
    link = page.get_by_role("link", name="Report (PDF)")
    note = page.locator(".files li", has=link).get_by_role("status")
    assert note.text_content() == "made when you ask for it"
    link.click()
    note.get_by_text("The report cannot be written.", exact=True).wait_for()
    page.unroute("**/api/jobs/*/files/report.pdf")
    with page.expect_download() as coming:
        link.click()
    assert coming.value.failure() is None
    assert note.text_content() == "ready"


def app_text(app, page, name):
    return page.context.request.get(f"/jobs/{page.url.rpartition('/')[2]}/files/{name}").text()


def test_a_date_that_can_be_read_two_ways_is_asked_about(page):
    rows = "".join(f"0{1 + i % 9}/0{1 + i // 9}/2020,{i}.5\n" for i in range(40))
    give(page, "shop.csv", "day,sales\n" + rows)
    page.wait_for_selector("#ask", state="visible")
    assert "?" in page.text_content("#ask legend")
    options = page.get_by_role("radio")
    assert options.count() == 2
    assert not page.locator("#seen").is_visible()
    options.first.check()
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("#sentence strong")
    assert page.text_content("#sentence") == "sales is to be explained by day, from 40 rows."
    assert page.input_value("#date_format") in ("dmy", "mdy")
    assert page.locator("#begin").is_enabled()


@pytest.mark.parametrize("stores", [3, 20])
def test_which_of_several_series_is_asked_and_the_search_is_of_that_one(app, page, stores):
    """Few are shown side by side, many in a list."""
    rows = "".join(f"2020-{1 + m % 12:02d}-{1 + m // 12:02d},S{k},{k}.{m % 7}\n" for k in range(stores) for m in range(30))
    give(page, "shops.csv", "day,store,sales\n" + rows)
    page.wait_for_selector("#ask", state="visible")
    assert "told apart by store" in page.text_content("#ask legend")
    if stores == 3:
        page.get_by_role("radio", name="S2").check()
    else:
        page.get_by_role("combobox", name="Which store").select_option("S2")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("#sentence strong")
    assert page.text_content("#sentence") == "sales is to be explained by day, from 30 rows of store S2."
    page.get_by_role("button", name="Choose other rows").click()
    page.wait_for_selector("#ask", state="visible")
    assert not page.locator("#seen").is_visible()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("photo.csv", b"\x89PNG\r\n\x1a\n" + bytes(200), "photo.csv"),
        ("empty.csv", b"", "empty"),
        ("words.csv", b"name,town\n" + b"Ann,Rome\nBob,Bonn\n" * 9, "number"),
    ],
)
def test_a_file_that_cannot_be_used_is_answered_in_plain_words(page, name, content, said):
    page.expect_errors("status of 422", "status of 400")
    give(page, name, content)
    page.wait_for_selector("#problem", state="visible")
    text = page.text_content("#problem")
    assert said in text
    assert not any(word in text for word in ("Traceback", "Error", "Exception", "--", "{"))
    page.get_by_role("link", name="Choose another file").first.click() if "/read/" in page.url else None
    page.wait_for_selector("#file")


def test_a_choice_that_cannot_be_is_told_and_undone(app, page):
    page.goto(f"/read/{app.upload(series(30), 'shop.csv')}")
    page.wait_for_selector("#begin:not([disabled])")
    page.get_by_role("checkbox", name="month").uncheck()
    page.wait_for_selector("#problem", state="visible")
    assert "at least one column" in page.text_content("#problem")
    assert page.locator("#begin").is_disabled()
    page.get_by_role("checkbox", name="visitors").check()
    until(page, "document.getElementById('sentence').textContent.includes('by visitors,')")
    assert page.locator("#begin").is_enabled()
    page.expect_errors("status of 422")
    page.click("#more summary")
    page.fill("#encoding", "no-such-thing")
    page.press("#encoding", "Tab")
    page.wait_for_selector("#problem", state="visible")
    page.click("#undo")
    page.wait_for_selector("#problem", state="hidden")
    assert page.input_value("#encoding") == ""


def test_an_example_and_a_file_that_is_dropped(page):
    page.goto("/")
    page.get_by_role("button", name="Mauna Loa").click()
    page.wait_for_selector("#sentence strong")
    assert page.text_content("#sentence").startswith("co2_ppm is to be explained by year, from 521 rows")
    page.goto("/")
    page.evaluate(
        """(text) => {
          const held = new DataTransfer();
          held.items.add(new File([text], "dropped.csv"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true }));
        }""",
        series(20),
    )
    page.wait_for_selector("#sentence strong")
    assert "dropped.csv" in page.text_content("h1")


def test_a_file_is_chosen_with_the_keyboard_alone(page):
    chosen = []
    # From the beginning: Chromium shows its own chooser until it is told that somebody listens, and a key may overtake that.
    page.on("filechooser", lambda chooser: chosen.append(chooser.is_multiple()))
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "file"
    assert page.locator("#drop").evaluate("drop => getComputedStyle(drop).outlineStyle") == "solid"
    for _ in range(10):
        page.keyboard.press("Space")
        # A key that is held for more than five seconds opens nothing, and on a slow machine any may be.
        if soon(page, lambda: chosen, 30):
            break
    assert chosen[:1] == [False], "one file, not several"


def test_errors_of_the_address_have_a_page_in_plain_words(page):
    page.expect_errors("status of 404")
    for path in ("/nowhere", "/jobs/0123456789abcdef", "/read/0123456789abcdef", "/compare?a=x&b=y"):
        answer = page.goto(path)
        assert answer.status in (400, 404), path
        assert page.locator("h1").count() == 1
        assert page.get_by_role("link", name="To the start").is_visible()
