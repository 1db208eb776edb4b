"""The bounds against the number of inducing points, fixed and learned, on solar, mauna and concrete.

The paper's first figure and its companions. For every m: the lower bound at its optimum from each of ten starts; at the best of
them the exact value, the paper's upper bound and our interval; the log-determinant's share with its Nyström bound from above and
what random Fourier features make of it; and the quadratic's share after m iterations of conjugate gradients, plain and
preconditioned three ways, with the iterations that each needs until it is certified. Kernels are those of the paper's CKS.
"""

import math
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, Settings, by_points, draw, load, settings
from kernelscribe.engines.choose import prepare
from kernelscribe.engines.exact.likelihood import likelihood
from kernelscribe.engines.fourier import features, nld
from kernelscribe.engines.inducing.cg import quadratic
from kernelscribe.engines.inducing.points import place
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.noises import Constant

KERNELS = {"solar": "SE*PER", "mauna": "(SE + PER)*SE + LIN", "concrete": "SE1 + SE8 + SE4"}
PLACEMENTS = ("random", "learned")
PRECONDITIONERS = ("none", "nystrom", "fic", "pic")
MEMORY = 2e9
# Nats to which the quadratic is to be certified when iterations are counted.
CLOSE = 0.1


def climb(m: int, placement: str, seed: int) -> dict[str, Any]:
    """Options of one climb from one of the paper's starts."""
    return {
        "engine": "inducing", "inducing": m, "placement": placement, "seed": seed,
        "restarts": 1, "starts": "paper", "ladder": "off", "exact_limit": 5000,
    }  # fmt: skip


def best_exact(data: ks.Dataset, kernel: str, starts: int, seed: int) -> float | None:
    return ks.fit_kernel(kernel, data.X, data.y, engine="exact", restarts=starts, seed=seed).evidence.exact


def climbed(data: ks.Dataset, kernel: str, m: int, placement: str, seed: int) -> dict[str, Any]:
    """The lower bound's optimum from one of the paper's starts, and the interval there."""
    found = ks.fit_kernel(kernel, data.X, data.y, **climb(m, placement, seed))
    return {
        "start": seed, "lower": found.evidence.paper.lower, "upper": found.evidence.paper.upper, "exact": found.evidence.exact,
        "our lower": found.evidence.interval.lower, "our upper": found.evidence.interval.upper,
        "kernel": ks.text(found.expr, values=True), "noise": found.noise.level, "seconds": found.seconds,
    }  # fmt: skip


def points(data: ks.Dataset, kernel: str, m: int, placement: str, seed: int) -> np.ndarray:
    """Where that climb's inducing points are; a fit does not tell where it has moved them, so it is climbed again."""
    if placement == "random":
        return place(data.X, m, "random", np.random.default_rng([seed, 1]))
    config, expr = ks.Config(**climb(m, placement, seed)), ks.parse(kernel, inputs=data.X.shape[1])
    engine = prepare(data, config)
    ladder = Ladder.of(data, config, engine)
    top = max(ladder.polish(expr, ladder.screen(expr, None)), key=lambda each: each.value)
    return top.u[-engine.extra.size :].reshape(-1, data.X.shape[1])


def pieces(data: ks.Dataset, kernel: str, at: dict[str, Any], m: int, placement: str) -> dict[str, Any]:
    """Log-determinant and quadratic apart, at the best values, with the inducing points that these were found with."""
    expr = ks.parse(at["kernel"])
    form, theta, s2, sums = Form.of(expr), pack(expr), float(at["noise"]), arithmetic("auto")
    side = form.side(data.X, theta)
    K = sums.gram(form, side, side)
    values, y = np.linalg.eigvalsh(K), data.y
    exact_nld = -0.5 * float(np.log(np.maximum(values, 0.0) + s2).sum())
    value = likelihood(K.copy(), y, np.full(len(y), s2), gradient=False).value
    sketch = Sketch.of(sums, form, theta, Constant(s2), data.X, points(data, kernel, m, placement, at["start"]))
    assert sketch is not None  # noqa: S101  (jitter is raised until the points' matrix can be factored)
    low = sketch.lower(y)
    assert low is not None  # noqa: S101
    rng, product, below = np.random.default_rng(at["start"]), sketch.product(MEMORY), sketch.structured("nystrom")
    nips, needed = {}, {}
    for kind in PRECONDITIONERS:
        stand_in = None if kind == "none" else below if kind == "nystrom" else sketch.structured(kind)
        nips[kind] = quadratic(product, y, s2, below, stand_in, slack=0.0, most=m).upper
        whole = quadratic(product, y, s2, below, stand_in, slack=CLOSE, most=4 * len(y))
        needed[kind] = whole.iterations if whole.slack <= CLOSE else None
    return {
        "nld": exact_nld, "nystrom nld": low.nld, "fourier nld": [nld(features(form, side, m, rng), s2) for _ in range(10)],
        "nip": value - exact_nld + 0.5 * len(y) * math.log(2 * math.pi), "nips": nips, "iterations": needed,
    }  # fmt: skip


