"""Every public name of the package is documented, with its fields and parameters."""

import inspect
import re
from dataclasses import fields
from typing import get_args

import pytest

import kernelscribe as ks
from kernelscribe import Dataset, Fit, Outcome, events
from kernelscribe.api.analysis import Analysis, analyse
from kernelscribe.data import frame_points, read_points
from kernelscribe.engines.interval import Evidence
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.components import Component, Decomposition
from kernelscribe.model.criticism import Check, Criticism
from kernelscribe.model.model import Model
from kernelscribe.outcome import Decision, Rival
from kernelscribe.report.words.english.component import Words
from pages import API, rows, section


def public(kind):
    """Fields, properties and methods of a class that a user meets."""
    inner = {name for each in kind.__mro__[:-1] for name in vars(each)} | set(getattr(kind, "__dataclass_fields__", ()))
    return sorted(name for name in inner if not name.startswith("_"))


@pytest.mark.parametrize(
    ("kind", "title", "own"),
    [
        (Analysis, "Analysis", ()),
        (Decomposition, "Decomposition", ()),
        (Component, "Component", ()),
        (Rival, "Outcome", ("of", "order")),
        (Decision, "Outcome", ()),
        (Criticism, "Criticism", ()),
        (Check, "Check", ()),
        (Backtest, "Backtest", ()),
        (Words, "Analysis", ()),
        (Model, "Model", ("standard",)),
        (Fit, "Fit", ()),
        (Evidence, "Interval and Evidence", ()),
        (Outcome, "Outcome", ("empty",)),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_every_field_is_named_in_the_python_page(kind, title, own):
    part = section(API, title)
    for name in public(kind):
        assert name in own or re.search(rf"`{name}[`(]", part), f"{kind.__name__}.{name}"


@pytest.mark.parametrize("name", ["forecast", "predict", "report", "document", "save"])
def test_methods_of_an_analysis_are_documented_with_their_parameters(name):
    (row,) = re.findall(rf"^\| `{name}\(([^`]*)\)`", section(API, "Analysis"), re.MULTILINE)
    given = [each.split("=")[0].strip() for each in row.split(",")]
    assert [each for each in given if each != "*"] == list(inspect.signature(getattr(Analysis, name)).parameters)[1:]


def test_every_public_name_is_documented():
    for name in (*ks.__all__, "KernelSearchRegressor"):
        assert re.search(rf"`ks\.{name}\b", API), name
        assert hasattr(ks, name)


@pytest.mark.parametrize("name", ["fit_kernel", "evidence", "parse", "text", "simplify", "discover"])
def test_functions_are_documented_with_their_parameters(name):
    found = re.search(rf"`ks\.{name}\(([^`]*)\)`", API)
    assert found, name
    given = [each.split("=")[0].strip().lstrip("*") for each in found[1].split(",")]
    parameters = inspect.signature(getattr(ks, name)).parameters.values()
    wanted = ["options" if each.kind is each.VAR_KEYWORD else each.name for each in parameters]
    assert [each for each in given if each] == wanted


@pytest.mark.parametrize(
    ("function", "name"), [(read_points, "read_points"), (frame_points, "frame_points"), (Dataset.of, "ks.Dataset.of")]
)
def test_functions_for_data_are_documented_with_their_parameters(function, name):
    (found,) = re.findall(rf"`{re.escape(name)}\(([^`]*)\)`", API)
    given = [each.split("=")[0].strip() for each in re.sub(r"\(\)", "", found).split(",")]
    assert [each for each in given if each != "*"] == list(inspect.signature(function).parameters)


def test_every_argument_of_analyse_has_a_row():
    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| ([^|]+) \|", section(API, "`ks.analyse`"), re.MULTILINE))))
    assert told == set(inspect.signature(analyse).parameters)


def test_every_event_has_a_row_with_its_fields():
    for event in get_args(events.Event):
        (row,) = rows(section(API, "Events"), f"`{event.__name__}`")
        for each in fields(event):
            assert f"`{each.name}`" in row[1], each.name
