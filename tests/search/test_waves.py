"""What is polished first, and what workers may begin before a wave or a round has ended."""

from handmade import BASE, Table, fitted, play, rounds, screened, shuffled, start
from kernelscribe import Status, text
from kernelscribe.effort import STANDARD
from kernelscribe.search.state import absorb, beginnable, leader, pending


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