def main() -> None:
    options = settings("bounds", __doc__)
    sizes, starts = ((10, 20), 2) if options.quick else ((10, 20, 40, 80, 160, 320), 10)
    names = ("solar",) if options.quick else tuple(KERNELS)
    kernels = {name: KERNELS[name] for name in names}
    ledger = Ledger(options, {"kernels": kernels, "inducing": sizes, "starts": starts, "close": CLOSE})
    ledger.total = len(names) * (1 + len(sizes) * len(PLACEMENTS) * (starts + 1))
    table, climbs = [], []
    for name, kernel in kernels.items():
        data = load(options, name)
        top = ledger.cell(f"{name} exact", lambda d=data, k=kernel: best_exact(d, k, starts, options.seed))
        for m in sizes:
            for placement in PLACEMENTS:
                cell, about = f"{name} m={m} {placement}", {"data": name, "m": m, "points": placement}
                ends = [
                    ledger.cell(f"{cell} start {s}", lambda d=data, k=kernel, m=m, p=placement, s=s: climbed(d, k, m, p, s))
                    for s in range(starts)
                ]
                ends = [each for each in ends if math.isfinite(each["lower"])]
                best = max(ends, key=lambda each: each["lower"])
                seen = ledger.cell(f"{cell} pieces", lambda d=data, k=kernel, b=best, m=m, p=placement: pieces(d, k, b, m, p))
                climbs += [{**about, "lower": each["lower"], "seconds": each["seconds"]} for each in ends]
                table.append({**about, "top": top, **_ends(best), **seen, "fourier nld": float(np.mean(seen["fourier nld"]))})
    ledger.finish(_summary(pd.DataFrame(table), pd.DataFrame(climbs)))
    _figures(options, pd.DataFrame(table), pd.DataFrame(climbs))


def _ends(best: dict[str, Any]) -> dict[str, float]:
    return {key: best[key] for key in ("lower", "upper", "exact", "our lower", "our upper")}


def _summary(table: pd.DataFrame, climbs: pd.DataFrame) -> dict[str, Any]:
    spread = climbs.groupby(["data", "m", "points"]).agg(spread=("lower", "std"), seconds=("seconds", "sum"))
    return {"table": table.join(spread, on=["data", "m", "points"]).to_dict("records"), "close": CLOSE}


def _figures(options: Settings, table: pd.DataFrame, climbs: pd.DataFrame) -> None:
    log = by_points(table.m)
    height = alt.Y("nats:Q", scale=alt.Scale(zero=False), title="nats")
    names = {"top": "exact optimum", "lower": "lower bound", "exact": "exact value there", "upper": "upper bound"}
    lines = table.rename(columns=names).melt(["data", "m", "points"], list(names.values()), "what", "nats")
    panels = []
    for (name, placement), part in lines.groupby(["data", "points"], sort=False):
        starts = climbs[(climbs.data == name) & (climbs.points == placement)]
        dots = alt.Chart(starts).mark_point(size=12, color="#888").encode(log, alt.Y("lower:Q", title="nats"))
        drawn = alt.Chart(part).mark_line(point=True).encode(log, height, alt.Color("what:N", title=None))
        panels.append((dots + drawn).properties(width=240, height=160, title=f"{name}, {placement} points"))
    draw(options, alt.concat(*panels, columns=2).resolve_scale(y="independent"), "likelihood")
    shares = pd.concat(
        [table[["data", "m", "points"]].assign(what=what, nats=table[column] - table["nld"])
         for what, column in (("Nyström", "nystrom nld"), ("Fourier", "fourier nld"))]
    )  # fmt: skip
    quadratics = pd.concat(
        [table[["data", "m", "points"]].assign(what="plain" if kind == "none" else kind, nats=[
            row["nips"][kind] - row["nip"] for _, row in table.iterrows()]) for kind in PRECONDITIONERS]
    )  # fmt: skip
    for part, rows, title in (
        ("logdet", shares, "nats above the log-determinant"),
        ("quadratic", quadratics, "nats above the quadratic"),
    ):
        # Beside differences of a millionth of a nat, which are rounding, nothing is to be seen.
        rows["nats"] = rows["nats"].clip(lower=1e-6)
        axis = alt.Y("nats:Q", scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=4, format="~g"), title=title)
        drawn = alt.Chart(rows).mark_line(point=True).encode(log, axis, alt.Color("what:N", title=None))
        draw(options, drawn.properties(width=200, height=160).facet(row="points:N", column="data:N"), part)


if __name__ == "__main__":
    main()
