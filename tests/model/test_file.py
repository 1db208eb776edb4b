"""A saved model reloads to the last bit, and what is no model is refused in one sentence."""

import base64
import json
import math
from dataclasses import fields, replace

import numpy as np
import pytest

from kernelscribe import Config, DataError, Status
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.notes import Note
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.events import Stop
from kernelscribe.fit.facts import AtBound, Behind, End, Failure, Fault, Fit
from kernelscribe.kernels import Leaf, parse
from kernelscribe.model import file
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from kernelscribe.outcome import Decision, DecisionKind, Outcome, Rival
from kernelscribe.search.tree import Children, Mark, Twig
from models import CONFIG, YEARLY, drawn, numbers, with_effort, yearly

TESTED = Backtest(((50.0, 48.5), (80.0, 81.0), (95.0, 100 / 3)), 51, 5, 0.1, 1 / 3, 0.7, True)
EVIDENCE = Evidence(Interval(-3.3, -1.1), Interval(-4.0, -1 / 3), 0.05, 1e-8, 7, -2.0, Status.LOOSE)
TREE = Children((Twig(parse("SE + PER"), Interval(-9.9, -0.1), Mark.CHOSEN, Children(lower=2)),), dropped=1)


def outcome(made, **more):
    """What a search would have said of this model."""
    best = None
    if made.expr is not None:
        best = Fit(
            made.data.scales, made.expr, made.noise, EVIDENCE, Interval(-9.9, -0.1), (
                AtBound.of(Leaf("SE"), "lengthscale", End.LOWER), AtBound.of(None, "variance", End.UPPER),
            ), "inducing", 345, 0.0, Status.TIMEOUT, Failure(Fault.ERROR, "λ"), ((1, (0.5, 1 / 3)),),
        )  # fmt: skip
    rival = Rival(parse("SE1(variance=1.0, lengthscale=2.0)"), Constant(0.1), Interval(-8.0, math.inf), False)
    usual = {
        "best": best, "contenders": (rival,), "behind": (replace(rival, told=True),), "noise_bic": -77.7,
        "decision": Decision(DecisionKind.OPEN, 1), "stopped": Stop.TIME, "tree": TREE, "strategy": "auto", "depth": 2,
        "tried": 9, "dropped": 1, "failed": 2, "evaluations": 345,
    }  # fmt: skip
    return Outcome(**{**usual, **more})


def dated():
    """Days with a note, an odd name, and numbers that have no short decimal form."""
    rng = np.random.default_rng(0)
    x = np.cumsum(rng.uniform(0.5, 2, size=50))
    axis, note = Axis('day "of" the year, λ', "days", "2004-02-29T00:00:00"), Note("blank_rows", {"rows": 2})
    data = Dataset.of(x, np.exp(rng.normal(size=50)) / 3, axes=[axis], target="y\n€", notes=[note])
    expr = parse(f"SE(variance={1 / 3}, lengthscale={math.pi}) + PER(variance=0.1, lengthscale=1e-2, period=0.7)")
    return Model(data, expr, Constant(0.1 / 3), Config(seed=3, budget=60.0, inducing=5, placement="kmeans"), 0.7)


def table():
    rng = np.random.default_rng(1)
    data = Dataset.of(rng.normal(size=(40, 3)), rng.normal(size=40), names=("a", "b", "c"))
    return Model(data, parse("SE3(variance=1, lengthscale=1)*LIN1(variance=0.2, location=-4)"), Constant(0.5), CONFIG)


def constant():
    return Model(Dataset.of(np.arange(5.0), np.full(5, 1 / 3)), None, Constant(1.0), CONFIG)


def saved(tmp_path, made=None, tested=TESTED, **more):
    path, made = tmp_path / "model.json", made or yearly()
    file.save(made, outcome(made, **more), tested, path)
    return path


