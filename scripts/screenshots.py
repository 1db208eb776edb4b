"""Takes the pictures of docs/web.md: `make screenshots`. A server of its own, made-up sales, a headless Chromium."""

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from browser import executable
from webapp import App, chromium_flags, series, serve

IMAGES = Path(__file__).parents[1] / "docs" / "images"
# A window that a page of the docs shows without shrinking it much.
WIDE = {"width": 960, "height": 700}
# A common phone.
PHONE = {"width": 390, "height": 760}
# Candidates that make a tree worth looking at.
ENOUGH = 12


def main() -> None:
    """All pictures, in the order in which somebody sees the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=120, help="rows of the made-up series")
    rows = parser.parse_args().rows
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serve(folder) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=chromium_flags())
        try:
            take(browser, app, rows)
        finally:
            browser.close()


def take(browser: Browser, app: App, rows: int) -> None:
    settings = {"base_url": app.base, "locale": "en-GB", "timezone_id": "UTC", "reduced_motion": "reduce"}
    page = browser.new_context(viewport=WIDE, **settings).new_page()
    example = app.call("POST", "/api/examples/mauna_loa", {})["id"]
    shoot(page, f"/read/{example}", "#begin:not([disabled])", "web-reading")
    dates = "day,sales\n" + "".join(f"0{1 + i % 9}/0{1 + i // 9}/2020,{i}.5\n" for i in range(40))
    shoot(page, f"/read/{app.upload(dates, 'shop.csv')}", "#ask legend", "web-question", height=420)

    first = app.begin(series(rows), "sales.csv", depth=3, forecast=24)
    page.goto(f"/jobs/{first}")
    while page.locator("#branches .line").count() < ENOUGH and page.locator("iframe.report").count() == 0:
        page.wait_for_timeout(200)
    page.screenshot(path=IMAGES / "web-search.png")
    app.settle(first, 3600)
    second = app.begin(series(rows), "sales.csv", depth=1, seed=3)
    app.settle(second, 3600)
    app.call("PATCH", f"/api/jobs/{second}", {"title": "sales, a quick look"})

    shoot(page, f"/jobs/{first}", "iframe.report", "web-report", drawn=True, top=True)
    shoot(page, "/history", "#pick", "web-history", height=420)
    shoot(page, f"/compare?a={first}&b={second}", "table.beside", "web-compare")
    shoot(page, "/", "#file", "web-start")
    phone = browser.new_context(viewport=PHONE, color_scheme="dark", **settings).new_page()
    shoot(phone, f"/jobs/{first}", "iframe.report", "web-phone", drawn=True)


def shoot(
    page: Page, address: str, ready: str, name: str, *, height: int | None = None, drawn: bool = False, top: bool = False
) -> None:
    """What the window shows, as a PNG file."""
    page.goto(address)
    page.wait_for_selector(ready, timeout=600_000)
    if drawn:
        # Browsers load and draw what is in sight.
        page.locator("iframe.report").evaluate("(frame) => frame.scrollIntoView()")
        page.frames[1].locator("[data-chart][data-state=drawn]").first.wait_for(timeout=600_000)
    if top:
        page.evaluate("window.scrollTo(0, 0)")
    clip = None if height is None else {"x": 0, "y": 0, "width": WIDE["width"], "height": height}
    page.screenshot(path=IMAGES / f"{name}.png", clip=clip)


if __name__ == "__main__":
    main()
