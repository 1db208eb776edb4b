"""The sixth section: whether what the model leaves over looks like chance."""

from collections.abc import Iterator

import numpy as np
from scipy import stats
from scipy.special import ndtri

from kernelscribe.model.criticism import STRONG, Check, Criticism
from kernelscribe.report import figures
from kernelscribe.report.description.view import View, opened
from kernelscribe.report.document import Block, Bullets, Figure, Paragraph, Row, Section, Strong, Table, Text, Words
from kernelscribe.report.figures.shrink import shrink
from kernelscribe.report.words.english.quantities import about, count_word, number
from kernelscribe.report.words.english.readings import chance

__all__ = ["checks", "verdict"]

_LAGS = 60
# From so many rows on a correlation of a hundredth is significant.
_MANY = 50_000
_QUESTIONS = {
    "alike": "Are neighbouring errors alike?",
    "cycle": "Is there a cycle left in them?",
    "spread": "Are they as large as the model says?",
    "tails": "Are large errors as rare as they should be?",
    "skew": "Are errors above and below of one kind?",
    "drift": "Does their size stay the same throughout?",
}


def verdict(view: View) -> str:
    """In a sentence."""
    found = view.analysis.criticism
    if found is None:
        return "There are too few rows to check whether the model fits."
    n = len(found.checks)
    if not found.findings:
        return f"The model fits: none of {count_word(n)} checks of its errors finds anything that chance does not explain."
    strong = any(each.verdict == "strong" for each in found.findings)
    failed = len(found.findings)
    return (
        f"{opened(count_word(failed))} of {count_word(n)} checks find{'s' if failed == 1 else ''} something in the errors of the "
        f"model that chance {'hardly' if strong else 'does not easily'} explain{'s' if strong else ''}: "
        f"{_short(view, found.findings[0])}."
    )


def _short(view: View, check: Check) -> str:
    axis, place = view.axis, check.place
    match check.name:
        case "alike":
            return f"{_apart(view, place)} are {'alike' if check.statistic > 0 else 'of opposite sign more often than not'}"
        case "cycle":
            return "a cycle is left in them" if place is None else f"a cycle of {about(axis, place)} is left in them"
        case "spread":
            return f"errors are {'larger' if check.statistic > 1 else 'smaller'} than the model says"
        case "tails":
            return f"there are {'more' if check.statistic > 0 else 'fewer'} large errors than there should be"
        case "skew":
            return f"errors reach further {'upwards' if check.statistic > 0 else 'downwards'} than the other way"
    return f"errors {'grow' if check.statistic > 0 else 'shrink'} in the course of the data"


def _apart(view: View, place: float | None) -> str:
    """Which errors a lag sets side by side."""
    steps = np.diff(np.unique(view.points[0]))
    rows = 1 if place is None else round(place / float(np.median(steps)))
    return "neighbouring errors" if place is None or rows <= 1 else f"errors {rows:,} rows ({about(view.axis, place)}) apart"


def checks(view: View) -> Section:
    """Does the model fit?"""
    found = view.analysis.criticism
    if found is None:
        few = Paragraph(f"{opened(count_word(view.rows))} rows are too few for their errors to be checked.")
        return Section("Does the model fit?", (few,), "checks")
    blocks: list[Block] = [Paragraph(_how(view, found)), _table(found)]
    if found.findings:
        blocks += [
            Paragraph("What was found, and what it may mean:"),
            Bullets(tuple(_finding(view, each) for each in found.findings)),
        ]
    else:
        blocks.append(Paragraph("Nothing was found that chance does not explain."))
    blocks += _figures(view, found)
    return Section("Does the model fit?", tuple(blocks), "checks")


def _how(view: View, found: Criticism) -> str:
    said = (
        f"If the model is right, its errors are pure chance: {_errors(view, found)}, are independent and follow the normal "
        "distribution. Each question below asks for one way in which they might not; p is how often chance alone looks at least "
        "as odd, and the adjusted p allows for asking several questions."
    )
    if found.rows >= _MANY:
        said = f"{said} With so many rows even departures are found that are too small to matter: look at their size."
    if found.rows == view.rows:
        return said
    which = "the last" if view.model.series else "a random"
    return f"{said} Of the {view.rows:,} rows, {which} {found.rows:,} were looked at."


def _errors(view: View, found: Criticism) -> str:
    if not found.ahead:
        return "what it leaves over, with the little that the curve took of the noise given back, in units of the noise's size"
    order = "predicted from all rows before it" if view.model.series else "predicted from the rows that stand before it"
    return f"with each value {order}, the errors, each in units of its own standard deviation"


