"""The report as a page: one file, readable without a network, on a telephone, on paper and by a screen reader."""

import base64
import hashlib
import json
import re
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from browser import browse
from documents import AXIS, example
from kernelscribe.report import figures
from kernelscribe.report.document import Code, Document, Figure, Paragraph, Section, TableBlock, Text
from kernelscribe.report.formats import html
from kernelscribe.report.formats.theme import DARK, LIGHT

PACKAGE = Path(str(files("kernelscribe.report")))
LIMIT = 3_000_000
ALL_DRAWN = "[...document.querySelectorAll('[data-chart]')].every((each) => each.dataset.state === 'drawn')"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text in each."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), []))
        if tag not in ("meta", "link", "img", "br"):
            self.inside.append(self.found[-1])

    def handle_endtag(self, tag):
        assert self.inside.pop()[0] == tag

    def handle_data(self, data):
        for each in self.inside:
            each[2].append(data)

    def of(self, tag):
        return [(attrs, "".join(text)) for name, attrs, text in self.found if name == tag]


@pytest.fixture(scope="module")
def page():
    return html.render(example())


@pytest.fixture(scope="module")
def elements(page):
    return Elements(page)


@pytest.fixture(scope="module")
def tab():
    with browse() as found:
        yield found


@pytest.fixture(scope="module")
def path(page, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(page, encoding="utf-8")
    return file


def test_it_is_one_small_file(page):
    assert len(page.encode()) < LIMIT


def test_it_stays_small_with_ten_components_of_a_long_series():
    rng = np.random.default_rng(0)
    x, y = np.linspace(1900, 2000, 100_000), rng.normal(size=100_000)
    curves = [(np.sin(k * x), np.sin(k * x) - 1 - k / 9, np.sin(k * x) + 1 + k / 7) for k in range(1, 11)]
    drawn = [Figure(figures.band(x, *curve, AXIS, "y", split=1990), "", "") for curve in curves]
    drawn += [Figure(figures.band(x, *curve, AXIS, "y", figures.Dots(x, y, curve[0]), 1990), "", "") for curve in curves[::-1]]
    drawn += [Figure(figures.samples(x, np.array(curve), AXIS, "y"), "", "") for curve in curves]
    assert len(html.render(Document("t", "", (Section("s", tuple(drawn)),))).encode()) < LIMIT


def test_headings_lead_from_the_contents(elements):
    assert [text for _, text in elements.of("h1")] == ["Carbon dioxide at Mauna Loa"]
    assert [text for _, text in elements.of("h2")] == ["In short", "The components, one by one", "How far to trust it"]
    assert [text for _, text in elements.of("h3")] == ["A very smooth rise", "A yearly cycle"]
    targets = {attrs["href"][1:]: text for attrs, text in elements.of("a") if attrs.get("class") != "skip"}
    headings = {attrs["id"]: text for level in ("h2", "h3") for attrs, text in elements.of(level)}
    assert targets == headings


def test_sections_without_an_id_have_one_of_their_own():
    blocks = (Section("b", ()), Section("c", ()))
    found = Elements(html.render(Document("t", "", (Section("a", blocks), Section("d", ()))))).of("a")
    links = [attrs["href"] for attrs, _ in found]
    assert len(set(links)) == len(links) == 5


def test_every_chart_says_what_it_shows(elements):
    labels = [attrs["aria-label"] for attrs, _ in elements.of("div") if attrs.get("role") == "img"]
    assert len(labels) == len([1 for attrs, _ in elements.of("div") if "data-chart" in attrs]) == 16
    assert labels[0] == "Carbon dioxide rises from 315 to 371 with a yearly wave."


def test_tables_and_key_figures(elements):
    assert [text for _, text in elements.of("th")][:2] == ["Component", "Variance explained"]
    assert ({"class": "right"}, "−87.3 %") in elements.of("td")
    assert "March 1958 to December 2001" in [text for _, text in elements.of("dd")]


def test_marks_and_code():
    document = Document("t", "", (Section("s", (Paragraph(Text(("a<b",))), Code("x <\n\ty\n"), TableBlock(("h",), ()))),))
    found = Elements(html.render(document))
    assert found.of("p")[-1][1] == "a<b"
    assert found.of("pre")[0][1] == "x <\n y"


def test_a_report_without_charts_has_no_scripts():
    found = html.render(Document("t", "", (Section("s", (Paragraph("p"),)),)))
    assert "<script" not in found
    assert "script-src 'none';" in unescape(found)
    assert found.startswith("<!DOCTYPE html>")
    assert len(found) < 20_000


def test_the_policy_names_exactly_what_is_in_the_page(elements):
    policy = next(attrs["content"] for attrs, _ in elements.of("meta") if attrs.get("http-equiv"))
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    def marks(texts):
        return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts)

    assert rules == {
        "default-src": "'none'",
        "script-src": marks(text for attrs, text in elements.of("script") if "type" not in attrs),
        "style-src": marks(text for _, text in elements.of("style")),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "unsafe" not in policy


def test_nothing_in_the_page_leads_to_a_host(elements):
    for _, attrs, _ in elements.found:
        assert not {"src", "srcset", "action", "style", "onload", "onclick"} & set(attrs)
        assert attrs.get("href", "#").startswith(("#", "data:,"))


def test_charts_hold_each_column_once(elements):
    packed = json.loads(next(text for attrs, text in elements.of("script") if attrs.get("id") == "charts"))
    assert len({json.dumps(column) for column in packed["columns"]}) == len(packed["columns"])
    drawn, places = packed["charts"][0], packed["charts"][0]["datasets"]["points"]
    shown = example().sections[0].blocks[2].figures[0].spec["datasets"]["points"]
    assert [packed["columns"][places["y"]][row] for row in (0, 1)] == [shown[0]["y"], shown[1]["y"]]
    assert drawn["layer"][0]["encoding"]["y"]["title"] == "co2"


def test_text_goes_unescaped_into_the_page_in_one_place_only():
    templates = [each.read_text() for each in PACKAGE.glob("formats/templates/*")]
    assert len(templates) == 4
    for text in templates:
        assert not re.search(r"\|\s*safe|autoescape|innerHTML|https?://|\beval\b", text)
    sources = {each.name: each.read_text() for each in PACKAGE.rglob("*.py")}
    assert {name: text.count("Markup(") for name, text in sources.items() if "Markup(" in text} == {"html.py": 1}


@pytest.mark.parametrize("text", ["a</script>", "</STYLE >", "<!-- x"])
def test_what_would_end_its_element_is_not_trusted(text):
    with pytest.raises(ValueError, match="would end"):
        html._trusted(text)


def contrast(one, other):
    """As WCAG 2 has it."""

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        return sum(
            weight * (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
            for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
        )

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_lines_stand_out(colours):
    assert contrast(colours["muted"], colours["paper"]) >= 4.5
    for ground in ("paper", "grid"):
        assert contrast(colours["ink"], colours[ground]) >= 4.5
        assert all(contrast(colours[name], colours[ground]) >= 4 for name in ("mean", "ahead"))
    assert all(contrast(colours[name], colours["paper"]) >= 3 for name in ("datum", "third", "fourth", "reference"))


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True), (360, False)])
def test_a_browser_draws_every_chart_without_a_complaint(tab, path, width, dark):
    tab.open(path, width, dark=dark)
    tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    tab.wait(ALL_DRAWN)
    assert (
        tab.evaluate("[...document.querySelectorAll('[data-chart]')].filter((each) => each.querySelector('svg path')).length")
        == 16
    )
    assert tab.complaints == []
    assert tab.requests == [path.as_uri()]
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    widest = tab.evaluate(
        "Math.max(...[...document.querySelectorAll('.chart svg')].map((each) => each.getBoundingClientRect().right))"
    )
    assert widest <= width
    ink = "getComputedStyle(document.querySelector('.chart .role-axis-label text')).fill"
    hexes = re.findall(r"\d+", tab.evaluate(ink))
    assert "#" + "".join(f"{int(part):02x}" for part in hexes) == (DARK if dark else LIGHT)["muted"]


