"""Two analyses side by side: whether they explain the same data is told by the data, and by names where nothing else is known."""

import json

import pytest

from actor import DONE
from kernelscribe.config import Config
from kernelscribe.data import read
from kernelscribe.discovery import header
from kernelscribe.files import JOURNAL
from kernelscribe.web.folder import OUT
from serving import acting

SAME, OTHER = "Both explain the same column of the same data", "Not the same data"
A, B = (json.dumps({"journal": 1, "data": mark * 64, "aim": mark * 64}) + "\n" for mark in "ab")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with acting(tmp_path_factory.mktemp("compare")) as found:
        yield found


def done(client, name, journal, **reading):
    """A job that is done; its journal begins with this line."""
    id = client.begin(client.upload("x,y\n1,2\n2,3\n3,5\n", name).json["id"], forecast=DONE, reading=reading).json["id"]
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
        (("a.csv", A), ("renamed.csv", '{"aim": 5}\n'), OTHER),
    ],
    ids=["renamed", "changed", "no journal", "names alone", "torn", "no head", "no digest"],
)
def test_the_same_data(client, first, second, says):
    a, b = (done(client, *each) for each in (first, second))
    text = client.ask("GET", f"/compare?a={a}&b={b}").text
    assert says in text
    assert ({SAME, OTHER} - {says}).pop() not in text


TABLE = "a,b,gap,y,z\n1,9,1,2,7\n2,7,,3,6\n3,8,3,5,9\n4,1,4,4,1\n5,4,5,1,3\n"


def explained(client, path, target, inputs):
    """A job that explained this column of the table by these."""
    path.write_text(TABLE)
    head = {"journal": 1, **header(read(path, target=target, inputs=inputs), Config())}
    return done(client, path.name, json.dumps(head) + "\n", target=target, inputs=inputs)


@pytest.mark.parametrize(
    ("target", "inputs", "says"),
    [
        ("y", ["b"], f"{SAME}, so their scores can be compared"),
        ("y", ["a"], f"{SAME}, by different inputs, so their scores can be compared"),
        ("y", ["a", "b"], f"{SAME}, by different inputs, so their scores can be compared"),
        ("y", ["b", "gap"], OTHER),
        ("z", ["b"], OTHER),
    ],
    ids=["same input", "other input", "more inputs", "fewer rows", "other target"],
)
def test_other_inputs_are_another_model_of_the_same_data(client, tmp_path, target, inputs, says):
    a, b = explained(client, tmp_path / "a.csv", "y", ["b"]), explained(client, tmp_path / "b.csv", target, inputs)
    text = client.ask("GET", f"/compare?a={a}&b={b}").text
    assert says in text
    assert (SAME in text) != (OTHER in text)
