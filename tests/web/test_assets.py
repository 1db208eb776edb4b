"""Scripts and styles are kept by browsers and sent again only when they have changed; nothing else is kept."""

import os

import pytest

from actor import DONE
from kernelscribe.web.assets import Assets
from serving import acting


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with acting(tmp_path_factory.mktemp("assets")) as found:
        yield found


@pytest.mark.parametrize("name", ["app.css", "page.js", "icon.svg"])
def test_what_is_known_is_not_sent_again(client, name):
    first = client.ask("GET", f"/static/{name}")
    assert (first.status, first.headers["cache-control"]) == (200, "no-cache")
    again = client.ask("GET", f"/static/{name}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert (again.headers["etag"], again.headers["cache-control"]) == (first.headers["etag"], "no-cache")
    other = client.ask("GET", f"/static/{name}", headers={"If-None-Match": '"another"'})
    assert (other.status, other.body) == (200, first.body)


def test_pages_and_answers_are_not_kept(client):
    job = client.begin(client.upload("x,y\n1,2\n2,3\n3,5\n").json["id"], forecast=DONE).json["id"]
    client.wait(job)
    pages = ("/", "/history", f"/jobs/{job}", "/nowhere", "/static/nowhere.js")
    for path in (*pages, f"/api/jobs/{job}", f"/api/jobs/{job}/events"):
        assert client.ask("GET", path).headers["cache-control"] == "no-store", path


def test_a_file_of_the_same_size_and_date_is_another(tmp_path):
    path, marks = tmp_path / "page.js", []
    for text in ("let a = 1;", "let a = 2;"):
        path.write_text(text)
        os.utime(path, (1e9, 1e9))
        answer = Assets(directory=tmp_path).file_response(path, path.stat(), {"type": "http", "headers": []})
        marks.append(answer.headers["etag"])
    assert marks[0] != marks[1]
