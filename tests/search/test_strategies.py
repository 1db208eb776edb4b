"""Strategies on fits made by hand: which kernels grow, which one is chosen, when a search ends."""

import pytest

from handmade import BASE, Table, fits, play, rounds, short, start
from kernelscribe import Status
from kernelscribe.discovery import outcome_of
from kernelscribe.effort import STANDARD
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.outcome import Decision, DecisionKind
from kernelscribe.search.rules import STRATEGIES, grows, ranked
from kernelscribe.search.state import contenders, leader


class TestAlgorithm1:
    """Kim & Teh's SKC to the letter."""

    rules = STRATEGIES["skc"]

    def test_fewer_overlapping_than_the_buffer_holds(self):
        known = fits(best=(0, 10), near=(-5, 1), far=(-9, -1), farther=(-20, -15))
        assert grows(self.rules, known, "best", list(known), 3, 50, STANDARD) == ["best", "near"]

    def test_as_many_overlapping_as_the_buffer_holds_or_more(self):
        known = fits(best=(0, 10), a=(-50, 9), b=(-5, 8), c=(4, 7))
        assert grows(self.rules, known, "best", list(known), 4, 50, STANDARD) == ["best", "a", "b", "c"]
        assert grows(self.rules, known, "best", list(known), 3, 50, STANDARD) == ["best", "a", "b"]
        assert grows(self.rules, known, "best", list(known), 1, 50, STANDARD) == ["best"]

    def test_the_upper_bound_ranks_and_the_text_breaks_ties(self):
        known = fits(d=(0, 5), c=(4.9, 4.9), b=(-100, 5), a=(-3, 5 - 1e-9))
        assert ranked(known, known, "upper") == ["a", "b", "d", "c"]

    def test_the_best_base_kernel_grows_first_and_alone(self):
        table = Table(BASE)
        state = play(start("skc", depth=1), table)
        assert short(state.grown) == ["SE"]
        assert rounds(table)[1] == ["SE + SE", "SE + PER", "SE*PER", "SE + LIN", "SE*LIN"]

    def test_only_kernels_that_were_grown_compete_for_the_buffer(self):
        """Later rounds grow the best of all candidates so far, base kernels not among them."""
        table = Table({**BASE, "PER": -1, "SE": 0, "SE + PER": (5, 9), "SE*PER": (6, 8), "SE + LIN": (1, 4), "SE*LIN": (1, 3)})
        state = play(start("skc", depth=2, buffer=3), table)
        assert short(state.grown) == ["SE", "SE + PER", "SE*PER"]

    def test_a_buffer_full_of_overlapping_intervals_takes_the_highest_upper_bounds(self):
        table = Table({**BASE, "SE + PER": (0, 9), "SE*PER": (6, 8), "SE + LIN": (-90, 7), "SE*LIN": (5, 6)})
        state = play(start("skc", depth=2, buffer=3), table)
        assert short(state.grown) == ["SE", "SE + PER", "SE*PER", "SE + LIN"]

    def test_it_goes_on_to_its_depth_although_nothing_gains(self):
        state = play(start("skc", depth=3), Table({**BASE, "SE": (90, 100)}, rest=lambda name: (0, 90 + 0.1 * len(name))))
        assert state.depth == 3
        assert len(state.grown) == 1 + 2 + 2
        assert leader(state) == "SE1"

    def test_it_ends_where_no_candidate_reaches_into_the_best(self):
        state = play(start("skc", depth=3), Table({**BASE, "SE": (90, 100)}, rest=lambda name: (0, 89)))
        assert (state.depth, short(state.grown)) == (1, ["SE"])

    def test_it_drops_nothing(self):
        """Kernels that any other strategy would drop are polished all the same."""
        far = {(0, "PER"), (0, "LIN"), (1, "SE + SE"), (1, "SE*PER")}
        for strategy, dropped in (("skc", 0), ("skc-lb", 4)):
            state = play(start(strategy, depth=1, buffer=1), Table({**BASE, "SE*PER": 5}, dropped=far))
            assert sum(fit.status is Status.DROPPED for fit in state.fits.values()) == dropped
            assert sum(task.stage == "drop" for task, _ in state.log) == dropped
            assert short([leader(state)]) == ["SE*PER" if strategy == "skc" else "SE"]

    def test_a_wide_interval_wins_by_its_upper_bound(self):
        state = play(start("skc", depth=1), Table({**BASE, "SE + PER": (-5, 9), "SE*PER": (7, 8)}))
        assert short(contenders(state)) == ["SE + PER", "SE*PER"]


def test_lower_bounds_alone():
    table = Table({**BASE, "SE + PER": (-50, 9), "SE*PER": (7, 8), "SE + LIN": (6, 20), "SE*LIN": (-10, 30)})
    state = play(start("skc-lb", depth=2, buffer=2), table)
    assert short(state.grown) == ["SE", "PER", "SE*PER", "SE + LIN"]
    assert short([leader(state)]) == ["SE*PER"]
    assert "decide" not in {stage for _, stage, _ in table.asked}


@pytest.mark.parametrize("strategy", ["cks", "subset"])
def test_greedy_with_replacement(strategy):
    """One kernel grows in each round, whole or by a base kernel replaced, until none gains."""
    table = Table({**BASE, "SE*PER": 0, "SE*PER + LIN": 20, "PER*LIN": 21})
    state = play(start(strategy, depth=5, buffer=1, exact=True), table)
    assert short(state.grown) == ["SE", "SE*PER", "PER*LIN"]
    assert {"PER*PER", "PER*LIN", "SE*PER + LIN"} <= set(rounds(table)[2])
    assert short([leader(state)]) == ["PER*LIN"]


