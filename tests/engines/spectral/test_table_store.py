"""Tables are made where they are asked for, kept while there is room, and those in use in any case."""

import numpy as np
import pytest

from kernelscribe.engines.spectral.table_store import SumTable, TableStore
from kernelscribe.engines.spectral.tables import Tables

# Stretches of 4, 4, 8, 16 and on.
SMALL = {"short": 4, "doublings": 2}


def counting(calls):
    def make(start, end):
        calls.append((start, end))
        return np.arange(start, end) + 1j

    return make


def test_stretches_double_and_then_stay():
    table = SumTable(**SMALL)
    assert [table.edge(k) for k in range(7)] == [0, 4, 8, 16, 32, 48, 64]
    places = np.arange(64)
    expected = np.searchsorted([4, 8, 16, 32, 48], places, side="right")
    np.testing.assert_array_equal(table.stretch(places), expected)


@pytest.mark.parametrize(
    ("places", "made"),
    [
        ([3], [(0, 4), (4, 8)]),
        ([2], [(0, 4)]),
        ([40, 9], [(8, 16), (32, 48)]),
        ([8], [(4, 8), (8, 16)]),
        ([], []),
    ],
)
def test_what_is_asked_for_is_made_with_its_neighbours(places, made):
    calls = []
    table = SumTable(**SMALL)
    table.reach(np.array(places, dtype=np.int64), 1, counting(calls))
    assert calls == made
    assert table.bytes == 16 * sum(end - start for start, end in made)


def test_a_table_grows_and_keeps_what_it_has():
    calls = []
    table, make = SumTable(**SMALL), counting(calls)
    for places in ([9], [9, 10], [100], [9], [60, 100]):
        table.reach(np.array(places), 1, make)
    assert calls == [(8, 16), (96, 112), (48, 64)]
    for start, end in calls:
        np.testing.assert_array_equal(table.values[start:end], np.arange(start, end) + 1j)
    assert not table.values[64:96].any()


def fill(shelf, r):
    table = shelf.get((False, r))
    table.reach(np.array([9]), 0, lambda start, end: np.full(end - start, complex(r)))
    assert (table.values[9:10] == r).all()
    shelf.tidy()


def held(shelf):
    return [r for _, r in shelf.tables]


def test_what_is_longest_not_asked_for_goes_first():
    shelf = TableStore(room=3 * 2**17, recent=1)
    for r in (0, 1, 2, 0, 3):
        fill(shelf, r)
    assert held(shelf) == [2, 0, 3]
    fill(shelf, 1)
    assert held(shelf) == [0, 3, 1]


def test_what_is_in_use_stays_though_there_is_no_room():
    shelf = TableStore(room=0, recent=3)
    for r in (0, 1, 0, 1, 2):
        fill(shelf, r)
    assert held(shelf) == [0, 1, 2]
    for r in (2, 2, 3):
        fill(shelf, r)
    assert held(shelf) == [2, 3]


def test_forgetting_changes_no_bit():
    rng = np.random.default_rng(0)
    x, y = rng.uniform(size=300), rng.normal(size=300)
    at, line = np.arange(-3000, 20_000, 7), np.array([0.3, -0.2, 1.0, 2.0])
    plenty, none = Tables.of(x, y), Tables.of(x, y)
    none._sums.room, none._sums.recent = 0, 1
    for ask in (at, at[:10], at, at / 3):
        assert (plenty.powers(line, ask) == none.powers(line, ask)).all()
        assert (plenty.targets(line, ask) == none.targets(line, ask)).all()
    assert len(none._sums.tables) < len(plenty._sums.tables)
