"""What the words for a component are put together from."""

from dataclasses import dataclass

__all__ = ["Phrase"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase in the making, and the sentences that say it at length."""

    head: str
    clauses: tuple[str, ...]
    details: tuple[str, ...]
    plural: bool = False
