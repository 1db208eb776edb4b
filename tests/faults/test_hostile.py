"""Faults of hostile input, one test a fault or more, named by the number it has in the project's list of faults.

One list of payloads goes into every place of a report where foreign text may stand, and through every renderer. What a
payload may change is text: the structure of the result must be the one that a harmless word gives.
"""

import csv
import io
import json
import re
from functools import cache
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from markdown_it import MarkdownIt

from browser import browse
from kernelscribe.data.axis import Axis
from kernelscribe.report import figures
from kernelscribe.report.document import (
    Bullets,
    Callout,
    Card,
    Cards,
    Code,
    Details,
    Document,
    Emph,
    Figure,
    Mono,
    Paragraph,
    Section,
    Strong,
    TableBlock,
    Text,
)
from kernelscribe.report.document import figures as charts_of
from kernelscribe.report.formats import html, markdown, pdf
from kernelscribe.report.formats.escape import csv_cell, json_for_html, readable, terminal
from kernelscribe.report.formats.picture import svg
from markup import Structure
from payloads import HARMLESS, PAYLOADS

payloads = pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))


@cache
def hostile(payload):
    """A report in which the payload stands in every place."""
    x, axis = np.linspace(0, 1, 8), Axis(payload, payload)
    band = figures.band(x, x, x - 1, x + 1, axis, payload, dots=figures.Dots(x, x, x), split=0.5)
    kernels = figures.intervals([(payload, -2.0, -1.0), (payload, -3.0, -3.0)])
    marked = Text(("in ", payload, " and ", Strong(payload), " and ", Emph(payload), " and ", Mono(payload), " out"))
    blocks = (
        Paragraph(payload),
        Paragraph(marked),
        Bullets((payload, marked)),
        Cards((Card(payload, payload, marked),)),
        TableBlock((payload, marked), ((payload, marked), (marked, payload)), payload),
        Figure(band, payload, payload),
        Figure(kernels, marked, payload),
        Code(payload),
        Callout("warning", payload),
        Details(payload, (Paragraph(payload), Section(payload, ()))),
    )
    return Document(payload, marked, (Section(payload, blocks), Section(marked, ())), ((payload, payload),))


@cache
def structure(payload):
    return Structure(html.render(hostile(payload)))


@payloads
def test_fault_63_markup_in_names_is_text_in_a_page(payload):
    found = structure(payload)
    assert found.elements == structure(HARMLESS).elements
    shown = readable(payload)
    assert sum(shown in text for text in found.texts) >= 20
    assert found.values.count(shown) >= 2
    assert not any(re.match(r"\s*javascript:", value or "") and value != shown for value in found.values)


@payloads
def test_fault_63_markup_in_names_is_text_in_a_picture(payload):
    for figure in charts_of(hostile(payload)):
        picture = ElementTree.fromstring(svg(figure.spec))  # noqa: S314
        for element in picture.iter():
            assert element.tag.rpartition("}")[2] in ("svg", "g", "path", "line", "text", "rect", "defs", "clipPath", "style")
            assert not [name for name in element.attrib if name.lower().startswith("on") or name.lower().endswith("href")]
        written = [" ".join((element.text or "").split()) for element in picture.iter() if element.tag.endswith("text")]
        start = " ".join(readable(payload).split())[:10]
        assert any(text.startswith(start) for text in written)


def test_fault_63_templates_escape_by_themselves():
    """A harmless-looking value with all five characters comes out escaped wherever it stands."""
    page = html.render(hostile("<a href='x'>\"&"))
    assert "<a href='x'>" not in page
    assert page.count("&lt;a href=&#39;x&#39;&gt;&#34;&amp;") >= 25


def test_fault_63_a_browser_runs_nothing_of_it(tmp_path):
    path = tmp_path / "hostile.html"
    path.write_text(html.render(hostile(" ".join(PAYLOADS))), encoding="utf-8")
    with browse() as tab:
        tab.open(path)
        tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        tab.wait("[...document.querySelectorAll('[data-chart]')].every((each) => each.dataset.state === 'drawn')")
        tab.point("[data-chart='1'] .mark-symbol path")
        tab.wait("!!document.querySelector('#vg-tooltip-element.visible')")
        assert tab.evaluate("document.querySelectorAll('#vg-tooltip-element :is(img, script, svg, a)').length") == 0
        assert tab.evaluate("document.querySelector('#vg-tooltip-element').innerText.includes('<script>')")
        assert tab.evaluate("window.hit === undefined && ({}).polluted === undefined")
        assert tab.complaints == []
        assert tab.requests == [path.as_uri()]


