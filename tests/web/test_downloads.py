"""Formats that are made when somebody asks for them, where that does not work."""

import pytest

from actor import DONE
from kernelscribe.files import REPORT
from kernelscribe.web.folder import OUT
from serving import acting


def damaged(client):
    """A job that is done, whose report nobody can read any more."""
    id = client.begin(client.upload("x,y\n1,2\n2,3\n3,5\n").json["id"], forecast=DONE).json["id"]
    client.wait(id)
    (client.folder / "jobs" / id / OUT).mkdir()
    (client.folder / "jobs" / id / OUT / REPORT).write_text("{")
    return id


@pytest.mark.parametrize("name", ["report.pdf", "report-markdown.zip"])
def test_a_format_that_cannot_be_made_says_so_and_the_terminal_says_why(tmp_path, capfd, name):
    with acting(tmp_path) as client:
        answer = client.ask("POST", f"/api/jobs/{damaged(client)}/files/{name}", {})
        assert (answer.status, answer.wrong.startswith("It cannot be written in this format")) == (500, True)
        assert str(client.folder) not in answer.text
    assert "this is not a saved report" in capfd.readouterr().err


def test_a_format_that_takes_too_long_is_given_up(tmp_path):
    with acting(tmp_path, render_time=0.01) as client:
        assert client.ask("GET", f"/jobs/{damaged(client)}/files/report.pdf").status == 500


def test_only_files_of_the_list_are_made(tmp_path):
    with acting(tmp_path) as client:
        id = damaged(client)
        for name in ("index.html", "report.json", "..%2Fasked.json", "report.docx"):
            assert client.ask("POST", f"/api/jobs/{id}/files/{name}", {}).status == 404, name
        assert client.ask("POST", "/api/jobs/nothing/files/report.pdf", {}).status == 404
        assert client.ask("GET", f"/api/jobs/{id}/files/report.pdf").status == 405
