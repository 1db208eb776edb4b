"""What a scan of a fitted statement sees beside it: periods, jumps, kinks and spells, each with what it may be worth in nats."""

from dataclasses import dataclass

__all__ = ["Scan", "Sight"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Values that a new component would hold, or begin with, and what it gains at most."""

    values: tuple[float, ...]
    nats: float


@dataclass(frozen=True, slots=True)
class Scan:
    """Best first, of each kind.

    Attributes:
        calendar: the calendar's periods, with what the scan sees at each.
        spells: middle and width, of several rows; `outliers` the same of single ones.
    """

    periods: tuple[Sight, ...] = ()
    calendar: tuple[Sight, ...] = ()
    steps: tuple[Sight, ...] = ()
    kinks: tuple[Sight, ...] = ()
    spells: tuple[Sight, ...] = ()
    outliers: tuple[Sight, ...] = ()
