"""The crew: one result for each task, whatever becomes of the workers."""

import pickle
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

import searches
from kernelscribe.config import Config
from kernelscribe.errors import OptionError, Status
from kernelscribe.fit.facts import Failure, Fault, Screened
from kernelscribe.search import crew as crews
from kernelscribe.search import work
from kernelscribe.search.crew import Crew
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.pool import Inline, slots
from kernelscribe.search.state import begin
from searches import SMALL, Manual, dataset

DATA = dataset(30)
CONFIG = Config(**SMALL)
SE, PER, LIN = begin(CONFIG, DATA.scales, base_kernels(1), sharp=True).tasks
DONE = Screened(points=((0.0, 0.0, 0.0),), score=0.0, hope=0.0, evaluations=1, seconds=0.0, status=Status.OK)
DIED = BrokenProcessPool("a worker was killed")


@pytest.fixture
def pools():
    """Every pool that the crew has made."""
    return []


@pytest.fixture
def crew(pools):
    def make(workers):
        pools.append(Manual(workers))
        return pools[-1]

    crew = Crew(DATA, CONFIG, 2, make=make)
    yield crew
    crew.close()
    assert all(pool.ended for pool in pools)


def names(results):
    return [(task.candidate.name, result.status) for task, result in results]


def test_tasks_fly_while_workers_are_free_and_wait_otherwise(crew, pools):
    assert crew.free == 2
    for task in (SE, PER, LIN):
        crew.submit(task)
    assert crew.free == 0
    assert pools[0].names == ["SE1", "PER1"]
    pools[0].answer("PER1", DONE)
    assert names(crew.collect(0.1)) == [("PER1", Status.OK)]
    assert pools[0].names == ["SE1", "LIN1"]
    assert crew.collect(0.01) == []


def test_data_travel_when_a_worker_asks_for_them(crew, pools):
    crew.submit(SE)
    assert pools[0].flights[0][0].data is None
    pools[0].answer("SE1", work.Missing(DATA.digest))
    assert crew.collect(0.1) == []
    order = pools[0].flights[1][0]
    assert order.data is DATA
    assert order.attempt != pools[0].flights[0][0].attempt
    pools[0].answer("SE1", DONE)
    assert names(crew.collect(0.1)) == [("SE1", Status.OK)]


def test_a_death_costs_nothing_but_time(crew, pools):
    """What had arrived stays, what was in flight is tried again in a new pool, and someone is told."""
    told = []
    crew.warn = told.append
    crew.submit(SE)
    crew.submit(PER)
    pools[0].answer("SE1", DONE)
    pools[0].answer("PER1", error=DIED)
    assert names(crew.collect(0.1)) == [("SE1", Status.OK)]
    assert pools[0].ended
    assert pools[1].names == ["PER1"]
    assert len(told) == 1
    pools[1].answer("PER1", DONE)
    assert names(crew.collect(0.1)) == [("PER1", Status.OK)]


def test_who_kills_is_found_out_alone(crew, pools):
    crew.submit(SE)
    crew.submit(PER)
    for pool in range(2):
        assert pools[pool].names == ["SE1", "PER1"]
        pools[pool].answer("SE1", error=DIED)
        pools[pool].answer("PER1", error=DIED)
        assert crew.collect(0.1) == []
    crew.submit(LIN)
    assert pools[2].names == ["SE1"]
    pools[2].answer("SE1", DONE)
    assert names(crew.collect(0.1)) == [("SE1", Status.OK)]
    assert pools[2].names == ["PER1"]
    pools[2].answer("PER1", error=DIED)
    assert names(crew.collect(0.1)) == [("PER1", Status.CRASHED)]
    assert pools[3].names == ["LIN1"]
    pools[3].answer("LIN1", DONE)
    assert names(crew.collect(0.1)) == [("LIN1", Status.OK)]


def test_a_pool_that_is_broken_on_submission_counts_as_a_death(pools):
    class Broken(Manual):
        def submit(self, fn, /, *args, **kwargs):
            raise BrokenProcessPool("before it began")

    def make(workers):
        pools.append(Broken(workers) if not pools else Manual(workers))
        return pools[-1]

    crew = Crew(DATA, CONFIG, 1, make=make)
    crew.submit(SE)
    assert crew.collect(0.1) == []
    assert pools[1].names == ["SE1"]
    crew.close()


def test_a_hung_task_is_given_up_and_the_others_begin_again(pools, monkeypatch):
    monkeypatch.setattr(crews, "_GRACE", 0.05)
    told = []
    crew = Crew(
        DATA, Config(**SMALL, patience=0.0), 2, warn=told.append, make=lambda workers: pools.append(Manual(workers)) or pools[-1]
    )
    crew.submit(SE)
    crew.flights[0].since -= 1
    crew.submit(PER)
    crew.flights[1].since += 1000
    assert names(crew.collect(0.01)) == [("SE1", Status.TIMEOUT)]
    assert pools[0].ended
    assert pools[1].names == ["PER1"]
    assert crew.deaths == {}
    assert len(told) == 1
    assert "SE1" in told[0]
    crew.close()


