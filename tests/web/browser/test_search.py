"""The live page: the tree grows, survives a reload and a second tab, and ends cleanly when it is stopped."""

import json
import re

from webapp import endless, series, until

TRIED = "Number(document.getElementById('tried').textContent.replace(/\\D/g, ''))"
LINES = "#branches .line"
# Of many candidates only those in front are shown, until somebody asks for the others.
HOLDS = """(wanted) => {
  for (const button of document.querySelectorAll(".others button[aria-expanded=false]")) button.click();
  const shown = new Set([...document.querySelectorAll("#branches .line code")].map((each) => each.textContent));
  return wanted.every((each) => shown.has(each));
}"""


def hold(page, kernels):
    """Wait until the tree holds all these kernels."""
    until(page, f"({HOLDS})({json.dumps(sorted(kernels))})")


def test_a_search_survives_a_reload_a_second_tab_and_a_lost_connection_and_stops_with_a_report(app, page):
    running = app.begin(series(60), "long.csv", **endless())
    page.goto(f"/jobs/{running}")
    until(page, f"{TRIED} >= 3")
    page.wait_for_selector(f"{LINES}.best")
    assert page.text_content("#best").startswith("Best so far: ")
    assert page.locator("#best").get_attribute("aria-live") == "polite"
    assert page.locator("[aria-live]").count() == 1
    known = set(page.locator(f"{LINES} code").all_text_contents())
    page.reload()
    hold(page, known)
    assert page.text_content("#clock") != "0 s"

    second = page.context.new_page()
    second.goto(f"/jobs/{running}")
    hold(second, known)
    second.close()

    page.expect_errors("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED")
    page.context.set_offline(True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("#lost", state="visible")
    page.context.set_offline(False)
    page.wait_for_selector("#lost", state="hidden")
    before = page.evaluate(TRIED)
    until(page, f"{TRIED} > {before}")

    page.click("#stop")
    page.wait_for_selector("iframe.report")
    assert "stopped early" in page.text_content(".heading")
    assert page.frame_locator("iframe.report").locator("h1").first.text_content()
    names = set(page.locator(".files a").evaluate_all("links => links.map((link) => link.pathname.split('/').at(-1))"))
    assert {"index.html", "model.json", "components.csv"} <= names


def test_bars_lie_on_one_axis_and_the_best_is_furthest_right(page, finished):
    page.goto(f"/jobs/{finished}")
    page.click("#how summary")
    told = page.context.request.get(f"/api/jobs/{finished}/events").text()
    hold(page, re.findall(r'"kernel": "([^"]+)"', told))
    until(page, "document.getAnimations().length === 0")
    right = "(boxes) => boxes.map((box) => box.getBoundingClientRect().right)"
    every = page.locator(f"{LINES}:not(.far):not(.none) .bar").evaluate_all(right)
    (best,) = page.locator(f"{LINES}.best .bar").evaluate_all(right)
    (track,) = page.locator(f"{LINES}.best .track").evaluate_all(right)
    assert max(every) <= best + 1 <= track
    out = page.locator(f"{LINES}.out .value").all_text_contents()
    assert out and all(re.search("slightly|moderately|ruled out|could not", each) for each in out)
    assert page.locator(f"{LINES}.best .name").get_attribute("data-mark") == "★"
    assert re.match(r"Round 1: \d+ candidates", page.locator("#rounds li").first.text_content())


def test_two_searches_at_once(app, page, browser_page):
    jobs = [app.begin(series(30, seed), f"both-{seed}.csv", depth=0) for seed in (1, 2)]
    tabs = [page, browser_page()]
    for tab, job in zip(tabs, jobs, strict=True):
        tab.goto(f"/jobs/{job}")
    for tab in tabs:
        tab.wait_for_selector("iframe.report")
        assert "done" in tab.text_content(".heading")


ZOOM = """async () => {
  const { absorb, children, nothing, standing, zoom } = await import("/static/candidates.js");
  const search = nothing();
  const found = (name, parent, standing, more) => absorb(search, "found", {
    depth: 0, stage: "polish", name, kernel: name, parent, words: name, status: "ok", reason: "", standing,
    best_name: name, best: name, best_words: name, best_standing: standing, ...more,
  });
  const spans = [];
  found("A", null, { lower: -500, upper: -480 });
  spans.push(zoom(search));
  found("B", null, { lower: -90, upper: -80 });
  spans.push(zoom(search));
  for (let i = 0; i < 6; i += 1) found(`C${i}`, "B", { lower: -12 + i, upper: -10 + i });
  spans.push(zoom(search));
  const best = { best_name: "C5", best: "C5", best_words: "C5", best_standing: { lower: -7, upper: -5 } };
  found("D", "gone", null, { depth: 1, stage: "screen", ...best });
  const before = standing(search.all.get("D"), search);
  absorb(search, "closed", { depth: 1, candidates: 1, dropped: 1, failed: 0, contenders: 3, seconds: 1 });
  found("C5", "B", { lower: -70, upper: -60 }, { stage: "renew", ...best });
  const kin = children(search);
  const names = (parent) => kin.get(parent).map((each) => each.name);
  const after = [...search.all.values()].map((each) => [each.name, standing(each, search)]);
  const kept = search.all.get("C5").nats.upper;
  return { spans, before, after: Object.fromEntries(after), order: names("B"), roots: names(null), kept };
}"""


def test_the_axis_zooms_to_those_that_lead(page):
    page.goto("/history")
    found = page.evaluate(ZOOM)
    assert found["spans"] == [{"top": -480, "span": 50}, {"top": -80, "span": 500}, {"top": -5, "span": 10}]
    assert found["before"] == "none"
    assert found["after"] == {
        "A": "out", "B": "out", "C0": "out", "C1": "out", "C2": "out", "C3": "open", "C4": "open", "C5": "best", "D": "out",
    }  # fmt: skip
    assert found["order"] == ["C5", "C4", "C3", "C2", "C1", "C0"]
    assert found["roots"] == ["B", "A", "D"], "a parent that is unknown counts as none"
    assert found["kept"] == -5, "a shaken copy that climbs less high is no news"
