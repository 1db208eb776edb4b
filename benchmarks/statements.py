"""Is what is told what is there?

    python benchmarks/statements.py [--only PART ...] [--seeds 0 1 ...] [--jobs N] [--out DIR] [--write]
    python benchmarks/statements.py --data DIR [--before CHECKOUT] [--turns N]
    python benchmarks/statements.py --rows 60 --seeds 0 1 --out /tmp/tried      a small one, to try it out

`known` searches series drawn from known statements (statement_draws.py): fifty seeds, of which ten have 20,000 rows. Of each:
whether as many components are told as there are, the correlation of every true one with the told one, or the sum of two, that is
most like it, the date and size of steps, the transform. A rough background counts as a component where the truth has one, or
where it stands for one that is there. `false` searches noise alone, for cycles, steps, kinks and spells that are not there.
`thinned` searches twelve years of days with a week and a year, of which one day in five is left.
With `--data`, `series` tells real series with one input, and with `--before` also as another checkout does, in turns; `hindsight`
continues the demo's series from 2001 and holds it against what was measured until May 2006.

Every result is written down when it is there, as a line of a file in the folder `--out`, and is not measured again while it
stands there: a run that was interrupted goes on where it was. To measure anew, remove that folder. `--jobs` is the number of
draws at a time; real series are searched one at a time, with so many workers. Only `--write` changes RESULTS.md.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from jsonl import keep, lines  # isort: skip
from report import machine, write  # isort: skip
from statement_runs import NOISES, measured  # isort: skip
from statement_tables import TITLES, shown  # isort: skip

Key = tuple[object, ...]
DRAWN = ("known", "false", "thinned")
SEEDS = {"known": range(50), "false": range(40), "thinned": range(5)}
# Rows of noise: few, and many.
NOISE_ROWS = (200, 1500)


def asked_for(part: str, options: argparse.Namespace) -> list[tuple[str, int, int | None, str]]:
    """The searches of a part: part, seed, rows where they are given, and the kind of noise."""
    seeds, rows = options.seeds or SEEDS[part], options.rows
    if part == "false":
        sizes = NOISE_ROWS if rows is None else (rows,)
        return [(part, seed, size, kind) for size in sizes for kind in NOISES for seed in seeds]
    return [(part, seed, rows, "") for seed in seeds]


def key(line: dict[str, Any]) -> Key:
    """What a line is the result of."""
    return tuple(line.get(name) for name in ("part", "seed", "asked", "kind", "version", "turn", "budget"))


def drawn(part: str, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of a part that draws its series: those that were kept, and then the others as they come."""
    path, given = options.out / f"{part}.jsonl", _given(options)
    before = {key(line): line for line in lines(path) if "error" not in line}
    tasks = asked_for(part, options)
    keys = {task: (*task, None, None, options.budget) for task in tasks}
    yield from (before[keys[task]] for task in tasks if keys[task] in before)
    left = [task for task in tasks if keys[task] not in before]
    for line in _searched(left, given, options.jobs):
        whole = line | {"budget": options.budget, "machine": machine()}
        keep(path, whole)
        yield whole


def _given(options: argparse.Namespace) -> dict[str, Any]:
    return {} if options.budget is None else {"budget": options.budget}


def _searched(tasks: list[tuple[str, int, int | None, str]], given: dict[str, Any], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs == 1 or len(tasks) < 2:
        yield from (measured(*task, given) for task in tasks)
        return
    # Fresh processes: a fork of one that has threads may hang.
    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(measured, *task, given) for task in tasks]):
            yield done.result()


def real(part: str, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of a part that reads real series: turn by turn, the one version and then the other."""
    from statement_series import DEMO, names, versions  # noqa: PLC0415  (draws need nothing of it)

    path = options.out / f"{part}.jsonl"
    before = {key(line): line for line in lines(path) if "error" not in line}
    turns, which = (options.turns, names(options.data)) if part == "series" else (1, [DEMO])
    for name in which:
        for turn in range(turns):
            for version, source in versions(options.before).items():
                asked = {"part": part, "asked": options.rows, "kind": name, "version": version, "turn": turn}
                asked |= {"budget": options.budget}
                line = before.get(key(asked))
                if line is None:
                    line = asked | _read(part, source, name, options) | {"machine": machine()}
                    keep(path, line)
                yield line


def _read(part: str, source: Path, name: str, options: argparse.Namespace) -> dict[str, Any]:
    from subprocess import CalledProcessError  # noqa: PLC0415

    from statement_series import hindsight, told_by  # noqa: PLC0415

    given = _given(options)
    try:
        if part == "hindsight":
            return hindsight(source, options.data, options.jobs, given)
        return told_by(source, options.data, name, options.rows, options.jobs, given)
    except CalledProcessError as error:
        return {"error": error.stderr.strip().splitlines()[-1] if error.stderr.strip() else str(error)}


def main() -> None:
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    for part in options.only or [*DRAWN, *(("series", "hindsight") if options.data else ())]:
        done = []
        for line in (drawn if part in DRAWN else real)(part, options):
            done.append(line)
            state = line.get("error") or f"{line.get('seconds', 0):.0f} s"
            print(part, line.get("kind", ""), line.get("version", line.get("seed", "")), state, flush=True)
        machines = "; ".join(dict.fromkeys(line["machine"] for line in done))
        body = f"{machines}\n\n{shown(part, done)}"
        print(f"\n{TITLES[part]}\n\n{body}\n")
        if options.write:
            write(f"statements.py --only {part}", TITLES[part], body)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(TITLES))
    parser.add_argument("--seeds", nargs="+", type=int, help="of the draws, in place of each part's own")
    parser.add_argument("--rows", type=int, help="of every draw, in place of its own; the first rows of real series")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "runs" / "statements", help="folder of results")
    parser.add_argument("--data", type=Path, help="folder of real series")
    parser.add_argument("--before", type=Path, help="a checkout of another version, for real series")
    parser.add_argument("--turns", type=int, default=1, help="how often each version searches each real series")
    parser.add_argument("--budget", help="of every search, as in 1m; all that it takes when not given")
    parser.add_argument("--write", action="store_true", help="write the tables to RESULTS.md")
    options = parser.parse_args()
    if options.data is None and {"series", "hindsight"} & set(options.only or ()):
        parser.error("series and hindsight need --data")
    return options


if __name__ == "__main__":
    main()
