"""This version beside another: value with gradient, and a whole run, measured in turns.

    python benchmarks/versions.py --before DIR [--data DIR] [--turns N]

DIR is a checkout of the version before, whose `src` is put in front of this one's in a process of its own. Each turn measures the
one, then the other; what counts is the ratio of the least times, of the processor for values and of the clock for runs.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from report import machine, table, write  # isort: skip

HERE = Path(__file__).resolve().parents[1]
KERNEL = (
    "SE(variance=1, lengthscale=1)*PER(variance=1, lengthscale=1, period=0.17) + SE(variance=0.5, lengthscale=0.3)"
    " + LIN(variance=1, location=0)*PER(variance=1, lengthscale=1, period=0.17)"
)
# Engine, rows and inducing points of the values that are measured.
VALUES = (("exact", 60, None), ("exact", 400, None), ("inducing", 1500, 160), ("spectral", 540, None), ("spectral", 20_000, None))
# One thread; and freed memory is kept, since what is given back has to be cleared anew when it is next asked for, which one
# layout of a process does and another does not: the same code differs by a tenth then.
KEEP = "1000000000"
FAIR = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": KEEP,
    "MALLOC_TRIM_THRESHOLD_": KEEP,
}
VALUE = """
import json, sys, time
import numpy as np
from threadpoolctl import threadpool_limits
import kernelscribe as ks
from kernelscribe.kernels import Form, pack, parse
try:
    from kernelscribe.engines.choose import prepare
except ImportError:
    from kernelscribe.evidence.engine import prepare
kernel, engine, rows, points = json.loads(sys.argv[1])
rng, x = np.random.default_rng(0), np.linspace(0, 20, rows)
data = ks.Dataset.of(x, np.sin(6.28 * x) + 0.05 * x + 0.1 * rng.normal(size=rows))
with threadpool_limits(1):
    prepared = prepare(data, ks.Config(engine=engine, inducing=points))
    expr = parse(kernel)
    form, u = Form.of(expr), np.append(pack(expr), np.log(0.01))
    prepared.objective(form, u)
    best = float("inf")
    for _ in range(12):
        began = time.thread_time()
        for _ in range(3):
            prepared.objective(form, u)
        best = min(best, (time.thread_time() - began) / 3)
print(best)
"""
RUN = """
import json, sys, time
import kernelscribe as ks
began = time.perf_counter()
found = ks.analyse(sys.argv[1])
found.headline
print(json.dumps([time.perf_counter() - began, found.kernel, found.bic.lower]))
"""


def asked(source: Path, code: str, argument: str) -> str:
    """What a process that loads that version prints."""
    environment = {**os.environ, **FAIR, "PYTHONPATH": str(source / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code, argument], env=environment, capture_output=True, text=True, check=True, cwd=source
    )
    return done.stdout.splitlines()[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the version before")
    parser.add_argument("--data", type=Path, help="a folder with mauna.csv, for the whole run")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--dry", action="store_true", help="do not write the results")
    options = parser.parse_args()
    versions = {"before": options.before.resolve(), "now": HERE}
    rows = []
    for engine, number, points in VALUES:
        times: dict[str, list[float]] = {name: [] for name in versions}
        for _ in range(options.turns):
            for name, source in versions.items():
                times[name].append(float(asked(source, VALUE, json.dumps([KERNEL, engine, number, points]))))
        before, now = min(times["before"]), min(times["now"])
        rows.append(
            (f"value and gradient, {engine}, {number:,} rows", f"{before * 1e3:.2f} ms", f"{now * 1e3:.2f} ms", now / before)
        )
    if options.data is not None:
        runs: dict[str, list[tuple[float, str, float]]] = {name: [] for name in versions}
        for _ in range(options.turns):
            for name, source in versions.items():
                runs[name].append(tuple(json.loads(asked(source, RUN, str(options.data / "mauna.csv")))))
        before, now = (min(each[0] for each in runs[name]) for name in versions)
        rows.append(("whole run, mauna", f"{before:.1f} s", f"{now:.1f} s", now / before))
        for name in versions:
            print(f"{name}: {runs[name][0][1]}, BIC {runs[name][0][2]:.1f}")
    text = table(("what", "before", "now", "ratio"), [(*row[:3], f"{row[3]:.2f}") for row in rows])
    print(text)
    if not options.dry:
        write("versions.py", "This version beside the one before", f"{machine()}\n\n{text}")


if __name__ == "__main__":
    main()
