"""One server and one browser for each process that tests; pages that fail the test when they complain or ask another host."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from browser import executable
from webapp import PATIENCE, chromium_flags, series, serve

# How many tests ran out of patience; after two the others fail at once, for all of them would take hours.
HUNG, MOST = pytest.StashKey[int](), 2
AXE = Path(__file__).parents[3] / ".axe" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and call.duration > PATIENCE:
        item.config.stash[HUNG] = item.config.stash.get(HUNG, 0) + 1
    return report


def pytest_runtest_setup(item):
    if item.config.stash.get(HUNG, 0) >= MOST:
        pytest.fail(f"not tried: {MOST} tests of pages have hung before", pytrace=False)


@pytest.fixture(scope="session")
def app(tmp_path_factory):
    pytest.importorskip("uvicorn", reason="the extra web is not installed")
    with serve(tmp_path_factory.mktemp("web")) as found:
        yield found


@pytest.fixture(scope="session")
def finished(app):
    """A small analysis that is done; tests leave it as it is."""
    job = app.begin(series(36), "sales.csv", depth=1, forecast=12)
    assert app.settle(job)["state"] == "done"
    return job


@pytest.fixture(scope="session")
def chromium():
    sync = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=chromium_flags(), timeout=1000 * PATIENCE)
        yield browser
        browser.close()


@contextmanager
def opened(chromium, app, **settings):
    """Pages of one user; at the end none may have complained, nor asked for anything elsewhere."""
    context = chromium.new_context(base_url=app.base, locale="en-GB", timezone_id="UTC", **settings)
    context.set_default_timeout(1000 * PATIENCE)
    complaints, asked, expected = [], [], []

    def new():
        page = context.new_page()
        page.expect_errors = lambda *parts: expected.extend(parts)
        return page

    context.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("request", lambda request: asked.append(request.url))
    try:
        yield new
    finally:
        context.close()
    assert [each for each in complaints if not any(part in each for part in expected)] == []
    own = (app.base + "/", "data:", "blob:" + app.base, "about:")
    assert [url for url in asked if not url.startswith(own)] == []


@pytest.fixture
def browser_page(chromium, app):
    """A function that opens one more page."""
    with opened(chromium, app) as new:
        yield new


@pytest.fixture
def page(browser_page):
    return browser_page()


@pytest.fixture
def phone(chromium, app):
    with opened(chromium, app, viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce") as new:
        yield new()


@pytest.fixture(params=["light", "dark"])
def coloured(request, chromium, app):
    with opened(chromium, app, color_scheme=request.param) as new:
        yield new()


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core."""
    if not AXE.exists():
        pytest.skip("axe-core is not there: `make axe` fetches it, where npm is installed")
    return AXE.read_text(encoding="utf-8")