@pytest.mark.parametrize("made", [yearly(), dated(), table(), constant()])
def test_a_model_comes_back_to_the_last_bit(tmp_path, made):
    path = saved(tmp_path, made)
    again, found, tested = file.load(path)
    assert again.data.digest == made.data.digest
    assert np.array_equal(again.data.X, made.data.X)
    assert np.array_equal(again.data.y, made.data.y)
    for name in ("axes", "inputs", "output", "target", "notes"):
        assert getattr(again.data, name) == getattr(made.data, name), name
    assert (again.expr, again.noise, again.config, again.widening) == (made.expr, made.noise, made.config, made.widening)
    assert (found, tested) == (outcome(made), TESTED)
    X = made.inputs[:9] + 0.37
    for one, other in zip(numbers(made.predict(X)), numbers(again.predict(X)), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(again.posterior.means(again.data.X), made.posterior.means(made.data.X))


def test_what_comes_back_is_saved_as_the_same_file(tmp_path):
    path = saved(tmp_path, dated())
    other = tmp_path / "again.json"
    file.save(*file.load(path), other)
    assert other.read_bytes() == path.read_bytes()


def test_beyond_dense_rows_the_same_inducing_points_are_found(tmp_path):
    few = {"dense_rows": 50, "posterior_points": 20}
    x = np.arange(120) / 12
    data = Dataset.of(x, drawn(YEARLY, x, 0.1, np.random.default_rng(0)))
    made = with_effort(Model(data, parse(YEARLY), Constant(0.1), Config(seed=5, inducing=20)), **few)
    again = with_effort(file.load(saved(tmp_path, made))[0], **few)
    assert again.posterior.points.shape == (20, 1)
    for one, other in zip(numbers(made.predict(made.inputs)), numbers(again.predict(made.inputs)), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("change", [
    {"best": None, "contenders": (), "noise_bic": -math.inf, "decision": Decision(DecisionKind.NONE)},
    {"evidence": Evidence(NOWHERE, NOWHERE, status=Status.SINGULAR), "bic": NOWHERE},
    {"evidence": replace(EVIDENCE, interval=Interval(-5.0, math.inf), exact=None), "stopped": None},
    {"reason": Behind(-1.5, -math.inf, 3.0)},
    {"reason": None, "at_bound": ()},
    *({"evidence": replace(EVIDENCE, status=status), "status": status} for status in Status),
], ids=lambda change: ", ".join(map(str, change)))  # fmt: skip
def test_an_outcome_comes_back_with_its_infinities_and_its_status(tmp_path, change):
    made, own = yearly(), {each.name for each in fields(Fit)}
    whole = outcome(made, **{name: value for name, value in change.items() if name not in own})
    of_best = {name: value for name, value in change.items() if name in own}
    whole = replace(whole, best=replace(whole.best, **of_best)) if of_best else whole
    file.save(made, whole, TESTED, path := tmp_path / "model.json")
    assert file.load(path)[1] == whole
    assert "Infinity" not in path.read_text()


def test_what_differs_between_two_runs_of_one_search_is_not_saved(tmp_path):
    made = yearly()
    quick, slow = (
        replace(outcome(made), seconds=seconds, workers=workers, best=replace(outcome(made).best, seconds=seconds))
        for seconds, workers in ((1.5, 2), (9.5, 4))
    )
    for name, each in (("quick", quick), ("slow", slow)):
        file.save(made, each, TESTED, tmp_path / name)
    assert (tmp_path / "quick").read_bytes() == (tmp_path / "slow").read_bytes()
    assert file.load(tmp_path / "quick")[1] == outcome(made)


def test_without_a_backtest_there_is_none(tmp_path):
    assert file.load(saved(tmp_path, tested=None))[2] is None


def test_the_file_is_plain_json_that_says_what_it_is(tmp_path):
    kept = json.loads(saved(tmp_path).read_text(encoding="utf-8"))
    assert kept["model"] == file.FORMAT == 2
    assert kept["outcome"]["best"]["expr"]["type"] == "sum"
    assert kept["data"]["X"]["shape"] == [96, 1]
    X = np.frombuffer(base64.b64decode(kept["data"]["X"]["doubles"]), dtype="<f8")
    np.testing.assert_array_equal(X, yearly().data.X[:, 0])


def test_options_of_a_later_version_are_passed_over(tmp_path):
    path = saved(tmp_path)
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "options": {**kept["options"], "unheard": 1}, "unheard": 2}))
    assert file.load(path)[0].config == yearly().config


@pytest.mark.parametrize("text", [
    "", "no JSON", "[]", "5", "null", '"model"', "{}", '{"kernel": "SE"}', b"\xff\xfe\x00", "[" * 100_000, '{"model": 1',
])  # fmt: skip
def test_a_foreign_file_is_refused(tmp_path, text):
    path = tmp_path / "foreign.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match="is not a kernelscribe model"):
        file.load(path)


def test_a_model_of_version_0_1_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"model": 1, "version": "0.1.0", "fitted": "SE1", "verdict": {}, "data": {}}))
    with pytest.raises(
        DataError, match=r"saved by kernelscribe 0\.1, .*: run the search again, or read it with that version .*0\.1"
    ):
        file.load(path)


@pytest.mark.parametrize("version", [3, 0, "1", "2", None, [1], True])
def test_another_format_is_refused(tmp_path, version):
    path = saved(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "model": version}))
    with pytest.raises(DataError, match=r"has format .*reads 2"):
        file.load(path)


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(DataError, match="cannot read"):
        file.load(tmp_path / "missing.json")
    with pytest.raises(DataError, match="cannot read"):
        file.load(tmp_path)


