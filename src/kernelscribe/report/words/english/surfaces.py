"""Captions and descriptions of the pictures of components of tables."""

from collections.abc import Sequence

from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.component import describe
from kernelscribe.report.words.english.names import axes
from kernelscribe.report.words.english.numbers import listing

__all__ = ["curve", "plane"]


def curve(view: View, i: int, dim: int, fixed: Sequence[int]) -> tuple[str, str]:
    """Of component i along one input, while those of the numbers `fixed` stay as they are."""
    names = axes(view)
    medians = f" Held at their medians: {listing([names[each - 1] for each in fixed])}." if fixed else ""
    return (
        f"Component {i + 1} along {names[dim - 1]}, with a 95 % band.{medians}",
        f"Component {i + 1} along {names[dim - 1]}: {describe(view.subjects[i]).summary}.",
    )


def plane(view: View, i: int, one: int, other: int) -> tuple[str, str]:
    """Of component i over two inputs."""
    names = axes(view)
    over = f"{names[one - 1]} and {names[other - 1]}"
    return (
        f"The mean of component {i + 1} over {over}; where there are no data near, it is a guess.",
        f"Component {i + 1} over {over} as a map: {describe(view.subjects[i]).summary}.",
    )
