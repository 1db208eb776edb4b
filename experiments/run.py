"""All experiments, the cheap ones first. What is done already is not done again.

    python experiments/run.py --data DIR [--out DIR] [--seed N]

Before it begins it says how long each took where the kept results were measured.
"""

import json
import signal
import subprocess
import sys
from pathlib import Path

__all__ = ["EXPERIMENTS", "estimates"]

HERE = Path(__file__).resolve().parent
# From cheap to costly, with what each is about.
EXPERIMENTS = {
    "prior": "SE on solar irradiance under strong, weak and no priors, from sensible and from naive starts.",
    "slopes": "Periods and slopes of solar and mauna with 40 inducing points.",
    "hyperparameters": "Values found by the lower bound on 500 rows of the power plant, beside the exact ones.",
    "inducing_sets": "Both bounds of depth-1 kernels of concrete over ten sets of inducing points.",
    "times": "Seconds of the exact Gaussian process, of both bounds, and of learning the inducing points.",
    "bounds": "Both bounds against the number of inducing points, fixed and learned, and what they are made of.",
    "small": "CKS beside SKC on solar, mauna and concrete, and the trees of SKC for several numbers of inducing points.",
    "power": "SKC beside SKC-LB on the power plant, and run times beside those of CKS.",
    "hourly": "Hourly loads and tides: SKC, our default on waves, the lower bound alone, and CKS on subsets.",
}
# Minutes on two cores where there is no measurement of the whole yet.
GUESSES = {"small": 60, "power": 50, "hourly": 90}


def estimates(results: Path) -> dict[str, float]:
    """Minutes that each experiment takes: as measured, or as guessed where it never ended."""
    found = {}
    for name in EXPERIMENTS:
        path = results / f"{name}.json"
        whole = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        measured = whole["seconds"] / 60 if whole else 0.0
        found[name] = measured if whole and whole["complete"] else max(measured, GUESSES.get(name, 30.0))
    return found


def run(command: list[str]) -> int:
    """A script to its end, and its exit code. Asked to end, it is the script that is ended."""
    with subprocess.Popen(command) as child:  # noqa: S603  (our own scripts)
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        try:
            code = child.wait()
        except KeyboardInterrupt:
            # By ctrl-C the script has been told as well.
            code = child.wait()
    return code if code >= 0 else 128 - code


def main() -> None:
    minutes = estimates(HERE / "results")
    print(f"{len(minutes)} experiments, some {sum(minutes.values()) / 60:.1f} hours on two cores:", flush=True)
    for name, about in minutes.items():
        print(f"  {name:16} {about:6.1f} minutes  {EXPERIMENTS[name]}", flush=True)
    for number, name in enumerate(minutes, start=1):
        print(f"{number} of {len(minutes)}: {name}", flush=True)
        if code := run([sys.executable, str(HERE / f"{name}.py"), *sys.argv[1:]]):
            raise SystemExit(code)


if __name__ == "__main__":
    main()
