"""How much the first components explain, and which of them are worth anything."""

from collections.abc import Sequence

from kernelscribe.model.components import Component
from kernelscribe.report.description.worth import demanded

__all__ = ["HELPS", "negligible", "reaching", "useless"]

# A component that lowers the error by less than this share may be no more than chance.
HELPS = 0.001


def reaching(components: Sequence[Component], least: float) -> int | None:
    """How many of the first components together explain at least this share of the variance; None where all do not."""
    return next((i for i, each in enumerate(components, start=1) if each.total >= least), None)


def useless(components: Sequence[Component]) -> tuple[int, ...]:
    """The numbers, from 1, of those that hardly lower the error on data that were left out and that no evidence demands."""
    return tuple(i for i, each in enumerate(components, start=1) if each.drop < HELPS and not demanded(each.worth))


def negligible(share: float) -> bool:
    """Whether a share of the variance or of the error would be rounded to nothing."""
    return abs(share) < HELPS / 2
