"""The report as PDF, by Typst."""

import builtins
import json
import re

import pytest

from documents import example
from kernelscribe.errors import OptionError
from kernelscribe.report.document import Code, Document, Mono, Paragraph, Section, TableBlock, Text
from kernelscribe.report.formats import pdf


@pytest.fixture(scope="module")
def typst():
    return pytest.importorskip("typst", reason="the package typst is not installed")


@pytest.fixture(scope="module")
def made(typst):
    return pdf.render(example())


@pytest.fixture(scope="module")
def small():
    whole = example()
    return Document(whole.title, whole.subtitle, whole.sections[:1], whole.meta)


def test_it_is_a_pdf_of_a_few_pages(made):
    assert made.startswith(b"%PDF-")
    pages = len(re.findall(rb"/Type\s*/Page\b", made))
    assert 3 <= pages <= 8
    assert len(made) < 1_000_000


def test_the_same_report_gives_the_same_bytes(typst, small):
    assert pdf.render(small) == pdf.render(small)


def test_headings_tables_and_pictures_are_what_they_are(typst, small):
    source = pdf.source(small).encode()
    found = {what: json.loads(typst.query(source, what)) for what in ("heading", "table", "image", "list")}
    assert {what: len(each) for what, each in found.items()} == {"heading": 1, "table": 1, "image": 3, "list": 1}
    assert found["image"][0]["alt"] == "Carbon dioxide rises from 315 to 371 with a yearly wave."


def test_small_documents(typst):
    for blocks in ((), (TableBlock(("a",), (("1",),)),), (Code("x\n\ty"),), (Paragraph(Text((Mono("a"), "", "b"))),)):
        assert pdf.render(Document("t", "", (Section("s", blocks),))).startswith(b"%PDF-")
    assert pdf.render(Document("", "", ())).startswith(b"%PDF-")


def test_without_typst_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def absent(name, *rest):
        if name == "typst":
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(OptionError, match=r'pip install "kernelscribe\[pdf\]"'):
        pdf.render(Document("t", "", ()))
