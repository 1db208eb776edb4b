"""Tables are kept while there is room, and those in use in any case."""

import numpy as np

from kernelscribe.evidence.spectral.shelf import Shelf
from kernelscribe.evidence.spectral.tables import Tables


def made(*numbers):
    return {(False, r, 8): np.full(10, complex(r)) for r in numbers}


def test_what_is_longest_not_asked_for_goes_first():
    shelf, calls = Shelf(room=3 * 160, recent=1), []

    def get(r):
        def make():
            calls.append(r)
            return made(r)

        assert (shelf.get((False, r, 8), make) == r).all()

    for r in (0, 1, 2, 0, 3):
        get(r)
    assert calls == [0, 1, 2, 3]
    assert [r for _, r, _ in shelf.tables] == [2, 0, 3]
    get(1)
    assert calls == [0, 1, 2, 3, 1]
    assert [r for _, r, _ in shelf.tables] == [0, 3, 1]


def test_what_is_in_use_stays_though_there_is_no_room():
    shelf = Shelf(room=0, recent=3)
    for r in (0, 1, 0, 1, 2):
        shelf.get((False, r, 8), lambda r=r: made(r))
    assert [r for _, r, _ in shelf.tables] == [0, 1, 2]
    for r in (2, 2, 3):
        shelf.get((False, r, 8), lambda r=r: made(r))
    assert [r for _, r, _ in shelf.tables] == [2, 3]


def test_tables_made_twice_at_once_are_both_kept():
    shelf = Shelf(room=0, recent=2)
    shelf.get((False, 0, 8), lambda: made(0, 1))
    assert (shelf.get((False, 1, 8), made) == 1).all()


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
