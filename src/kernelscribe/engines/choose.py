"""Which engine: the one place that knows them all."""

import math

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.engine import Engine
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.inducing.engine import Inducing
from kernelscribe.engines.inducing.points import place
from kernelscribe.engines.inducing.posterior import InducingPosterior
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.engines.posterior import Posterior
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.engines.spectral.windowed_posterior import Windowed
from kernelscribe.errors import OptionError
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.kernels.normal import Term
from kernelscribe.streams import stream

__all__ = ["DENSE_ROWS", "EXACT_ROWS", "KEPT", "condition", "engine_name", "inducing_points", "prepare"]

EXACT_ROWS = 500
# Rows up to which all of them are used: one factorisation takes less than a second.
DENSE_ROWS = 2000
# Inducing points where their number is not given: a quarter of the rows, but neither fewer nor more than these.
_FEWEST, _MOST = 160, 320
_MEGABYTE = 1e6
# What the two passes of the lower bound may keep: beyond this, computing again is as fast as fetching.
KEPT = 2.5e8
# Points that the search can afford hundreds of times are few; the posterior is found once.
_POINTS = 1024
# Rows times points squared, at most, for those that are added: some seconds.
_WORK = 5_000_000_000


def engine_name(data: Dataset, config: Config) -> str:
    """The engine that the options ask for: `auto` is exact while the rows are few and no inducing points are asked for."""
    if config.engine != "auto":
        return config.engine
    if config.inducing is not None:
        return "inducing"
    if len(data.y) <= EXACT_ROWS:
        return "exact"
    return "spectral" if data.X.shape[1] == 1 else "inducing"


def inducing_points(data: Dataset, config: Config) -> int:
    """How many inducing points the options ask for."""
    n = len(data.y)
    return min(config.inducing or min(max(n // 4, _FEWEST), _MOST), n)


def prepare(data: Dataset, config: Config) -> Engine:
    """The engine that the options ask for, once per search: with its inducing points, which all kernels share."""
    sums = arithmetic(config.backend)
    n = len(data.y)
    name = engine_name(data, config)
    if name == "spectral":
        if data.X.shape[1] != 1:
            raise OptionError(f"the spectral engine is for one input, got {data.X.shape[1]}: use the inducing engine")
        return Spectral.of(data)
    if name == "exact":
        _afford(12.0 * n * n, config, f"the exact engine with {n:,} rows", "use the inducing engine")
        return Exact(sums, data)
    m = inducing_points(data, config)
    _afford(8.0 * m * (n + 8 * m), config, f"{m:,} inducing points with {n:,} rows", "use fewer inducing points")
    Z = place(data.X, m, config.placement, stream(config.seed, "inducing points"))
    return Inducing(sums, data, config, Z, Workspace(min(KEPT, config.memory * _MEGABYTE)))


def _afford(needed: float, config: Config, what: str, remedy: str) -> None:
    """Refuse early what would fail late for want of memory (in bytes)."""
    if needed > config.memory * _MEGABYTE:
        raise OptionError(
            f"{what} need about {needed / _MEGABYTE:,.0f} MB, {config.memory:,.0f} are allowed: {remedy}, or allow more memory"
        )


def condition(data: Dataset, terms: tuple[Term, ...], noise: float, config: Config) -> Posterior:
    """The posterior of the terms: dense while the rows are few; for one input with windows where waves are too many, or with
    waves, unless inducing points were asked for or neither will do; else with inducing points."""
    n = len(data.y)
    if n <= DENSE_ROWS:
        return Dense(terms, noise, data.X, data.y)
    if data.X.shape[1] == 1 and terms and engine_name(data, config) != "inducing":
        windowed = Windowed.of(terms, noise, data.X, data.y)
        found = windowed or SpectralPosterior.of(terms, noise, data.X, data.y)
        if found is not None:
            return found
    m = max(inducing_points(data, config), min(_POINTS, math.isqrt(_WORK // n))) if terms else 1
    return InducingPosterior(
        terms, noise, data.X, data.y, place(data.X, m, "random", stream(config.seed, "posterior points")), config.jitter
    )
