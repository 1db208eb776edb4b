"""Every option once: its name, its default, its meaning. The command line, the docs and the checks read it from here."""

import math
import re
from dataclasses import dataclass, field, fields
from typing import Any

from kernelscribe.effort import STANDARD, Effort
from kernelscribe.errors import OptionError

__all__ = ["Config", "Option", "chosen", "configure", "options", "seconds"]

# Seconds in each unit of a time; without a unit it is in seconds.
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True, slots=True)
class Option:
    """What the docs and the command line say of one option.

    Attributes:
        duration: a time, which may be written as 90, 90s, 10m or 2h.
        search: it concerns the search alone, not the score of one kernel.
        names: names of inputs, in a list or with commas between them.
        named: one name of several that others may add to: whoever knows them checks it (engines/registry.py).
        free: it changes how long things take, not what comes out, so a search may be resumed with another value.
    """

    help: str
    choices: tuple[str, ...] = ()
    least: float = -math.inf
    search: bool = False
    free: bool = False
    duration: bool = False
    whole: bool = False
    names: bool = False
    named: bool = False


def _option(default: Any, help: str, **more: Any) -> Any:
    return field(default=default, metadata={"option": Option(help, **more)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """How a kernel is fitted and scored, and how the search goes from one to the next."""

    strategy: str = _option(
        "auto",
        "how kernels are ranked and which ones grow: auto, Kim & Teh's skc, the same by lower bounds alone (skc-lb), greedy on "
        "the exact BIC (cks), or that on a random subset of the rows (subset)",
        choices=("auto", "skc", "skc-lb", "cks", "subset"),
        search=True,
    )
    depth: int | None = _option(
        None,
        "rounds of growing kernels, after that of the base kernels; auto and cks stop earlier when none gains; as many as take "
        "about a minute when not given: six up to 150 rows, five up to 250, four up to 400 and for series of 2,000 "
        "to 100,000, three for others, none below 10",
        least=0,
        whole=True,
        search=True,
    )
    buffer: int = _option(2, "kernels that grow in one round, at most", least=1, whole=True, search=True)
    moves: str = _option(
        "sub", "where a kernel grows: at every sub-expression, or at the root alone", choices=("sub", "root"), search=True
    )
    cycles: tuple[str, ...] | None = _option(
        None,
        "inputs along which cycles are looked for, separated by commas; when not given, along all with the paper's strategies, "
        "with auto along times, angles and what else comes round, and along the only input unless it is plainly no time",
        names=True, search=True,
    )  # fmt: skip
    subset: int = _option(640, "rows of the strategy subset", least=3, whole=True, search=True)

    engine: str = _option(
        "auto",
        "how the evidence is computed: exactly, bounded with inducing points, or for one input and any number of rows carried "
        "from row to row (series) or bounded with waves (spectral); auto is exact up to 500 rows (400 of one input), then series "
        "for one input, and inducing for several inputs or for a kernel that a series cannot follow",
        named=True,
    )
    inducing: int | None = _option(
        None,
        "number of inducing points, which makes auto choose that engine; a quarter of the rows, from 160 to 320, when not given",
        least=1,
        whole=True,
    )
    placement: str = _option(
        "random",
        "inducing points on a random subset of distinct rows, on k-means centres, or moved by the fit",
        choices=("random", "kmeans", "learned"),
    )
    noise: str = _option(
        "auto",
        "what is new at every row: the same noise everywhere, growing or shrinking along the first input, or changing from one "
        "level to another at some place of it; auto lets the search of a series choose, and is constant elsewhere",
        choices=("auto", "constant", "growing", "changing"),
    )
    transform: str = _option(
        "auto",
        "the scale on which the target is described: as it is (none), by its logarithm, so that components multiply and bands "
        "stay above zero (log), or by the root of counts (root); auto leaves that to the search, which takes it as it is",
        choices=("auto", "none", "log", "root"),
    )
    restarts: int = _option(6, "starting points tried for each kernel", least=1, whole=True)
    starts: str = _option(
        "data",
        "every other start at periods that stand out in the data and at every scale they have, or all as in the paper",
        choices=("data", "paper"),
    )
    ladder: str = _option(
        "on",
        "screen the starting points cheaply and polish the best, or climb from every one of them to the top",
        choices=("on", "off"),
    )
    steps: int = _option(200, "iterations of the optimiser from each starting point, at most", least=1, whole=True)
    priors: str = _option(
        "practical",
        "priors of the parameters: practical, the paper's strong ones, weak (Student t), or none",
        choices=("practical", "paper", "weak", "none"),
    )
    count: str = _option(
        "identified",
        "parameters that the BIC charges for: those that the data can tell apart, or every one as in the paper",
        choices=("identified", "paper"),
    )
    preconditioner: str = _option(
        "nystrom", "preconditioner of the conjugate gradients", choices=("nystrom", "fic", "pic", "none")
    )
    slack: float = _option(0.1, "conjugate gradients stop when the upper bound is certified to this many nats", least=0.0)
    iterations: int = _option(1000, "conjugate-gradient iterations, at most", least=1, whole=True)
    tighten: str = _option(
        "moments",
        "log-determinant: the paper's bounds alone, the free improvement, or two exact moments of what is left out",
        choices=("paper", "free", "moments"),
    )
    jitter: float = _option(1e-8, "smallest relative jitter on the inducing points' covariance", least=0.0)
    budget: float | None = _option(
        None,
        "time allowed in all, as in 90, 90s, 10m or 2h; what is known by then is kept",
        least=0.0, search=True, free=True, duration=True,
    )  # fmt: skip
    patience: float | None = _option(
        1800.0,
        "processor time allowed for one kernel, once to screen it and once to polish it; the best values so far are kept",
        least=0.0, free=True, duration=True,
    )  # fmt: skip
    memory: float = _option(2000.0, "megabytes allowed for large matrices", least=1.0, free=True)
    exact_limit: int = _option(5000, "rows up to which the exact value is computed beside the bounds", least=0, whole=True)
    backend: str = _option(
        "auto",
        "arithmetic of kernel matrices: numba where it is installed and they are large, else numpy",
        choices=("auto", "numpy", "numba"),
    )
    threads: int = _option(
        1,
        "threads of the linear algebra; more than one pays off only with many rows and many inducing points",
        least=1,
        whole=True,
        free=True,
    )
    seed: int = _option(0, "seed of every random choice; the same seed gives the same answer", least=0, whole=True)
    # No option: how much work is worth what is for those who know why (effort.py).
    effort: Effort = STANDARD

    def __post_init__(self) -> None:
        for name, option in options().items():
            _check(name, getattr(self, name), option)


def _check(name: str, value: Any, option: Option) -> None:
    if value is None or option.named:
        return
    if option.choices:
        if value not in option.choices:
            raise OptionError(f"{name} must be one of {', '.join(option.choices)}, got {value!r}")
    elif option.names:
        if not isinstance(value, tuple) or not all(isinstance(each, str) for each in value):
            raise OptionError(f"{name} must be a list of names, got {value!r}")
    elif isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise OptionError(f"{name} must be a number, got {value!r}")
    elif option.whole and value != int(value):
        raise OptionError(f"{name} must be a whole number, got {value:g}")
    elif value < option.least:
        raise OptionError(f"{name} must be at least {option.least:g}, got {value:g}")


def options() -> dict[str, Option]:
    """Every option by its name."""
    return {each.name: each.metadata["option"] for each in fields(Config) if "option" in each.metadata}


def chosen(config: Config) -> dict[str, Any]:
    """The value of every option by its name."""
    return {name: getattr(config, name) for name in options()}


def configure(given: dict[str, Any]) -> Config:
    """A Config from named options; an unknown name is an OptionError that lists the known ones."""
    unknown = sorted(set(given) - set(options()))
    if unknown:
        raise OptionError(f"there is no option {unknown[0]!r}; there are {', '.join(options())}")
    return Config(**{name: _read(options()[name], value) for name, value in given.items()})


def _read(option: Option, value: Any) -> Any:
    """As `Config` holds it."""
    if option.names:
        return _names(value)
    return seconds(value) if option.duration else value


def _names(value: Any) -> Any:
    """A tuple of names, from a list or from a text with commas; what is neither stays as it is."""
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    return tuple(value) if isinstance(value, list) else value


def seconds(value: Any) -> Any:
    """A time as a number of seconds: 90, "90s", "10m" or "2h". What is no text stays as it is."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([smh]?)", value.strip().lower())
    if found is None:
        raise OptionError(f"{value!r} is not a time: write it as 90, 90s, 10m or 2h")
    return float(found[1]) * _UNITS[found[2]]
