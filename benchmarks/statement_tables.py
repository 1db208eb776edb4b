"""Lines of results as summaries and tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from report import table  # isort: skip
from statement_scores import ALIKE  # isort: skip

Line = dict[str, Any]
TITLES = {
    "known": "Known statements told back",
    "false": "False finds in noise",
    "thinned": "A week and a year, one day in five",
    "series": "Real series told",
    "hindsight": "The demo's forecast, and what came",
}
# What the search is to reach: shares of draws, of components, of steps, of draws.
GOALS = {"number of components": 0.8, "components matched": 0.9, "steps dated and sized": 0.9, "transform": 0.9}
# Draws of forty of one noise in which something may be told that is not there.
FALSE_GOAL = 1


def shown(part: str, done: Sequence[Line]) -> str:
    """A part's summary and its table, failures said first; those of known statements count as nothing told."""
    bad = [each for each in done if "error" in each]
    good = [each for each in done if "error" not in each or part == "known"]
    failed = [f"Failed: {each['part']} {each.get('kind', '')} {each.get('seed', '')}: {each['error']}" for each in bad]
    return "\n\n".join([*failed, *(TABLES[part](good) if good else [])])


def share(held: Iterable[bool]) -> str:
    """As in "31 of 40 (78 %)"."""
    values = list(held)
    return f"{sum(values)} of {len(values)} ({100 * sum(values) / len(values):.0f} %)" if values else "–"


def recovered(done: Sequence[Line]) -> dict[str, str]:
    """The four shares that there are goals for."""
    steps = [step for each in done for step in each["steps"]]
    return {
        "number of components": share(each["told"] == each["true"] for each in done),
        "components matched": share(part["matched"] for each in done for part in each["parts"]),
        "steps dated and sized": share(step["dated"] and step["sized"] for step in steps),
        "transform": share(each["link"] == each["told_link"] for each in done),
    }


def known(done: Sequence[Line]) -> list[str]:
    groups = {"all": done, "N up to 2,000": [each for each in done if not each["large"]]}
    groups["N = 20,000"] = [each for each in done if each["large"]]
    said = {name: recovered(lines) for name, lines in groups.items()}
    goals = [(name, f"{goal:.0%}", *(said[group][name] for group in groups)) for name, goal in GOALS.items()]
    parts = [part for each in done for part in each["parts"]]
    nouns = sorted({part["noun"] for part in parts})
    single = f"Matched by one told component alone: {share(part['one'] >= ALIKE for part in parts)}."
    by_noun = [(noun, share(part["matched"] for part in parts if part["noun"] == noun)) for noun in nouns]
    head = (
        "seed",
        "statement",
        "times",
        "N",
        "true",
        "told",
        "correlations (with one, with two)",
        "step",
        "transform",
        "terms",
        "s",
    )
    return [
        table(("what is right", "goal", *groups), goals),
        single,
        table(("noun", "matched"), by_noun),
        table(head, [_known_row(each) for each in sorted(done, key=lambda each: each["seed"])]),
    ]


def _known_row(each: Line) -> tuple[object, ...]:
    alike = ", ".join(f"{part['one']:.2f} {part['two']:.2f}{'' if part['matched'] else ' missed'}" for part in each["parts"])
    steps = ", ".join("yes" if step["dated"] and step["sized"] else "dated" if step["dated"] else "no" for step in each["steps"])
    link = each["link"] if each["link"] == each["told_link"] else f"{each['link']}, told {each['told_link']}"
    extra = " (noise grows)" if each["growing"] else ""
    terms = " + ".join(each["terms"])
    return (
        each["seed"], each["recipe"] + extra, each["times"], each["rows"], each["true"], each["told"], alike, steps, link,
        terms, f"{each['seconds']:.0f}",
    )  # fmt: skip


def false(done: Sequence[Line]) -> list[str]:
    groups = dict.fromkeys((each["kind"], each["rows"]) for each in done)
    rows = []
    for kind, count in groups:
        lines = [each for each in done if (each["kind"], each["rows"]) == (kind, count)]
        seconds = sorted(each["seconds"] for each in lines)[len(lines) // 2]
        rows.append(
            (
                kind,
                count,
                share(each["cycles"] > 0 for each in lines),
                share(each["breaks"] > 0 for each in lines),
                share(each["outliers"] > 0 for each in lines),
                f"{seconds:.0f}",
            )
        )
    goal = f"Draws in which something is told that is not there; goal: at most {FALSE_GOAL} of 40 each."
    return [goal, table(("noise", "N", "cycles", "steps, kinks, spells", "single rows", "s, median"), rows)]


def thinned(done: Sequence[Line]) -> list[str]:
    both = f"Both periods in {share(each['week'] and each['year'] for each in done)}."
    rows = [
        (
            each["seed"], each["rows"], "yes" if each["week"] else "no", "yes" if each["year"] else "no",
            ", ".join(f"{period:.5g}" for period in each["periods"]), each["kernel"], f"{each['seconds']:.0f}",
        )
        for each in done
    ]  # fmt: skip
    return [both, table(("seed", "N", "week", "year", "periods, days", "kernel", "s"), rows)]


def series(done: Sequence[Line]) -> list[str]:
    """The versions side by side, each with the least seconds of its turns."""
    versions = sorted({each["version"] for each in done})
    head = ["series", "N"]
    for name in versions:
        head += [f"{name}: {what}" for what in ("kernel", "components", "transform", "BIC", "s")]
    rows = []
    for key in dict.fromkeys((each["kind"], each["rows"]) for each in done):
        row: list[object] = list(key)
        for name in versions:
            turns = [each for each in done if (each["kind"], each["rows"], each["version"]) == (*key, name)]
            row += _version(turns)
        rows.append(row)
    return [table(head, rows)]


def _version(turns: Sequence[Line]) -> list[object]:
    if not turns:
        return [""] * 5
    first, seconds = turns[0], min(each["seconds"] for each in turns)
    return [first["kernel"], first["components"], first["link"], f"{first['bic']:.1f}", f"{seconds:.1f}"]


def hindsight(done: Sequence[Line]) -> list[str]:
    rows = [
        (
            each["version"], each["kernel"], each["link"], each["months"], f"{each['rmse']:.2f}", f"{each['coverage']:.0%}",
            f"{each['width']:.2f}",
        )
        for each in done
    ]  # fmt: skip
    return [table(("version", "kernel", "transform", "months", "RMSE, ppm", "in the 95 % band", "its width, ppm"), rows)]


TABLES = {"known": known, "false": false, "thinned": thinned, "series": series, "hindsight": hindsight}
