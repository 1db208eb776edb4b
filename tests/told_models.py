"""Models of statements with values that were chosen by hand, and data that follow them."""

from dataclasses import replace

import numpy as np

from kernelscribe.config import Config
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.again import refitted
from kernelscribe.model.model import Model
from kernelscribe.noises import NOISES, Constant
from kernelscribe.statements.statement import Part, Statement
from kernelscribe.testing import evaluate
from spoken_parts import made


def told(*parts, n=120, seed=0, link="none", noise=None, noisy=0.05, shift=0.0):
    """A model of the statement, and a target that is drawn from it on the scale of its link; years from 2000 on."""
    rng = np.random.default_rng(seed)
    x = np.linspace(-1.7, 1.7, n)
    noise = noise or Constant(noisy)
    statement = Statement(parts, link, noise.name)
    values, vectors = np.linalg.eigh(evaluate(statement.expr, x[:, None], x[:, None]))
    z = vectors @ (np.sqrt(np.maximum(values, 0.0)) * rng.normal(size=n))
    z = z + np.sqrt(noise.diagonal(x[:, None])) * rng.normal(size=n) + shift
    y = {"none": z, "log": np.exp(z), "root": np.rint(np.square(6 + z))}[link]
    data = Dataset.of(2005 + 3 * x, y, axes=(Axis("year", "years"),)).linked(link)
    scale = data.inputs[0].scale / 3
    there = replace(statement, parts=tuple(_scaled(part, 1 / scale) for part in parts))
    config = Config(backend="numpy", noise="auto")
    return Model(data, there.expr, noise, config, statement=there)


def _scaled(part, factor):
    """Lengths and places on inputs that are so many times as long."""
    values = tuple(
        tuple(v * factor if p.kind in ("length", "place") else v for p, v in zip(word.base.parameters, own, strict=True))
        for word, own in zip(part.words, part.values, strict=True)
    )
    held = tuple(each * factor for each in part.held)
    return replace(part, held=held, values=values)


def fitted(model):
    """The same with values fitted to its data."""
    statement, noise = refitted(model.data, model.config, model.statement, model.noise)
    return replace(model, expr=statement.expr, statement=statement, noise=noise)


NOISE = {"growing": NOISES["growing"], "changing": NOISES["changing"]}
__all__ = ["NOISE", "Part", "fitted", "made", "told"]
