"""Which engine: the one chooser, by what engines accept and cost. Search, fit, model and spread all ask it."""

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.engine import Engine
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.posterior import Posterior
from kernelscribe.engines.registry import check, engine_kinds
from kernelscribe.errors import OptionError
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise, noise_kind

__all__ = ["choose", "condition", "exact", "prepare"]

_MEGABYTE = 1e6


def choose(data: Dataset, config: Config, form: Form | None = None) -> type[Engine]:
    """The engine that the options ask for; of those that accept the data, and the kernel where it is given, the cheapest."""
    check(config.engine)
    for kind in engine_kinds():
        if kind.asked(config):
            return kind
    able = [kind for kind in engine_kinds() if _refuses(kind, data, config, form) is None]
    return min(able, key=lambda kind: kind.cost(data, config).operations)


def prepare(data: Dataset, config: Config, form: Form | None = None) -> Engine:
    """The engine that `choose` gives, prepared for the data: once per search, so that intervals compare."""
    kind = choose(data, config, form)
    reason = _refuses(kind, data, config)
    if reason is not None:
        raise OptionError(reason)
    _afford(kind, data, config)
    return kind.of(data, config)


def _refuses(kind: type[Engine], data: Dataset, config: Config, form: Form | None = None) -> str | None:
    """None, or the reason why the engine is not for these data, this kernel, or the noise that the options ask for."""
    if kind.traits.uniform and not noise_kind(config.noise).uniform:
        return f"the {kind.name} engine takes noise that is the same everywhere, not {config.noise}: use the inducing engine"
    return kind.accepts(data, form)


def _afford(kind: type[Engine], data: Dataset, config: Config) -> None:
    """Refuse early what would fail late for want of memory."""
    work = kind.cost(data, config)
    if work.memory > config.memory * _MEGABYTE:
        raise OptionError(
            f"{work.what} need about {work.memory / _MEGABYTE:,.0f} MB, {config.memory:,.0f} are allowed: {work.remedy}, "
            "or allow more memory"
        )


def exact(data: Dataset, config: Config) -> Engine:
    """The engine that gives the value itself, where it is wanted beside bounds."""
    return Exact.of(data, config)


def condition(data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> Posterior:
    """The posterior of the terms: that of the engine that the options ask for, or of the cheapest, that has one."""
    check(config.engine)
    able = [kind for kind in engine_kinds() if kind.accepts(data) is None]
    for kind in sorted(able, key=lambda kind: (not kind.asked(config), kind.cost(data, config).operations)):
        found = kind.condition(data, terms, noise, config)
        if found is not None:
            return found
    raise OptionError(f"no engine has a posterior for {len(data.y):,} rows of {data.X.shape[1]} inputs")
