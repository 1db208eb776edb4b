"""Strategies on fits made by hand: which kernels grow, which one is chosen, when a search ends; no order of arrival matters."""

import math
from dataclasses import replace

import pytest

from handmade import TWICE, Table, fitted, play, scales, screened, short, shuffled, start
from kernelscribe import Status, parse, text
from kernelscribe.discovery import outcome_of
from kernelscribe.effort import STANDARD
from kernelscribe.engines.interval import Interval
from kernelscribe.fit.facts import AtBound, Behind, End, Failure, Fault, Fit
from kernelscribe.kernels.tree import Leaf, rebuild
from kernelscribe.outcome import Decision, DecisionKind
from kernelscribe.search import rules
from kernelscribe.search.facts import failure
from kernelscribe.search.rules import STRATEGIES, drops, grows, overtaken, ranked, score
from kernelscribe.search.state import absorb, beginnable, contenders, leader, pending

BASE = {"SE": -10, "PER": -20, "LIN": -30}


def fits(**ends):
    """Fits with names of our own: rules look at names and intervals alone."""
    return {name: fitted(parse("SE"), scales(), pair if isinstance(pair, tuple) else (pair, pair)) for name, pair in ends.items()}


def rounds(table, stage="screen"):
    """What was asked in each round, in order."""
    depths = sorted({depth for depth, each, _ in table.asked if each == stage})
    return [[name for depth, each, name in table.asked if depth == d and each == stage] for d in depths]


def test_a_search_begins_with_every_base_kernel_on_every_input():
    state = start("auto", inputs=2)
    assert [task.key.kernel for task in pending(state)] == ["SE1", "PER1", "LIN1", "SE2", "PER2", "LIN2"]
    assert leader(state) is None
    assert contenders(state) == []


def test_far_behind_is_nearer_where_rows_are_many():
    known = fits(best=0, near=-19, far=-2900, farther=-3100)
    known |= {name: replace(known[name], expr=parse(kernel)) for name, kernel in {"near": "PER", "far": "LIN"}.items()}
    assert grows(STRATEGIES["auto"], known, "best", list(known), 4, 100_000, STANDARD) == ["best", "near"]
    assert grows(STRATEGIES["auto"], known, "best", list(known), 4, 100_001, STANDARD) == ["best", "near", "far"]
    assert grows(STRATEGIES["auto"], known, "best", list(known), 2, 100_001, STANDARD) == ["best", "near"]


def test_of_kernels_that_are_the_same_multiplied_out_one_grows_where_rows_are_many():
    texts = {"product": "SE*(SE + PER)", "sum": "SE + SE*PER", "other": "SE*PER + LIN"}
    known = {name: replace(fit, expr=parse(texts[name])) for name, fit in fits(product=0, sum=-5, other=-9).items()}
    auto = STRATEGIES["auto"]
    assert grows(auto, known, "product", list(known), 3, 2000, STANDARD) == ["product", "sum", "other"]
    assert grows(auto, known, "product", list(known), 3, 2001, STANDARD) == ["sum", "other"]
    worse = {**known, "sum": replace(known["sum"], bic=Interval(-25.0, -25.0))}
    assert grows(auto, worse, "product", list(known), 3, 100_001, STANDARD) == ["product", "other"], "not from a worse top"
    assert grows(auto, known, "product", list(known), 1, 2001, STANDARD) == ["product"]


def test_a_search_that_is_not_told_goes_as_deep_as_a_minute_allows():
    plain = fits(best=0)["best"]
    on_waves = replace(plain, engine="spectral")
    short, long = (
        replace(
            on_waves,
            expr=parse(f"SE(variance=1, lengthscale={length}) + SE(variance=1, lengthscale=2)"),
            at_bound=(AtBound.of(Leaf("SE"), "lengthscale", end), AtBound.of(None, "variance", End.LOWER)),
        )
        for length, end in ((0.002, End.LOWER), (50, End.UPPER))
    )
    few = (9, 10, 150, 151, 250, 251, 400, 401)
    assert [rules.rounds(rows, plain, STANDARD) for rows in (*few, 10**6)] == [0, 6, 6, 5, 5, 4, 4, 3, 3]
    long_ones = (2000, 2001, 10**5, 10**5 + 1)
    assert [rules.rounds(rows, on_waves, STANDARD) for rows in (*few, *long_ones)] == [0, 6, 6, 5, 5, 4, 4, 3, 3, 4, 4, 3]
    assert [rules.rounds(rows, short, STANDARD) for rows in (2001, 10**5)] == [3, 3]
    assert [rules.rounds(rows, long, STANDARD) for rows in (2001, 10**5)] == [4, 4]
    for depth, rows in ((None, 401), (None, 300), (1, 300)):
        state = start("auto", depth=depth, rows=rows, exact=True)
        table = Table({}, rest=lambda name: (100.0 * len(name),) * 2)
        assert play(state, table).depth == (depth or rules.rounds(rows, plain, STANDARD))


