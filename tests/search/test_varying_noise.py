"""A search with noise that varies: every fit has it, children inherit it, and the journal keeps it."""

import math

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe.errors import JournalError
from kernelscribe.noises import NOISES

X = np.linspace(0, 20, 120)
LOUDER = np.exp(0.08 * X) * np.random.default_rng(0).normal(size=120)


@pytest.mark.parametrize("kind", ["growing", "changing"])
def test_a_search_has_the_kind_that_is_asked_for(kind, tmp_path):
    journal = tmp_path / "search.jsonl"
    options = {"depth": 1, "restarts": 2, "noise": kind, "workers": 1, "journal": journal}
    found = ks.discover(X, 4 * np.sin(X) + LOUDER, **options)
    assert {type(fit.noise) for fit in found.fits if fit.usable} == {NOISES[kind]}
    assert found.structure
    again = ks.discover(X, 4 * np.sin(X) + LOUDER, resume=True, **options)
    assert again.best.noise == found.best.noise
    assert again.bic == found.bic
    with pytest.raises(JournalError, match="other options"):
        ks.discover(X, 4 * np.sin(X) + LOUDER, resume=True, **{**options, "noise": "constant"})


def test_growth_alone_is_no_structure():
    """Against constant noise, a kernel with growing noise would pass for a finding."""
    found = ks.discover(X, LOUDER, depth=0, restarts=2, noise="growing", workers=1)
    constant = -60 * (1 + math.log(2 * math.pi)) - 0.5 * math.log(120)
    assert found.noise_bic > constant + 3
    assert not found.structure or found.bic.upper < found.noise_bic + 3
