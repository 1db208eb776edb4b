"""Models without searches: kernels with given values, and data that are drawn from them or made for a purpose."""

from dataclasses import replace

import numpy as np

from kernelscribe.config import Config
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import Effort
from kernelscribe.kernels import parse, to_standard
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant, Noise
from kernelscribe.scales import Affine
from kernelscribe.testing import evaluate

CONFIG = Config(backend="numpy")
YEARLY = "SE(variance=1, lengthscale=3) + PER(variance=0.5, lengthscale=1, period=1) + LIN(variance=0.02, location=2)"


def as_they_are(X, y, axes=None):
    """Data that are their own standard: what is drawn from a model stays drawn from it."""
    X = np.asarray(X, dtype=float).reshape(len(y), -1)
    same = Affine(0.0, 1.0)
    axes = axes or tuple(Axis(f"x{d + 1}") for d in range(X.shape[1]))
    return Dataset(X=X, y=np.asarray(y, dtype=float), inputs=(same,) * X.shape[1], output=same, axes=axes, target="y", notes=())


def model(kernel, X, y, noise=0.1, **options):
    """A model with values of its own in the data's units, and the noise, or its variance, in those of the target."""
    data = Dataset.of(X, y)
    expr, own = to_standard(parse(kernel), data.inputs, data.output), standard_noise(noise, data)
    return Model(data, expr, own, Config(**{"backend": "numpy", "noise": own.name, **options}))


def standard_noise(noise, data):
    """That of the standardised data, from noise or its variance in the user's units."""
    if isinstance(noise, Noise):
        return noise.standard(data.inputs, data.output)
    return Constant(noise / data.output.scale**2)


def with_effort(made, **amounts):
    """The same model with other amounts of work."""
    return replace(made, config=replace(made.config, effort=Effort(**amounts)))


def drawn(kernel, X, noise, rng):
    """A target drawn from a kernel with values, and noise of that variance."""
    X = np.asarray(X, dtype=float).reshape(len(X), -1)
    K = evaluate(parse(kernel), X, X)
    values, vectors = np.linalg.eigh(K)
    signal = vectors @ (np.sqrt(np.maximum(values, 0.0)) * rng.normal(size=len(X)))
    return signal + np.sqrt(noise) * rng.normal(size=len(X))


def true_model(kernel, X, noise, rng):
    """Data that were drawn from the model which they are given to."""
    return Model(as_they_are(X, drawn(kernel, X, noise, rng)), parse(kernel), Constant(noise), CONFIG)


def yearly(n=96, seed=0):
    """A model of a level that wanders, a cycle and a line, over n months of eight years."""
    rng = np.random.default_rng(seed)
    x = np.arange(n) / 12
    return model(YEARLY, x, drawn(YEARLY, x, 0.05, rng), noise=0.05)


def numbers(found):
    """Median and standard deviation of a prediction, in the user's units."""
    return found.median, found.std