def test_width_does_not_win_on_waves():
    known = fits(sharp=(-10, -9.9), wide=(-11, 1000))
    assert ranked(known, known, "middle") == ["wide", "sharp"]
    on_waves = {name: replace(fit, engine="spectral") for name, fit in known.items()}
    assert ranked(on_waves, on_waves, "middle") == ["sharp", "wide"]


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


class TestRenewal:
    """The best kernel is fitted again from shaken copies before others grow from it, and at the end climbs to the very top."""

    def renewals(self, table):
        return [(key.depth, short([key.kernel])[0], key.number) for key in table.keys if key.stage == "renew"]

    def test_each_leader_once_and_the_last_one_to_the_very_top(self):
        """Copies are numbered from 1, as many as there are restarts; the last climb is number 0, in the same round."""
        table = Table({**BASE, "SE*PER": 0})
        state = play(start("auto", depth=4, restarts=3, exact=True), table)
        assert self.renewals(table) == [
            *((0, "SE", n) for n in (1, 2, 3)), *((1, "SE*PER", n) for n in (1, 2, 3)), (2, "SE*PER", 0),
        ]  # fmt: skip
        assert state.renewed == {"SE1", "SE1*PER1"}
        assert (state.depth, state.done, state.last) == (2, True, True)
        assert len(set(table.keys)) == len(table.keys)

    def test_on_a_long_series_the_next_best_has_the_last_climb_too(self):
        """It may reach further than those before, so the distance would tell nothing; and the next best may come out ahead."""
        for engine, rows, last in (("inducing", 3000, ["SE"]), ("spectral", 2000, ["SE"]), ("spectral", 3000, ["SE", "PER"])):
            table = Table(BASE, engine=engine, renewed={("SE", 0): -5, ("PER", 0): -4})
            state = play(start("auto", depth=0, rows=rows), table)
            assert [name for _, name, number in self.renewals(table) if number == 0] == last
            assert short([state.best]) == last[-1:]

    def test_no_copies_on_a_long_series_that_has_the_shortest_lengthscale(self):
        """There every value takes next to a second, and copies come back to where they were."""

        class Short(Table):
            def __call__(self, task, state):
                made = super().__call__(task, state)
                if not isinstance(made, Fit):
                    return made
                expr = rebuild(made.expr, lambda leaf: replace(leaf, values=(1.0, 0.01)) if leaf.kind == "SE" else leaf)
                return replace(made, expr=expr, at_bound=(AtBound.of(Leaf("SE"), "lengthscale", End.LOWER),))

        for engine, rows, numbers in (
            ("spectral", 2000, {0, 1, 2, 3}), ("spectral", 2001, {0}), ("inducing", 2001, {0, 1}),
        ):  # fmt: skip
            table = Short({**BASE, "SE*PER": 0}, engine=engine)
            play(start("auto", depth=1, restarts=3, rows=rows), table)
            assert {number for _, _, number in self.renewals(table)} == numbers

    def test_it_comes_before_the_next_round(self):
        table = Table({**BASE, "SE*PER": 0}, renewed={("SE", 2): -4})
        state = play(start("auto", buffer=1, exact=True), table, until=lambda state: state.depth == 1)
        assert [stage for _, stage, _ in table.asked] == ["screen"] * 3 + ["polish"] * 3 + ["renew"] * 6
        assert state.level == -4
        assert {task.candidate.parent for task in pending(state)} == {"SE1"}

    def test_tasks_start_from_the_fit(self):
        state = play(start("auto", depth=0, exact=True), Table(BASE), until=lambda state: state.stage == "renew")
        task = next(pending(state))
        assert (task.candidate.expr, task.candidate.noise) == (state.fits["SE1"].expr, state.fits["SE1"].noise)
        assert task.candidate.periods == state.fits["SE1"].periods
        assert (task.screened, task.fit) == (None, None)

    @pytest.mark.parametrize(
        ("again", "value"),
        [
            ({"SE": -12}, -10),
            ({"SE": -8}, -8),
            ({("SE", 2): -7, ("SE", 3): -6, ("SE", 4): -6.5}, -6),
            ({("SE", 0): -9.5}, -9.5),
            ({"SE": None}, -10),
            ({("SE", 1): None, ("SE", 2): -9}, -9),
        ],
    )
    def test_the_better_is_kept(self, again, value):
        state = play(start("auto", depth=0, exact=True), Table(BASE, renewed=again))
        assert state.fits["SE1"].bic.upper == value
        assert short([state.best]) == ["SE"]

    def test_a_copy_that_changes_the_leader_has_it_renewed_too(self):
        """With its exact value, SE falls behind PER: that one leads now, and is fitted again in the same round."""
        near = {"SE": (-12, -8), "PER": (-13, -9.5), "LIN": -40}
        table = Table(near, exact={("SE", 0): -10, "PER": -11.5, ("SE", 2): -13}, renewed={"SE": (-13.5, -6)})
        state = play(start("auto", depth=0, restarts=2), table)
        assert self.renewals(table) == [(0, "SE", 1), (0, "SE", 2), (0, "PER", 1), (0, "PER", 2), (0, "PER", 0)]
        assert short([state.best]) == ["PER"]

    @pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "auto"])
    def test_other_strategies_climb_once_at_the_end(self, strategy):
        table = Table({**BASE, "SE*PER": 0}, renewed={"SE*PER": 0.5})
        state = play(start(strategy, depth=1, buffer=1, exact=True), table)
        assert self.renewals(table) == [(1, "SE*PER", 0)]
        assert state.fits["SE1*PER1"].bic.upper == 0.5
        assert state.log[-1][0].key == table.keys[-1]


