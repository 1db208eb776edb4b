"""Formats: those that there are, and one more."""

import pytest
from click.testing import CliRunner

from documents import example
from kernelscribe.errors import OptionError
from kernelscribe.report.document import plain, walk
from kernelscribe.report.formats import render
from kernelscribe.report.formats.render import FORMATS, write_report
from kernelscribe.report.formats.saved import to_json


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


def test_formats_have_names_that_are_endings():
    for name, each in FORMATS.items():
        assert name == each.name
        assert name in each.endings
