"""The fold of a search over statements, on results made by hand: which steps are taken, what is left out, and that it ends."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import seeds
from handmade import play, shuffled
from handmade_telling import MONTHLY, SEEN, STEP, WEEKLY, World, said, start, told
from kernelscribe.codec import encode
from kernelscribe.effort import STANDARD
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.search.entries import from_journal, to_journal
from kernelscribe.search.rules import score
from kernelscribe.search.state import absorb, contenders, leader, pending
from kernelscribe.search.telling import presences
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.scan import Scan

MARGIN = STANDARD.statement_margin
LINE = {"line": 50.0}
# A line, a week and a jump, of which the others say nothing.
PLAIN = {**LINE, WEEKLY: 40.0, STEP: 30.0}


def search(world, **options):
    return play(start(**options), world)


def test_it_begins_with_noise_trends_and_backgrounds_on_every_scale():
    state = start(links=("none", "log"))
    names = [task.key.kernel for task in pending(state)]
    assert names[:2] == [said(), said("line")]
    assert len(names) == len(set(names)) == 14
    assert {task.stage for task in pending(state)} == {"screen"}
    assert leader(state) is None and contenders(state) == []


def test_it_tells_what_is_there_and_nothing_else():
    world = World(PLAIN)
    assert told(search(world)) == said("line", WEEKLY, STEP)


def test_a_step_is_taken_that_gains_more_than_the_margin():
    assert told(search(World({**LINE, WEEKLY: MARGIN + 0.1}))) == said("line", WEEKLY)


def test_a_step_is_not_taken_that_gains_less():
    assert told(search(World({**LINE, WEEKLY: 0.9}))) == said("line")


def test_what_is_worth_less_than_a_nat_beside_the_rest_is_left_out_again():
    """The background was all that there was to say until the week was found."""
    beside = {("rough", WEEKLY): 0.5, ("rough", STEP): 0.5}
    state = search(World({"rough": 60.0, WEEKLY: 70.0}, beside))
    assert told(state) == said(WEEKLY)
    assert state.fits[said("rough", WEEKLY)].usable


def test_what_is_worth_more_stays():
    state = search(World({"rough": 60.0, WEEKLY: 70.0}, {("rough", WEEKLY): 5.0}))
    assert told(state) == said("rough", WEEKLY)


def test_after_something_was_left_out_the_search_goes_on():
    """The month can be said only where the background no longer stands in its place."""
    beside = {(MONTHLY, "rough"): -5.0, ("rough", WEEKLY): 0.2}
    state = search(World({"rough": 60.0, WEEKLY: 70.0, MONTHLY: 25.0}, beside))
    assert told(state) == said(WEEKLY, MONTHLY)


def test_a_scale_and_a_noise_are_steps_like_any_other():
    state = search(World({**PLAIN, "log": 30.0, "growing": 15.0}), links=("none", "log"))
    assert told(state) == said("line", WEEKLY, STEP, link="log", noise="growing")
    assert told(search(World({**PLAIN, "log": 30.0, "growing": 15.0}))) == said("line", WEEKLY, STEP, noise="growing")


@pytest.mark.parametrize("noise", ["constant", "growing", "changing"])
def test_a_noise_that_was_asked_for_is_that_of_every_statement(noise):
    world = World({**PLAIN, "growing": 15.0, "changing": 5.0})
    state = search(world, noise=noise)
    assert told(state) == said("line", WEEKLY, STEP, noise=noise)
    assert {task.candidate.starts[0].noise for task in world.tasks} == {noise}


def test_nothing_but_noise_is_told_where_nothing_gains():
    state = search(World({}))
    assert told(state) == said()
    assert contenders(state)[0] == said()


def test_one_task_a_key_and_no_statement_screened_twice_but_those_that_were_dropped():
    world = World(PLAIN, behind=3.0)
    search(world)
    keys = [task.key for task in world.tasks]
    assert len(keys) == len(set(keys))
    polished = world.names("polish")
    assert len(polished) == len(set(polished))


def test_no_more_statements_of_a_round_are_polished_than_are_kept():
    world = World({**PLAIN, MONTHLY: 20.0})
    state = search(world)
    removing = {task.key.depth for task in world.tasks if task.stage == "screen" and _smaller(task, state)}
    depths = {depth for depth, _, _ in world.asked} - removing - {0}
    assert depths
    for depth in depths:
        # One more says what the best additions come to together.
        assert len(world.names("polish", depth)) <= STANDARD.statements_kept + 1


def _smaller(task, state):
    """Whether it leaves out a component of what it came from."""
    parent = task.candidate.parent
    return parent is not None and len(task.candidate.starts[0].parts) < len(state.fits[parent].statement.parts)


def test_the_best_of_those_that_were_screened_are_polished():
    """Of single steps from the first statement, the best by their screening."""
    world = World({**LINE, WEEKLY: 40.0, STEP: 30.0, MONTHLY: 35.0})
    search(world)
    first = world.names("polish", 1)
    assert {said("line", WEEKLY), said("line", MONTHLY), said("line", STEP)} <= set(first)
    assert said("line", "rough") not in first


@pytest.mark.parametrize(("gained", "again"), [(-2.0, False), (2.0, True)])
def test_a_step_that_fell_far_short_is_not_tried_again_until_much_was_gained(gained, again):
    week = STANDARD.statement_much + gained
    world = World({**LINE, WEEKLY: week, "smooth": -STANDARD.statement_hopeless - 5, "rough": -2.0})
    search(world)
    screened = world.names("screen")
    assert said("line", "smooth") in screened and (said("line", WEEKLY, "smooth") in screened) == again
    assert any({"rough"} <= set(name.split()) and WEEKLY in name for name in screened)


def test_no_statement_has_more_components_than_are_read():
    worth = {noun: 30.0 for noun in NOUNS} | {WEEKLY: 40.0, MONTHLY: 30.0, STEP: 30.0, "kink(0.2)": 20.0}
    scan = replace(SEEN, kinks=(replace(SEEN.steps[0], values=(0.2,)),))
    world = World(worth, scan=scan)
    effort = replace(STANDARD, statement_parts=3)
    search(world, effort=effort)
    assert max(len(task.candidate.starts[0].parts) for task in world.tasks) == 3


def test_a_search_told_to_stay_at_depth_nought_proposes_no_step():
    world = World(PLAIN)
    state = search(world, depth=0)
    assert told(state) == said("line")
    assert world.names("scan") == []


def test_the_last_thing_asked_is_a_climb_to_the_top_with_the_values_of_the_best():
    world = World(PLAIN)
    state = search(world)
    assert [stage for _, stage, _ in world.asked].count("renew") == 1
    last = world.tasks[-1]
    assert (last.stage, last.candidate.name) == ("renew", state.best)
    assert last.candidate.noise == last.fit.noise and last.candidate.starts == (last.fit.statement,)
    assert state.fits[state.best].score.middle == pytest.approx(120.1)


def test_what_every_component_is_worth_is_known_at_the_end():
    state = search(World(PLAIN))
    found = {statement.parts[0].name: nats for statement, nats in presences(state, state.fits[state.best])}
    assert found == pytest.approx({"line": 50, WEEKLY: 40, STEP: 30}, abs=0.11)


def test_rivals_are_those_within_the_margin_best_first():
    worth = {**PLAIN, "bend": 50.0 - 0.5 * MARGIN, "drift": 50.0 - 1.5 * MARGIN}
    state = search(World(worth, {("drift", "line"): -20.0, ("drift", "bend"): -20.0}))
    rivals = contenders(state)
    assert rivals[0] == state.best == said("line", WEEKLY, STEP)
    assert all(score(state.fits[name], "score") > score(state.fits[state.best], "score") - MARGIN for name in rivals)
    assert said("drift", WEEKLY, STEP) not in rivals


def test_of_statements_that_are_about_as_good_the_plainest_leads():
    state = search(World({**LINE, WEEKLY: 40.0, f"changing {WEEKLY}": 40.5}))
    assert state.best == said("line", WEEKLY)


def test_an_adjective_that_gains_is_kept():
    assert told(search(World({**LINE, WEEKLY: 40.0, f"changing {WEEKLY}": 60.0}))) == said("line", f"changing {WEEKLY}")


# Failures.


def test_what_cannot_be_fitted_is_a_fact_and_the_search_goes_on():
    world = World({**PLAIN, "bend": 80.0}, broken={"bend"})
    state = search(world)
    assert told(state) == said("line", WEEKLY, STEP)
    assert (state.fits[said("bend")].status, state.fits[said("bend")].reason) == (Status.FAILED, Failure(Fault.MEMORY))
    assert not state.fits[said("bend")].usable


def test_nothing_but_failures_ends_without_a_statement():
    class Broken(World):
        def __call__(self, task, state):
            self.broken = {part.name for part in task.candidate.starts[0].parts}
            return super().__call__(task, state) if self.broken else self.nothing(task, state)

        def nothing(self, task, state):
            self.broken = {None}
            found = super().__call__(task, state)
            return replace(found, points=(), score=-np.inf, status=Status.FAILED)

    state = search(Broken({}))
    assert state.done and state.best is None and leader(state) is None
    assert all(fit.status is Status.FAILED for fit in state.fits.values())
    assert len(state.fits) == 7


def test_where_nothing_is_seen_trends_and_backgrounds_are_told_all_the_same():
    assert told(search(World({**LINE, "rough": 10.0}, scan=Scan()))) == said("line", "rough")


# The order of arrival, and the journal.

# Rounds after which a search over so few words must have ended.
DEEPEST = 40
KINDS = ("line", "bend", "drift", "smooth", "rough", "departures", WEEKLY, f"changing {WEEKLY}", MONTHLY, STEP, "log", "growing")
WORLDS = st.fixed_dictionaries({}, optional={name: st.floats(-15, 60) for name in KINDS})


@given(WORLDS, seeds)
@settings(max_examples=40)
def test_the_order_of_arrival_does_not_matter(worth, seed):
    """Nor is it asked for anything else."""
    one, other = World(worth, behind=2.0), World(worth, behind=2.0)
    begun = start(links=("none", "log"))
    state, again = play(begun, one), play(begun, other, rng=shuffled(seed))
    assert list(again.fits) == list(state.fits)
    assert again == state
    assert sorted(map(str, other.asked)) == sorted(map(str, one.asked))


@given(WORLDS)
@settings(max_examples=60)
def test_every_search_ends_with_a_statement_that_no_single_step_back_betters(worth):
    """In so many rounds, and with what is within a margin of the best that was fitted."""
    world = World(worth)
    state = play(start(links=("none", "log")), world, until=lambda state: state.depth > DEEPEST)
    assert state.done
    found = score(state.fits[state.best], "score")
    assert found > max(score(fit, "score") for fit in state.fits.values()) - MARGIN - 0.2
    statement = state.fits[state.best].statement
    for i in range(len(statement.parts)):
        assert world.score(statement.without(i)) < found - 0.8


@given(WORLDS)
@settings(max_examples=20)
def test_a_search_goes_on_from_any_line_of_its_journal(worth):
    """Every result is written as a line and read back; the answers that are known are not asked for again."""
    world = World(worth)
    state = play(start(links=("none", "log")), world)
    lines = [to_journal(task, result) for task, result in state.log]
    known = {entry.key: entry.result for entry in (from_journal(line, state.scales) for line in lines)}
    for kept in (0, len(lines) // 3, len(lines) - 1, len(lines)):
        left, more = dict(list(known.items())[:kept]), World(worth)
        again = start(links=("none", "log"))
        while not again.done:
            task = next(pending(again))
            again = absorb(again, task, left[task.key] if task.key in left else more(task, again))
        assert again.best == state.best
        assert [task.key for task, _ in again.log] == [task.key for task, _ in state.log]
        assert len(more.tasks) == len(lines) - kept


def test_results_come_back_from_the_journal_as_they_were():
    state = search(World(PLAIN))
    for task, result in state.log:
        line = to_journal(task, result)
        entry = from_journal(line, state.scales)
        assert entry.key == task.key and entry.parent == task.candidate.parent
        assert encode(entry.result) == encode(replace(result, seconds=entry.result.seconds))
    assert {task.stage for task, _ in state.log} == {"screen", "polish", "scan", "renew"}
