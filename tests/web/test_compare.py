"""Two analyses side by side: whether they are of the same data is told by the data, and by names where nothing else is known."""

import json

import pytest

from actor import DONE
from kernelscribe.files import JOURNAL
from kernelscribe.web.folder import OUT
from serving import acting

SAME, OTHER = "Both explain the same column of the same data", "Not the same data"
A, B = (json.dumps({"journal": 1, "data": mark * 64}) + "\n" for mark in "ab")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with acting(tmp_path_factory.mktemp("compare")) as found:
        yield found


def done(client, name, journal):
    """A job that is done; its journal begins with this line."""
    id = client.begin(client.upload("x,y\n1,2\n2,3\n3,5\n", name).json["id"], forecast=DONE).json["id"]
    client.wait(id)
    if journal is not None:
        (client.folder / "jobs" / id / OUT).mkdir()
        (client.folder / "jobs" / id / OUT / JOURNAL).write_text(journal + '{"task": 1}\n')
    return id


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (("a.csv", A), ("renamed.csv", A), SAME),
        (("a.csv", A), ("a.csv", B), OTHER),
        (("a.csv", A), ("a.csv", None), SAME),
        (("a.csv", None), ("renamed.csv", None), OTHER),
        (("a.csv", A), ("a.csv", "{torn"), SAME),
        (("a.csv", A), ("renamed.csv", "[]\n"), OTHER),
        (("a.csv", A), ("renamed.csv", '{"data": 5}\n'), OTHER),
    ],
    ids=["renamed", "changed", "no journal", "names alone", "torn", "no head", "no digest"],
)
def test_the_same_data(client, first, second, says):
    a, b = (done(client, *each) for each in (first, second))
    text = client.ask("GET", f"/compare?a={a}&b={b}").text
    assert says in text
    assert ({SAME, OTHER} - {says}).pop() not in text