def _table(found: Criticism) -> Table:
    rows: list[tuple[Words, ...]] = []
    order = list(_QUESTIONS)
    for each in sorted(found.checks, key=lambda check: order.index(check.name)):
        adjusted: Words = chance(each.adjusted)
        if each.verdict != "none":
            adjusted = Text((Strong(chance(each.adjusted)),))
        rows.append((_QUESTIONS[each.name], chance(each.p), adjusted))
    return Table(
        ("Question", "p", "adjusted p"),
        tuple(rows),
        "Adjusted values up to 0.05, in bold, are findings; p-values were adjusted by Holm's method.",
        ("left", "right", "right"),
    )


def _finding(view: View, check: Check) -> Text:
    strength, p = "strong" if check.adjusted <= STRONG else "moderate", chance(check.adjusted)
    evidence = f" ({strength} evidence: adjusted p {p if p.startswith('<') else f'= {p}'}). "
    return Text((Strong(opened(_short(view, check))), evidence, _meaning(view, check)))


def _meaning(view: View, check: Check) -> str:  # noqa: PLR0911
    size = check.statistic
    match check.name:
        case "alike" if size < 0:
            return f"Their correlation is {number(size, 2)}: the curve may follow single values too closely."
        case "alike":
            return f"Their correlation is {number(size, 2)}: something lasts from row to row that no component describes."
        case "cycle":
            return f"It holds {100 * size:.1f} % of their power: there may be a cycle that no component describes."
        case "spread":
            noise = "underestimates" if size > 1 else "overestimates"
            return (
                f"They are {number(size, 2)} times as large as expected: the model {noise} the noise, and its bands err with it."
            )
        case "tails" if size > 0:
            return "There may be outliers, or times that are wilder than others; bands are too narrow for the worst cases."
        case "tails":
            return "The values may be rounded or cut off; bands are wider than they need to be."
        case "skew":
            more = "upper" if size > 0 else "lower"
            return f"The {more} end of the bands is too close; its logarithm may be easier to explain, if it has one."
    change = "grows" if size > 0 else "shrinks"
    return f"The noise is taken to be the same throughout, but it {change}: bands are {_late(size)} of the data."


def _late(size: float) -> str:
    return "too wide at the start and too narrow at the end" if size > 0 else "too narrow at the start and too wide at the end"


def _figures(view: View, found: Criticism) -> Iterator[Block]:
    if view.model.series:
        yield Row((_acf(view, found), _periodogram(view, found)))
    yield _quantiles(found)


def _acf(view: View, found: Criticism) -> Figure:
    place = next((each.place for each in found.findings if each.name == "alike"), None)
    shown = found.autocorrelation if place is not None else found.autocorrelation[:_LAGS]
    limit = np.full(len(shown), 1.96 / np.sqrt(found.rows))
    return Figure(
        figures.acf(np.arange(1.0, len(shown) + 1), shown, -limit, limit, "rows apart"),
        "How much errors are alike that lie so many rows apart. By chance one in twenty lies outside the band.",
        f"Autocorrelations of the errors up to {len(shown)} rows apart.",
        "acf",
    )


def _periodogram(view: View, found: Criticism) -> Figure:
    n = len(found.power)
    low, high = (float(10 * np.log10(-np.log1p(-q))) for q in (0.025, 0.975))
    decibels = 10 * np.log10(np.maximum(found.power * n, 1e-6))
    return Figure(
        figures.periodogram(found.frequencies, decibels, np.full(n, low), np.full(n, high), "cycles per row"),
        "The strength of cycles in the errors, by frequency, against their mean. By chance one in twenty lies outside the band.",
        "The periodogram of the errors.",
        "periodogram",
    )


def _quantiles(found: Criticism) -> Figure:
    n, errors = len(found.errors), np.sort(found.errors)
    expected = ndtri((np.arange(n) + 0.5) / n)
    # Those that are drawn: the band of a million takes longer than all else.
    kept = shrink(expected, [errors])
    lower, upper = (ndtri(stats.beta.ppf(q, kept + 1.0, n - kept)) for q in (0.025, 0.975))
    return Figure(
        figures.quantiles(expected[kept], errors[kept], lower, upper),
        "The errors in order of size against what the normal distribution leads one to expect. If it holds, they lie on the "
        "dashed line, and nearly all inside the band.",
        "Quantiles of the errors against those of the normal distribution.",
        "quantiles",
    )
