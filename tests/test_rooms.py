"""The page of the rooms says what the imports say, and CONTRIBUTING.md names rooms that there are."""

import re
from xml.etree import ElementTree

import house
import pytest
import rooms

SVG = "{http://www.w3.org/2000/svg}"


def test_the_page_and_its_picture_are_those_of_the_code():
    page = rooms.PAGE.read_text(encoding="utf-8")
    assert {name for name, _ in rooms.MADE.findall(page)} == {"rooms", "walk"}
    message = "the rooms have changed: run `make rooms` and look at docs/rooms.md"
    assert page == rooms.filled(page), message
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.picture(), message


def test_the_picture_shows_every_room_and_every_use_and_upward_ones_in_red():
    picture = ElementTree.fromstring(rooms.picture())  # noqa: S314  (our own)
    names = [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "name"]
    assert names == rooms.standing()
    shown = {
        (dot.find(f"{SVG}title").text, dot.get("class")) for dot in picture.iter(f"{SVG}circle") if dot.get("class") != "self"
    }
    order = house.ROOMS.index
    assert shown == {
        (f"{one} uses {other}", "dot" if order(one) > order(other) else "up") for one, other in rooms.uses() if one != other
    }


def test_every_room_says_what_it_is_for():
    assert not [name for name in rooms.standing() if not re.search(r"\w.*[.]$", rooms.sentence(name))]


@pytest.mark.parametrize("step", rooms.WALK, ids="-".join)
def test_every_station_of_the_walk_is_reached_by_an_import(step):
    module, node = rooms.station(*step)
    assert rooms.callers(module, node.name)
    assert rooms.first(node)


def test_a_station_that_is_gone_is_told():
    with pytest.raises(LookupError, match="expected one function nobody in data, got 0: mend WALK"):
        rooms.station("data", "nobody")


def test_what_stands_in_the_page_is_made_anew():
    page = "Before.\n\n<!-- walk -->\n\nold\n\n<!-- end walk -->\n\nAfter.\n"
    assert rooms.filled(page) == page.replace("old", rooms.walk())


def test_contributing_names_the_rooms_that_there_are():
    (told,) = re.findall(r"^- \*\*Rooms\.\*\* (.*?)^- ", (house.ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL)
    folders = {path.parent.name for path in (house.SOURCE / house.PACKAGE).glob("*/__init__.py")}
    assert set(re.findall(r"`(\w+)/`", told)) == folders
