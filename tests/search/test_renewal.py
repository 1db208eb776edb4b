"""The best kernel is fitted again, and contenders are decided anew."""

import pytest

from handmade import BASE, TWICE, Table, play, short, start
from kernelscribe.search.rules import STRATEGIES
from kernelscribe.search.state import contenders, pending


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
