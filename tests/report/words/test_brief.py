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
        ("SE1 + LIN2", "a smooth curve along water and a straight line along age"),
        ("LIN1*LIN1*PER2", "a cycle along age, in proportion to water to the power 2"),
    ],
)
def test_along_several(kernel, words):
    assert brief(parse(kernel), ["water", "age"]) == words


def test_names_are_on_one_line():
    assert brief(parse("SE1 + SE2"), ["a\nb\x1b[31m", ""]) == "a smooth curve along a b and a smooth curve along unnamed"
