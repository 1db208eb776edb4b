"""Faults of a search, by their numbers in the project's list of faults: no kernel fits, ties, too little memory."""

import json

import pytest

import kernelscribe as ks
import searches
from commands import command
from kernelscribe.app.cli import Exit
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.errors import OptionError, Status
from kernelscribe.fit.facts import Fit
from kernelscribe.noises import Constant
from kernelscribe.search import work
from kernelscribe.search.rules import ranked
from searches import FIRST, FLAGS, SMALL, dataset, facts


def test_fault_46_all_candidates_fail(file, tmp_path, monkeypatch):
    """Exit code 3, noise alone, and nothing invented."""

    def fails(bench, task):
        raise FloatingPointError("nothing works today")

    monkeypatch.setitem(work._STATEMENT_STAGES, "screen", fails)
    found = searches.run()
    assert found.best is None
    assert found.failed == len(found.fits) == FIRST
    assert not found.structure
    done = command("run", file, "--out", tmp_path / "out", *FLAGS)
    assert done.exit_code == Exit.NO_MODEL
    assert "No model: none of 7 kernels could be fitted" in done.stdout
    assert f"{found.noise_bic:.2f}" in done.stdout
    model = ks.load(tmp_path / "out" / "model.json")
    assert model.kernel is None
    assert model.model.expr is None
    assert model.outcome.failed == FIRST
    done = command("run", file, "--out", tmp_path / "json", *FLAGS, "--json")
    assert done.exit_code == Exit.NO_MODEL
    assert json.loads(done.stdout)["kernel"] is None


def test_fault_47_ties_and_last_digits():
    """Scores that differ by less than a millionth of a nat are ranked by the kernels' text, on every machine alike."""
    scales = dataset().scales

    def fit(bic):
        here = Interval(bic, bic)
        return Fit(scales, ks.parse("SE1"), Constant(0.1), Evidence(here, here), here, (), "exact", 1, 0.0, Status.OK)

    for noise in (0.0, 1e-9, -1e-9):
        fits = {"SE1": fit(-10.0 + noise), "PER1": fit(-10.0), "LIN1": fit(-10.0 - noise), "SE1 + SE1": fit(-9.99)}
        assert ranked(fits, fits, "middle") == ["SE1 + SE1", "LIN1", "PER1", "SE1"]
        assert ranked(fits, reversed(list(fits)), "upper") == ["SE1 + SE1", "LIN1", "PER1", "SE1"]


def test_fault_47_same_seed_same_tree():
    """Said twice, the same; with other workers see test_parallel."""
    assert facts(searches.run()) == facts(searches.run())


def test_fault_61_not_enough_memory(tmp_path):
    """Refused before a file is made, and in words."""
    path, data = tmp_path / "search.jsonl", dataset(400)

    with pytest.raises(OptionError, match=r"400 rows need about 2 MB, 1 are allowed: .*memory"):
        searches.run(data=data, options={**SMALL, "engine": "exact", "memory": 1.0}, journal=path)
    with pytest.raises(OptionError, match="300 inducing points"):
        searches.run(data=data, options={**SMALL, "inducing": 300, "memory": 1.0}, journal=path)
    with pytest.raises(OptionError, match="400 rows"):
        searches.run(data=data, options={**SMALL, "strategy": "subset", "subset": 50, "memory": 1.0}, journal=path)
    assert not path.exists()