def test_the_name_of_a_chart_outlives_its_drawing(tab, path):
    tab.open(path)
    tab.wait("document.querySelector('[data-chart=\"0\"]').dataset.state === 'drawn'")
    outer = tab.evaluate("document.querySelector('[data-chart=\"0\"]').parentElement.outerHTML.slice(0, 99)")
    assert outer.startswith('<div role="img" aria-label="Carbon dioxide rises from 315 to 371')


def test_paper_is_light_unfolded_and_complete(tab, path):
    tab.open(path, dark=True)
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.evaluate("[...document.querySelectorAll('details')].every((each) => each.open)")
    tab.wait(ALL_DRAWN)
    scheme = {"name": "prefers-color-scheme", "value": "dark"}
    tab.call("Emulation.setEmulatedMedia", media="print", features=[scheme])
    assert tab.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ink')") == LIGHT["ink"]
    assert base64.b64decode(tab.call("Page.printToPDF")["data"]).startswith(b"%PDF")
    tab.call("Emulation.setEmulatedMedia", media="")
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not tab.evaluate("document.querySelector('details').open")


def test_without_scripts_the_page_says_so(tab, path):
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(path)
        # With scripts on, what stands in the element is no part of the page, and there is no such paragraph.
        assert "scripts are switched off" in tab.evaluate("document.querySelector('noscript p').innerText")
        assert tab.evaluate("document.querySelectorAll('.chart svg').length") == 0
    finally:
        tab.call("Emulation.setScriptExecutionDisabled", value=False)
