"""The search on solar, mauna and concrete: CKS on exact values beside SKC with 80 inducing points, and the trees of SKC.

The paper's figure of both searches to depth 6, and its trees with intervals for several m. Claims: the kernels that SKC chooses
are near the top of CKS's list; the right structure is found with few inducing points.
"""

import altair as alt
import pandas as pd

import kernelscribe as ks
from harness import Ledger, Settings, draw, load, settings
from searches import searched

CKS, SKC = {"strategy": "cks", "engine": "exact"}, {"strategy": "skc", "engine": "inducing"}
TREES = {"solar": 2, "mauna": 2, "concrete": 1}


def refitted(data: ks.Dataset, kernel: str, seed: int) -> float:
    """Of a kernel's structure, at the optimum of the exact marginal likelihood."""
    return ks.fit_kernel(kernel, data.X, data.y, engine="exact", seed=seed).bic.lower


def main() -> None:
    options = settings("small", __doc__)
    names, depth, m, sizes = (("solar",), 1, 20, (10, 20)) if options.quick else (tuple(TREES), 6, 80, (40, 80, 160))
    ledger = Ledger(options, {"data": names, "depth": depth, "inducing": m, "trees": sizes})
    ledger.total = len(names) * (3 + len(sizes))
    summary, chosen, trees = {}, [], []
    common = {"depth": depth, "moves": "sub", "count": "paper"}
    for name in names:
        data = load(options, name)
        cks = ledger.cell(
            f"{name} cks", lambda d=data, n=name: searched(options, f"{n} cks", d, strategy="cks", engine="exact", **common)
        )
        skc = ledger.cell(
            f"{name} skc",
            lambda d=data, n=name: searched(options, f"{n} skc", d, **SKC, inducing=m, **common),
        )
        exact = ledger.cell(f"{name} skc exact", lambda d=data, k=skc["chosen"]: refitted(d, k, options.seed))
        order = sorted((each["lower"] for each in cks["kernels"]), reverse=True)
        summary[name] = {
            "cks": cks["chosen"], "skc": skc["chosen"], "cks bic": cks["bic"][0], "skc bic": skc["bic"], "skc exact bic": exact,
            "rank of skc among cks": 1 + sum(each > exact for each in order), "kernels of cks": len(order),
            "cks seconds": cks["seconds"], "skc seconds": skc["seconds"],
        }  # fmt: skip
        for strategy, found in (("CKS", cks), ("SKC", skc)):
            grown = [each for each in found["kernels"] if each["grew"] or each["kernel"] == found["chosen"]]
            chosen += [
                {"data": name, "strategy": strategy, "picked": each["kernel"] == found["chosen"], **each} for each in grown
            ]
        for size in sizes:
            tree = ledger.cell(
                f"{name} tree m={size}",
                lambda d=data, s=size, n=name: searched(
                    options,
                    f"{n} tree m={s}",
                    d,
                    strategy="skc",
                    engine="inducing",
                    inducing=s,
                    depth=min(depth, TREES[n]),
                    count="paper",
                ),
            )
            trees += [{"data": name, "m": size, **each} for each in tree["kernels"]]
    ledger.finish(summary)
    _figure(options, pd.DataFrame(chosen), "search", "strategy:N")
    _figure(options, pd.DataFrame(trees), "trees", "m:O")


def _figure(options: Settings, frame: pd.DataFrame, part: str, column: str) -> None:
    bars = alt.Chart(frame).mark_bar(size=8, minBandSize=2).encode(
        alt.Y("kernel:N", sort=alt.EncodingSortField("depth"), title=None),
        alt.X("lower:Q", scale=alt.Scale(zero=False), title="BIC, nats"),
        alt.X2("upper:Q"),
        alt.Color("depth:O"),
    )  # fmt: skip
    chart = bars.properties(width=220).facet(row="data:N", column=column)
    draw(options, chart.resolve_scale(x="independent", y="independent"), part)


if __name__ == "__main__":
    main()
