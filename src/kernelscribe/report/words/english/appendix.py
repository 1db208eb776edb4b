"""What the appendix says: everything an expert needs to check the report and to do it again."""

from collections.abc import Mapping, Sequence
from typing import Any

from kernelscribe.config import options
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.tree import Expression, owners, text
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Mono, Prose, TableBlock, Text
from kernelscribe.report.words.english import facts
from kernelscribe.report.words.english.names import axes
from kernelscribe.report.words.english.numbers import count_word, listing, number
from kernelscribe.report.words.english.readings import nats, spot
from kernelscribe.report.words.english.scale_words import explained
from kernelscribe.search.cyclic import cyclic

__all__ = [
    "AGAIN",
    "AGAIN_TITLE",
    "ALL_DEFAULTS",
    "ALL_SETTINGS",
    "CHANGED",
    "GLOSSARY_TITLE",
    "KERNEL_TITLE",
    "SEARCH_TITLE",
    "SETTINGS_TITLE",
    "TITLE",
    "TREE",
    "TREE_TITLE",
    "basis",
    "kernel",
    "parameters",
    "scores",
    "search",
    "settings",
    "tree",
    "versions",
]

TITLE = "Appendix"
KERNEL_TITLE = "The kernel"
SEARCH_TITLE = "The search"
SETTINGS_TITLE = "The settings"
AGAIN_TITLE = "How to do it again"
GLOSSARY_TITLE = "Words used in this report"
TREE_TITLE = "The search as a tree"
TREE = (
    "Every kernel stands under the one that it grew from, with its BIC. A star marks the chosen one, a question mark those that "
    "are not told from it, a plus those that grew."
)
CHANGED = "These settings differ from the defaults:"
ALL_DEFAULTS = "All settings are the defaults."
ALL_SETTINGS = "All settings"
AGAIN = "This program does it again, with the file's name in place of FILE:"


def kernel(view: View, expr: Expression) -> Text:
    """The chosen kernel."""
    return Text(
        ("The chosen kernel is ", Mono(text(expr, inputs=len(view.model.axes))), f". Its values, in the units of {_units(view)}:")
    )


def _units(view: View) -> str:
    return "the data" if view.link.plain else explained(view)


def parameters(view: View, expr: Expression) -> TableBlock:
    """The values of a kernel in the user's units."""
    names, rows = axes(view), list[tuple[Prose, ...]]()
    for leaf in owners(expr):
        name = leaf.kind if len(names) == 1 else f"{leaf.kind}{leaf.dim}"
        values = zip(leaf.base.parameters, leaf.values or (), strict=True)
        told = ", ".join(f"{parameter.name} {_value(view, parameter.kind, leaf.dim, value)}" for parameter, value in values)
        rows.append((Text((Mono(name),)), names[leaf.dim - 1], told))
    rows.append(_noise(view))
    return TableBlock(
        ("Part", "Input", "Values"),
        tuple(rows),
        "In a product only the product of the variances means anything; it is carried by the first part.",
    )


def _noise(view: View) -> tuple[Prose, ...]:
    """The values of the noise in the user's units."""
    noise, data = view.model.noise, view.model.data
    if noise.uniform:
        return "noise", "–", f"variance {number(view.model.noise_sd**2, 4)}"
    values = zip(noise.parameters, noise.user(data.inputs, data.output).values, strict=True)
    told = ", ".join(f"{parameter.name} {_value(view, parameter.kind, 1, value)}" for parameter, value in values)
    return f"noise, {noise.name}", axes(view)[0], told


def _value(view: View, kind: str, dim: int, value: float) -> str:
    """A parameter; places as dates where there are dates, and else without the comma that no year has."""
    if kind != "place":
        return number(value, 4)
    axis = view.model.axes[dim - 1]
    return spot(axis, value, view.span) if axis.dated else f"{value:.6g}".replace("-", "−")


def scores(view: View) -> TableBlock:
    """Evidence and BIC."""
    found = view.findings.outcome
    exact = "" if found.evidence.exact is None else f" The exact evidence is {nats(found.evidence.exact)}."
    by = f", by the engine {found.engine}" if found.engine else ""
    as_it_is = "" if view.link.plain else ", as it is (so that they compare with those on other scales)"
    return TableBlock(
        ("", "at least", "at most"),
        (
            ("evidence", *_ends(found.evidence.interval)),
            ("BIC", *_ends(found.bic)),
            ("BIC of noise alone", nats(found.noise_bic), nats(found.noise_bic)),
        ),
        f"Scores in nats, for the target scaled to variance 1{as_it_is}{by}.{exact}",
        ("left", "right", "right"),
    )


def _ends(interval: Interval) -> tuple[str, str]:
    return nats(interval.lower), nats(interval.upper)


def basis(view: View) -> str:
    """What curves rest on."""
    return f"Components, their bands and forecasts rest on {view.model.posterior.basis}."


def search(view: View) -> str:
    """How far the search went."""
    found, strategy = view.findings.outcome, view.model.config.strategy
    return (
        f"The search by the strategy {strategy} tried {found.tried:,} kernels{_rounds(found.depth)}; {found.dropped:,} were "
        f"dropped after screening{f' and {found.failed:,} could not be fitted' if found.failed else ''}. "
        f"It evaluated the evidence {found.evaluations:,} "
        f"times{_took(found.seconds, found.workers)}.{_cycles(view)}"
    )


def _cycles(view: View) -> str:
    """Where none were looked for, if that is so."""
    along, names = cyclic(view.model.data, view.model.config), axes(view)
    if all(d in along for d in range(1, len(names) + 1)):
        return ""
    where = f"only along {listing([names[d - 1] for d in along])}" if along else "along none of the inputs"
    return f" Cycles were looked for {where}: elsewhere nothing is known to come round. The option cycles names other inputs."


def _took(seconds: float | None, workers: int | None) -> str:
    if seconds is None or workers is None:
        return ""
    return f", in {number(seconds)} seconds with {'one worker' if workers == 1 else f'{workers:,} workers'}"


def _rounds(depth: int) -> str:
    return "" if depth == 0 else f" in {count_word(depth)} round{'' if depth == 1 else 's'} of growth"


def tree(view: View) -> str:
    """The search as a tree."""
    return facts.tree(view.findings.outcome.tree, view.model.data)


def settings(values: Mapping[str, Any]) -> TableBlock:
    """Options with their values."""
    known = options()
    rows = tuple((Text((Mono(name),)), _setting(value), known[name].help) for name, value in values.items())
    return TableBlock(("Setting", "Value", "What it is"), rows, "", ("left", "right", "left"))


def _setting(value: Any) -> str:
    if isinstance(value, tuple):
        return listing(value) if value else "none"
    return "not set" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def versions(view: View, made_with: Sequence[tuple[str, str]]) -> TableBlock:
    """What the report was made with and from."""
    seed, digest = str(view.model.config.seed), Text((Mono(view.model.data.digest),))
    rows: tuple[tuple[Prose, ...], ...] = (*made_with, ("seed", seed), ("data (SHA-256)", digest))
    return TableBlock(("", ""), rows, "The same versions, seed and data give the same report.")
