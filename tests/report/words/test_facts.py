"""Sentences for facts: every fact has one, and they are what they always were."""

import math

import pytest

from kernelscribe.engines.interval import Interval
from kernelscribe.events import Stop
from kernelscribe.fit.facts import AtBound, Behind, End, Failure, Fault
from kernelscribe.kernels import Leaf
from kernelscribe.outcome import Decision, DecisionKind
from kernelscribe.report.words.english import facts
from kernelscribe.search.tree import Mark


@pytest.mark.parametrize(
    ("ends", "says"), [((1.0, 1.0), "1.0"), ((1.01, 1.04), "1.0"), ((-2.0, 3.25), "-2.0 .. 3.2"), ((1.04, 1.06), "1.0 .. 1.1")]
)
def test_intervals_in_short(ends, says):
    assert facts.nats(Interval(*ends)) == says


def test_why_a_search_ended_early():
    said = {Stop.TIME: "the time allowed was used up", Stop.INTERRUPT: "ctrl-C", Stop.TERMINATE: "asked to end"}
    assert {stop: facts.stop(stop) for stop in Stop} == {**said, Stop.USER: "you stopped it"}


def test_how_the_best_was_told_from_the_others():
    assert {kind: facts.decision(Decision(kind, 3)) for kind in DecisionKind} == {
        DecisionKind.CONSTANT: "the target is constant: there was nothing to search for",
        DecisionKind.NONE: "no kernel could be fitted",
        DecisionKind.ONLY: "as the only one that was fitted by then",
        DecisionKind.SIMPLE: "for its simplicity: 3 that grew from it gained less than a nat",
        DecisionKind.OPEN: "left open: the intervals of 3 more reach into that of the best",
        DecisionKind.EXACT: "by exact values",
        DecisionKind.INTERVALS: "by intervals: no other one reaches into that of the best",
        DecisionKind.PLAIN: "for its plainness: 3 that say more score higher by less than a further component must gain",
        DecisionKind.NEAR: "left open: 3 more score within what a further component must gain",
        DecisionKind.AHEAD: "by its score",
    }


def test_how_far_the_next_statement_is_behind():
    assert facts.decision(Decision(DecisionKind.AHEAD, 0, 7.25)) == "by its score; the next one is 7.2 nats behind"


def test_where_a_walk_begins_is_nothing_that_is_said():
    """It ends on the first row or long before it as often as not, and only its level there depends on that."""
    walks = [AtBound.of(Leaf(kind, 1), "location", end) for kind in ("WALK", "SPLINE") for end in End]
    others = [AtBound.of(Leaf("WALK", 1), "variance", End.LOWER), AtBound.of(Leaf("LIN", 1), "location", End.UPPER)]
    assert [facts.unsaid(each) for each in (*walks, *others, AtBound.of(None, "variance", End.LOWER))] == 4 * [True] + 3 * [False]


@pytest.mark.parametrize(("reason", "says"), [
    (None, ""),
    (Failure(Fault.CANCELLED), "cancelled"),
    (Failure(Fault.HUNG), "its worker hung"),
    (Failure(Fault.MEMORY), "not enough memory"),
    (Failure(Fault.OUTSTANDING), "outstanding"),
    (Failure.of(ValueError("a {brace} of it")), "ValueError: a {brace} of it"),
    (Behind(-20.0, -10.5, 0.0), "screened at a BIC of -20.0 with hope for -10.5; the best was at 0.0"),
    (Behind(-20.0, -math.inf, 0.0),
     "screened at a BIC of -20.0 with no hope of gaining what its parameters cost; the best was at 0.0"),
    (Behind(-5.0, 0.0, 30.0, 12.34),
     "screened at a BIC of -5.0 with hope for 0.0; polishing raised others by 12.3 at most, and the best is at 30.0"),
])  # fmt: skip
def test_what_went_wrong_with_a_kernel(reason, says):
    assert facts.reason(reason) == says


def test_every_fault_has_words():
    assert all(facts.reason(Failure(fault, "detail")) for fault in Fault)


def test_parameters_on_the_edge_of_their_range():
    assert facts.at_bound(AtBound.of(Leaf("PER", 2), "period", End.UPPER)) == "period of PER2"
    assert facts.at_bound(AtBound.of(None, "variance", End.LOWER)) == "noise variance"


def test_every_mark_is_a_sign_of_its_own():

    assert len({facts._MARKS[mark] for mark in Mark}) == len(Mark)
