"""A kernel in one line, before anything is known of its values."""

import pytest

from kernelscribe.kernels.language import parse
from kernelscribe.report.words.english.brief import brief


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("SE", "a smooth curve"),
        ("PER", "a cycle"),
        ("LIN", "a straight line"),
        ("SE + PER + LIN", "a smooth curve, a cycle and a straight line"),
        ("SE*PER", "a cycle that slowly changes its shape"),
        ("PER*LIN", "a cycle whose swings grow or shrink"),
        ("SE*PER*LIN", "a cycle that slowly changes its shape and whose swings grow or shrink"),
        ("SE*LIN", "a smooth curve whose swings grow or shrink"),
        ("LIN*LIN", "a curve of degree 2"),
        ("PER*PER", "a cycle within a cycle"),
        ("SE + SE", "two smooth curves"),
        ("SE*SE", "a smooth curve"),
        ("SE*PER + SE*PER", "two cycles that slowly change their shape"),
        ("ROUGH + WALK + SPLINE", "short-lived departures, a level that wanders and a trend that bends"),
        ("ROUGH + ROUGH*PER", "short-lived departures and a cycle that changes its shape"),
        ("PER*WALK*LIN", "a cycle that changes its shape and whose swings grow or shrink"),
        ("WALK*LIN", "a level that wanders and whose swings grow or shrink"),
        ("SPLINE*WALK", "a level that wanders and whose swings grow or shrink"),
        ("SE*WALK", "a smooth curve whose swings grow or shrink"),
        ("ROUGH*LIN", "short-lived departures whose swings grow or shrink"),
        ("WN*SPLINE", "noise that grows or shrinks"),
        ("WALK + WALK", "two levels that wander"),
        ("SPLINE + SPLINE + SPLINE", "three trends that bend"),
        ("ROUGH + ROUGH", "two kinds of short-lived departures"),
        ("SE*(PER + LIN)", "a cycle that slowly changes its shape and a smooth curve whose swings grow or shrink"),
    ],
)
def test_along_one_input(kernel, words):
    assert brief(parse(kernel), ["year"]) == words


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("SE1", "a smooth curve along water"),
        ("SE1*SE2", "a smooth curve along water, times a smooth curve along age"),
        ("LIN1*SE2", "a smooth curve along age, in proportion to water"),
        ("LIN1*LIN2", "a straight line along water, in proportion to age"),
        ("WALK1*LIN2", "a level that wanders along water, in proportion to age"),
        ("SPLINE1*ROUGH2", "a trend that bends along water, times short-lived departures along age"),
        ("SE1 + LIN2", "a smooth curve along water and a straight line along age"),
        ("LIN1*LIN1*PER2", "a cycle along age, in proportion to water to the power 2"),
    ],
)
def test_along_several(kernel, words):
    assert brief(parse(kernel), ["water", "age"]) == words


def test_names_are_on_one_line():
    assert brief(parse("SE1 + SE2"), ["a\nb\x1b[31m", ""]) == "a smooth curve along a b and a smooth curve along unnamed"