def test_patience_without_end_waits(crew, pools):
    crew.config = Config(**SMALL, patience=None)
    crew.submit(SE)
    crew.flights[0].since -= 1e9
    assert crew.collect(0.01) == []
    assert pools[0].names == ["SE1"]


def test_an_error_from_outside_is_tried_again_and_reported_in_the_end(crew, pools):
    crew.submit(SE)
    for _ in range(3):
        pools[0].answer("SE1", error=KeyError("what"))
        found = crew.collect(0.1)
    assert names(found) == [("SE1", Status.CRASHED)]
    assert found[0][1].reason == Failure(Fault.ERROR, "KeyError: 'what'")
    assert len(pools) == 1


def test_dask_says_itself_when_a_task_kills(crew, pools):
    KilledWorker = type("KilledWorker", (Exception,), {})
    crew.submit(SE)
    pools[0].answer("SE1", error=KilledWorker("4 workers"))
    assert names(crew.collect(0.1)) == [("SE1", Status.CRASHED)]


def test_a_cancelled_task_is_tried_again(crew, pools):
    crew.submit(SE)
    assert pools[0].flights[0][1].cancel()
    assert crew.collect(0.1) == []
    assert pools[0].names == ["SE1"]


def test_the_callers_executor_is_never_mended_nor_closed():
    executor = Manual(3)
    crew = Crew(DATA, CONFIG, 1, executor)
    assert crew.workers == 3
    crew.submit(SE)
    crew.submit(PER)
    executor.answer("SE1", error=DIED)
    with pytest.raises(OptionError, match="not ours to mend"):
        crew.collect(0.1)
    crew.close()
    assert not executor.ended


def test_the_callers_executor_keeps_its_hung_task(monkeypatch):
    monkeypatch.setattr(crews, "_GRACE", 0.0)
    executor = Manual(1)
    crew = Crew(DATA, Config(**SMALL, patience=0.0), 1, executor)
    crew.submit(SE)
    crew.flights[0].since -= 1
    assert names(crew.collect(0.01)) == [("SE1", Status.TIMEOUT)]
    crew.submit(PER)
    executor.answer("PER1", DONE)
    assert names(crew.collect(0.1)) == [("PER1", Status.OK)]
    assert not executor.ended


def test_closing_gives_up_what_is_in_flight(crew, pools):
    crew.submit(SE)
    crew.submit(PER)
    crew.submit(LIN)
    crew.close()
    assert crew.free == 2
    assert pools[0].ended
    # The pool settles its futures as it ends, and finds none that is settled already.
    assert not any(future.done() for _, future in pools[0].flights)


def test_closing_tells_a_foreign_executor_what_is_no_longer_wanted():
    executor = Manual(2)
    crew = Crew(DATA, CONFIG, 1, executor=executor)
    crew.submit(SE)
    crew.close()
    assert executor.flights[-1][1].cancelled()
    assert not executor.ended


def test_how_many_tasks_an_executor_takes():
    class Client:
        def nthreads(self, callback_timeout):
            return {"a": 2, "b": 1}

    dask = Manual()
    dask._client = Client()
    assert slots(dask) == 3
    assert slots(Manual(5)) == 5
    assert slots(Inline()) == 1


def test_inline_hands_errors_over():
    future = Inline().submit(divmod, 1, 0)
    assert isinstance(future, Future)
    assert isinstance(future.exception(), ZeroDivisionError)


def test_orders_and_results_travel_by_plain_pickle():
    order = work.Order(DATA.digest, CONFIG, SE, DATA)
    there = pickle.loads(pickle.dumps(order))  # noqa: S301
    assert there.task == SE
    assert there.config == CONFIG
    assert there.data.digest == DATA.digest
    result = work.perform(there)
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301


def test_a_worker_keeps_little():
    """Data and preparations of a few searches at most, however many it has served."""
    for seed in range(4):
        for rows in (20, 21, 22):
            data = dataset(rows)
            work.perform(work.Order(data.digest, Config(**SMALL, seed=seed), SE, data))
    assert len(work._CACHE.data) <= 2
    assert len(work._CACHE.ladders) <= 2
    gone = searches.dataset(20)
    assert work.perform(work.Order(gone.digest, CONFIG, SE)) == work.Missing(gone.digest)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError(), Failure(Fault.MEMORY)),
        (ValueError("odd"), Failure(Fault.ERROR, "ValueError: odd")),
        (ZeroDivisionError(), Failure(Fault.ERROR, "ZeroDivisionError: ")),
    ],
)
def test_what_goes_wrong_inside_a_task_is_its_result(monkeypatch, error, reason):
    def fails(ladder, task):
        raise error

    monkeypatch.setitem(work._STAGES, "screen", fails)
    found = work.perform(work.Order(DATA.digest, CONFIG, SE, DATA))
    assert found.status is Status.FAILED
    assert found.reason == reason
