"""The last section: everything an expert needs to check the report and to do it again."""

import platform
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy
import scipy

from kernelscribe.config import Config, options
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.tree import leaves, text
from kernelscribe.kernels.units import to_user
from kernelscribe.report.description.program import program
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Code, Details, Mono, Paragraph, Section, Table, Text, Words
from kernelscribe.report.words.english.glossary import glossary
from kernelscribe.report.words.english.quantities import count_word, label, listing, number
from kernelscribe.report.words.english.readings import nats, spot
from kernelscribe.search.cyclic import cyclic

__all__ = ["appendix"]


def appendix(view: View) -> Section:
    """The appendix."""
    parts = [
        Section("The kernel", tuple(_kernel(view)), "kernel") if view.model.expr is not None else None,
        Section("The search", tuple(_search(view)), "search"),
        Section("The settings", tuple(_settings(view)), "settings"),
        Section("How to do it again", tuple(_again(view)), "again"),
        Section("Words used in this report", (glossary(),), "glossary"),
    ]
    return Section("Appendix", tuple(part for part in parts if part is not None), "appendix")


def _kernel(view: View) -> Iterator[Block]:
    data, found, expr = view.model.data, view.analysis.verdict, view.model.expr
    assert expr is not None  # noqa: S101
    inputs = len(view.model.axes)
    yield Paragraph(Text(("The chosen kernel is ", Mono(text(expr, inputs=inputs)), ". Its values, in the units of the data:")))
    rows: list[tuple[Words, ...]] = []
    for leaf in leaves(to_user(expr, data.inputs, data.output)):
        name = leaf.kind if inputs == 1 else f"{leaf.kind}{leaf.dim}"
        values = zip(leaf.base.parameters, leaf.values or (), strict=True)
        told = ", ".join(f"{parameter.name} {_value(view, parameter.kind, leaf.dim, value)}" for parameter, value in values)
        rows.append((Text((Mono(name),)), label(view.model.axes[leaf.dim - 1].name), told))
    rows.append(("noise", "–", f"variance {number(view.model.noise_sd**2, 4)}"))
    yield Table(
        ("Part", "Input", "Values"),
        tuple(rows),
        "In a product only the product of the variances means anything; it is carried by the first part.",
    )
    yield Table(
        ("", "at least", "at most"),
        (
            ("evidence", *_ends(found.evidence.interval)),
            ("BIC", *_ends(found.bic)),
            ("BIC of noise alone", nats(found.noise_bic), nats(found.noise_bic)),
        ),
        f"Scores in nats, for the target scaled to variance 1{f', by the engine {found.engine}' if found.engine else ''}."
        + ("" if found.evidence.exact is None else f" The exact evidence is {nats(found.evidence.exact)}."),
        ("left", "right", "right"),
    )
    yield Paragraph(f"Components, their bands and forecasts rest on {view.model.posterior.basis}.")


def _value(view: View, kind: str, dim: int, value: float) -> str:
    """A parameter; places as dates where there are dates, and else without the comma that no year has."""
    if kind != "place":
        return number(value, 4)
    axis = view.model.axes[dim - 1]
    return spot(axis, value, view.span) if axis.dated else f"{value:.6g}".replace("-", "−")


def _ends(interval: Interval) -> tuple[str, str]:
    return nats(interval.lower), nats(interval.upper)


def _search(view: View) -> Iterator[Block]:
    found, strategy = view.analysis.verdict, view.model.config.strategy
    yield Paragraph(
        f"The search by the strategy {strategy} tried {found.fits:,} kernels{_rounds(found.depth)}; {found.dropped:,} were "
        f"dropped after screening{f' and {found.failed:,} could not be fitted' if found.failed else ''}. "
        f"It evaluated the evidence {found.evaluations:,} "
        f"times{_took(found.seconds, found.workers)}.{_cycles(view)}"
    )
    if found.tree:
        yield Details(
            "The search as a tree",
            (
                Paragraph(
                    "Every kernel stands under the one that it grew from, with its BIC. A star marks the chosen one, a question "
                    "mark those that are not told from it, a plus those that grew."
                ),
                Code(found.tree),
            ),
        )


def _cycles(view: View) -> str:
    """Where none were looked for, if that is so."""
    along = cyclic(view.model.data, view.model.config)
    names = [label(axis.name) for axis in view.model.axes]
    rest = [name for d, name in enumerate(names, start=1) if d not in along]
    if not rest:
        return ""
    where = f"only along {listing([names[d - 1] for d in along])}" if along else "along none of the inputs"
    return f" Cycles were looked for {where}: elsewhere nothing is known to come round. The option cycles names other inputs."


def _took(seconds: float | None, workers: int | None) -> str:
    if seconds is None or workers is None:
        return ""
    return f", in {number(seconds)} seconds with {'one worker' if workers == 1 else f'{workers:,} workers'}"


def _rounds(depth: int) -> str:
    return "" if depth == 0 else f" in {count_word(depth)} round{'' if depth == 1 else 's'} of growth"


def _settings(view: View) -> Iterator[Block]:
    mine, usual = asdict(view.model.config), asdict(Config())
    changed = {name: value for name, value in mine.items() if value != usual[name]}
    if changed:
        yield Paragraph("These settings differ from the defaults:")
        yield _options(changed)
    else:
        yield Paragraph("All settings are the defaults.")
    yield Details("All settings", (_options(mine),))


def _options(values: dict[str, Any]) -> Table:
    known = options()
    rows = tuple((Text((Mono(name),)), _setting(value), known[name].help) for name, value in values.items())
    return Table(("Setting", "Value", "What it is"), rows, "", ("left", "right", "left"))


def _setting(value: Any) -> str:
    if isinstance(value, tuple):
        return listing(value) if value else "none"
    return "not set" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _again(view: View) -> Iterator[Block]:
    from kernelscribe import __version__  # noqa: PLC0415  (the package imports this module)

    yield Paragraph("This program does it again, with the file's name in place of FILE:")
    yield Code(program(view), "python")
    yield Table(
        ("", ""),
        (
            ("kernelscribe", __version__),
            ("Python", platform.python_version()),
            ("NumPy", numpy.__version__),
            ("SciPy", scipy.__version__),
            ("seed", str(view.model.config.seed)),
            ("data (SHA-256)", Text((Mono(view.model.data.digest),))),
        ),
        "The same versions, seed and data give the same report.",
    )
