"""What those who compare kernels, and tell of them, need to know of an engine."""

from dataclasses import dataclass

__all__ = ["Traits"]


@dataclass(frozen=True, slots=True)
class Traits:
    """Properties of an engine that do not depend on data.

    Attributes:
        sharp: its scores are exact values or bounds close to them, which compare as they are.
        low: its bounds are tight or have lost their digits: a wide interval tells of no evidence that may be found, so its lower
            end is what is known.
        series: it is made for one input and any number of rows: a row costs next to nothing, a child begins with its parent's
            values, and on a long series only the last climbs go to the very top.
    """

    sharp: bool = True
    low: bool = False
    series: bool = False
