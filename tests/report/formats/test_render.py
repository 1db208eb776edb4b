"""Formats: those that there are, and one more."""

from itertools import count

import pytest
from click.testing import CliRunner

from documents import example
from kernelscribe.errors import OptionError
from kernelscribe.report.document import plain, walk
from kernelscribe.report.formats import render
from kernelscribe.report.formats.render import FORMATS, write_report
from kernelscribe.report.formats.saved import to_json
from kernelscribe.testing import check_report_format


@pytest.mark.parametrize("name", FORMATS)
def test_formats_keep_their_contract(name, tmp_path):
    check_report_format(FORMATS[name], tmp_path)


COUNT = count()


class Headings:
    """A format in one class: the titles of the sections."""

    name = "toc"
    endings = ("toc", "contents")

    def render(self, document, path):
        return "\n".join(plain(each.title) for each in walk(document.sections) if type(each).__name__ == "Section")


@pytest.fixture
def headings(monkeypatch):
    monkeypatch.setattr(render, "FORMATS", {**FORMATS, "toc": Headings()})


@pytest.mark.usefixtures("headings")
def test_a_format_is_one_class(tmp_path):
    by_name, by_ending = tmp_path / "report.txt", tmp_path / "report.CONTENTS"
    assert write_report(example(), by_name, "toc") == by_name
    write_report(example(), by_ending)
    assert by_name.read_text() == by_ending.read_text()
    assert by_name.read_text().splitlines()[0] == plain(example().sections[0].title)
    with pytest.raises(OptionError, match=r"html, md, pdf, json, toc; report\.odt says 'odt'"):
        write_report(example(), tmp_path / "report.odt")


def test_the_command_line_knows_it_too(tmp_path, headings):
    from kernelscribe.app.cli import cli

    (tmp_path / "report.json").write_text(to_json(example()))
    done = CliRunner().invoke(cli, ["report", str(tmp_path), "--format", "toc"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "report.toc").read_text() == Headings().render(example(), tmp_path)
    done = CliRunner().invoke(cli, ["report", str(tmp_path), "--format", "odt"])
    assert done.exit_code == 2
    assert "odt" in done.output


def test_a_page_may_end_as_it_does_on_windows(tmp_path):
    assert "<!DOCTYPE html>" in write_report(example(), tmp_path / "report.htm").read_text(encoding="utf-8")


def test_a_new_format_keeps_it_too(tmp_path):
    check_report_format(Headings(), tmp_path)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"endings": ("contents",)}, "must be able to end in 'toc'"),
        ({"endings": ("toc", ".TOC")}, "small letters"),
        ({"render": lambda self, document, path: [document.title]}, "gives a list"),
        ({"render": lambda self, document, path: str(next(COUNT))}, "another content the second time"),
        ({"render": lambda self, document, path: ""}, "gives nothing"),
        ({"render": lambda self, document, path: str(path.write_text("x"))}, "writes report.toc itself"),
    ],
)  # fmt: skip
def test_the_contract_is_no_formality(tmp_path, wrong, says):
    with pytest.raises(AssertionError, match=says):
        check_report_format(type("Wrong", (Headings,), wrong)(), tmp_path)
