"""How the noise goes along the first input, where it varies."""

import math

from kernelscribe.noises import Changing, Noise
from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.names import axis
from kernelscribe.report.words.english.quantities import about, at
from kernelscribe.report.words.english.scale_words import deviation_on_scale

__all__ = ["average", "in_short", "onwards", "sentence"]

# Standard deviations within this share of each other are told as equal.
_SAME = 0.02
# A factor that is worth a place in the headline.
_TELLING = 1.5
# A factor this near to two is a doubling, or a halving.
_TWICE = 0.1
# Widths of its gate within which a change comes about, from an eighth to seven eighths.
_FADE = 4.0
# The share of the data's range up to which that is sudden.
_SUDDEN = 0.02


def average(view: View) -> str:
    """What stands behind the one number for noise that varies."""
    return "" if view.model.noise.uniform else ", on average"


def sentence(view: View) -> str:
    """How its standard deviation goes along the first input; nothing where it is the same throughout."""
    noise = view.model.noise
    if noise.uniform:
        return ""
    return _changes(view, noise) if isinstance(noise, Changing) else _grows(view)


def in_short(view: View) -> str:
    """The same for the headline: The noise grows from ± 0.81 to ± 3.1; nothing where it hardly changes."""
    if view.model.noise.uniform:
        return ""
    X = view.model.inputs[:1].repeat(2, axis=0)
    X[:, 0] = view.ends[0]
    first, last = view.model.noise_at(X).tolist()
    if max(first, last) < _TELLING * min(first, last):
        return ""
    sizes = " to ".join(deviation_on_scale(view.link, size, 2) for size in (first, last))
    along = "" if view.model.series else f" along {axis(view.axis)}"
    return f"The noise {'grows' if last > first else 'shrinks'}{along} from {sizes}."


def onwards(view: View) -> str:
    """How it goes on in a forecast; nothing where it is the same throughout."""
    noise = view.model.noise
    if noise.uniform:
        return ""
    stays = isinstance(noise, Changing)
    return "The noise is assumed to stay as it is at the end." if stays else "The noise is assumed to go on growing or shrinking."


def _grows(view: View) -> str:
    low, high = view.ends[0]
    X = view.model.inputs[:1].repeat(2, axis=0)
    X[:, 0] = low, high
    first, last = view.model.noise_at(X).tolist()
    along = "the data" if view.model.series else axis(view.axis)
    if abs(last / first - 1) < _SAME:
        return f"It may grow or shrink along {along}, but hardly does."
    ends = (
        f"{deviation_on_scale(view.link, size)} {at(view.axis, where, view.span)}" for size, where in ((first, low), (last, high))
    )
    return f"It {'grows' if last > first else 'shrinks'} along {along}, from {' to '.join(ends)}."


def _changes(view: View, noise: Noise) -> str:
    before, after, location, width = noise.user(view.model.data.inputs, view.model.data.output).values
    first, last = math.sqrt(before), math.sqrt(after)
    where, taken = at(view.axis, location, view.span), _FADE * width
    if abs(last / first - 1) < _SAME:
        return f"It may change {where}, but hardly does."
    ends = " to ".join(deviation_on_scale(view.link, size) for size in (first, last))
    within = f", within {about(view.axis, taken)}" if taken > _SUDDEN * view.span else ""
    return f"It {_change(last / first)} {where}{within}, from {ends}."


def _change(factor: float) -> str:
    """What a factor does, in a verb.

    >>> _change(2.05), _change(0.5), _change(3.1), _change(0.7)
    ('doubles', 'halves', 'grows', 'shrinks')
    """
    if abs(factor - 2) < 2 * _TWICE:
        return "doubles"
    if abs(1 / factor - 2) < 2 * _TWICE:
        return "halves"
    return "grows" if factor > 1 else "shrinks"
