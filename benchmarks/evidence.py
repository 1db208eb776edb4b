"""How fast and how tight the evidence is, beside GPflow's SGPR and scikit-learn's exact Gaussian process in the same run.

    python benchmarks/evidence.py                 our columns, and the peers' where their environment exists
    python benchmarks/evidence.py --make-peers    make that environment first (.venv-peers: GPflow, scikit-learn)
    python benchmarks/evidence.py --only PART     gradients, fits, upper, memory or width
    python benchmarks/evidence.py --quick         a small part, for a look

Every measurement is a process of its own with its own number of threads; the best of several repeats counts. Seconds of one
machine mean little, so the table gives ratios. Each result replaces its section of RESULTS.md.
"""

import argparse
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

from report import machine, table, write

HERE = Path(__file__).resolve().parent
PEERS = HERE.parent / ".venv-peers"
ROUNDS = 2


def child(python: Path, script: str, *args: str, threads: int = 1) -> dict[str, float]:
    """Run one measurement in a process of its own, on as many cores as it has threads."""
    count = str(threads)
    env = {**os.environ, "OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count, "NUMBA_NUM_THREADS": count}
    done = subprocess.run([python, HERE / script, *args], capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        raise SystemExit(f"{script} {' '.join(args)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def ours(task: str, threads: int, problem: str, backend: str = "numba") -> dict[str, float]:
    return child(Path(sys.executable), "ours.py", task, problem, backend, threads=threads)


def peer(script: str, task: str, threads: int, problem: str) -> dict[str, float] | None:
    python = PEERS / "bin" / "python"
    return child(python, f"peers/{script}.py", task, str(threads), problem, threads=threads) if python.exists() else None


def best(*calls: object) -> list[dict[str, float] | None]:
    """All measurements of one row, in turn, several times over; the fastest of each, so that a busy minute hurts all alike."""
    rounds = [[call() for call in calls] for _ in range(ROUNDS)]  # type: ignore[operator]
    return [min(each, key=lambda r: r["seconds"]) if each[0] else None for each in zip(*rounds, strict=True)]


def ms(result: dict[str, float] | None) -> str:
    return "–" if result is None else f"{1e3 * result['seconds']:.0f}"


def ratio(peer_: dict[str, float] | None, own: dict[str, float]) -> str:
    return "–" if peer_ is None else f"{peer_['seconds'] / own['seconds']:.1f}"


def gradients(problems: list[str], threads: list[int]) -> str:
    rows = []
    for problem in problems:
        for count in threads:
            fast, plain, flow = best(
                lambda p=problem, t=count: ours("gradient", t, p),
                lambda p=problem, t=count: ours("gradient", t, p, "numpy"),
                lambda p=problem, t=count: peer("gpflow_sgpr", "gradient", t, p),
            )
            limit = fast["seconds"] / fast["flops_seconds"]
            apart = "–" if flow is None else f"{abs(flow['value'] - fast['value']):.1e}"
            rows.append(
                [problem, count, ms(fast), ms(plain), ms(flow), ratio(flow, fast), ratio(flow, plain), f"{limit:.2f}", apart]
            )
    head = [
        "problem",
        "threads",
        "numba ms",
        "numpy ms",
        "GPflow ms",
        "GPflow / numba",
        "GPflow / numpy",
        "time / 3Nm² flops",
        "values differ by",
    ]
    return table(head, rows)


def fits(threads: list[int]) -> str:
    rows = []
    for count in threads:
        own, flow = best(lambda t=count: ours("fit", t, "fit-100"), lambda t=count: peer("gpflow_sgpr", "fit", t, "fit-100"))
        rows.append(["ten restarts of 50 steps, inducing, N=2000, m=100 (GPflow)", count, ms(own), ms(flow), ratio(flow, own)])
        own, learn = best(
            lambda t=count: ours("fit_exact", t, "exact-500"), lambda t=count: peer("sklearn_exact", "fit", t, "exact-500")
        )
        rows.append(
            ["ten restarts of 50 steps, exact, N=500 (scikit-learn, one SE)", count, ms(own), ms(learn), ratio(learn, own)]
        )
        own, learn = best(
            lambda t=count: ours("gradient_exact", t, "exact-500"),
            lambda t=count: peer("sklearn_exact", "gradient", t, "exact-500"),
        )
        rows.append(["exact value and gradient, N=500 (scikit-learn, one SE)", count, ms(own), ms(learn), ratio(learn, own)])
    return table(["what", "threads", "ours ms", "peer ms", "peer / ours"], rows)


def uppers() -> str:
    rows = []
    for backend in ("numba", "numpy"):
        own, step, flow = best(
            lambda b=backend: ours("upper", 1, "power-320", b),
            lambda b=backend: ours("gradient", 1, "power-320", b),
            lambda: peer("gpflow_sgpr", "upper", 1, "power-320"),
        )
        loose = "–" if flow is None else f"{flow['value'] - own['value']:.1f}"
        rows.append(
            [
                backend,
                ms(own),
                f"{own['seconds'] / step['seconds']:.1f}",
                f"{own['slack']:.1e}",
                own["iterations"],
                ms(flow),
                loose,
            ]
        )
    head = [
        "backend",
        "ours ms",
        "in value+gradients",
        "certificate, nats",
        "CG iterations",
        "GPflow ms",
        "GPflow's bound above ours, nats",
    ]
    return table(head, rows)


def memory() -> str:
    rows = [[backend, f"{ours('memory', 1, 'series-160', backend)['megabytes']:.0f}"] for backend in ("numba", "numpy")]
    return table(["backend", "added MB"], rows)


def tightness() -> str:
    rows = []
    for noise in ("0.3", "0.06"):
        found = ours("tighten", 1, "fit-100", noise)
        rows.append([noise, f"{found['paper']:.2f}", f"{found['tight']:.3f}", f"{found['paper'] / found['tight']:.1f}"])
    return table(["noise variance", "paper's width, nats", "ours", "narrower by"], rows)


def make_peers() -> None:
    venv.create(PEERS, with_pip=True)
    subprocess.run([PEERS / "bin" / "python", "-m", "pip", "install", "--quiet", "gpflow", "scikit-learn"], check=True)


PARTS = {
    "gradients": (
        "Value and gradient of the lower bound",
        "`power`: N=9568, four inputs, `SE1+SE2*LIN3+PER4`; `series`: N=38070, one input, `SE*PER+SE*(PER+LIN)`; the number is m."
        " GPflow differentiates the same bound, at the same jitter.",
        lambda: gradients(["power-320", "series-160", "power-640"], [1, 2]),
    ),
    "fits": ("Fits", "Ten restarts, and one evaluation of the exact value.", lambda: fits([1, 2])),
    "upper": (
        "The upper bound",
        "N=9568, m=320, one thread, stopped at a certificate of 0.1 nats; GPflow's is Titsias' analytic bound.",
        uppers,
    ),
    "memory": ("Memory of the lower bound with gradient", "N=38070, m=640.", memory),
    "width": ("Width of the interval", "N=2000, four inputs, m=320, data drawn from a product of four SE.", tightness),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--make-peers", action="store_true", help="make the peers' environment first")
    options.add_argument("--only", choices=PARTS, help="measure this part alone")
    options.add_argument("--quick", action="store_true", help="one problem on one thread; writes nothing")
    given = options.parse_args()
    if given.make_peers:
        make_peers()
    if given.quick:
        print(gradients(["power-320"], [1]))
        return
    for name in [given.only] if given.only else PARTS:
        title, what, measure = PARTS[name]
        rate = ours("rate", 1, "power-640")["gigaflops"]
        where = f"{machine()}; dgemm {rate:.0f} Gflop/s on one thread; best of {ROUNDS} rounds of several repeats."
        result = f"{what} {where}\n\n{measure()}"
        print(f"## {title}\n\n{result}\n", flush=True)
        write(f"evidence.py --only {name}", title, result)


if __name__ == "__main__":
    main()
