"""The tree of a report: what it refuses, and what it knows of itself."""

import pytest

from documents import example
from kernelscribe.report.document import (
    Document,
    Figure,
    Mono,
    Section,
    SideBySide,
    Strong,
    TableBlock,
    Text,
    figures,
    plain,
)


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
