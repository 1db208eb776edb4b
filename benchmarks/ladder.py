"""The fidelity ladder with our starts against ten full restarts of the paper's draws: what it costs and what it loses.

    python benchmarks/ladder.py --data DIR [--seeds 3] [--out FILE]

Both fit the same kernels from nothing, with the same engine and the same priors, one thread, one after the other. The score is
the BIC at the fitted values (its lower end where it is an interval).
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

from kernelscribe import Config, parse
from kernelscribe.data.table import read
from kernelscribe.fit.kernel import fit

CASES = {
    "solar": (Config(), ("SE", "PER", "SE*PER", "SE + SE*PER", "SE*PER + LIN")),
    "mauna": (Config(), ("PER + LIN", "SE + PER", "SE + PER + LIN", "SE*PER + SE + LIN", "(SE + PER)*SE + LIN")),
    "concrete": (Config(inducing=160), ("SE8", "SE1 + SE8", "SE1*SE8 + SE4", "SE1 + SE8 + SE4 + LIN2", "SE1*SE2*SE8 + LIN5")),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", choices=list(CASES))
    args = parser.parse_args()
    print(
        f"{'data':9} {'kernel':26} seed  {'full: BIC':>10} {'s':>6} {'evals':>6}  {'ladder: BIC':>11} {'s':>6} {'evals':>6}  {'gained':>8} {'cheaper':>7}"
    )
    worst, full_time, ladder_time = 0.0, 0.0, 0.0
    for name, (config, kernels) in CASES.items():
        if args.only not in (None, name):
            continue
        data = read(args.data / f"{name}.csv")
        for kernel in kernels:
            expr = parse(kernel, inputs=data.X.shape[1])
            for seed in range(args.seeds):
                rows = []
                for ours in (replace(config, starts="paper", ladder="off", seed=seed), replace(config, seed=seed)):
                    began = time.perf_counter()
                    found = fit(data, expr, replace(ours, exact_limit=0))
                    rows.append((found.bic.lower, time.perf_counter() - began, found.evaluations))
                (full, t_full, n_full), (ours_bic, t_ours, n_ours) = rows
                worst, full_time, ladder_time = min(worst, ours_bic - full), full_time + t_full, ladder_time + t_ours
                print(
                    f"{name:9} {kernel:26} {seed:4}  {full:10.2f} {t_full:6.1f} {n_full:6}  {ours_bic:11.2f} {t_ours:6.1f} {n_ours:6}"
                    f"  {ours_bic - full:8.2f} {t_full / t_ours:7.1f}",
                    flush=True,
                )
    print(f"in all {full_time / ladder_time:.1f} times cheaper; at worst {worst:.2f} nats")


if __name__ == "__main__":
    main()
