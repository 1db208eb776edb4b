"""A saved model reloads to the last bit, and what is no model is refused in one sentence."""

import base64
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config, DataError, Status
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.notes import Note
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.kernels import parse
from kernelscribe.model import file
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.model import Model
from kernelscribe.model.verdict import Rival, Verdict
from models import CONFIG, YEARLY, drawn, yearly

RESULT = {"kernel": "SE", "n": 3, "components": [{"share": 0.1 + 0.2}], "größe": "λ"}
TESTED = Backtest(((50.0, 48.5), (80.0, 81.0), (95.0, 100 / 3)), 51, 5, 0.1, 1 / 3, 0.7, True)
EVIDENCE = Evidence(Interval(-3.3, -1.1), Interval(-4.0, -1 / 3), 0.05, 1e-8, 7, -2.0, Status.LOOSE)
VERDICT = Verdict(
    kernel="SE + PER", evidence=EVIDENCE, bic=Interval(-9.9, -0.1), decision="by intervals", noise_bic=-77.7, structure=True,
    stopped="the budget is used up", rivals=(Rival("SE1(variance=1.0, lengthscale=2.0)", 0.1, Interval(-8.0, math.inf), False),),
    tree="SE\n└ SE + PER", engine="inducing", at_bound=("lengthscale of SE1",), depth=2, fits=9, dropped=1, failed=2,
    evaluations=345, seconds=None, workers=None,
)  # fmt: skip


def dated():
    """Days with a note, an odd name, and numbers that have no short decimal form."""
    rng = np.random.default_rng(0)
    x = np.cumsum(rng.uniform(0.5, 2, size=50))
    axis, note = Axis('day "of" the year, λ', "days", "2004-02-29T00:00:00"), Note("blank_rows", {"rows": 2})
    data = Dataset.of(x, np.exp(rng.normal(size=50)) / 3, axes=[axis], target="y\n€", notes=[note])
    expr = parse(f"SE(variance={1 / 3}, lengthscale={math.pi}) + PER(variance=0.1, lengthscale=1e-2, period=0.7)")
    return Model(data, expr, 0.1 / 3, Config(seed=3, budget=60.0, inducing=5, placement="kmeans"), 0.7)


def table():
    rng = np.random.default_rng(1)
    data = Dataset.of(rng.normal(size=(40, 3)), rng.normal(size=40), names=("a", "b", "c"))
    return Model(data, parse("SE3(variance=1, lengthscale=1)*LIN1(variance=0.2, location=-4)"), 0.5, CONFIG)


def constant():
    return Model(Dataset.of(np.arange(5.0), np.full(5, 1 / 3)), None, 1.0, CONFIG)


def saved(tmp_path, made=None, verdict=VERDICT, tested=TESTED, result=RESULT):
    path = tmp_path / "model.json"
    file.save(made or yearly(), verdict, tested, result, path)
    return path


@pytest.mark.parametrize("made", [yearly(), dated(), table(), constant()])
def test_a_model_comes_back_to_the_last_bit(tmp_path, made):
    path = saved(tmp_path, made)
    again, verdict, tested, result = file.load(path)
    assert again.data.digest == made.data.digest
    assert np.array_equal(again.data.X, made.data.X)
    assert np.array_equal(again.data.y, made.data.y)
    for name in ("axes", "inputs", "output", "target", "notes"):
        assert getattr(again.data, name) == getattr(made.data, name), name
    assert (again.expr, again.noise, again.config, again.widening) == (made.expr, made.noise, made.config, made.widening)
    assert (verdict, tested, result) == (VERDICT, TESTED, RESULT)
    X = made.inputs[:9] + 0.37
    for one, other in zip(made.predict(X), again.predict(X), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(again.posterior.means(again.data.X), made.posterior.means(made.data.X))


def test_what_comes_back_is_saved_as_the_same_file(tmp_path):
    path = saved(tmp_path, dated())
    other = tmp_path / "again.json"
    file.save(*file.load(path), other)
    assert other.read_bytes() == path.read_bytes()


def test_beyond_dense_rows_the_same_inducing_points_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr("kernelscribe.engines.rows.DENSE_ROWS", 50)
    monkeypatch.setattr("kernelscribe.engines.inducing.engine._POINTS", 20)
    x = np.arange(120) / 12
    made = Model(Dataset.of(x, drawn(YEARLY, x, 0.1, np.random.default_rng(0))), parse(YEARLY), 0.1, Config(seed=5, inducing=20))
    again, *_ = file.load(saved(tmp_path, made))
    assert again.posterior.points.shape == (20, 1)
    for one, other in zip(made.predict(made.inputs), again.predict(made.inputs), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("verdict", [
    Verdict.empty("nothing to do"),
    replace(VERDICT, evidence=Evidence(NOWHERE, NOWHERE, status=Status.SINGULAR), bic=NOWHERE, kernel=None, rivals=()),
    replace(VERDICT, evidence=replace(EVIDENCE, interval=Interval(-5.0, math.inf), exact=None), stopped=None),
    *(replace(VERDICT, evidence=replace(EVIDENCE, status=status)) for status in Status),
])  # fmt: skip
def test_a_verdict_comes_back_with_its_infinities_and_its_status(tmp_path, verdict):
    path = saved(tmp_path, verdict=verdict)
    assert file.load(path)[1] == verdict
    assert "Infinity" not in path.read_text()


def test_what_differs_between_two_runs_of_one_search_is_not_saved(tmp_path):
    timed = replace(VERDICT, seconds=1.5, workers=2)
    path = saved(tmp_path, verdict=timed, result={**RESULT, "seconds": 1.5, "workers": 2})
    assert (file.load(path)[1], file.load(path)[3]) == (VERDICT, RESULT)


def test_without_a_backtest_there_is_none(tmp_path):
    assert file.load(saved(tmp_path, tested=None))[2] is None


def test_the_file_is_plain_json_that_says_what_it_is(tmp_path):
    kept = json.loads(saved(tmp_path).read_text(encoding="utf-8"))
    assert kept["model"] == file.FORMAT == 1
    assert kept["result"] == RESULT
    assert kept["data"]["rows"] == 96
    X = np.frombuffer(base64.b64decode(kept["data"]["X"]), dtype="<f8")
    np.testing.assert_array_equal(X, yearly().data.X[:, 0])


def test_options_of_a_later_version_are_passed_over(tmp_path):
    path = saved(tmp_path)
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "options": {**kept["options"], "unheard": 1}, "unheard": 2}))
    assert file.load(path)[0].config == CONFIG


