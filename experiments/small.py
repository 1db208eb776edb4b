"""The search on solar, mauna and concrete: CKS on exact values beside SKC with 80 inducing points, and the trees of SKC.

The paper's figure of both searches to depth 6, and its trees with intervals for several m. Kernels grow at their root, as the
paper has it. Claims: the kernels that SKC chooses are near the top of CKS's list; the right structure is found with few inducing
points. What SKC has chosen is ranked by its exact BIC, at the optimum of the exact marginal likelihood, among all
that CKS tried; what CKS has chosen is shown as SKC sees it, at the values that CKS finds and at those that SKC gave to the same
kernel.
"""

from typing import Any

import altair as alt
import pandas as pd

import kernelscribe as ks
from harness import Ledger, Settings, draw, load, settings
from searching import bounded_bic, searched

NAMES = ("solar", "mauna", "concrete")
# As deep as the paper draws its trees.
TREES = {"solar": 2, "mauna": 2, "concrete": 1}
# Nats within which two fits of a kernel are the same.
SAME = 0.1
ALIKE = {"moves": "root", "count": "paper"}
SKC = {"strategy": "skc", "engine": "inducing", **ALIKE}


def refitted(data: ks.Dataset, kernel: str, seed: int) -> float:
    """The exact BIC of a kernel's structure, at the optimum of the exact marginal likelihood."""
    return ks.fit_kernel(kernel, data.X, data.y, engine="exact", count="paper", seed=seed).bic.lower


def main() -> None:
    options = settings("small", __doc__)
    names, depth, m, sizes = (("solar",), 2, 20, (10, 20)) if options.quick else (NAMES, 6, 80, (10, 20, 40, 80, 160, 320))
    ledger = Ledger(options, {"data": names, "depth": depth, "inducing": m, "trees": sizes, **ALIKE})
    ledger.total = len(names) * (4 + len(sizes))
    summary: dict[str, Any] = {"inducing": m, "depth": depth, "trees": [], "searches": {}}
    kept = []
    # Trees first: they take minutes, CKS on concrete takes most of an hour.
    for name in names:
        data = load(options, name)
        for size in sizes:
            key, most = f"{name} tree m={size}", min(depth, TREES[name])
            tree = ledger.cell(key, lambda d=data, s=size, k=key, n=most: searched(options, k, d, depth=n, inducing=s, **SKC))
            summary["trees"] += [{"data": name, "m": size, **each} for each in tree["kernels"]]
        ledger.tell(summary)
    for name in names:
        data = load(options, name)
        key = f"{name} skc"
        skc = ledger.cell(key, lambda d=data, k=key: searched(options, k, d, depth=depth, inducing=m, **SKC))
        exact = ledger.cell(f"{name} skc exact", lambda d=data, k=skc["chosen"]: refitted(d, k, options.seed))
        key = f"{name} cks"
        cks = ledger.cell(
            key, lambda d=data, k=key: searched(options, k, d, depth=depth, strategy="cks", engine="exact", **ALIKE)
        )
        bounded = ledger.cell(f"{name} cks bounded", lambda d=data, c=cks: bounded_bic(d, c["values"], c["noise"], m))
        summary["searches"][name] = _compared(cks, skc, exact) | {"cks bounded": bounded}
        ledger.tell(summary)
        for strategy, found in (("CKS", cks), ("SKC", skc)):
            kept += [
                {"data": name, "strategy": strategy, "picked": each["kernel"] == found["chosen"], **each}
                for each in found["kernels"]
                if each["grew"] or each["kernel"] == found["chosen"]
            ]
    ledger.finish(summary)
    _figure(options, pd.DataFrame(kept), "search", "strategy:N")
    _figure(options, pd.DataFrame(summary["trees"]), "trees", "m:O")


def _compared(cks: dict[str, Any], skc: dict[str, Any], exact: float) -> dict[str, Any]:
    order = sorted((each["lower"] for each in cks["kernels"]), reverse=True)
    return {
        "cks": cks["chosen"], "skc": skc["chosen"], "cks bic": cks["bic"][0], "skc bic": skc["bic"], "skc exact bic": exact,
        "cks by skc": next(([each["lower"], each["upper"]] for each in skc["kernels"] if each["kernel"] == cks["chosen"]), None),
        "rank": 1 + sum(each > exact + SAME for each in order), "kernels": len(order), "base bic": _base(cks),
        "seconds": {"cks": cks["seconds"], "skc": skc["seconds"]},
        "evaluations": {"cks": cks["evaluations"], "skc": skc["evaluations"]},
        "rounds": {
            strategy: [{key: each[key] for key in ("depth", "kernel", "lower", "upper")} for each in found["rounds"]]
            for strategy, found in (("cks", cks), ("skc", skc))
        },
    }  # fmt: skip


def _base(cks: dict[str, Any]) -> float:
    """Of the best base kernel, from where both searches begin."""
    return max(each["lower"] for each in cks["kernels"] if each["depth"] == 1)


def _figure(options: Settings, frame: pd.DataFrame, part: str, column: str) -> None:
    order = list(dict.fromkeys(frame.sort_values("depth").kernel))
    base = alt.Chart().encode(
        alt.Y("kernel:N", sort=order, title=None, axis=alt.Axis(labelLimit=300)),
        alt.Color("depth:O", scale=alt.Scale(scheme="viridis")),
    )
    width = base.mark_rule(size=5).encode(alt.X("lower:Q", scale=alt.Scale(zero=False), title="BIC, nats"), alt.X2("upper:Q"))
    # Most intervals are too narrow to be seen, so their ends are marked.
    end = base.mark_tick(thickness=2, size=12).encode(alt.X("upper:Q", title="BIC, nats"))
    rows = [
        alt.layer(width, end, data=one).properties(width=160).facet(column=column).properties(title=str(name))
        for name, one in frame.groupby("data", sort=False)
    ]
    draw(options, alt.vconcat(*rows).resolve_scale(x="independent", y="independent"), part)


if __name__ == "__main__":
    main()
