"""What the words for a component are put together from."""

from dataclasses import dataclass

from kernelscribe.report.words.english.numbers import listing

__all__ = ["Phrase"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase in the making, and the sentences that say it at length.

    Attributes:
        head: a noun with what belongs to it: a yearly cycle of ± 3.0.
        clauses: each says more of it: whose shape changes.
        aside: stands between the two, in commas: highest in May.
    """

    head: str
    clauses: tuple[str, ...]
    details: tuple[str, ...]
    plural: bool = False
    aside: str = ""

    @property
    def summary(self) -> str:
        """All but the details.

        >>> Phrase("a cycle", ("that ends", "that grows"), (), aside="highest in May").summary
        'a cycle, highest in May, that ends and that grows'
        """
        head = f"{self.head}, {self.aside}" if self.aside else self.head
        comma = "," if self.aside and self.clauses else ""
        return f"{head}{comma} {listing(self.clauses)}".rstrip()
