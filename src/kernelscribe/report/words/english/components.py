"""What the section of the components says: each by itself, in words and in numbers."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.report.description.shares import HELPS, negligible
from kernelscribe.report.description.view import View
from kernelscribe.report.description.worth import demanded
from kernelscribe.report.words.english.component import describe
from kernelscribe.report.words.english.findings import dots
from kernelscribe.report.words.english.names import target
from kernelscribe.report.words.english.noise import average, sentence
from kernelscribe.report.words.english.numbers import count_word, number, opened, percent
from kernelscribe.report.words.english.quantities import amount
from kernelscribe.report.words.english.scale_words import amount_on_scale, explained
from kernelscribe.report.words.english.worth import present

__all__ = [
    "NOISE",
    "TITLE",
    "alone",
    "details",
    "heading",
    "noise",
    "noise_chart",
    "opening",
    "period",
    "rest",
    "statistics",
    "together",
]

TITLE = "The components, one by one"
NOISE = "The noise"
# Of periods that are drawn by themselves, by their days.
_PERIODS = {365: "one year", 7: "one week", 1: "one day"}


def opening(view: View) -> str:
    """How the components are drawn, and what was too small to be one."""
    found, n = view.findings.decomposition, len(view.findings.components)
    said = _drawn(view, n)
    if n > 1:
        said += " A band may be wide where the data say well what the sum is, but not what belongs to which component."
    if not found.minor:
        return said
    many = len(found.minor)
    term = "term of the kernel is" if many == 1 else "terms of the kernel are"
    share = f"{percent(found.minor_share)} of the variance" if found.minor_share else "nothing of the variance"
    return (
        f"{said} {count_word(many).capitalize()} further {term} too small to be told of: "
        f"{'it explains' if many == 1 else 'together they explain'} {share}."
    )


def _drawn(view: View, n: int) -> str:
    about = "Each component is drawn about zero, its average over the data"
    level, one = number(float(view.link.inverse(np.array(view.level))), 4), n == 1
    if view.link.multiplies:
        return (
            f"{about}, in per cent: {'it multiplies' if one else 'together they multiply'} a constant level of {level} "
            "to make the model's curve."
        )
    if view.link.plain:
        return (
            f"{about}; together with a constant level of {level} {'it adds up' if one else 'they add up'} to the model's curve."
        )
    adds = "it adds up to the root of" if one else "they add up to the root of"
    return f"{about}; together with the root of a constant level of {level} {adds} the model's curve."


def heading(view: View, i: int) -> str:
    """Of component i."""
    return f"{i + 1}. {opened(describe(view.subjects[i]).summary)}"


def details(view: View, i: int) -> str:
    """What component i looks like."""
    return " ".join(describe(view.subjects[i]).details)


def statistics(view: View, i: int) -> str:
    """What component i is worth, and whether it is there."""
    one = view.findings.components[i]
    there = () if one.worth is None else (present(one.worth),)
    return " ".join(filter(None, (*there, _explains(view, i), _error(view, i), *_doubts(view, i))))


def _explains(view: View, i: int) -> str:
    one = view.findings.components[i]
    if i == 0:
        share = "next to nothing" if negligible(one.share) else percent(one.share)
        return f"It explains {share} of the variance of {explained(view)}."
    if negligible(one.rest):
        return (
            f"It explains next to nothing of what the components before it leave over; the total stays at {percent(one.total)}."
        )
    last, now = percent(view.findings.components[i - 1].total), percent(one.total)
    total = f"; the total stays at {now}" if last == now else f", and raises the total from {last} to {now}"
    return f"It explains {percent(one.rest)} of the variance that the components before it leave over{total}."


def _error(view: View, i: int) -> str:
    """Nothing where it does not move and the evidence says what the component is worth: an outlier helps no other row."""
    whole, one = view.findings.decomposition.error, view.findings.components[i].error
    error, without = amount_on_scale(view.link, whole), amount_on_scale(view.link, one)
    if error == without:
        if view.findings.components[i].worth is not None:
            return ""
        return f"Without it the cross-validated mean absolute error would stay at {error}."
    return (
        f"Without it the cross-validated mean absolute error would {'rise' if one > whole else 'fall'} from {error} to {without}."
    )


def _doubts(view: View, i: int) -> Iterator[str]:
    """Of what the evidence demands there are none."""
    one = view.findings.components[i]
    if one.drop < HELPS and not demanded(one.worth):
        yield (
            "As it helps neither to explain the data nor to predict those left out, it is probably an artefact."
            if one.rest < HELPS
            else "As it does not help to predict data that were left out, it may be a pattern too short-lived for that, noise, "
            "or an artefact."
        )


def alone(view: View, i: int, start: float) -> tuple[str, str]:
    """Caption and description of the figure of component i, which begins at `start`."""
    late = start > view.ends[0][0]
    note = f" Only its last {amount(view.axis, view.last - start)} are drawn, for its shape to be seen." if late else ""
    return (
        f"Component {i + 1} alone, with a 95 % band.{note}",
        f"The curve of component {i + 1}: {describe(view.subjects[i]).summary}.",
    )


def period(i: int, days: int) -> tuple[str, str]:
    """The same of its figure over one period of so many days."""
    over = _PERIODS[days]
    return (
        f"Component {i + 1} over {over}, at the end of the data, with a 95 % band.",
        f"The curve of component {i + 1} over {over}.",
    )


def together(view: View, i: int) -> tuple[str, str]:
    """The same for the sum of all components up to i."""
    who = "Component 1" if i == 0 else f"The first {count_word(i + 1)} components together"
    return f"{who}, with the data ({dots(view)}) and a 95 % band.", f"{opened(_so_far(i))} drawn over {target(view)}."


def rest(view: View, i: int) -> tuple[str, str]:
    """The same for what the components up to i leave over."""
    n = len(view.findings.components) - i - 1
    still = "the component that is still to come" if n == 1 else f"the sum of the {count_word(n)} components still to come"
    return (
        f"What {_so_far(i)} left over (dots), and {still} with a 95 % band.",
        f"The rest of {target(view)} after {_so_far(i)}, with the curve of the components still to come.",
    )


def _so_far(i: int) -> str:
    return "the first component" if i == 0 else f"the first {count_word(i + 1)} components"


def noise(view: View) -> str:
    """What no component explains."""
    size = f"{amount_on_scale(view.link, view.model.noise_sd)}{average(view)}"
    left = percent(1 - view.findings.decomposition.explained)
    said = (
        f"What no component explains, {left} of the variance of {explained(view)}, is taken for noise: independent from row to "
        f"row, with a standard deviation of {size}."
    )
    return f"{said} {sentence(view)}".rstrip()


def noise_chart(view: View) -> tuple[str, str]:
    """Caption and description of its figure."""
    caption = (
        f"What all components together leave over ({dots(view)})."
        if view.model.series
        else "What all components together leave over, against what they predict."
    )
    return caption, f"What is left of {target(view)}, scattered about zero."
