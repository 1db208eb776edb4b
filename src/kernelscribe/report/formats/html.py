"""The document as one HTML file that needs nothing else: no network, no folder beside it.

The policy in its head allows no host at all, and only the scripts and the style sheet whose hashes it names. Vega evaluates
the expressions of charts with its interpreter, so that not even `eval` is allowed. Everything from outside is escaped by
Jinja; `_trusted` is the one place where text is passed on as it is, and it takes what we wrote or what has been escaped.
"""

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from kernelscribe.report.document import Code, Document, Figure, Section, figures, pieces, walk
from kernelscribe.report.formats.bundle import bundle
from kernelscribe.report.formats.environment import environment
from kernelscribe.report.formats.escape import json_for_html, lines
from kernelscribe.report.formats.theme import DARK, LIGHT, VARIABLES, config

__all__ = ["Html", "render"]


class Html:
    """One page with everything in it."""

    name = "html"
    endings = ("html", "htm")

    def render(self, document: Document, path: Path) -> str:
        return render(document)


def render(document: Document) -> str:
    """The page."""
    # The words bring the model with them, and Jinja comes with the environment: neither is loaded to name the formats.
    from kernelscribe.report.words import language  # noqa: PLC0415

    templates = environment("kernelscribe.report.formats")
    templates.filters |= {"kind": lambda value: type(value).__name__, "pieces": pieces, "source": _source}
    templates.tests["section"] = lambda block: isinstance(block, Section)
    charts = {id(figure): number for number, figure in enumerate(figures(document))}
    names = _names(document)
    scripts = [_trusted(bundle()), _trusted(_file("draw.js"))] if charts else []
    style = _trusted(_colours() + _file("report.css"))
    page = templates.get_template("report.html").render(
        document=document,
        page=language.page,
        policy=_policy(scripts, style),
        style=style,
        scripts=scripts,
        charts=_trusted(json_for_html(_pack(document))),
        look=_trusted(json_for_html(config(VARIABLES))),
        number=lambda figure: charts[id(figure)],
        name=lambda section: names[id(section)],
    )
    return page.strip() + "\n"


def _trusted(text: str) -> Markup:
    """Text that goes into the page unescaped: our own files, the bundle of Vega, and JSON made by `json_for_html`."""
    if "</script" in text.lower() or "</style" in text.lower() or "<!--" in text:
        raise ValueError("this text would end the element that holds it")
    return Markup(text)  # noqa: S704


def _source(block: Code) -> Markup:
    """Code keeps its lines, so it is escaped here rather than on its way."""
    return escape(lines(block.text))


def _file(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _colours() -> str:
    """The colours of both schemes as variables of the style sheet; paper is always light."""

    def variables(colours: Mapping[str, str]) -> str:
        return "".join(f"--{name}:{colour};" for name, colour in colours.items())

    return (
        f":root{{color-scheme:light dark;{variables(LIGHT)}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}\n"
    )


def _policy(scripts: list[Markup], style: Markup) -> str:
    allowed = " ".join(map(_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _names(document: Document) -> dict[int, str]:
    """A name to point at for every section, also for those that have none."""
    number = count(1)
    sections = (block for block in walk(document.sections) if isinstance(block, Section))
    return {id(section): section.id or f"section_{next(number)}" for section in sections}


def _pack(document: Document) -> dict[str, Any]:
    """All charts with their data by columns, each column once: the same data stand in many charts."""
    columns: list[list[Any]] = []
    numbered: dict[str, int] = {}

    def number_of(column: list[Any]) -> int:
        key = repr(column)
        if key not in numbered:
            numbered[key] = len(columns)
            columns.append(column)
        return numbered[key]

    def table(rows: list[dict[str, Any]]) -> dict[str, int]:
        return {name: number_of([row.get(name) for row in rows]) for name in (rows[0] if rows else ())}

    def chart(figure: Figure) -> dict[str, Any]:
        return {**figure.spec, "datasets": {name: table(rows) for name, rows in figure.spec.get("datasets", {}).items()}}

    return {"charts": [chart(figure) for figure in figures(document)], "columns": columns}