def test_decided_twice_in_one_round():
    table = Table(**TWICE)
    state = play(start("auto", depth=0, restarts=2), table)
    decided = [(key.kernel, key.number) for key in table.keys if key.stage == "decide"]
    assert decided == [("SE1", 0), ("PER1", 0), ("LIN1", 2), ("SE1", 3)]
    assert len(set(table.keys)) == len(table.keys)
    assert state.fits["SE1"].bic.upper == -8
    assert contenders(state) == ["SE1"]


def test_equal_candidates_are_fitted_once():
    """SE + PER is a child of SE and of PER; SE*PER has it as a neighbour too."""
    table = Table({"SE": -10, "PER": -11, "LIN": -12, "SE + PER": -1, "SE*PER": 0})
    play(start("cks", depth=3, buffer=3, exact=True), table)
    asked = [name for _, stage, name in table.asked if stage == "screen"]
    assert len(set(asked)) == len(asked)
    assert "SE + PER" in asked


def test_a_dropped_kernel_may_try_again_from_another_parent():
    table = Table({**BASE, "SE*PER": 0, "SE + LIN": 30}, dropped={(0, "PER"), (0, "LIN"), (1, "SE + LIN")})
    state = play(start("auto", depth=1, buffer=1, exact=True), table, until=lambda state: state.depth == 1)
    assert state.fits["PER1"].status is Status.DROPPED
    assert "PER" in short([task.key.kernel for task in pending(state)])
    state = play(state, table)
    assert state.fits["PER1"].usable
    assert state.candidates["PER1"].parent == "SE1"
    assert state.fits["SE1 + LIN1"].status is Status.DROPPED


def test_drops():
    """Even its hope must stay behind the best score by the margin, which is wider where scores are bounds."""
    found = {"best": screened(0.0), "hopeful": screened(-500.0, -9.9), "lost": screened(-20.0, -10.5)}
    assert list(drops(found, 100, STANDARD, sharp=True)) == ["lost"]
    assert drops(found, 100, STANDARD, sharp=True)["lost"] == Behind(-20.0, -10.5, 0.0)
    assert drops(found, 100, STANDARD, sharp=False) == {}
    assert list(drops(found, 49, STANDARD, sharp=False)) == ["lost"]
    assert drops({}, 100, STANDARD, sharp=True) == {}
    assert drops({"off": screened(math.inf)}, 100, STANDARD, sharp=True) == {}


