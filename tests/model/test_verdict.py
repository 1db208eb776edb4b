"""What is kept of a search: the choice, and those it was told from."""

import math
from dataclasses import replace

import pytest

from handmade import Table, fitted, play, scales, start
from kernelscribe import Config, Status
from kernelscribe.discovery import Discovery
from kernelscribe.engines.interval import NOWHERE, Interval
from kernelscribe.kernels import parse
from kernelscribe.model.verdict import Verdict
from kernelscribe.search.state import contenders

KNOWN = {"SE": (-12, -8), "PER": (-13, -9), "LIN": (-20, -19)}


def discovery(known, *, noise=-50.0, **options):
    """A search of the base kernels alone, made by hand."""
    state = play(start("skc", depth=0, **options), Table(known))
    names = contenders(state)
    best = state.fits[names[0]] if names else None
    rest = tuple(state.fits[name] for name in names[1:])
    return Discovery(best, rest, noise, "as it was decided", None, state, Config(), 2, 1.23456)


def test_the_choice_and_the_counts_are_those_of_the_search():
    found = discovery(KNOWN)
    verdict = Verdict.of(found)
    assert verdict.kernel == "SE"
    assert verdict.bic == Interval(-12, -8)
    assert verdict.evidence == found.best.evidence
    assert (verdict.decision, verdict.stopped, verdict.engine) == ("as it was decided", None, "inducing")
    assert (verdict.noise_bic, verdict.structure) == (-50.0, True)
    assert (verdict.depth, verdict.fits, verdict.failed, verdict.dropped) == (found.state.depth, 3, 0, 0)
    assert verdict.evaluations == found.evaluations
    assert (verdict.seconds, verdict.workers) == (1.235, 2)
    assert "SE" in verdict.tree
    assert "LIN" in verdict.tree


def test_noise_alone_may_explain_as_much():
    assert not Verdict.of(discovery(KNOWN, noise=-7.0)).structure


def test_rivals_are_those_that_are_not_told_first_then_the_best():
    """Also where the middle of an interval that reaches into the best's lies below those that do not."""
    rivals = Verdict.of(discovery({**KNOWN, "PER": (-60, -9)})).rivals
    assert [(parse(each.kernel).kind, each.told, each.bic) for each in rivals] == [
        ("PER", False, Interval(-60, -9)),
        ("LIN", True, Interval(-20, -19)),
    ]
    assert all(each.noise == 0.1 for each in rivals)
    assert all(leaf.values is not None for leaf in (parse(each.kernel) for each in rivals))


def test_what_failed_is_no_rival_but_is_counted():
    verdict = Verdict.of(discovery({**KNOWN, "PER": None}))
    assert [parse(each.kernel).kind for each in verdict.rivals] == ["LIN"]
    assert (verdict.fits, verdict.failed) == (3, 1)


def test_only_the_first_rivals_are_kept():
    found = discovery({}, inputs=3)
    assert len(found.fits) == 9
    many = replace(found.state, fits={
        **found.state.fits, **{f"more {k}": fitted(parse("SE1*SE2"), scales(3), (-k - 2000, -k - 2000)) for k in range(5)},
    })  # fmt: skip
    verdict = Verdict.of(replace(found, state=many))
    assert len(verdict.rivals) == 8
    middles = [each.bic.lower + each.bic.upper for each in verdict.rivals]
    assert middles == sorted(middles, reverse=True)


def test_where_nothing_could_be_fitted_there_is_no_kernel():
    verdict = Verdict.of(discovery({"SE": None, "PER": None, "LIN": None}))
    assert verdict.kernel is None
    assert verdict.bic == verdict.evidence.interval == NOWHERE
    assert (verdict.structure, verdict.rivals, verdict.engine, verdict.failed) == (False, (), "", 3)


def test_without_a_search_there_is_a_reason():
    verdict = Verdict.empty("the target is constant")
    assert (verdict.kernel, verdict.decision, verdict.structure) == (None, "the target is constant", False)
    assert verdict.noise_bic == -math.inf
    assert verdict.evidence.status is Status.OK
    assert (verdict.fits, verdict.seconds) == (0, None)


@pytest.mark.parametrize("inputs", [1, 2])
def test_inputs_are_numbered_where_there_are_several(inputs):
    known = {name if inputs == 1 else f"{name}1": ends for name, ends in KNOWN.items()}
    assert Verdict.of(discovery(known, inputs=inputs)).kernel == ("SE" if inputs == 1 else "SE1")