def test_greedy_ends_with_a_round_that_gains_nothing():
    table = Table({**BASE, "SE*PER": 0})
    state = play(start("cks", buffer=1, exact=True), table)
    assert len(rounds(table)) == 3
    assert short(state.grown) == ["SE", "SE*PER"]


class TestAuto:
    def test_a_gain_of_less_than_a_nat_ends_it(self):
        for gain, best, grown in ((0.9, "SE", ["SE"]), (1.1, "SE*PER", ["SE", "SE*PER"])):
            table = Table({**BASE, "SE*PER": -10 + gain})
            state = play(start("auto", buffer=1, exact=True), table)
            assert short([leader(state)]) == [best]
            assert short([state.best]) == [best]
            assert short(state.grown) == grown
            assert len(rounds(table)) == 1 + len(grown)

    def test_a_step_that_gains_less_than_a_nat_is_not_taken(self):
        """What it grew from is chosen, if simpler, and the step is not told from it. Other strategies take the highest."""
        known = {**BASE, "SE*PER": 0, "SE*PER + LIN": 0.9, "SE*PER*LIN": 0.95}
        for strategy, best in (("auto", "SE*PER"), ("cks", "SE*PER*LIN"), ("skc-lb", "SE*PER*LIN")):
            state = play(start(strategy, depth=2, buffer=1, exact=True), Table(known))
            assert short([leader(state)]) == [best]
            decided = Decision(DecisionKind.SIMPLE, 2) if strategy == "auto" else Decision(DecisionKind.EXACT)
            assert outcome_of(state, state.fits[leader(state)], noise_bic=0.0).decision == decided
            assert short(contenders(state)) == (["SE*PER", "SE*PER*LIN", "SE*PER + LIN"] if strategy == "auto" else [best])
        known["SE*PER + LIN"] = 1.0
        state = play(start("auto", depth=2, buffer=1, exact=True), Table(known))
        assert short([leader(state)]) == ["SE*PER + LIN"]

    def test_one_that_did_not_grow_from_it_is_not_set_aside(self):
        tied = play(start("auto", depth=0, exact=True), Table({"SE": -10, "LIN": -9.5, "PER": -9.4}))
        assert short(contenders(tied)) == ["PER"]
        # LIN has grown from SE by a switch: it is no step up, and is as simple.
        switched = play(start("auto", depth=1, buffer=1, exact=True), Table({"SE": -10}, dropped={(0, "LIN"), (0, "PER")}))
        assert switched.candidates["LIN1"].parent == "SE1"
        table = Table({"SE": -10, "LIN": -9.5}, dropped={(0, "LIN"), (0, "PER")})
        assert short([leader(play(start("auto", depth=1, buffer=1, exact=True), table))]) == ["LIN"]

    def test_kernels_out_of_reach_of_the_best_do_not_grow(self):
        table = Table({**BASE, "SE*PER": 100, "SE + PER": 81, "SE + LIN": 79})
        state = play(start("auto", depth=2, buffer=3, exact=True), table)
        assert short(state.grown) == ["SE", "PER", "LIN", "SE*PER", "SE + PER"]

    def test_contenders_are_decided_by_exact_values_two_at_a_time(self):
        near = {"SE": (-10, 10), "PER": (-9, 9), "LIN": (-8, 7)}
        table = Table(near, exact={"SE": 5, "PER": 6, "LIN": 7})
        state = play(start("auto", depth=0), table, until=lambda state: state.depth == 1)
        assert rounds(table, "decide") == [["PER", "SE", "LIN"]]
        assert [(task.key.kernel, task.number) for task, _ in state.log if task.stage == "decide"] == [
            ("PER1", 0), ("SE1", 0), ("LIN1", 2),
        ]  # fmt: skip
        assert short(contenders(state)) == ["LIN"]

    def test_exact_values_are_found_only_while_bounds_leave_it_open(self):
        near = {"SE": (0, 10), "PER": (-1, 9), "LIN": (-2, 3)}
        table = Table(near, exact={"SE": 8, "PER": 4})
        state = play(start("auto", depth=0), table, until=lambda state: state.depth == 1)
        assert [name for _, stage, name in table.asked if stage == "decide"] == ["SE", "PER"]
        assert short(contenders(state)) == ["SE"]

    def test_too_many_rows_or_a_failure_leave_it_open(self):
        near = {"SE": (-10, 10), "PER": (-9, 9.5), "LIN": -50}
        table = Table(near, exact={"SE": 1})
        state = play(start("auto", depth=0), table)
        assert rounds(table, "decide") == [["PER", "SE"]]
        assert short(contenders(state)) == ["SE", "PER"]
        assert state.fits["PER1"].reason == Failure(Fault.MEMORY)
        many = Table(near)
        assert short(contenders(play(start("auto", depth=0, rows=12_001), many))) == ["PER", "SE"]
        assert rounds(many, "decide") == []

    def test_its_moves_switch_and_drop(self):
        table = Table({**BASE, "SE*PER": 0, "SE*(PER + LIN)": 10})
        play(start("auto", buffer=1, exact=True), table)
        assert {"SE*(PER + LIN)", "PER*LIN", "PER*PER"} <= set(rounds(table)[2])
        assert {"PER + LIN", "PER*(PER + LIN)"} <= set(rounds(table)[3])
