"""What a run has found: the choice, and those it was told from."""

import math
from dataclasses import replace

import numpy as np
import pytest

from handmade import Table, fitted, play, scales, start
from kernelscribe import Status
from kernelscribe.codec import decode, encode
from kernelscribe.data.dataset import Dataset
from kernelscribe.discovery import outcome_of
from kernelscribe.engines.interval import NOWHERE, Interval
from kernelscribe.events import Stop
from kernelscribe.kernels import leaves, parse
from kernelscribe.noises import Constant
from kernelscribe.outcome import Decision, DecisionKind, Outcome
from kernelscribe.report.words import language
from kernelscribe.scales import Scales
from kernelscribe.search.state import leader

KNOWN = {"SE": (-12, -8), "PER": (-13, -9), "LIN": (-20, -19)}


def searched(known, **options):
    """A search of the base kernels alone, made by hand."""
    return play(start("skc", depth=0, **options), Table(known))


def outcome(state, *, noise=-50.0, **more):
    return outcome_of(state, state.fits.get(leader(state)), noise_bic=noise, **more)


def test_the_choice_and_the_counts_are_those_of_the_search():
    state = searched(KNOWN)
    found = outcome(state)
    assert found.kernel == "SE"
    assert found.best is state.fits["SE1"]
    assert found.bic == Interval(-12, -8)
    assert found.evidence == found.best.evidence
    assert (found.decision, found.stopped, found.engine) == (Decision(DecisionKind.OPEN, 1), None, "inducing")
    assert (found.noise_bic, found.structure, found.strategy) == (-50.0, True, "skc")
    assert (found.depth, found.tried, found.failed, found.dropped) == (state.depth, 3, 0, 0)
    assert found.evaluations == sum(result.evaluations for task, result in state.log if task.stage in ("polish", "renew"))
    assert "SE" in language.facts.tree(found.tree, Dataset.of(np.arange(9.0), np.arange(9.0)))
    assert "LIN" in language.facts.tree(found.tree, Dataset.of(np.arange(9.0), np.arange(9.0)))


def test_noise_alone_may_explain_as_much():
    assert not outcome(searched(KNOWN), noise=-7.0).structure


def test_rivals_are_those_that_are_not_told_first_then_the_best():
    """Also where the middle of an interval that reaches into the best's lies below those that do not."""
    rivals = outcome(searched({**KNOWN, "PER": (-60, -9)})).rivals
    assert [(each.kernel.kind, each.told, each.bic) for each in rivals] == [
        ("PER", False, Interval(-60, -9)),
        ("LIN", True, Interval(-20, -19)),
    ]
    assert all(each.noise == Constant(0.1) for each in rivals)
    assert all(leaf.values is not None for each in rivals for leaf in leaves(each.kernel))


def test_what_failed_is_no_rival_but_is_counted():
    found = outcome(searched({**KNOWN, "PER": None}))
    assert [each.kernel.kind for each in found.rivals] == ["LIN"]
    assert (found.tried, found.failed) == (3, 1)


def test_only_the_first_rivals_are_kept():
    state = searched({}, inputs=3)
    assert len(state.fits) == 9
    more = {f"more {k}": fitted(parse("SE1*SE2"), scales(3), (-k - 2000, -k - 2000)) for k in range(5)}
    found = outcome(replace(state, fits={**state.fits, **more}))
    assert len(found.rivals) == 8
    middles = [each.bic.lower + each.bic.upper for each in found.rivals]
    assert middles == sorted(middles, reverse=True)


def test_where_nothing_could_be_fitted_there_is_no_kernel():
    found = outcome(searched({"SE": None, "PER": None, "LIN": None}))
    assert found.kernel is None
    assert found.bic == found.evidence.interval == NOWHERE
    assert (found.structure, found.rivals, found.engine, found.failed) == (False, (), "", 3)
    assert found.decision == Decision(DecisionKind.NONE)


def test_without_a_search_there_is_a_reason():
    found = Outcome.empty("auto")
    assert (found.kernel, found.decision, found.structure) == (None, Decision(DecisionKind.CONSTANT), False)
    assert found.noise_bic == -math.inf
    assert found.evidence.status is Status.OK
    assert (found.tried, found.seconds) == (0, None)


@pytest.mark.parametrize("inputs", [1, 2])
def test_inputs_are_numbered_where_there_are_several(inputs):
    known = {name if inputs == 1 else f"{name}1": ends for name, ends in KNOWN.items()}
    assert outcome(searched(known, inputs=inputs)).kernel == ("SE" if inputs == 1 else "SE1")


@pytest.mark.parametrize(("known", "stopped", "decided"), [
    ({**KNOWN, "PER": -20}, None, Decision(DecisionKind.INTERVALS)),
    ({"SE": -5, "PER": -20, "LIN": -30}, None, Decision(DecisionKind.EXACT)),
    ({**KNOWN, "LIN": (-14, -8.5)}, Stop.TIME, Decision(DecisionKind.OPEN, 2)),
    ({"SE": (-12, -8), "PER": None, "LIN": None}, Stop.TIME, Decision(DecisionKind.ONLY)),
    ({"SE": (-12, -8), "PER": None, "LIN": None}, None, Decision(DecisionKind.INTERVALS)),
])  # fmt: skip
def test_how_the_best_was_told_from_the_others(known, stopped, decided):
    found = outcome(searched(known), stopped=stopped)
    assert (found.decision, found.stopped) == (decided, stopped)


def test_it_is_saved_and_comes_back_without_what_differs_between_two_runs():
    state = searched({**KNOWN, "LIN": None})
    found = replace(outcome(state, stopped=Stop.USER), seconds=1.5, workers=2)
    again = decode(Outcome, encode(found, known=(Scales,)), {Scales: state.scales})
    assert again == replace(found, seconds=None, workers=None)
    assert again.state is None
    assert again.lasting == found.lasting
    assert found.lasting.best.seconds == 0.0
