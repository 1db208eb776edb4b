"""The program that makes the analysis again."""

from dataclasses import asdict
from typing import Any

from kernelscribe.config import Config
from kernelscribe.report.view import View

__all__ = ["program"]


def program(view: View) -> str:
    """In Python; names and values are literals, so that nothing in a name can be code."""
    given = {"target": view.model.data.target, **_inputs(view), **_options(view)}
    arguments = "".join(f"    {name}={_literal(value)},\n" for name, value in given.items())
    return (
        "import kernelscribe as ks\n\n"
        f'analysis = ks.analyse(\n    "FILE",\n{arguments})\n'
        'print(analysis)\nanalysis.report("report.html")\n'
    )


def _inputs(view: View) -> dict[str, Any]:
    """The time by its name, and the other inputs."""
    axes = view.model.axes
    time = next((axis.name for axis in axes if axis.dated or axis.temporal), None)
    others = [axis.name for axis in axes if axis.name != time]
    return ({} if time is None else {"time": time}) | ({"inputs": others} if others else {})


def _options(view: View) -> dict[str, Any]:
    usual = asdict(Config())
    return {name: value for name, value in asdict(view.model.config).items() if value != usual[name]}


def _literal(value: Any) -> str:
    """ASCII alone, so that no character passes for another; in double quotes where that is as good."""
    if isinstance(value, list):
        return f"[{', '.join(_literal(each) for each in value)}]"
    shown = ascii(value)
    return f'"{shown[1:-1]}"' if isinstance(value, str) and '"' not in value and "\\'" not in shown else shown
