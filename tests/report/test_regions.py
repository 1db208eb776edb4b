"""Where components act: changes and windows taken apart, and told."""

import math

import numpy as np
import pytest

from kernelscribe.data.axis import Axis
from kernelscribe.kernels import parse
from kernelscribe.kernels.changes import EVERYWHERE, Change, Constant, Plus, Times, White, Window, pieces
from kernelscribe.kernels.normal import Factor, Term
from kernelscribe.report.words.english.regions import phrase
from kernelscribe.testing import evaluate
from subjects import lin, per, se

INF = math.inf
SE, LIN = parse("SE(variance=2, lengthscale=3)"), parse("LIN(variance=1, location=0)")
PER = parse("PER(variance=1, lengthscale=1, period=2)")
CYCLE = Term(1.0, (per(2.0),))


def told(reading):
    return [(str(term), regions) for term, regions in pieces(reading)]


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
    assert told(Change(Plus((SE, CYCLE)), Constant(), 5.0)) == [
        ("SE1", ((-INF, 5.0),)),
        ("PER1", ((-INF, 5.0),)),
        ("C", ((5.0, INF),)),
    ]


def test_a_window():
    assert told(Window(SE, CYCLE, 5.0, 2.0)) == [("SE1", ((-INF, 4.0), (6.0, INF))), ("PER1", ((4.0, 6.0),))]
    assert told(Window(None, CYCLE, 5.0, 2.0)) == [("PER1", ((4.0, 6.0),))]


def test_factors_move_inside():
    """SE·(WN·LIN + CP(C, PER)), the PER of mean zero as it is there; with ours, its constant joins the part after."""
    kernel = Times((SE, Plus((Times((White(3.0), LIN)), Change(Constant(4.0), CYCLE, 5.0)))))
    assert told(kernel) == [("WN*LIN1", EVERYWHERE), ("SE1", ((-INF, 5.0),)), ("SE1*PER1", ((5.0, INF),))]
    assert [term.variance for term, _ in pieces(kernel)] == [6.0, 8.0, 2.0]
    ours = Times((SE, Change(Constant(4.0), PER, 5.0)))
    assert told(ours) == [("SE1", ((-INF, 5.0),)), ("SE1*PER1", ((5.0, INF),)), ("SE1", ((5.0, INF),))]


def test_changes_within_changes():
    kernel = Change(SE, Window(Change(None, CYCLE, 20.0), Constant(), 10.0, 4.0), 5.0)
    assert told(kernel) == [("SE1", ((-INF, 5.0),)), ("PER1", ((20.0, INF),)), ("C", ((8.0, 12.0),))]


def test_what_acts_nowhere_is_kept_without_a_region():
    assert told(Change(Change(None, SE, 5.0), None, 3.0)) == [("SE1", ())]
    assert told(Change(Change(None, SE, 3.0), None, 3.0)) == [("SE1", ())]
    assert told(Times((Change(SE, None, 3.0), Change(None, CYCLE, 5.0)))) == [("SE1*PER1", ())]


def test_noise_swallows_what_is_stationary():
    [(term, regions)] = pieces(Times((White(3.0), SE, CYCLE, Constant(5.0), LIN, White(2.0))))
    assert (str(term), term.variance, regions) == ("WN*LIN1", 60.0, EVERYWHERE)


def test_like_parts_are_added():
    assert pieces(Plus((White(1.0), Constant(2.0), White(3.0), Constant(4.0)))) == (
        (Term(4.0, (Factor("WN", 1),)), EVERYWHERE),
        (Term(6.0), EVERYWHERE),
    )
    shifted = parse("LIN(variance=1, location=2)")
    assert pieces(Plus((LIN, shifted))) == ((Term(2.0, (lin(1.0),)), EVERYWHERE), (Term(2.0), EVERYWHERE))


def test_smooth_factors_merge_across_nodes():
    [(term, _)] = pieces(Times((Change(SE, None, 5.0), Term(1.0, (se(4.0), lin(0.0))))))
    assert term == Term(2.0, (se(12 / 5), lin(0.0)))


def test_the_sum_of_the_pieces_is_the_kernel():
    """Away from the changes, where the sigmoids are 0 or 1: both points on one side of each."""
    kernel = Plus((Times((SE, Plus((Times((White(3.0), LIN)), Change(Constant(4.0), PER, 5.0))))), Window(PER, SE, 8.0, 2.0)))
    X = np.array([[0.0], [1.5], [6.0], [6.5], [8.0], [8.3], [11.0]])
    side, inside = X[:, 0] > 5.0, np.abs(X[:, 0] - 8.0) < 1.0
    same = (side[:, None] == side[None]) & (inside[:, None] == inside[None])
    K_se, K_per, K_lin = (evaluate(each, X, X) for each in (SE, PER, LIN))
    changed = np.where(side[:, None] & side[None], K_per, 4.0)
    expected = K_se * (3.0 * np.eye(7) * K_lin + changed) + np.where(inside[:, None] & inside[None], K_se, K_per)
    found = np.zeros((7, 7))
    for term, regions in pieces(kernel):
        active = np.array([any(low < x < high for low, high in regions) for x in X[:, 0]])
        found += term.cross(X, X) * np.outer(active, active)
    np.testing.assert_allclose(found[same], expected[same], rtol=1e-12)