def test_drops_are_logged():
    state = play(start("cks", depth=0, exact=True), Table(BASE, dropped={(0, "LIN")}))
    assert [(task.stage, task.key.kernel) for task, _ in state.log] == [
        ("screen", "SE1"), ("screen", "PER1"), ("screen", "LIN1"), ("drop", "LIN1"), ("polish", "SE1"), ("polish", "PER1"),
        ("renew", "SE1"),
    ]  # fmt: skip


def test_failures_are_results_that_rank_last():
    table = Table({**BASE, "SE": None})
    state = play(start("skc", depth=1), table)
    assert state.fits["SE1"].status is Status.FAILED
    assert short(state.grown) == ["PER"]
    assert score(state.fits["SE1"], "upper") == -math.inf
    assert "SE1" not in contenders(state)


def test_a_failed_screening_is_a_result_too():
    state = start("auto", depth=0)
    for task in list(pending(state)):
        bad = failure(task, state.scales, Status.CRASHED, Failure(Fault.ERROR, "its worker died"))
        state = absorb(state, task, bad if task.key.kernel == "SE1" else screened(0.0))
    assert (state.fits["SE1"].status, state.fits["SE1"].reason) == (Status.CRASHED, Failure(Fault.ERROR, "its worker died"))
    assert short([task.key.kernel for task in pending(state)]) == ["PER", "LIN"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_but_failures_ends_without_a_leader(strategy):
    state = play(start(strategy), Table(dict.fromkeys(BASE)))
    assert state.done
    assert leader(state) is None
    assert len(state.fits) == 3


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_order_of_arrival_does_not_matter(strategy):
    def table():
        known = {**BASE, "SE + PER": (-5, 3), "SE*PER": (-4, 2), "SE*PER + LIN": (5, 9), "SE + PER + LIN": (6, 8)}
        return Table(known, exact={"SE*PER + LIN": 7, "SE + PER + LIN": 7.5}, dropped={(1, "SE*LIN"), (0, "LIN")})

    first = play(start(strategy, depth=3), table())
    assert first.done
    for seed in range(5):
        other = play(start(strategy, depth=3), table(), shuffled(seed))
        assert other == first
        assert list(other.fits) == list(first.fits)


def test_absorbing_changes_nothing_that_was_there():
    state = start("auto")
    task = next(pending(state))
    after = absorb(state, task, screened(0.0))
    assert len(list(pending(state))) == 3
    assert len(list(pending(after))) == 2


def test_overtaken():
    """Polishing has raised others by 30 at most: what stays more than ten nats behind even so is dropped, unless it has hope."""
    polished = [
        (screened(0.0), fitted(parse("SE"), scales(), (25, 30))),
        (screened(10.0), fitted(parse("PER"), scales(), (30, 30))),
    ]
    failed = (screened(0.0), fitted(parse("LIN"), scales(), None))
    waiting = {
        "near": screened(-10.0),
        "edge": screened(-10.001),
        "hopeful": screened(-500.0, hope=20.0),
        "far": screened(-500.0),
    }
    gone = overtaken(waiting, [*polished, failed], 30.0, STANDARD)
    assert set(gone) == {"edge", "far"}
    assert (gone["far"].rise, gone["far"].best) == (30.0, 30.0)
    assert overtaken(waiting, [failed], 30.0, STANDARD) == {}
    # Of an interval on waves that is far too wide only the lower end counts.
    wide = [(each, replace(fit, engine="spectral", bic=Interval(fit.bic.upper, 1e6))) for each, fit in polished]
    assert overtaken(waiting, wide, 30.0, STANDARD).keys() == gone.keys()
    assert overtaken(waiting, [(each, replace(fit, engine="inducing")) for each, fit in wide], 30.0, STANDARD) == {}


class TestWaves:
    """The second round of two inputs has more kernels than a wave; with so many rows bounds leave a wide margin to screening."""

    class Scored(Table):
        """Screening foretells the fit but for a nat, and polishing adds it."""

        def __call__(self, task, state):
            done = super().__call__(task, state)
            if task.stage != "screen":
                return done
            name = text(task.candidate.expr, inputs=len(state.scales.names))
            return screened(self.known.get(name, self.rest(name))[0] - 1)

    def play(self, strategy="skc-lb", rest=lambda name: (-15.0 - len(name),) * 2, **more):
        table = self.Scored({"SE1": -10, "SE1 + SE2": 40}, rest=rest)
        return play(start(strategy, inputs=2, rows=10_000, depth=1, buffer=1), table, **more), table

    def test_the_best_screened_are_polished_first_and_the_overtaken_never(self):
        state, table = self.play()
        polished = [name for depth, stage, name in table.asked if (depth, stage) == (1, "polish")]
        assert len(polished) == STANDARD.wave
        assert polished[0] == "SE1 + SE2"
        dropped = [task.key.kernel for task, _ in state.log if task.stage == "drop" and task.key.depth == 1]
        assert len(dropped) == len(rounds(table)[1]) - STANDARD.wave > 0
        assert {state.fits[name].status for name in dropped} == {Status.DROPPED}
        assert leader(state) == "SE1 + SE2"

    def test_those_that_may_still_win_get_their_wave(self):
        near, table = self.play(rest=lambda name: (35.0,) * 2)
        polished = [name for depth, stage, name in table.asked if (depth, stage) == (1, "polish")]
        assert len(polished) == len(rounds(table)[1]) > STANDARD.wave
        assert not near.waiting

    def test_algorithm_one_knows_no_waves(self):
        state, table = self.play("skc", until=lambda state: (state.depth, state.stage) == (1, "polish"))
        assert len(state.tasks) == len(rounds(table)[1]) > STANDARD.wave
        assert state.waiting == ()

    def test_the_order_of_arrival_does_not_matter(self):
        first, _ = self.play()
        for seed in range(3):
            other, _ = self.play(rng=shuffled(seed))
            assert other == first

    def test_workers_may_begin_with_the_next_wave(self):
        state, _ = self.play(rest=lambda name: (35.0,) * 2, until=lambda state: (state.depth, state.stage) == (1, "polish"))
        early = beginnable(state)
        assert early == list(state.waiting[: STANDARD.wave])
        after = state
        for task in list(pending(state)):
            after = absorb(after, task, fitted(task.candidate.expr, state.scales, (35.0, 35.0)))
        assert list(after.tasks) == early


class TestAhead:
    """The next round may begin with the parents that cannot be overtaken."""

    def waiting(self, left, buffer=3, **options):
        """A skc-lb search in the last wave of its second round, with that many fits outstanding."""
        table = Table({**BASE, "SE + PER": 5, "SE*PER": 6, "SE + LIN": 4, "SE*LIN": 3, "SE + SE": 2})
        state = play(
            start("skc-lb", buffer=buffer, **options),
            table,
            until=lambda state: state.depth == 1 and state.stage == "polish" and not state.waiting,
        )
        tasks = list(pending(state))
        for task in tasks[: len(tasks) - left]:
            state = absorb(state, task, table(task, state))
        return state, table

    def test_with_a_buffer_of_three_and_one_outstanding_two_grow(self):
        state, table = self.waiting(1)
        found = beginnable(state)
        assert {task.candidate.parent for task in found} == {"SE1*PER1", "SE1 + PER1"}
        after = play(state, table, until=lambda state: state.depth == 2)
        assert set(found) <= set(after.tasks)

    def test_nothing_is_certain_with_as_many_outstanding_as_the_buffer_holds(self):
        assert beginnable(self.waiting(3)[0]) == []
        assert beginnable(self.waiting(1, buffer=1)[0]) == []

    def test_nothing_while_the_best_is_to_be_fitted_again_first(self):
        """In `auto` that stands between the rounds, but for a best kernel that has been renewed already."""
        state = play(start("auto", buffer=3, exact=True), Table(BASE), until=lambda state: state.stage == "polish")
        for task in list(pending(state))[:2]:
            state = absorb(state, task, fitted(task.candidate.expr, state.scales, (-10, -10)))
        assert len(list(pending(state))) == 1
        assert beginnable(state) == []

    def test_not_beyond_the_last_round_nor_while_screening(self):
        assert beginnable(self.waiting(1, depth=1)[0]) == []
        assert beginnable(start("auto")) == []


def test_texts_are_the_names():
    state = play(start("skc", depth=1, inputs=2), Table({}))
    assert all(name == text(fit.expr) for name, fit in state.fits.items())
