"""Noise is a value: the contract holds for the one there is and for one made up here, which the exact engine takes as it is."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe.config import Config
from kernelscribe.effort import Effort
from kernelscribe.engines.choose import condition
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.errors import OptionError
from kernelscribe.kernels.base import Parameter
from kernelscribe.kernels.normal import normal
from kernelscribe.noise import Constant, Noise
from kernelscribe.priors import Normal
from kernelscribe.testing import check_engine, check_noise
from searches import dataset


@dataclass(frozen=True, slots=True)
class Rising(Noise):
    """Louder and louder along the first input: variance · exp(x/length)."""

    variance: float
    length: float

    parameters: ClassVar = (Parameter("variance", "variance"), Parameter("length", "length"))

    @property
    def values(self):
        return self.variance, self.length

    @classmethod
    def of(cls, values):
        return cls(*values)

    def diagonal(self, X):
        return self.variance * np.exp(X[:, 0] / self.length)

    def pull(self, X, bar):
        grown = bar * self.diagonal(X)
        return np.array([grown.sum(), -(grown * X[:, 0]).sum() / self.length])

    @property
    def level(self):
        return self.variance

    def amplified(self, factor):
        return replace(self, variance=self.variance * factor)

    @classmethod
    def prior(cls, name):
        return Normal(math.log(0.1), 4.0), Normal(0.0, 1.0)

    @classmethod
    def box(cls):
        return (1e-6, 1e2), (0.1, 1e3)


class Louder(Exact):
    noise = Rising


KERNEL = ks.parse("SE(variance=1, lengthscale=0.7) + LIN(variance=0.5, location=0.2)")


@pytest.mark.parametrize("noise", [Constant(0.3), Rising(0.1, 2.0)], ids=lambda noise: type(noise).__name__)
def test_it_keeps_its_contract(noise):
    check_noise(noise, inputs=2)


@pytest.mark.parametrize(("what", "wrong"), [
    ("diagonal", lambda self, X: self.variance * np.exp(X[:, 0])),
    ("pull", lambda self, X, bar: np.array([bar @ self.diagonal(X), 0.0])),
    ("amplified", lambda self, factor: replace(self, length=self.length * factor)),
    ("box", classmethod(lambda cls: ((1e-6, 1e2),))),
    ("uniform", True),
])  # fmt: skip
def test_what_is_wrong_is_found(what, wrong):
    broken = type("Broken", (Rising,), {what: wrong})(0.1, 2.0)
    with pytest.raises(AssertionError):
        check_noise(broken)


def test_an_engine_that_asks_for_the_diagonal_takes_it_as_it_is():
    check_engine(Louder, dataset(30), KERNEL, Rising(0.1, 2.0), Config(engine="exact"))


def test_only_engines_that_take_any_noise_condition_on_it():
    data, terms = dataset(30), normal(KERNEL)
    found = condition(data, terms, Rising(0.1, 2.0), Config())
    assert isinstance(found, Dense)
    loud, quiet = found.predict(data.X)[0], condition(data, terms, Constant(0.1), Config()).predict(data.X)[0]
    assert not np.allclose(loud, quiet)
    with pytest.raises(OptionError, match="no engine has a posterior"):
        condition(data, terms, Rising(0.1, 2.0), Config(effort=Effort(dense_rows=20)))
