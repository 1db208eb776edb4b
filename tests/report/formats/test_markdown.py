"""The report as Markdown, read by a parser of CommonMark with tables."""

from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from documents import example
from kernelscribe.report.document import Bullets, Code, Document, Emph, Figure, Mono, Paragraph, Section, Strong, TableBlock, Text
from kernelscribe.report.formats.markdown import render

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(*blocks):
    return READER.render(render(Document("t", "", (Section("s", blocks),)))).split("</h2>\n")[1]


def test_the_whole_report():
    page = READER.render(render(example()))
    assert "<h1>Carbon dioxide at Mauna Loa</h1>" in page
    assert "<h3>A yearly cycle</h3>" in page
    assert "<code>co2</code> are explained by <strong>four components</strong>" in page
    assert '<td style="text-align:right">−87.3 %</td>' in page
    assert "<blockquote>\n<p><strong>Warning:</strong> Five months" in page
    assert '<code class="language-sh">kernelscribe score' in page
    assert "<em>Chart:</em> Slow movements" in page
    assert "<img" not in page


def test_charts_are_pictures_in_the_folder(tmp_path):
    folder = tmp_path / "report figures"
    page = READER.render(render(example(), folder))
    names = sorted(each.name for each in folder.iterdir())
    assert len(names) == page.count("<img") == 16
    assert 'src="report%20figures/cycle-alone.svg" alt="A wave with a period of one year."' in page
    for name in names:
        assert f'src="report%20figures/{name}"' in page
        assert ElementTree.parse(folder / name).getroot().tag.endswith("svg")  # noqa: S314


def test_charts_without_an_id_are_counted(tmp_path):
    spec = example().sections[0].blocks[2].figures[0].spec
    render(Document("t", "", (Section("s", (Figure(spec, "", "a"), Figure(spec, "", "b"))),)), tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["figure-1.svg", "figure-2.svg"]


def test_the_same_report_gives_the_same_text():
    assert render(example()) == render(example())


@pytest.mark.parametrize("text", ["- a", "+ a", "1. a", "2) a", "# a", "> a", "===", "---", "    a", "\ta", "``` a", "~~~"])
def test_the_start_of_a_line_opens_nothing(text):
    for words in (text, Text(("", text)), Text((" ", text))):
        assert shown(Paragraph(words)) == f"<p>{text.strip().replace('>', '&gt;')}</p>\n"
        assert shown(Bullets((words,))) == f"<ul>\n<li>{text.strip().replace('>', '&gt;')}</li>\n</ul>\n"


def test_plain_numbers_are_left_alone():
    assert "| 14.30 |" in render(Document("t", "", (Section("s", (TableBlock(("a",), (("14.30",),)),)),)))


def test_marks_touch_their_words():
    assert shown(Paragraph(Text(("a", Strong(" b "), Emph("c"), Mono(" `d` "))))) == (
        "<p>a <strong>b</strong> <em>c</em><code>`d`</code></p>\n"
    )
    assert shown(Paragraph(Text(("a", Strong(""), Emph(" "), Mono(""), "b")))) == "<p>a b</p>\n"


def test_bars_do_not_split_cells():
    page = shown(TableBlock(("a|b", Text((Mono("c|d"),))), (("\\|", "|"),)))
    assert page.count("<th>") + page.count("<th ") == 2
    assert "<code>c|d</code>" in page
    assert page.count("<td") == 2


def test_code_ends_where_it_ends():
    assert shown(Code("a\n```\nb\n````\n")) == "<pre><code>a\n```\nb\n````\n</code></pre>\n"
