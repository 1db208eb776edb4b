"""What is said of a claim: whether it holds here, by which figures, and why where it does not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["NOT_MEASURED", "Claim", "Summary", "Verdict", "listed", "median", "nats", "share"]

Summary = Mapping[str, Any]


@dataclass(frozen=True)
class Verdict:
    """Of one claim.

    Attributes:
        holds: None where it was not measured.
        here: the figures of it.
        why: where we differ, the reason as far as it is known.
    """

    holds: bool | None
    here: str
    why: str = ""

    @property
    def word(self) -> str:
        return {True: "holds", False: "does not hold", None: "not measured"}[self.holds]


NOT_MEASURED = Verdict(None, "not run yet")


@dataclass(frozen=True)
class Claim:
    """Of the paper.

    Attributes:
        paper: its own figures.
        rule: when it counts as holding.
        needs: experiments by whose summaries it is judged, in the order in which `judge` takes them.
        late: what of the rule was settled after figures had been seen, so that the reader can discount it.
    """

    name: str
    text: str
    paper: str
    rule: str
    needs: tuple[str, ...]
    judge: Callable[..., Verdict]
    late: str = ""

    def verdict(self, summaries: Mapping[str, Summary]) -> Verdict:
        """By the summaries of those experiments that were run."""
        if any(name not in summaries for name in self.needs):
            return NOT_MEASURED
        return self.judge(*(summaries[name] for name in self.needs))


def median(values: list[float]) -> float:
    """Of at least one number."""
    order = sorted(values)
    middle = len(order) // 2
    return order[middle] if len(order) % 2 else 0.5 * (order[middle - 1] + order[middle])


def nats(value: float) -> str:
    """To as many digits as are worth telling."""
    size = abs(value)
    return f"{value:,.0f}" if size >= 1000 else f"{value:.1f}" if size >= 1 else f"{value:.2g}"


def share(part: int, whole: int) -> str:
    return f"{part} of {whole}"


def listed(words: list[str]) -> str:
    """In a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
