"""Single words in charts: the titles of axes, and what stands under the pointer."""

from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.names import target
from kernelscribe.report.words.english.scale_words import scaled

__all__ = [
    "AUTOCORRELATION",
    "BAND",
    "BY_CHANCE",
    "DECIBELS",
    "EXPECTED",
    "FORECAST",
    "FREQUENCY",
    "FROM_BEST",
    "INSIDE",
    "LAG",
    "LEFT_OVER",
    "LEVEL",
    "MEASURED",
    "MODEL",
    "NATS",
    "NATS_FROM_BEST",
    "NOISE_ALONE",
    "OBSERVED",
    "POWER",
    "SHARE",
    "TO",
    "WITHIN",
    "components",
    "course",
    "measured",
    "predicted",
    "rest",
    "share_of",
]

AUTOCORRELATION = "autocorrelation"
BAND = "95 % band"
BY_CHANCE = "95 % by chance"
DECIBELS = "power (dB)"
EXPECTED = "expected"
FORECAST = "forecast"
FREQUENCY = "cycles per row"
FROM_BEST = "from the best"
INSIDE = "data inside it"
LAG = "rows apart"
LEFT_OVER = "left over"
LEVEL = "level of the band"
MEASURED = "measured"
MODEL = "model"
NATS = "nats"
NATS_FROM_BEST = "nats from the best"
NOISE_ALONE = "noise alone"
OBSERVED = "observed"
POWER = "power"
SHARE = "share"
TO = "to"
WITHIN = "known to within"


def components(first: int, last: int) -> str:
    """Some components, by their numbers."""
    return f"component {first}" if first == last else f"components {first} to {last}"


def share_of(view: View) -> str:
    """What a component is of the target."""
    return "% of the level" if view.link.multiplies else f"part of {scaled(view.link, target(view))}"


def rest(view: View) -> str:
    """What is left of the target."""
    return "what is left, in %" if view.link.multiplies else f"what is left{'' if view.link.plain else ' of the root'}"


def predicted(name: str) -> str:
    """The target as the model has it."""
    return f"{name} by the model"


def measured(name: str) -> str:
    """The target as it was observed."""
    return f"{name} as observed"


def course(number: int) -> str:
    """One of several possible courses."""
    return f"course {number}"
