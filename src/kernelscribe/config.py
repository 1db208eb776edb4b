"""Every option once: its name, its default, its meaning. The command line, the docs and the checks read it from here."""

import math
from dataclasses import dataclass, field, fields
from typing import Any

from kernelscribe.errors import OptionError

__all__ = ["Config", "Option", "configure", "options"]


@dataclass(frozen=True, slots=True)
class Option:
    """What the docs and the command line say of one option."""

    help: str
    choices: tuple[str, ...] = ()
    least: float = -math.inf


def _option(default: Any, help: str, *, choices: tuple[str, ...] = (), least: float = -math.inf) -> Any:
    return field(default=default, metadata={"option": Option(help, choices, least)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """How a kernel is fitted and scored."""

    engine: str = _option(
        "auto",
        "how the evidence is computed: exactly, or bounded with inducing points; auto is exact up to 1500 rows",
        choices=("auto", "exact", "inducing"),
    )
    inducing: int | None = _option(
        None, "number of inducing points; 160 when not given, and giving it makes auto choose the inducing engine", least=1
    )
    placement: str = _option(
        "random",
        "inducing points on a random subset of distinct rows, on k-means centres, or moved by the fit",
        choices=("random", "kmeans", "learned"),
    )
    restarts: int = _option(10, "starting points tried for each kernel", least=1)
    starts: str = _option(
        "data",
        "every other start at periods that stand out in the data and at every scale they have, or all as in the paper",
        choices=("data", "paper"),
    )
    steps: int = _option(200, "iterations of the optimiser from each starting point, at most", least=1)
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
    iterations: int = _option(1000, "conjugate-gradient iterations, at most", least=1)
    tighten: str = _option(
        "moments",
        "log-determinant: the paper's bounds alone, the free improvement, or two exact moments of what is left out",
        choices=("paper", "free", "moments"),
    )
    jitter: float = _option(1e-8, "smallest relative jitter on the inducing points' covariance", least=0.0)
    budget: float | None = _option(None, "seconds allowed for one kernel; the best values so far are kept", least=0.0)
    memory: float = _option(2000.0, "megabytes allowed for large matrices", least=1.0)
    exact_limit: int = _option(5000, "rows up to which the exact value is computed beside the bounds", least=0)
    backend: str = _option(
        "auto",
        "arithmetic of kernel matrices: numba where it is installed, else numpy",
        choices=("auto", "numpy", "numba"),
    )
    threads: int = _option(
        1,
        "threads of the linear algebra; more than one pays off only with many rows and many inducing points",
        least=1,
    )
    seed: int = _option(0, "seed of every random choice; the same seed gives the same answer", least=0)

    def __post_init__(self) -> None:
        for each in fields(self):
            _check(each.name, getattr(self, each.name), each.metadata["option"])


def _check(name: str, value: Any, option: Option) -> None:
    if value is None:
        return
    if option.choices:
        if value not in option.choices:
            raise OptionError(f"{name} must be one of {', '.join(option.choices)}, got {value!r}")
    elif isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise OptionError(f"{name} must be a number, got {value!r}")
    elif value < option.least:
        raise OptionError(f"{name} must be at least {option.least:g}, got {value:g}")


def options() -> dict[str, Option]:
    """Every option by its name."""
    return {each.name: each.metadata["option"] for each in fields(Config)}


def configure(given: dict[str, Any]) -> Config:
    """A Config from named options; an unknown name is an OptionError that lists the known ones."""
    unknown = sorted(set(given) - set(options()))
    if unknown:
        raise OptionError(f"there is no option {unknown[0]!r}; there are {', '.join(options())}")
    return Config(**given)
