"""Searches over statements: the same in one go, resumed or in other hands; and what is reported when time is short."""

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe import events
from kernelscribe.config import Config
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.discovery import search
from kernelscribe.events import Stop
from kernelscribe.outcome import DecisionKind
from kernelscribe.report.words import language
from kernelscribe.search.pool import Inline
from kernelscribe.statements.statement import Statement
from searches import lines

YEAR = (Axis("year", "years"),)


def dataset(rows=96):
    """A line and a yearly cycle, month by month."""
    rng = np.random.default_rng(0)
    x = 2000 + np.arange(rows) / 12
    return Dataset.of(x, 0.8 * (x - 2000) + np.sin(2 * np.pi * x) + 0.2 * rng.normal(size=rows), axes=YEAR)


def run(data=None, options=None, **more):
    with ks.parallel(Inline()):
        return search(data or dataset(), Config(**{"backend": "numpy", "transform": "none", **(options or {})}), **more)


def told(found):
    """All that a search has found, without the time it took."""
    return {
        "tree": language.facts.tree(found.tree, dataset()),
        "fits": [(name, fit.statement, fit.score, fit.status) for name, fit in found.state.fits.items()],
        "outcome": found.lasting,
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "search.jsonl"
    return run(journal=path), path


def test_it_is_told_in_words_with_what_each_component_is_worth(whole):
    found, _ = whole
    nouns = sorted(part.noun for part in found.best.statement.parts)
    assert nouns == ["cycle", "line"]
    assert {each.part.noun: each.nats > 10 for each in found.presences} == {"cycle": True, "line": True}
    assert found.structure
    assert any(line.split("  ")[0].endswith("* line + yearly cycle") for line in told(found)["tree"].splitlines())


def test_fits_are_known_by_their_names_and_ranked_by_their_scores(whole):
    found, _ = whole
    assert all(fit.statement is None or fit.name == name for name, fit in found.state.fits.items())
    assert found.state.fits[found.best.name] is found.best
    scores = [each.score.middle for each in found.behind]
    assert scores == sorted(scores, reverse=True)
    assert all(each.standing == each.score and each.statement for each in found.rivals)


def test_the_decision_says_how_far_the_next_one_is_behind(whole):
    found, _ = whole
    margin = found.state.config.effort.statement_margin
    assert found.decision.kind in (DecisionKind.PLAIN, DecisionKind.NEAR, DecisionKind.AHEAD)
    assert found.decision.nats == pytest.approx(found.best.score.middle - found.behind[0].score.middle, abs=1e-5)
    assert found.decision.nats >= margin - 1e-5
    assert all(found.best.score.middle - each.score.middle < margin for each in found.contenders)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_resumed_from_any_line_it_is_the_same(whole, tmp_path, share):
    found, path = whole
    head, *rest = path.read_bytes().splitlines(keepends=True)
    again = tmp_path / "again.jsonl"
    again.write_bytes(head + b"".join(rest[: round(share * len(rest))]))
    assert told(run(journal=again, resume=True)) == told(found)
    assert lines(again) == lines(path)


def test_stopped_at_once_there_is_noise_alone_and_one_more():
    found = run(stop=lambda: Stop.USER)
    names = [name for name, fit in found.state.fits.items() if fit.usable]
    assert Statement().name in names
    assert len(names) == 2
    assert found.stopped is Stop.USER
    assert found.decision.nats is not None or found.contenders


def test_of_noise_nothing_is_said_however_early_it_is_stopped():
    rng = np.random.default_rng(3)
    noise = Dataset.of(np.arange(200.0), rng.normal(size=200))
    found = run(noise, stop=lambda: Stop.TIME)
    assert not found.structure
    assert found.best.statement.parts == ()


def test_stopped_in_a_round_the_best_so_far_is_reported_beside_noise_alone():
    seen = []

    def stop():
        return Stop.USER if sum(isinstance(each, events.Found) and each.stage == "polish" for each in seen) == 3 else None

    found = run(on_event=seen.append, stop=stop)
    assert found.best is not None
    assert found.state.fits[Statement().name].usable
    scores = [fit.score.middle for fit in found.fits if fit.usable]
    assert found.best.score.middle > max(scores) - found.state.config.effort.statement_margin


def test_events_tell_statements_in_the_user_s_units():
    seen = []
    run(on_event=seen.append)
    began, *rest = seen
    assert began.data.axes == YEAR
    tried = [each.tried for each in rest if isinstance(each, events.Found)]
    assert all(isinstance(each, Statement) for each in tried)
    periods = {part.values[0][-1] for each in tried for part in each.parts if part.noun == "cycle" and part.held}
    assert any(period == pytest.approx(1.0, rel=1e-9) for period in periods)
    assert {each.stage for each in rest if isinstance(each, events.Found)} == {"screen", "polish", "scan", "renew"}
