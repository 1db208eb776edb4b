"""The history: rename, delete with a question, run again with other choices, and two side by side."""

import pytest

from webapp import series


@pytest.fixture(scope="module")
def another(app):
    job = app.begin(series(30, seed=5), "another.csv", depth=0, forecast=7)
    app.settle(job)
    return job


@pytest.fixture
def unloved(app):
    """An analysis of too few rows: over at once, and nothing is lost with it."""
    job = app.begin("a,b\n1,2\n", "unloved.csv", depth=0)
    app.settle(job)
    return job


def row(page, job):
    return page.locator(f"li[data-job='{job}']")


def test_an_analysis_is_renamed_and_deleted_after_a_question(page, unloved):
    page.goto("/history")
    row(page, unloved).get_by_role("button", name="Rename").click()
    assert page.evaluate("document.activeElement.id") == "rename-text"
    page.keyboard.press("Escape")
    assert row(page, unloved).locator(".title").text_content() == "unloved.csv"
    row(page, unloved).get_by_role("button", name="Rename").click()
    page.fill("#rename-text", "Numbers of <March>")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Numbers of <March>")
    row(page, unloved).get_by_role("link", name="Numbers of <March>", exact=True).click()
    page.wait_for_url(f"**/jobs/{unloved}")
    assert page.text_content("h1") == "Numbers of <March>"

    page.goto("/history")
    row(page, unloved).get_by_role("button", name="Delete").click()
    assert "Numbers of <March>" in page.text_content("#delete")
    assert page.evaluate("document.activeElement.value") == "no", "the harmless button is the one that is ready"
    page.get_by_role("button", name="Keep it").click()
    assert row(page, unloved).is_visible()
    row(page, unloved).get_by_role("button", name="Delete").click()
    page.locator("#delete").get_by_role("button", name="Delete").click()
    row(page, unloved).wait_for(state="detached")
    page.expect_errors("404")
    assert page.goto(f"/jobs/{unloved}").status == 404


def test_it_is_run_again_with_other_choices(app, page, another):
    page.goto(f"/jobs/{another}")
    page.get_by_role("link", name="Run again with other choices").click()
    page.wait_for_selector("#begin:not([disabled])")
    assert page.input_value("#forecast") == "7"
    assert page.input_value("#option-depth") == "0"
    page.fill("#forecast", "3")
    page.click("#more summary")
    page.fill("#option-seed", "4")
    page.select_option("#budget", "5m")
    page.click("#begin")
    page.wait_for_selector("iframe.report")
    job = app.job(page.url.rpartition("/")[2])
    assert job["id"] != another
    assert job["forecast"] == 3
    assert job["options"] == {"backend": "numpy", "depth": 0, "seed": 4, "budget": "5m"}


def test_two_are_put_side_by_side(app, page, finished, another):
    page.goto("/history")
    button = page.get_by_role("button", name="Put two side by side")
    assert button.is_disabled()
    for job in (finished, another):
        row(page, job).get_by_role("checkbox").check()
    assert page.text_content("#picked") == "Two are ticked."
    button.click()
    page.wait_for_selector("table.beside")
    both = [app.job(job) for job in (finished, another)]
    for job in both:
        assert page.get_by_role("cell", name=job["headline"]).count() >= 1
    kernels = page.locator("table.beside code").all_text_contents()
    assert sorted(kernels) == sorted(job["best"] for job in both)
    assert page.locator(".shares li").count() >= 2
    page.locator(".span svg").nth(1).wait_for()
    assert page.locator(".span svg").count() == 2
    assert "Not the same data" in page.text_content("main")
    page.locator("iframe.report").last.scroll_into_view_if_needed()
    for i in (0, 1):
        assert page.frame_locator("iframe.report").nth(i).locator("h1").first.text_content()
