"""The program that makes the analysis again."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from kernelscribe.config import Config, chosen
from kernelscribe.report.description.view import View

__all__ = ["program"]

# What is told of a file beside the names of its columns.
_READING = ("date_format", "where", "encoding")


def program(view: View, file: str = "FILE", reading: Mapping[str, Any] = MappingProxyType({})) -> str:
    """In Python; names and values are literals, so that nothing in a name can be code.

    Args:
        reading: what was told of how the file is read.
    """
    told = {name: reading[name] for name in _READING if reading.get(name)}
    given = {"target": view.model.data.target, **_inputs(view), **told, **_options(view)}
    arguments = "".join(f"    {name}={_literal(value)},\n" for name, value in given.items())
    return (
        "import kernelscribe as ks\n\n"
        f"analysis = ks.analyse(\n    {_literal(file)},\n{arguments})\n"
        f'print(analysis)\nanalysis.report("report.html"{_steps(view)})\n'
    )


def _steps(view: View) -> str:
    return "" if view.steps is None else f", document=analysis.document({view.steps})"


def _inputs(view: View) -> dict[str, Any]:
    """The time by its name, and the other inputs."""
    axes = view.model.axes
    time = next((axis.name for axis in axes if axis.dated or axis.temporal), None)
    others = [axis.name for axis in axes if axis.name != time]
    return ({} if time is None else {"time": time}) | ({"inputs": others} if others else {})


def _options(view: View) -> dict[str, Any]:
    usual = chosen(Config())
    return {name: value for name, value in chosen(view.model.config).items() if value != usual[name]}


def _literal(value: Any) -> str:
    """ASCII alone, so that no character passes for another; in double quotes where that is as good."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_literal(each) for each in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(name)}: {_literal(each)}' for name, each in value.items())}}}"
    shown = ascii(value)
    return f'"{shown[1:-1]}"' if isinstance(value, str) and '"' not in value and "\\'" not in shown else shown
