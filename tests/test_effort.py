"""Every amount has its room and its reason; rules that go by rows; and no option tells of any of it."""

import re
from dataclasses import fields, replace
from types import SimpleNamespace

import pytest

from kernelscribe import Config
from kernelscribe.config import chosen, configure, options
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.errors import OptionError

WAVES = SimpleNamespace(series=True)


@pytest.mark.parametrize("each", fields(Effort), ids=lambda each: each.name)
def test_every_amount_has_its_room_and_its_reason(each):
    assert each.metadata["room"] in {"engines", "fit", "search", "model"}
    assert re.fullmatch(r"[A-Z][^.]*\.", re.sub(r"\d\.\d", "", each.metadata["reason"])), "one sentence"


def test_it_travels_in_config_and_is_no_option():
    config = Config(effort=Effort(folds=5))
    assert config.effort.folds == 5
    assert "effort" not in options()
    assert "effort" not in chosen(config)
    with pytest.raises(OptionError, match="there is no option 'effort'"):
        configure({"effort": STANDARD})


@pytest.mark.parametrize(("rows", "little", "peaks", "starts"), [(2000, 0.05, 4, 1), (2001, 0.5, 8, 3)])
def test_where_rows_are_many(rows, little, peaks, starts):
    found = STANDARD.of(rows, 2)
    assert (found.little, found.peaks, found.starts_a_copy) == (little, peaks, starts)


def test_where_rows_are_vast_kernels_reach_further():
    assert STANDARD.of(100_000, 1).reach == 20
    assert STANDARD.of(100_001, 1).reach == pytest.approx(3000.03)


def test_samples_are_of_tables():
    sizes = [(each.sample_few, each.sample_some, each.sample_many) for each in (STANDARD.of(n, 2) for n in (2000, 6000))]
    assert sizes == [(500, 1000, 2000), (1000, 2000, 4000)]
    assert STANDARD.of(6000, 1).sample_few == 0


def test_an_effort_of_ones_own_has_rules_of_its_own():
    own = replace(STANDARD, many_rows=50, rounds_on_waves=9)
    assert [own.of(n, 1, WAVES).rounds for n in (9, 50, 51)] == [0, 6, 9]
    assert own.of(51, 1).rounds == 6
