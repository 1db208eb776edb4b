"""A report as JSON: it comes back as it was, and nothing else is taken for one."""

import json
import re

import pytest

from documents import example
from kernelscribe.errors import DataError
from kernelscribe.report.document import Document, Emph, Figure, Mono, Paragraph, Section, Strong, Text, figures
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


def test_names_in_files_stay_when_classes_are_renamed():
    """Reports that were saved by 0.1 are read for ever."""
    found = set(re.findall(r'"type":"([a-z]+)"', to_json(example()))) - {"quantitative", "nominal", "ordinal", "temporal", "utc"}
    assert {"numbers", "row", "table"} <= found
    assert not {"cards", "sidebyside", "tableblock"} & found
