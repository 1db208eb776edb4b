"""Marginal likelihoods of the approximate models that the paper sets beside its bounds. None of them is a bound.

dtc   log N(y | 0, K̂ + s2·I)
fic   log N(y | 0, K̂ + diag(K − K̂) + s2·I)
pic   log N(y | 0, K̂ + blocks(K − K̂) + s2·I)      blocks of m rows, in the order of the data
"""

from kernelscribe.arrays import Array
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.errors import OptionError

__all__ = ["MODELS", "approximation"]

MODELS = {"dtc": "nystrom", "fic": "fic", "pic": "pic"}


def approximation(model: str, sketch: Sketch, y: Array) -> float:
    """The log marginal likelihood of one of these models."""
    if model not in MODELS:
        raise OptionError(f"model must be one of {', '.join(MODELS)}, got {model!r}")
    return sketch.structured(MODELS[model]).density(y)
