"""The chosen model as a file: plain JSON that reloads to the same predictions, to the last bit.

It holds the data, standardised as the model saw them, since a Gaussian process predicts from them. Whoever passes the file on
passes on the data.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

from kernelscribe.codec import decode, encode
from kernelscribe.config import Config, chosen, configure, options
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import DataError
from kernelscribe.files import write
from kernelscribe.kernels.tree import owners
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.model import Model
from kernelscribe.noises import AUTO_NOISE
from kernelscribe.outcome import Outcome
from kernelscribe.scales import Scales
from kernelscribe.version import __version__

__all__ = ["FORMAT", "load", "save"]

# The number in "model": raise it when this version could not read older files, or older versions could not read this one's.
FORMAT = 2


def save(model: Model, outcome: Outcome, tested: Backtest | None, path: Path) -> None:
    """Write the model, whole or not at all."""
    write(path, json.dumps(_encode(model, outcome, tested), allow_nan=False) + "\n")


def load(path: Path) -> tuple[Model, Outcome, Backtest | None]:
    """The inverse of `save`."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise DataError(f"{path} is not a kernelscribe model: it is no JSON") from None
    if not isinstance(found, dict) or "model" not in found:
        raise DataError(f"{path} is not a kernelscribe model")
    _check(found["model"], path)
    try:
        return _decode(found)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{path} is damaged: {type(error).__name__}: {error}") from None


def _check(number: Any, path: Path) -> None:
    if number == 1 and number is not True:
        raise DataError(
            f"{path} was saved by kernelscribe 0.1, whose models this version does not read: run the search again, or read it "
            'with that version (pip install "kernelscribe==0.1.*")'
        )
    if number != FORMAT:
        raise DataError(f"{path} has format {number!r}; this version of kernelscribe reads {FORMAT}")


def _encode(model: Model, outcome: Outcome, tested: Backtest | None) -> dict[str, Any]:
    return {
        "model": FORMAT,
        "version": __version__,
        "options": chosen(model.config),
        # Names and units are those of the data.
        "outcome": encode(outcome.lasting, known=(Scales,)),
        "widening": model.widening,
        "backtest": encode(tested),
        "digest": model.data.digest,
        "data": encode(model.data),
    }


def _decode(found: dict[str, Any]) -> tuple[Model, Outcome, Backtest | None]:
    data: Dataset = decode(Dataset, found["data"])
    if data.X.shape != (len(data.y), len(data.axes)) or len(data.inputs) != len(data.axes) or data.digest != found["digest"]:
        raise ValueError("the data do not match their digest")
    outcome: Outcome = decode(Outcome, found["outcome"], {Scales: data.scales})
    config = configure({name: value for name, value in found["options"].items() if name in options()})
    tested: Backtest | None = decode(Backtest | None, found["backtest"])
    return _model(data, outcome, config, _amount(found["widening"], least=0.0)), outcome, tested


def _model(data: Dataset, outcome: Outcome, config: Config, widening: float) -> Model:
    if outcome.best is None:
        return Model.chosen(data, None, config, widening)
    expr, inputs = outcome.best.expr, len(data.axes)
    if any(owner.values is None or owner.dim > inputs for owner in owners(expr)):
        raise ValueError(f"{expr} without values, or for more than {inputs} inputs")
    noise = outcome.best.noise
    if config.noise not in (AUTO_NOISE, noise.name):
        raise ValueError(f"{noise.name} noise, but the options say {config.noise}")
    _amount(float(noise.diagonal(data.X).min()))
    return Model.chosen(data, outcome.best, config, widening)


def _amount(kept: Any, least: float = sys.float_info.min) -> float:
    if isinstance(kept, bool) or not isinstance(kept, int | float) or not least <= kept < math.inf:
        raise ValueError(f"{kept!r} is no amount")
    return float(kept)
