"""What a search tries, in short: places are the rows that anybody has seen, by dates and by plain numbers."""

import numpy as np
import pytest

from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.kernels import parse
from kernelscribe.report.words.english.nodes import node
from kernelscribe.search.shown import in_user_units
from kernelscribe.statements.statement import Part, Statement

DAYS = Axis("date", "days", "2021-05-01T00:00:00")


def said(part, axis=DAYS, rows=100):
    """Of a component with places in the user's units."""
    x = np.arange(float(rows))
    data = Dataset.of(x, np.sin(x), axes=[axis])
    return node(Statement((part,)), data)


def placed(noun, *held):
    return Part(noun, (), held, ((1.0, *held),))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (placed("step", 78.5), "step at 19 July 2021"),  # halfway between the 18th, which is as before, and the 19th
        (placed("kink", 78.5), "kink at 19 July 2021"),
        (placed("spell", 10.0, 1.0), "spell at 11 May 2021"),
        (placed("spell", 10.5, 4.0), "spell from 10 May 2021 to 13 May 2021"),
        (placed("spell", 95.5, 8.0), "spell from 1 August 2021 to 8 August 2021"),
        (Part("step"), "step"),
        (Part("bend", ("growing",)), "growing bend"),
    ],
)
def test_what_has_a_place_is_told_by_the_first_row_that_is_different(part, words):
    assert said(part) == words


def test_places_without_dates_have_the_name_of_their_input():
    assert said(placed("step", 78.5), Axis("depth", "m")) == "step at depth = 79.00 m"


def test_rows_are_found_whatever_the_units():
    x = 500 + np.arange(50.0) / 3
    data = Dataset.of(x, np.cos(x))
    (affine,) = data.inputs
    place = (x[29] + x[30]) / 2
    standard = placed("step", (place - affine.centre) / affine.scale)
    assert node(in_user_units(Statement((standard,)), data.scales), data) == f"step at x1 = {x[30]:.1f}"


def test_kernels_are_told_as_they_are_written():
    data = Dataset.of(np.arange(9.0), np.arange(9.0))
    assert node(parse("SE1 + LIN1"), data) == "SE + LIN"
    assert node(Statement(), data) == "noise alone"
