"""Where components act: changes and windows taken apart, and told."""

import math

import numpy as np
import pytest

from kernelscribe.data.axis import Axis
from kernelscribe.kernels import parse
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Term, normal
from kernelscribe.kernels.operators.operator import EVERYWHERE
from kernelscribe.report.words.english.regions import phrase
from kernelscribe.testing import evaluate
from subjects import lin, se

INF = math.inf
SE, LIN = "SE(variance=2, lengthscale=3)", "LIN(variance=1, location=0)"
PER = "PER(variance=1, lengthscale=1, period=2)"
C, WN = "C(variance=4)", "WN(variance=3)"


def change(before, after, location):
    return f"CHANGE({before}, {after}, location={location}, width=0.001)"


def window(outside, inside, location, width):
    return f"WINDOW({outside}, {inside}, location={location}, width={width}, edge=0.001)"


def told(text):
    """Every term without its gates, and where it acts."""
    return [
        ("*".join(str(each) for each in term.factors if each.role is not Role.GATE) or "C", term.regions)
        for term in normal(parse(text))
    ]


@pytest.mark.parametrize(
    ("regions", "says"),
    [
        (EVERYWHERE, ""),
        (((-INF, 1715.5),), "until 1715"),
        (((1645.5, INF),), "from 1645 onwards"),
        (((1645.5, 1715.5),), "from 1645 until 1715"),
        (((1645.2, 1645.7),), "around 1645"),
        (((1800.0, INF), (-INF, 1645.5)), "until 1645 and from 1800 onwards"),
        (((-INF, 1645.5), (1700.0, 1720.0), (1800.0, INF)), "until 1645, from 1700 until 1720 and from 1800 onwards"),
        ((), "in a region that could not be worked out and is best seen in its figure"),
    ],
)
def test_phrases(regions, says):
    assert phrase(regions, Axis("year", "years"), 400.0) == says


def test_phrases_without_dates():
    assert phrase(((2.0, INF),), Axis("water"), 9.0) == "from water = 2.00 onwards"
    assert phrase(((-INF, 2.0),), Axis("t", "days"), 9.0) == "until day 2.00"
    dates = Axis("date", "days", "2004-01-01T00:00:00")
    assert phrase(((59.0, 60.0),), dates, 100.0) == "from 29 February 2004 until 1 March 2004"


def test_a_change_splits_a_sum():
    assert told(change(f"{SE} + {LIN}", C, 5.0)) == [
        ("SE1", ((-INF, 5.0),)),
        ("LIN1", ((-INF, 5.0),)),
        ("C", ((5.0, INF),)),
    ]


def test_a_window():
    assert told(window(SE, LIN, 5.0, 2.0)) == [("SE1", ((-INF, 4.0), (6.0, INF))), ("LIN1", ((4.0, 6.0),))]
    assert told(window("0", LIN, 5.0, 2.0)) == [("LIN1", ((4.0, 6.0),))]


def test_factors_move_inside():
    """SE·(WN·LIN + CHANGE(C, PER)): the constant of PER stays in the part after the change, apart from that before it."""
    kernel = f"{SE}*({WN}*{LIN} + {change(C, PER, 5.0)})"
    assert told(kernel) == [
        ("WN1*LIN1", EVERYWHERE),
        ("SE1", ((-INF, 5.0),)),
        ("SE1*PER1", ((5.0, INF),)),
        ("SE1", ((5.0, INF),)),
    ]
    noise, before, cycle, after = normal(parse(kernel))
    assert (noise.variance, before.variance, cycle.variance + after.variance) == (6.0, 8.0, pytest.approx(2.0))


def test_changes_within_changes():
    kernel = change(SE, window(change("0", LIN, 20.0), C, 10.0, 4.0), 5.0)
    assert told(kernel) == [("SE1", ((-INF, 5.0),)), ("LIN1", ((20.0, INF),)), ("C", ((8.0, 12.0),))]


def test_what_acts_nowhere_is_kept_without_a_region():
    assert told(change(change("0", SE, 5.0), "0", 3.0)) == [("SE1", ())]
    assert told(change(change("0", SE, 3.0), "0", 3.0)) == [("SE1", ())]
    assert told(f"{change(SE, '0', 3.0)}*{change('0', LIN, 5.0)}") == [("SE1*LIN1", ())]


def test_noise_swallows_what_is_stationary():
    [term] = normal(parse(f"{WN}*{SE}*{PER}*C(variance=5)*{LIN}*WN(variance=2)"))
    assert (str(term), term.regions) == ("WN1*LIN1", EVERYWHERE)
    assert term.variance == pytest.approx(60.0)


def test_like_parts_are_added():
    [noise, level] = normal(parse(f"{WN} + C(variance=2) + WN(variance=1) + {C}"))
    assert (str(noise), noise.variance) == ("WN1", 4.0)
    assert level == Term(6.0)
    assert normal(parse(f"{LIN} + LIN(variance=1, location=2)")) == (Term(2.0, (lin(1.0),)), Term(2.0))


def test_parts_that_differ_in_where_they_act_stay_apart():
    assert told(f"{change(LIN, '0', 5.0)} + LIN(variance=1, location=2)") == [("LIN1", EVERYWHERE), ("LIN1", ((-INF, 5.0),))]


def test_smooth_factors_merge_across_nodes():
    [term] = normal(parse(f"{change(SE, '0', 5.0)}*SE(variance=1, lengthscale=4)*{LIN}"))
    assert (term.variance, [each for each in term.factors if each.role is not Role.GATE]) == (2.0, [se(12 / 5), lin(0.0)])


def test_the_sum_of_the_pieces_is_the_kernel():
    kernel = parse(f"{SE}*({WN}*{LIN} + {change(C, PER, 5.0)}) + {window(PER, SE, 8.0, 2.0)}")
    X = np.array([[0.0], [1.5], [4.9995], [5.0], [6.0], [6.9991], [8.0], [8.3], [11.0]])
    found = sum(term.cross(X, X) for term in normal(kernel))
    np.testing.assert_allclose(found, evaluate(kernel, X, X), rtol=1e-12)
    np.testing.assert_allclose(sum(term.diagonal(X) for term in normal(kernel)), np.diagonal(found), rtol=1e-12)
