"""The page "The paper, reproduced", made of the results: nothing on it is typed by hand.

    python experiments/page.py [--from DIR]

With --from the results in that folder, as far as there are any, take the place of those that are kept with the project, and
their figures go to the docs.
"""

import argparse
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claims import CLAIMS, Claim
from claims.verdict import Verdict
from harness import written
from run import EXPERIMENTS
from tables import TABLES

__all__ = ["keep", "page", "read"]

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
DOCS = HERE.parent / "docs"
IMAGES = DOCS / "images" / "paper"
# Larger figures stay with the results, and so do those that draw the data themselves, which are not ours to pass on.
LARGEST = 300_000
DRAW_DATA = ("prior", "slopes")
SAID = {True: "hold", False: "do not hold", None: "are not measured yet"}

HEAD = """# The paper, reproduced

Does what Kim & Teh report in "Scaling up the Automatic Statistician" (AISTATS 2018) hold here? Every claim is judged by
experiments in `experiments/`, one script for each figure or table. `make experiments DATA=folder` runs them all, goes on where it
was interrupted, and makes this page of the results, which are kept as JSON in `experiments/results/`; `make paper` makes it again
from there. Each experiment runs alone too, as in `python experiments/bounds.py --data folder`, and
`python experiments/bounds.py --quick` takes seconds, on made-up data. The data sets are not part of the project.

Depths are counted as in the paper: base kernels are those of depth 1. Evidence and BIC are in nats and higher is better; in the
searches of the small sets and of the power plant BICs charge for parameters as the paper counts them.

The paper states its claims in words. The rules that turn them into yes or no are ours, and were written while results came in,
not before: read the figures beside each verdict. Where a rule was settled by figures that had been seen, that is said.
"""


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """The results of all experiments that have any, by name."""
    paths = {name: folder / f"{name}.json" for name in EXPERIMENTS}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items() if path.exists()}


def page(results: Mapping[str, Mapping[str, Any]], figures: Mapping[str, list[str]]) -> str:
    """The whole page; `figures` are names of files in docs/images/paper by experiment."""
    summaries = {name: whole["summary"] for name, whole in results.items() if whole["summary"]}
    begun = {name for name, whole in results.items() if not whole["complete"]}
    judged = [(claim, claim.verdict(summaries)) for claim in CLAIMS]
    words = [_word(claim, verdict, begun) for claim, verdict in judged]
    parts = [HEAD, _overview(judged, words), *map(_claim, *zip(*judged, strict=True), words), _runs(results)]
    parts += [_experiment(name, results.get(name), figures.get(name, [])) for name in EXPERIMENTS]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _word(claim: Claim, verdict: Verdict, begun: set[str]) -> str:
    """What is said of a claim in a word or two; where an experiment has not ended, that may change."""
    return f"{verdict.word} so far" if verdict.holds is not None and begun & set(claim.needs) else verdict.word


def _overview(judged: list[tuple[Claim, Verdict]], words: list[str]) -> str:
    counts = {said: sum(verdict.holds is holds for _, verdict in judged) for holds, said in SAID.items()}
    told = ", ".join(f"{count} {said}" for said, count in counts.items() if count)
    rows = "\n".join(f"| {claim.text} | {word} |" for (claim, _), word in zip(judged, words, strict=True))
    return f"## Claims\n\nOf {len(words)} claims {told}.\n\n| claim | here |\n| --- | --- |\n{rows}\n"


def _claim(claim: Claim, verdict: Verdict, word: str) -> str:
    lines = [
        f"### {claim.text.rstrip('.')}", "",
        f"**{word.capitalize()}**, by this rule: {claim.rule}. Measured by {_names(claim.needs)}.", "",
        f"- Paper: {claim.paper}.",
        f"- Here: {_plain(verdict.here)}.",
    ]  # fmt: skip
    if claim.late:
        lines.append(f"- Settled after figures had been seen: {claim.late}.")
    if verdict.why:
        lines.append(f"- {'Why' if verdict.holds is False else 'Note'}: {_plain(verdict.why)}")
    return "\n".join(lines) + "\n"


def _plain(sentence: str) -> str:
    """Products as the paper writes them: two asterisks would be emphasis, and vanish."""
    return sentence.replace("*", " × ")


def _names(experiments: tuple[str, ...]) -> str:
    return " and ".join(f"`{name}`" for name in experiments)


def _runs(results: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for name in EXPERIMENTS:
        if name not in results:
            rows.append(f"| `{name}` | not run yet | | | |")
            continue
        whole = results[name]
        days = sorted({cell["when"] for cell in whole["cells"].values()})
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        state = "complete" if whole["complete"] else "not finished"
        rows.append(f"| `{name}` | {state} | {len(whole['cells'])} | {_long(whole['seconds'])} | {when} |")
    total = sum(whole["seconds"] for whole in results.values())
    machines = sorted({whole["machine"] for whole in results.values()})
    versions = sorted({", ".join(f"{k} {v}" for k, v in whole["versions"].items()) for whole in results.values()})
    return (
        "## How long it took\n\n| experiment | state | cells | time | when |\n| --- | --- | --- | --- | --- |\n" + "\n".join(rows)
        + f"\n\nIn all {_long(total)}, on {'; '.join(machines) or 'no machine yet'}. {'; '.join(versions)}.\n"
    )  # fmt: skip


def _long(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _experiment(name: str, whole: Mapping[str, Any] | None, figures: list[str]) -> str:
    head = f"## {name.replace('_', ' ').capitalize()}\n\n{EXPERIMENTS[name]}\n\n"
    if whole is None or not whole["summary"]:
        return head + "Not run yet.\n"
    chosen = {key: value for key, value in whole["settings"].items() if key != "quick"}
    settings = json.dumps(chosen, ensure_ascii=False)
    partly = "" if whole["complete"] else "Not finished: what follows is what is known so far.\n\n"
    drawn = "".join(f"![{name}](images/paper/{figure})\n\n" for figure in figures)
    return f"{head}{partly}{drawn}{TABLES[name](whole['summary'])}\n\nSettings: `{settings}`.\n"


def keep(source: Path, results: Path, images: Path) -> None:
    """Take over results of full runs, and their figures."""
    results.mkdir(parents=True, exist_ok=True)
    images.mkdir(parents=True, exist_ok=True)
    for name, whole in read(source).items():
        if whole["summary"]:
            (results / f"{name}.json").write_text(written(whole), encoding="utf-8")
            for figure in drawn(source, name):
                if name not in DRAW_DATA and (source / figure).stat().st_size <= LARGEST:
                    shutil.copy(source / figure, images / figure)


def drawn(folder: Path, name: str) -> list[str]:
    """The figures of an experiment in a folder."""
    return sorted(path.name for path in [*folder.glob(f"{name}.svg"), *folder.glob(f"{name}-*.svg")] if "-quick" not in path.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="source", type=Path, help="folder with results to take over first")
    args = parser.parse_args()
    if args.source is not None:
        keep(args.source, RESULTS, IMAGES)
    text = page(read(RESULTS), {name: drawn(IMAGES, name) for name in EXPERIMENTS})
    (DOCS / "paper.md").write_text(text, encoding="utf-8")
    print(f"{DOCS / 'paper.md'} is made of {RESULTS}")


if __name__ == "__main__":
    main()
