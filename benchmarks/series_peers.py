"""Value, and value with gradient, of kernels that celerite2 and tinygp have too: ours beside theirs, in turns, in one run.

Every measurement is a process of its own on one thread. Each round measures all sides one after the other, so that a busy minute
hurts all alike, and the fewest processor seconds of all rounds count. Values and gradients must agree with those of peers.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from report import table
from series_problems import KERNELS, LENGTHSCALE, NOISE, TIMES, VARIANCE

__all__ = ["PYTHON", "make_peers", "measured"]

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent / ".venv-peers-series" / "bin" / "python"
ROUNDS = 3
SIDES = ("ours", "celerite2", "tinygp")
# Whose value is the kernel's own: celerite2's Matérn is an approximation.
EXACT = {"ROUGH": {"celerite2", "tinygp"}, "MATERN": {"tinygp"}}
# Nats a row by which values and slopes may differ from those: rounding.
NEAR = 1e-8
HEAD = (
    "kernel", "times", "N", "what", "ours ms", "celerite2 ms", "tinygp ms", "celerite2 / ours", "tinygp / ours",
    "celerite2 − ours, nats", "tinygp − ours, nats",
)  # fmt: skip

Told = dict[str, Any]


def make_peers() -> None:
    venv.create(PYTHON.parents[1], with_pip=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--requirement", HERE / "peers.txt"], check=True)


def child(python: Path, script: str, *args: str) -> Told:
    """What one measurement prints."""
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    flags = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    done = subprocess.run(
        [python, HERE / script, *args], capture_output=True, text=True, env={**os.environ, **one, **flags}, check=False
    )
    if done.returncode:
        raise SystemExit(f"{script} {' '.join(args)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def side(name: str, engine: str, problem: tuple[str, ...]) -> Told:
    if name == "ours":
        return child(Path(sys.executable), "ours_series.py", engine, *problem)
    return child(PYTHON, "peers/quasiseparable.py", name, *problem)


def best(rounds: list[Told]) -> Told:
    return {**rounds[0], **{what: min(each[what] for each in rounds) for what in ("value", "gradient")}}


def agree(found: dict[str, Told], problem: tuple[str, ...]) -> None:
    """Stop where our value or gradient is not that of a peer which is exact."""
    own = found["ours"]
    for name in EXACT[problem[0]]:
        pairs = [(own["found"], found[name]["found"]), *zip(own["slope"], found[name]["slope"], strict=True)]
        if any(abs(one - other) > NEAR * int(problem[-1]) for one, other in pairs):
            raise SystemExit(f"{' '.join(problem)}: ours and {name}'s, value and slopes: {pairs}")


def rows_of(problem: tuple[str, ...], found: dict[str, Told]) -> list[tuple[object, ...]]:
    kernel, kind, size = problem
    rows: list[tuple[object, ...]] = []
    for what, words in (("value", "value"), ("gradient", "value and gradient")):
        seconds = [found[name][what] for name in SIDES]
        off = [f"{found[name]['found'] - found['ours']['found']:.1g}" for name in SIDES[1:]]
        ratios = [f"{each / seconds[0]:.2g}" for each in seconds[1:]]
        rows.append((kernel, kind, f"{int(size):,}", words, *(f"{1e3 * each:.3g}" for each in seconds), *ratios, *off))
    return rows


def measured(sizes: list[int], engine: str) -> str:
    """The table, with a sentence before it."""
    rows: list[tuple[object, ...]] = []
    versions: dict[str, str] = {}
    for problem in [(kernel, kind, str(size)) for kernel in KERNELS for kind in TIMES for size in sizes]:
        rounds = [{name: side(name, engine, problem) for name in SIDES} for _ in range(ROUNDS)]
        found = {name: best([each[name] for each in rounds]) for name in SIDES}
        agree(found, problem)
        versions |= {name: found[name]["version"] for name in SIDES[1:]}
        rows += rows_of(problem, found)
        print(*rows[-2:], sep="\n", flush=True)
    peers = " and ".join(f"{name} {version}" for name, version in versions.items())
    return (
        f"{peers}; celerite2's Matérn is an approximation. Variance {VARIANCE:g}, length-scale {LENGTHSCALE:g} steps, noise "
        f"{NOISE:g}; our engine is `{engine}`. Processor milliseconds of one thread, the least of {ROUNDS} rounds in turns; "
        f"gradients in three parameters.\n\n{table(HEAD, rows)}"
    )