PARTS = [
    ("options",), ("outcome",), ("widening",), ("backtest",), ("digest",), ("data",),
    *(("data", name) for name in ("target", "axes", "inputs", "output", "notes", "X", "y")),
    *(("outcome", name) for name in ("best", "contenders", "behind", "tree", "noise_bic", "decision", "stopped", "tried")),
    *(("outcome", "best", name) for name in ("expr", "noise", "evidence", "bic", "at_bound", "status", "reason", "seconds")),
    ("outcome", "best", "evidence", "interval"), ("outcome", "best", "evidence", "status"), ("outcome", "best", "bic", "lower"),
    ("backtest", "covered"), ("data", "output", "scale"), ("data", "X", "shape"),
]  # fmt: skip


def damaged(path, where, change):
    """The file with one of its parts changed, or taken away where the change is None."""
    kept = json.loads(path.read_text())
    inside = kept
    for name in where[:-1]:
        inside = inside[name]
    if change is None:
        del inside[where[-1]]
    else:
        inside[where[-1]] = change(inside[where[-1]])
    path.write_text(json.dumps(kept))
    return path


@pytest.mark.parametrize("where", PARTS, ids=".".join)
def test_a_file_with_a_part_missing_is_damaged(tmp_path, where):
    with pytest.raises(DataError, match="is damaged"):
        file.load(damaged(saved(tmp_path), where, None))


@pytest.mark.parametrize("value", [[], {}, "text", -1.5, math.nan, math.inf, True, None], ids=repr)
@pytest.mark.parametrize("where", [
    ("options",), ("outcome",), ("widening",), ("backtest",), ("data",), ("digest",),
    ("data", "axes"), ("data", "X"), ("data", "y"), ("data", "inputs"), ("data", "output"), ("data", "target"),
    ("outcome", "best"), ("outcome", "contenders"), ("outcome", "tried"), ("outcome", "decision"), ("outcome", "tree"),
    ("outcome", "best", "expr"), ("outcome", "best", "noise"), ("outcome", "best", "evidence"), ("outcome", "best", "bic"),
    ("outcome", "best", "status"), ("outcome", "best", "evidence", "status"),
], ids=".".join)  # fmt: skip
def test_a_file_with_a_part_of_another_kind_is_damaged(tmp_path, where, value):
    """But for those that say nothing, and may: no kernel, no backtest, no options, no rivals."""
    allowed = [
        (("backtest",), None),
        (("options",), {}),
        (("outcome", "best"), None),
        (("outcome", "contenders"), []),
    ]
    path = damaged(saved(tmp_path), where, lambda _: value)
    if (where, value) in allowed:
        file.load(path)
    else:
        with pytest.raises(DataError, match="is damaged"):
            file.load(path)


@pytest.mark.parametrize(("where", "change"), [
    (("data", "X", "doubles"), lambda packed: packed[:-8] + "AAAAAAA="),
    (("data", "y", "doubles"), lambda packed: packed[::-1]),
    (("data", "y", "doubles"), lambda packed: packed[:100]),
    (("data", "X", "shape"), lambda shape: [shape[0] + 1, 1]),
    (("data", "X", "shape"), lambda shape: [1, shape[0]]),
    (("data", "target"), lambda name: name + "?"),
    (("data", "inputs"), lambda all_: [{**each, "scale": each["scale"] * 2} for each in all_]),
    (("data", "inputs"), lambda all_: all_ * 2),
    (("data", "axes"), lambda all_: [{**each, "origin": "2020-01-01"} for each in all_]),
    (("data", "notes"), lambda _: [{"type": "note", "kind": "guess"}]),
    (("data", "notes"), lambda _: [{"type": "system", "command": "ls"}]),
    (("outcome", "best", "expr"), lambda _: "SE1(variance=1, lengthscale=1)"),
    (("outcome", "best", "expr"), lambda _: {"type": "leaf", "kind": "SE", "dim": 1, "values": None}),
    (("outcome", "best", "expr"), lambda _: {"type": "leaf", "kind": "SE", "dim": 2, "values": [1.0, 1.0]}),
    (("outcome", "best", "expr"), lambda _: {"type": "leaf", "kind": "SE", "dim": 1, "values": [1.0]}),
    (("outcome", "best", "expr"), lambda _: {"type": "os.system", "args": ["ls"]}),
    (("outcome", "best"), lambda best: {**best, "colour": "red"}),
    (("options",), lambda old: {**old, "depth": -1}),
    (("outcome", "best", "noise"), lambda _: 0),
    (("outcome", "best", "evidence", "status"), lambda _: "great"),
])  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path, where, change):
    with pytest.raises(DataError, match="is damaged"):
        file.load(damaged(saved(tmp_path), where, change))


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused(tmp_path, share):
    path = saved(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(DataError):
        file.load(path)


def test_a_model_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = saved(tmp_path)
    before, made = path.read_bytes(), yearly()
    with pytest.raises(TypeError, match="JSON"):
        file.save(made, outcome(made, tried=object()), TESTED, path)
    assert path.read_bytes() == before
