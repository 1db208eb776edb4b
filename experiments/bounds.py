"""The bounds against the number of inducing points, fixed and learned, on solar, mauna and concrete.

The paper's first figure and its companions. For every m: the lower bound at its optimum from each of ten starts; at the best of
them the exact value, the paper's upper bound and our interval; the log-determinant's share with its Nyström bound from above and
what random Fourier features make of it; and the quadratic's share after m iterations of conjugate gradients, plain and
preconditioned three ways. Kernels are those that the paper's CKS found.
"""

import math

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, draw, load, settings
from kernelscribe.evidence.exact import likelihood
from kernelscribe.evidence.fourier import features, nld
from kernelscribe.evidence.inducing.cg import quadratic
from kernelscribe.evidence.inducing.points import place
from kernelscribe.evidence.inducing.sketch import Sketch
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.gram import arithmetic

KERNELS = {"solar": "SE*PER", "mauna": "(SE + PER)*SE + LIN", "concrete": "SE1 + SE8 + SE4"}
PRECONDITIONERS = ("none", "nystrom", "fic", "pic")
MEMORY = 2e9


def best_exact(data: ks.Dataset, kernel: str, starts: int, seed: int) -> float:
    return ks.fit_kernel(kernel, data.X, data.y, engine="exact", restarts=starts, seed=seed).evidence.exact


def climbed(data: ks.Dataset, kernel: str, m: int, placement: str, seed: int) -> dict[str, object]:
    """The lower bound's optimum from one of the paper's starts, and the interval there."""
    found = ks.fit_kernel(
        kernel, data.X, data.y, engine="inducing", inducing=m, placement=placement, seed=seed,
        restarts=1, starts="paper", ladder="off", exact_limit=5000,
    )  # fmt: skip
    return {
        "lower": found.evidence.paper.lower, "upper": found.evidence.paper.upper, "exact": found.evidence.exact,
        "our lower": found.evidence.interval.lower, "our upper": found.evidence.interval.upper,
        "kernel": ks.text(found.expr, values=True), "noise": found.noise, "seconds": found.seconds,
    }  # fmt: skip


def pieces(data: ks.Dataset, at: dict[str, object], m: int, seed: int) -> dict[str, object]:
    """Log-determinant and quadratic apart, at the best values, with fixed points."""
    expr = ks.parse(str(at["kernel"]))
    form, theta, s2, sums = Form.of(expr), pack(expr), float(str(at["noise"])), arithmetic("auto")
    side = form.side(data.X, theta)
    K = sums.gram(form, side, side)
    values, y = np.linalg.eigvalsh(K), data.y
    exact_nld = -0.5 * float(np.log(np.maximum(values, 0.0) + s2).sum())
    value = likelihood(K.copy(), y, s2, gradient=False).value
    exact_nip = value - exact_nld + 0.5 * len(y) * math.log(2 * math.pi)
    Z = place(data.X, m, "random", np.random.default_rng([seed, 1]))
    sketch = Sketch.of(sums, form, theta, s2, data.X, Z)
    assert sketch is not None  # noqa: S101  (jitter is raised until the points' matrix can be factored)
    low = sketch.lower(y)
    assert low is not None  # noqa: S101
    rng, product, below = np.random.default_rng(seed), sketch.product(MEMORY), sketch.structured("nystrom")
    nips = {}
    for kind in PRECONDITIONERS:
        stand_in = None if kind == "none" else below if kind == "nystrom" else sketch.structured(kind)
        nips[kind] = quadratic(product, y, s2, below, stand_in, slack=0.0, most=m).upper
    return {
        "nld": exact_nld, "nystrom nld": low.nld, "fourier nld": [nld(features(form, side, m, rng), s2) for _ in range(10)],
        "nip": exact_nip, "nips": nips,
    }  # fmt: skip