@pytest.mark.parametrize("text", [
    "", "no JSON", "[]", "5", "null", '"model"', "{}", '{"kernel": "SE"}', b"\xff\xfe\x00", "[" * 100_000, '{"model": 1',
])  # fmt: skip
def test_a_foreign_file_is_refused(tmp_path, text):
    path = tmp_path / "foreign.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match="is not a kernelscribe model"):
        file.load(path)


@pytest.mark.parametrize("version", [2, 0, "1", None, [1], True])
def test_another_format_is_refused(tmp_path, version):
    path = saved(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "model": version}))
    with pytest.raises(DataError, match=r"has format .*reads 1"):
        file.load(path)


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(DataError, match="cannot read"):
        file.load(tmp_path / "missing.json")
    with pytest.raises(DataError, match="cannot read"):
        file.load(tmp_path)


PARTS = [
    ("options",), ("result",), ("fitted",), ("noise",), ("widening",), ("backtest",), ("verdict",), ("data",),
    *(("data", name) for name in ("digest", "target", "axes", "inputs", "output", "notes", "rows", "X", "y")),
    *(("verdict", name) for name in ("kernel", "evidence", "bic", "rivals", "tree", "at_bound", "noise_bic", "seconds")),
    ("verdict", "evidence", "interval"), ("verdict", "evidence", "status"), ("verdict", "bic", "lower"), ("backtest", "covered"),
    ("data", "output", "scale"),
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
    ("options",), ("fitted",), ("noise",), ("widening",), ("backtest",), ("verdict",), ("data",),
    ("data", "axes"), ("data", "rows"), ("data", "X"), ("data", "y"), ("data", "inputs"), ("data", "output"), ("data", "target"),
    ("verdict", "evidence"), ("verdict", "bic"), ("verdict", "rivals"), ("verdict", "evidence", "status"),
], ids=".".join)  # fmt: skip
def test_a_file_with_a_part_of_another_kind_is_damaged(tmp_path, where, value):
    """But for those that say nothing, and may: no kernel, no backtest, no options, no rivals."""
    allowed = [
        (("fitted",), None),
        (("backtest",), None),
        (("options",), {}),
        (("verdict", "rivals"), []),
        (("verdict", "rivals"), {}),
    ]
    path = damaged(saved(tmp_path), where, lambda _: value)
    if (where, value) in allowed:
        file.load(path)
    else:
        with pytest.raises(DataError, match="is damaged"):
            file.load(path)


@pytest.mark.parametrize(("where", "change"), [
    (("data", "X"), lambda packed: packed[:-8] + "AAAAAAA="),
    (("data", "y"), lambda packed: packed[::-1]),
    (("data", "y"), lambda packed: packed[:100]),
    (("data", "rows"), lambda rows: rows + 1),
    (("data", "target"), lambda name: name + "?"),
    (("data", "inputs"), lambda all_: [{**each, "scale": each["scale"] * 2} for each in all_]),
    (("data", "axes"), lambda all_: [{**each, "origin": "2020-01-01"} for each in all_]),
    (("data", "notes"), lambda _: [{"kind": "guess"}]),
    (("fitted",), lambda text: text + "+"),
    (("fitted",), lambda _: "SE"),
    (("fitted",), lambda _: "SE2(variance=1, lengthscale=1)"),
    (("fitted",), lambda _: "__import__('os')"),
    (("options",), lambda old: {**old, "depth": -1}),
    (("noise",), lambda _: 0),
    (("verdict", "evidence", "status"), lambda _: "GREAT"),
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
    before = path.read_bytes()
    with pytest.raises(ValueError, match="JSON"):
        file.save(yearly(), VERDICT, TESTED, {"share": math.nan}, path)
    assert path.read_bytes() == before
