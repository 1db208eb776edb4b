"""The third section: every component by itself, in words, in numbers and in pictures."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.normal import Term
from kernelscribe.report import figures
from kernelscribe.report.description.view import POINTS, View, opened
from kernelscribe.report.document import Block, Figure, Paragraph, Row, Section
from kernelscribe.report.figures import sampling
from kernelscribe.report.sections.surfaces import surfaces
from kernelscribe.report.words.english.quantities import amount, count_word, number, percent

__all__ = ["parts"]

# Of the error, or of what was left of the variance: less than this is next to nothing.
_LITTLE = 0.001


def parts(view: View) -> Section:
    """The components, one by one."""
    n = len(view.analysis.components)
    blocks: list[Block] = [Paragraph(_opening(view))]
    blocks += [_part(view, i) for i in range(n)]
    blocks.append(_noise(view))
    return Section("The components, one by one", tuple(blocks), "components")


def _opening(view: View) -> str:
    found, n = view.analysis.decomposition, len(view.analysis.components)
    said = (
        "Each component is drawn about zero, its average over the data; together with a constant level of "
        f"{number(view.level, 4)} {'they add up' if n > 1 else 'it adds up'} to the model's curve."
    )
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


def _part(view: View, i: int) -> Section:
    words = view.analysis.words[i]
    charts = _series(view, i) if view.model.series else surfaces(view, i)
    blocks = (Paragraph(" ".join(words.details)), Paragraph(" ".join(_statistics(view, i))), *charts)
    return Section(f"{i + 1}. {opened(words.summary)}", blocks, f"part-{i + 1}")


def _statistics(view: View, i: int) -> Iterator[str]:
    found, target = view.analysis.components, view.target
    one, before = found[i], found[i - 1] if i else None
    if before is None:
        yield f"It explains {percent(one.share) if one.share >= _LITTLE / 2 else 'next to nothing'} of the variance of {target}."
    elif one.rest < _LITTLE / 2:
        yield f"It explains next to nothing of what the components before it leave over; the total stays at {percent(one.total)}."
    else:
        last, now = percent(before.total), percent(one.total)
        total = f"; the total stays at {now}" if last == now else f", and raises the total from {last} to {now}"
        yield f"It explains {percent(one.rest)} of the variance that the components before it leave over{total}."
    error, without = number(view.analysis.decomposition.error), number(one.error)
    if error == without:
        yield f"Without it the cross-validated mean absolute error would stay at {error}."
    else:
        does = "rise" if one.error > view.analysis.decomposition.error else "fall"
        yield f"Without it the cross-validated mean absolute error would {does} from {error} to {without}."
    if one.drop < _LITTLE:
        yield (
            "As it helps neither to explain the data nor to predict those left out, it is probably an artefact."
            if one.rest < _LITTLE
            else "As it does not help to predict data that were left out, it may be a pattern too short-lived for that, noise, "
            "or an artefact."
        )
    if view.doubtful(i):
        yield "Zero lies within its band throughout: the data do not say for certain that it is there."


def _series(view: View, i: int) -> Iterator[Block]:
    found = view.analysis.components
    yield Row((_alone(view, i), _together(view, i)))
    rest = [each.standard for each in found[i + 1 :]]
    if not rest:
        return
    left = view.model.target - view.sums[i]
    later = np.sum(view.centred[i + 1 :], axis=0)
    x, dots = sampling.along(view, rest, later), figures.Dots(view.points[0], left, later, "left over")
    yield Figure(
        figures.band(
            x,
            *view.shape(x[:, None], rest, later),
            view.axis,
            "what is left",
            dots,
            height=200,
            name=_numbered(i + 2, len(found)),
        ),
        f"What {_so_far(i)} left over (dots), and {_still(len(rest))} with a 95 % band.",
        f"The rest of {view.target} after {_so_far(i)}, with the curve of the components still to come.",
        f"part-{i + 1}-rest",
    )


def _numbered(first: int, last: int) -> str:
    return f"component {first}" if first == last else f"components {first} to {last}"


def _so_far(i: int) -> str:
    return "the first component" if i == 0 else f"the first {count_word(i + 1)} components"


def _still(rest: int) -> str:
    return "the component that is still to come" if rest == 1 else f"the sum of the {count_word(rest)} components still to come"


def _alone(view: View, i: int) -> Figure:
    one = view.analysis.components[i]
    start = sampling.window(view, one.standard)
    if start > view.ends[0][0]:
        x = np.linspace(start, view.last, POINTS)
        note = f" Only its last {amount(view.axis, view.last - start)} are drawn, for its shape to be seen."
    else:
        x, note = sampling.along(view, [one.standard], one.mean), ""
    return Figure(
        figures.band(
            x,
            *view.shape(x[:, None], [one.standard], view.centred[i]),
            view.axis,
            f"part of {view.target}",
            height=220,
            name=_numbered(i + 1, i + 1),
        ),
        f"Component {i + 1} alone, with a 95 % band.{note}",
        f"The curve of component {i + 1}: {view.analysis.words[i].summary}.",
        f"part-{i + 1}-alone",
    )


def _together(view: View, i: int) -> Figure:
    terms: Sequence[Term] = [each.standard for each in view.analysis.components[: i + 1]]
    x = sampling.along(view, terms, view.sums[i])
    mean, low, high = (view.level + each for each in view.shape(x[:, None], terms, view.sums[i] - view.level))
    dots = figures.Dots(*view.points, view.sums[i])
    who = "Component 1" if i == 0 else f"The first {count_word(i + 1)} components together"
    return Figure(
        figures.band(x, mean, low, high, view.axis, view.target, dots, height=220, name=_numbered(1, i + 1)),
        f"{who}, with the data ({view.dots}) and a 95 % band.",
        f"{opened(_so_far(i))} drawn over {view.target}.",
        f"part-{i + 1}-sum",
    )


def _noise(view: View) -> Section:
    sd, target = view.model.noise_sd, view.target
    left = view.model.target - view.fitted
    said = (
        f"What no component explains, {percent(1 - view.analysis.decomposition.explained)} of the variance of {target}, is taken "
        f"for noise: independent from row to row, with a standard deviation of {number(sd)}."
    )
    if view.model.series:
        spec = figures.residuals(view.points[0], left, view.axis, "what is left")
        caption = f"What all components together leave over ({view.dots})."
    else:
        spec = figures.residuals(view.fitted, left, Axis(f"{target} by the model"), "what is left")
        caption = "What all components together leave over, against what they predict."
    chart = Figure(spec, caption, f"What is left of {target}, scattered about zero.", "left")
    return Section("The noise", (Paragraph(said), chart), "noise")