def main() -> None:
    options = settings("bounds", __doc__)
    sizes, starts = ((10, 20), 2) if options.quick else ((10, 20, 40, 80, 160, 320), 10)
    names = ("solar",) if options.quick else tuple(KERNELS)
    kernels = {name: KERNELS[name] for name in names}
    ledger = Ledger(options, {"kernels": kernels, "inducing": sizes, "starts": starts})
    ledger.total = len(names) * (1 + len(sizes) * (2 * starts + 1))
    frames, parts = [], []
    for name, kernel in kernels.items():
        data = load(options, name)
        top = ledger.cell(f"{name} exact", lambda d=data, k=kernel: best_exact(d, k, starts, options.seed))
        for m in sizes:
            for placement in ("random", "learned"):
                climbs = [
                    ledger.cell(
                        f"{name} m={m} {placement} start {s}",
                        lambda d=data, k=kernel, m=m, p=placement, s=s: climbed(d, k, m, p, s),
                    )
                    for s in range(starts)
                ]
                usable = [each for each in climbs if math.isfinite(each["lower"])]
                best = max(usable, key=lambda each: each["lower"])
                frames += [{"data": name, "m": m, "points": placement, "lower": each["lower"]} for each in usable]
                frames[-1] |= {f"best {key}": best[key] for key in ("lower", "upper", "exact", "our lower", "our upper")}
                frames[-1] |= {"top": top, "seconds": sum(each["seconds"] for each in climbs)}
                if placement == "random":
                    seen = ledger.cell(f"{name} m={m} pieces", lambda d=data, b=best, m=m: pieces(d, b, m, options.seed))
                    parts.append({"data": name, "m": m, **seen})
    ledger.finish(_summary(pd.DataFrame(frames), parts))
    _figures(options, pd.DataFrame(frames), parts)


def _summary(frame: pd.DataFrame, parts: list[dict]) -> dict[str, object]:
    best = frame.dropna(subset="best lower")
    fixed, learned = (best[best.points == each].set_index(["data", "m"]) for each in ("random", "learned"))
    gain = learned["best lower"] - fixed["best lower"]
    return {
        "cells": len(fixed),
        "upper tighter": int(((fixed["best upper"] - fixed["best exact"]) < (fixed["best exact"] - fixed["best lower"])).sum()),
        "median gap below": float((fixed["best exact"] - fixed["best lower"]).median()),
        "median gap above": float((fixed["best upper"] - fixed["best exact"]).median()),
        "median width of ours": float((fixed["best our upper"] - fixed["best our lower"]).median()),
        "learned gains, median nats": float(gain.median()),
        "learned costs, median times": float((learned["seconds"] / fixed["seconds"]).median()),
        "spread of starts": {
            each: float(frame[frame.points == each].groupby(["data", "m"]).lower.std().median()) for each in ("random", "learned")
        },
        "fourier looser": int(sum(np.mean(each["fourier nld"]) > each["nystrom nld"] for each in parts)),
        "missing after m iterations": {
            kind: float(np.median([each["nips"][kind] - each["nip"] for each in parts])) for kind in PRECONDITIONERS
        },
    }


def _figures(options, frame: pd.DataFrame, parts: list[dict]) -> None:
    best = frame.dropna(subset="best lower")
    log = alt.X("m:Q", scale=alt.Scale(type="log"), title="inducing points")
    height = alt.Y("nats:Q", scale=alt.Scale(zero=False), title="nats")
    lines = best.melt(["data", "m", "points"], ["top", "best lower", "best exact", "best upper"], "what", "nats")
    dots = alt.Chart().mark_point(size=12, color="#888").encode(log, alt.Y("lower:Q"))
    chart = alt.layer(
        dots,
        alt.Chart(lines).mark_line(point=True).encode(log, height, color="what:N"),
        data=frame,
    ).properties(width=260, height=200)
    panels = [
        chart.transform_filter((alt.datum.data == name) & (alt.datum.points == points)).properties(title=f"{name}, {points}")
        for name in frame.data.unique()
        for points in ("random", "learned")
    ]
    draw(options, alt.concat(*panels, columns=2).resolve_scale(y="independent"), "likelihood")
    nld_rows = [
        {"data": each["data"], "m": each["m"], "what": what, "nats": value}
        for each in parts
        for what, value in (
            ("exact", each["nld"]), ("Nyström", each["nystrom nld"]), ("Fourier", float(np.mean(each["fourier nld"])))
        )
    ]  # fmt: skip
    nip_rows = [
        {"data": each["data"], "m": each["m"], "what": kind, "nats": value - each["nip"]}
        for each in parts
        for kind, value in each["nips"].items()
    ]
    for part, rows in (("logdet", nld_rows), ("quadratic", nip_rows)):
        drawn = alt.Chart(pd.DataFrame(rows)).mark_line(point=True).encode(log, height, color="what:N")
        draw(options, drawn.properties(width=260, height=200).facet("data:N").resolve_scale(y="independent"), part)


if __name__ == "__main__":
    main()
