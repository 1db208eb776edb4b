"""What the checks of the model's errors ask, find, and make of it."""

from types import MappingProxyType

from kernelscribe.model.criticism import STRONG, Check, Criticism
from kernelscribe.report.description.steps import steps
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Prose, Strong, TableBlock, Text
from kernelscribe.report.words.english.numbers import count_word, number, opened
from kernelscribe.report.words.english.quantities import about
from kernelscribe.report.words.english.readings import chance

__all__ = [
    "FOUND",
    "NOTHING",
    "PERIODOGRAM",
    "QUANTILES",
    "TITLE",
    "autocorrelations",
    "findings",
    "how",
    "table",
    "too_few",
    "verdict",
]

TITLE = "Does the model fit?"
FOUND = "What was found, and what it may mean:"
NOTHING = "Nothing was found that chance does not explain."
# Captions and descriptions of figures.
PERIODOGRAM = (
    "The strength of cycles in the errors, by frequency, against their mean. By chance one in twenty lies outside the band.",
    "The periodogram of the errors.",
)
QUANTILES = (
    "The errors in order of size against what the normal distribution leads one to expect. If it holds, they lie on the "
    "dashed line, and nearly all inside the band.",
    "Quantiles of the errors against those of the normal distribution.",
)

# From so many rows on a correlation of a hundredth is significant.
_MANY = 50_000
_QUESTIONS = MappingProxyType(
    {
        "alike": "Are neighbouring errors alike?",
        "cycle": "Is there a cycle left in them?",
        "spread": "Are they as large as the model says?",
        "tails": "Are large errors as rare as they should be?",
        "skew": "Are errors above and below of one kind?",
        "drift": "Does their size stay the same throughout?",
    }
)


def verdict(view: View) -> str:
    """In a sentence."""
    found = view.findings.criticism
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
        f"{_brief(view, found.findings[0])}."
    )


def _brief(view: View, check: Check) -> str:
    place = check.place
    match check.name:
        case "alike":
            return f"{_distant(view, place)} are {'alike' if check.statistic > 0 else 'of opposite sign more often than not'}"
        case "cycle":
            return "a cycle is left in them" if place is None else f"a cycle of {about(view.axis, place)} is left in them"
        case "spread":
            return f"errors are {'larger' if check.statistic > 1 else 'smaller'} than the model says"
        case "tails":
            return f"there are {'more' if check.statistic > 0 else 'fewer'} large errors than there should be"
        case "skew":
            return f"errors reach further {'upwards' if check.statistic > 0 else 'downwards'} than the other way"
    return f"errors {'grow' if check.statistic > 0 else 'shrink'} in the course of the data"


def _distant(view: View, place: float | None) -> str:
    """Which errors a lag sets side by side."""
    rows = 1 if place is None else round(place / steps(view).usual)
    return "neighbouring errors" if place is None or rows <= 1 else f"errors {rows:,} rows ({about(view.axis, place)}) apart"


def too_few(view: View) -> str:
    """Why nothing was checked."""
    return f"{opened(count_word(view.rows))} rows are too few for their errors to be checked."


def how(view: View, found: Criticism) -> str:
    """What is asked of the errors."""
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


def table(found: Criticism) -> TableBlock:
    """Every question with its answer."""
    rows: list[tuple[Prose, ...]] = []
    order = list(_QUESTIONS)
    for each in sorted(found.checks, key=lambda check: order.index(check.name)):
        adjusted: Prose = chance(each.adjusted)
        if each.verdict != "none":
            adjusted = Text((Strong(chance(each.adjusted)),))
        rows.append((_QUESTIONS[each.name], chance(each.p), adjusted))
    return TableBlock(
        ("Question", "p", "adjusted p"),
        tuple(rows),
        "Adjusted values up to 0.05, in bold, are findings; p-values were adjusted by Holm's method.",
        ("left", "right", "right"),
    )


def findings(view: View, found: Criticism) -> tuple[Text, ...]:
    """What was found, one by one."""
    return tuple(_finding(view, each) for each in found.findings)


def _finding(view: View, check: Check) -> Text:
    strength, p = "strong" if check.adjusted <= STRONG else "moderate", chance(check.adjusted)
    evidence = f" ({strength} evidence: adjusted p {p if p.startswith('<') else f'= {p}'}). "
    return Text((Strong(opened(_brief(view, check))), evidence, _meaning(check, view.model.noise.uniform, view.link.plain)))


def _meaning(check: Check, uniform: bool, plain: bool) -> str:  # noqa: PLR0911
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
            instead = "; its logarithm may be easier to explain, if it has one" if plain else ""
            return f"The {more} end of the bands is too close{instead}."
    change = "grows" if size > 0 else "shrinks"
    taken = "is taken to be the same throughout, but it" if uniform else "varies in another way: beside what is told of it, it"
    return f"The noise {taken} {change}: bands are {_late(size)} of the data."


def _late(size: float) -> str:
    return "too wide at the start and too narrow at the end" if size > 0 else "too narrow at the start and too wide at the end"


def autocorrelations(lags: int) -> tuple[str, str]:
    """Caption and description of their figure."""
    return (
        "How much errors are alike that lie so many rows apart. By chance one in twenty lies outside the band.",
        f"Autocorrelations of the errors up to {lags} rows apart.",
    )