@payloads
def test_fault_64_embedded_json_ends_no_script(payload):
    page = html.render(hostile(payload))
    blocks = re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert not re.search("[<>&\u2028\u2029]", block)
    packed = json.loads(blocks[1])
    assert packed["charts"][0]["layer"][0]["encoding"]["y"]["title"].rstrip() == readable(payload).rstrip()
    assert page.count("</script>") == 4


@payloads
def test_fault_64_json_comes_back_as_it_was(payload):
    value = {payload: [payload, {"a": payload}, None, 1.5]}
    text = json_for_html(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert not set(text) & set("<>&")


def test_fault_64_the_policy_allows_no_host():
    page = unescape(html.render(hostile(PAYLOADS[0])))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    sources = {source for rule in policy.split("; ") for source in rule.split(" ")[1:]}
    assert {source for source in sources if not source.startswith("'sha256-")} == {"'none'", "data:"}


READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def skeleton(text):
    """The structure that a reader of Markdown sees, and the texts in it."""
    kinds, texts = [], []

    def walk(tokens):
        for token in tokens:
            if token.type == "inline":
                walk(token.children)
            elif token.type == "text":
                # Neighbouring texts are one text: an escape may divide what is shown together.
                if kinds[-1] == "text":
                    texts[-1] += token.content
                else:
                    kinds.append("text")
                    texts.append(token.content)
            else:
                kinds.append(token.type)
                if token.type in ("code_inline", "fence"):
                    texts.append(token.content)

    walk(READER.parse(text))
    return kinds, texts


@payloads
def test_fault_65_markup_in_names_is_text_in_markdown(payload):
    kinds, texts = skeleton(markdown.render(hostile(payload)))
    assert kinds == skeleton(markdown.render(hostile(HARMLESS)))[0]
    assert sum(readable(payload).strip() in text for text in texts) >= 25


def test_fault_65_no_link_comes_of_an_address():
    text = markdown.render(Document("t", "", (Section("s", (Paragraph(PAYLOADS[9]),)),)))
    assert not re.search(r"(?<!\\)://|www\.|(?<!\\)@|mailto:", text)


@payloads
def test_fault_65_markup_in_names_is_text_in_typst(payload):
    assert _outside(pdf.source(hostile(payload))) == _outside(pdf.source(hostile(HARMLESS)))


def test_fault_65_typst_typesets_all_of_it():
    typst = pytest.importorskip("typst", reason="the package typst is not installed")
    document = hostile(" ".join(PAYLOADS))
    assert pdf.render(document).startswith(b"%PDF-")
    titles = [each["body"] for each in json.loads(typst.query(pdf.source(document).encode(), "heading"))]
    assert titles[0] == {"func": "text", "text": readable(" ".join(PAYLOADS))}


@cache
def _outside(source):
    """The source of a PDF without its strings."""
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', source, flags=re.DOTALL)


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=1", " =1", "=cmd|' /C calc'!A0", "＝1", "\x00=1", "-2+3"]
)
def test_fault_66_formulae_in_a_table_are_text(text):
    cell = csv_cell(text)
    assert cell == "'" + text.replace("\x00", "")
    written = io.StringIO()
    csv.writer(written).writerow([cell, -1.5])
    assert next(csv.reader(io.StringIO(written.getvalue(), newline=""))) == [cell, "-1.5"]


@pytest.mark.parametrize("value", ["price", "a=b", "", "é", "1.5", 0, -1, -1.5, float("-inf"), None, True, np.float64(-2.5)])
def test_fault_66_other_text_and_all_numbers_are_left_alone(value):
    assert csv_cell(value) is value or csv_cell(value) == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[H\x1b[?25lgone", "gone"),
        ("\x1b]0;title\x07name", "name"),
        ("\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1;2qpixels\x1b\\name", "name"),
        ("\x9b31mred", "red"),
        ("\x9d0;title\x9cname", "name"),
        ("\x1bcreset", "reset"),
        ("\x1b(0box", "box"),
        ("\x1b]0;never ends", "0;never ends"),
        ("\x1b", ""),
        ("a\rb\nc\td\x08\x7f\x00\x07", "a b c d"),
        ("\u202egnp.exe\u2066", "gnp.exe"),
        ("température °C 温度", "température °C 温度"),
        ("[bold] 5 % ~/file", "[bold] 5 % ~/file"),
    ],
)
def test_fault_67_escape_sequences_are_stripped(text, shown):
    assert terminal(text) == shown


@payloads
def test_fault_67_nothing_that_a_terminal_acts_on_is_left(payload):
    nested = f"\x1b\x1b[31m[31m{payload}\x1b]0;{payload}\x07\x9b\x1b"
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", terminal(nested))


def test_fault_67_a_long_name_takes_no_long_time():
    assert len(terminal("\x1b]" * 200_000)) <= 200_000
    assert len(terminal("\x1b[" + "1;" * 200_000)) <= 400_001
