"""The chosen model as a file: plain JSON, in the user's units and, to the last digit, as it was fitted."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kernelscribe.data.dataset import Dataset
from kernelscribe.discovery import Discovery, header
from kernelscribe.files import write
from kernelscribe.kernels.expression import text
from kernelscribe.summary import discovery_dict

__all__ = ["FORMAT", "save"]

FORMAT = 1


def save(found: Discovery, data: Dataset, path: Path) -> None:
    """Write the model: whole or not at all."""
    write(path, json.dumps(_model(found, data), indent=1, allow_nan=False) + "\n")


def _model(found: Discovery, data: Dataset) -> dict[str, Any]:
    best = found.best
    fitted = None
    if best is not None:
        fitted = {"kernel": text(best.expr, values=True), "noise": best.noise}
    return {
        "model": FORMAT,
        **header(data, found.config),
        "result": {key: value for key, value in discovery_dict(found).items() if key not in ("seconds", "workers")},
        "fitted": fitted,
        "scales": {"inputs": [asdict(each) for each in data.inputs], "output": asdict(data.output)},
    }
