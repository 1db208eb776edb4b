"""The chosen model as a file: plain JSON that reloads to the same predictions, to the last bit.

It holds the data, standardised as the model saw them, since a Gaussian process predicts from them; arrays are base64 of little-
endian doubles. Whoever passes the file on passes on the data.
"""

import base64
import json
import math
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import configure, options
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.notes import Note
from kernelscribe.data.scales import Affine
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.errors import DataError, Status
from kernelscribe.files import write
from kernelscribe.kernels.language import parse
from kernelscribe.kernels.tree import Expression, leaves, text
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.model import Model
from kernelscribe.model.verdict import Rival, Verdict
from kernelscribe.version import __version__

__all__ = ["FORMAT", "load", "save"]

FORMAT = 1
# What differs between a search that was killed and went on and one that was not.
_FLEETING = ("seconds", "workers")


def save(model: Model, verdict: Verdict, tested: Backtest | None, result: dict[str, Any], path: Path) -> None:
    """Write the model, whole or not at all. `result` is what the command line prints, for those who only read."""
    write(path, json.dumps(_encode(model, verdict, tested, result), indent=1, allow_nan=False) + "\n")


def load(path: Path) -> tuple[Model, Verdict, Backtest | None, dict[str, Any]]:
    """The inverse of `save`."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise DataError(f"{path} is not a kernelscribe model: it is no JSON") from None
    if not isinstance(found, dict) or "model" not in found:
        raise DataError(f"{path} is not a kernelscribe model")
    if found["model"] is True or found["model"] != FORMAT:
        raise DataError(f"{path} has format {found['model']!r}; this version of kernelscribe reads {FORMAT}")
    try:
        return _decode(found)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{path} is damaged: {type(error).__name__}: {error}") from None


def _encode(model: Model, verdict: Verdict, tested: Backtest | None, result: dict[str, Any]) -> dict[str, Any]:
    data = model.data
    return {
        "model": FORMAT,
        "version": __version__,
        "options": asdict(model.config),
        "result": {name: value for name, value in result.items() if name not in _FLEETING},
        "fitted": None if model.expr is None else text(model.expr, values=True),
        "noise": model.noise,
        "widening": model.widening,
        "backtest": None if tested is None else asdict(tested),
        "verdict": _plain(asdict(replace(verdict, seconds=None, workers=None))),
        "data": {
            "digest": data.digest,
            "target": data.target,
            "axes": [asdict(axis) for axis in data.axes],
            "inputs": [asdict(each) for each in data.inputs],
            "output": asdict(data.output),
            "notes": [asdict(note) for note in data.notes],
            "rows": len(data.y),
            "X": _pack(data.X),
            "y": _pack(data.y),
        },
    }


def _decode(found: dict[str, Any]) -> tuple[Model, Verdict, Backtest | None, dict[str, Any]]:
    kept = found["data"]
    y, axes = _unpack(kept["y"]), tuple(Axis(**each) for each in kept["axes"])
    data = Dataset(
        X=_unpack(kept["X"]).reshape(len(y), len(axes)),
        y=y,
        inputs=tuple(Affine(**each) for each in kept["inputs"]),
        output=Affine(**kept["output"]),
        axes=axes,
        target=kept["target"],
        notes=tuple(Note.of(each) for each in kept["notes"]),
    )
    if kept["rows"] != len(y) or data.digest != kept["digest"]:
        raise ValueError("the data do not match their digest")
    config = configure({name: value for name, value in found["options"].items() if name in options()})
    expr = None if found["fitted"] is None else _kernel(found["fitted"], len(axes))
    model = Model(data, expr, _amount(found["noise"]), config, _amount(found["widening"], least=0.0))
    return model, _verdict(found["verdict"]), _backtest(found["backtest"]), found["result"]


def _kernel(fitted: str, inputs: int) -> Expression:
    expr = parse(fitted)
    if any(leaf.values is None or leaf.dim > inputs for leaf in leaves(expr)):
        raise ValueError(f"{expr} without values, or for more than {inputs} inputs")
    return expr


def _amount(kept: Any, least: float = sys.float_info.min) -> float:
    if isinstance(kept, bool) or not isinstance(kept, int | float) or not least <= kept < math.inf:
        raise ValueError(f"{kept!r} is no amount")
    return float(kept)


def _backtest(kept: dict[str, Any] | None) -> Backtest | None:
    return None if kept is None else Backtest(**{**kept, "covered": tuple((level, share) for level, share in kept["covered"])})


def _verdict(kept: dict[str, Any]) -> Verdict:
    evidence = dict(kept["evidence"])
    for name in ("interval", "paper"):
        evidence[name] = _interval(evidence[name])
    evidence["status"] = Status[evidence["status"]]
    rivals = tuple(Rival(**{**each, "bic": _interval(each["bic"])}) for each in kept["rivals"])
    return Verdict(**{
        **kept, "evidence": Evidence(**evidence), "bic": _interval(kept["bic"]), "rivals": rivals,
        "at_bound": tuple(kept["at_bound"]), "noise_bic": _number(kept["noise_bic"], -math.inf),
    })  # fmt: skip


def _interval(kept: dict[str, Any]) -> Interval:
    return Interval(_number(kept["lower"], -math.inf), _number(kept["upper"], math.inf))


def _number(kept: float | None, otherwise: float) -> float:
    return otherwise if kept is None else kept


def _plain(value: Any) -> Any:
    """For JSON: a status by its name, and null for numbers that are not finite."""
    match value:
        case Status():
            return value.name
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case float():
            return value if math.isfinite(value) else None
        case _:
            return value


def _pack(array: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype="<f8").tobytes()).decode("ascii")


def _unpack(packed: str) -> Array:
    return np.frombuffer(base64.b64decode(packed, validate=True), dtype="<f8").astype(np.float64)
