"""Names that a user gave, fit to stand in a sentence."""

from kernelscribe.data.axis import Axis
from kernelscribe.report.description.names import clean
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.description.view import View

__all__ = ["axes", "axis", "input_name", "label", "target"]


def label(name: str) -> str:
    """The name, cleaned, or the word for having none."""
    return clean(name) or "unnamed"


def target(view: View) -> str:
    """What is explained."""
    return label(view.model.data.target)


def axis(one: Axis) -> str:
    """An input."""
    return label(one.name)


def axes(view: View) -> list[str]:
    """All inputs, in order."""
    return [label(each.name) for each in view.model.axes]


def input_name(subject: Subject, dim: int) -> str:
    """The input of a component, by its number."""
    return label(subject.axis(dim).name)
