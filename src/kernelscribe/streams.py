"""Random numbers by name: every use has a stream of its own, so that no two draw the same numbers by chance.

A stream is a seed with a number behind it. The numbers are written down here alone; whoever adds a name takes the next one.
"""

import hashlib

import numpy as np

__all__ = ["STREAMS", "stream", "stream_of"]

STREAMS = {
    "inducing points": 1,  # of the engine that bounds with them
    "screened rows": 2,  # on which starts are screened, and those of a table climbed
    "subset": 3,  # rows of the strategy of that name
    "folds": 4,  # of the cross-validation of components
    "criticism": 5,  # rows whose errors are checked
    "tested rows": 6,  # of a table's backtest
    "tested components": 7,  # rows on which components are cross-validated
    "forecast origins": 8,  # rows of a series' backtest
    "posterior points": 9,  # inducing points of a posterior
    "paths": 10,  # possible futures that a report draws
    "looks": 11,  # places between rows at which a report looks
    "noise alone": 12,  # starts of noise that varies, where there is nothing else
}


def stream(seed: int, name: str) -> np.random.Generator:
    """The stream of that name."""
    return np.random.default_rng([seed, STREAMS[name]])


def stream_of(seed: int, text: str) -> np.random.Generator:
    """A stream that depends on the seed and a text alone, as that of a kernel, never on the order in which it is asked for."""
    return np.random.default_rng([seed, int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")])
