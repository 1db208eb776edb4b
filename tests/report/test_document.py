"""The tree of a report: what it refuses, and that it comes back from JSON as it was."""

import json

import pytest

from documents import example
from kernelscribe.errors import DataError
from kernelscribe.report.document import (
    Document,
    Emph,
    Figure,
    Mono,
    Paragraph,
    SideBySide,
    Section,
    Strong,
    TableBlock,
    Text,
    figures,
    plain,
)
from kernelscribe.report.formats.saved import FORMAT, from_json, to_json


def test_a_document_comes_back_from_json_exactly():
    document = example()
    again = from_json(to_json(document))
    assert again == document
    assert to_json(again) == to_json(document)


def test_text_comes_back_with_its_marks():
    words = Text(("a", Strong("b"), Emph("c"), Mono("d\n\u2028\ud800<é")))
    document = Document("t", words, (Section(words, (Paragraph(words),)),), (("type", "format"),))
    assert from_json(to_json(document)) == document


def test_a_chart_is_not_taken_for_a_part_of_the_tree():
    spec = {"type": "paragraph", "layer": [{"spec": []}], "format": 7}
    document = Document("t", "", (Section("s", (Figure(spec, "", "alt"),)),))
    assert figures(from_json(to_json(document)))[0].spec == spec


def test_json_has_a_number_of_its_format_and_no_other_is_read():
    saved = json.loads(to_json(example()))
    assert saved["format"] == FORMAT == 1
    with pytest.raises(DataError, match="format 2, and this version reads format 1"):
        from_json(json.dumps({**saved, "format": 2}))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"type": "section", "format": 1}', "[" * 100_000])
def test_what_is_no_saved_report_is_refused(text):
    with pytest.raises(DataError, match="not a saved report"):
        from_json(text)


@pytest.mark.parametrize(
    "change", [{"sections": [{"type": "nonsense"}]}, {"sections": [{"type": "section"}]}, {"more": 1}, {"sections": [{"no": 1}]}]
)
def test_a_damaged_report_is_refused(change):
    saved = json.loads(to_json(Document("t", "", ())))
    with pytest.raises(DataError, match="damaged"):
        from_json(json.dumps(saved | change))


@pytest.mark.parametrize("name", ["a b", '"onclick', "Upper", "../x", "1st"])
def test_ids_hold_no_foreign_text(name):
    for make in (lambda: Section("s", (), name), lambda: Figure({}, "", "", name)):
        with pytest.raises(ValueError, match="small letters"):
            make()


def test_ids_are_used_once():
    figure = Figure({}, "", "", "same")
    with pytest.raises(ValueError, match="more than once: same"):
        Document("t", "", (Section("s", (SideBySide((figure,)),), "same"),))


def test_tables_are_rectangular_and_columns_stand_left_by_default():
    assert TableBlock(("a", "b", "c"), (), align=("right",)).sides == ("right", "left", "left")
    with pytest.raises(ValueError, match="2 cells"):
        TableBlock(("a", "b"), (("1",),))


def test_figures_in_order_of_appearance():
    names = [figure.id for figure in figures(example())]
    assert names[:4] == ["raw", "model", "shares", "rise-alone"]
    assert names[-1] == "level-band"


def test_text_without_marks():
    assert plain(Text(("a ", Strong("b"), Mono("c")))) == "a bc"
    assert plain("as it is") == "as it is"
