"""Random numbers by name: the same for the same seed and name, others for any other."""

import re
from pathlib import Path

import numpy as np
import pytest

import kernelscribe
from kernelscribe.streams import STREAMS, stream, stream_of


def test_no_two_streams_have_one_number():
    assert sorted(STREAMS.values()) == list(range(1, len(STREAMS) + 1))


def test_a_stream_is_its_seed_and_its_name():
    drawn = {name: tuple(stream(3, name).integers(2**60, size=4)) for name in STREAMS}
    assert len(set(drawn.values())) == len(STREAMS)
    assert drawn == {name: tuple(stream(3, name).integers(2**60, size=4)) for name in STREAMS}
    assert tuple(stream(4, "subset").integers(2**60, size=4)) != drawn["subset"]


def test_those_of_searches_and_fits_have_the_numbers_that_they_always_had():
    for name, number in {"inducing points": 1, "screened rows": 2, "subset": 3}.items():
        assert np.array_equal(stream(5, name).normal(size=3), np.random.default_rng([5, number]).normal(size=3))
    kernel = np.random.default_rng([0, 10561692343809396514])
    assert np.array_equal(stream_of(0, "SE1*PER1").normal(size=3), kernel.normal(size=3))


def test_an_unknown_name_is_refused():
    with pytest.raises(KeyError):
        stream(0, "nothing of the kind")


def test_every_stream_is_used_and_none_has_a_bare_number():
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(kernelscribe.__file__).parent.rglob("*.py"))
    assert set(re.findall(r'stream\([\w.]+, "([^"]+)"\)', source)) == set(STREAMS)
    assert len(re.findall(r"default_rng\(\[", source)) == 2
