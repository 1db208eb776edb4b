"""Claims on what is fitted: values that converge, priors that keep a kernel smooth, periods and slopes."""

from typing import Any

from claims.paper import PERIODS, SLOPE
from claims.verdict import Claim, Summary, Verdict, median

__all__ = ["CLAIMS"]

# Mean distance of logarithms, below which values are the same: a tenth is ten per cent.
NEAR = 0.1
# Figures agree to three digits within this share.
THREE_FIGURES = 0.005


def converge(hyper: Summary) -> Verdict:
    off = {int(m): value for m, value in hyper["mean distance of log values"].items()}
    least, most = min(off), max(off)
    told = ", ".join(f"{value:.2g} (m={m})" for m, value in sorted(off.items()))
    return Verdict(
        off[most] < NEAR and off[most] < off[least], f"logarithms of values differ from the exact ones by {told} on average"
    )


def smooth(prior: Summary) -> Verdict:
    exact = [row for row in prior["fits"] if row["engine"] == "exact"]
    bound = [row for row in prior["fits"] if row["engine"] != "exact"]
    (strong,) = [row for row in exact if (row["priors"], row["start"]) == ("paper", "draws")]
    (naive,) = [row for row in bound if (row["priors"], row["start"]) == ("paper", "naive")]
    others, few = ([row for row in rows if row["priors"] in ("weak", "none")] for rows in (exact, bound))
    points = naive["engine"]
    return Verdict(
        strong["smooth"] and not any(row["smooth"] for row in others),
        f"on the exact value the strong prior gives a length-scale of {strong['lengthscale']:.0f} {prior['unit']}, weak priors "
        f"and none one of {min(r['lengthscale'] for r in others):.1f} to {max(r['lengthscale'] for r in others):.1f}",
        f"With {points} the lower bound does not follow short waves either: "
        + ("there SE is smooth under every prior" if all(row["smooth"] for row in few) else "there some fits are smooth too")
        + f". From a naive start it may lose the structure altogether, even under the strong prior: its variance is "
        f"{naive['variance']:.1g} and the noise takes {naive['noise']:.0%} of what varies.",
    )


def _ways(slopes: Summary, data: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Fits under the paper's priors: with inducing points, and exact."""
    rows = [row for row in slopes["fits"] if row["data"] == data and row["priors"] == "paper"]
    return [row for row in rows if row["way"] != "exact"], next(row for row in rows if row["way"] == "exact")


def solar(slopes: Summary) -> Verdict:
    drawn, exact = _ways(slopes, "solar")
    periods = sorted(row["period"] for row in drawn)
    middle, paper = median(periods), PERIODS["solar"]
    holds = abs(middle / paper - 1) < THREE_FIGURES
    return Verdict(
        holds,
        f"{middle:.3f} years, the median over {len(periods)} sets of {slopes['inducing']} points ({periods[0]:.3f} to "
        f"{periods[-1]:.3f}), {abs(middle / paper - 1):.1%} from the paper's; at the exact optimum {exact['period']:.3f}",
        ""
        if holds
        else f"The cycle of the sun wanders. The factor SE, whose length-scale is {exact['lengthscales'][0]:.0f} years at the "
        "exact optimum, lets cycles that far apart fall out of step, so that the data do not tell such periods apart: with the "
        f"paper's in place of its own the exact evidence loses {exact['cost']:.1f} nats. Between sets of points the period "
        f"differs by {periods[-1] / periods[0] - 1:.1%}, and the paper tells one run.",
    )


def mauna(slopes: Summary) -> Verdict:
    drawn, exact = _ways(slopes, "mauna")
    period, slope = median([row["period"] for row in drawn]), median([row["slope"] for row in drawn])
    holds = abs(period - PERIODS["mauna"]) < THREE_FIGURES and abs(slope / SLOPE - 1) < THREE_FIGURES
    away = median([abs(row["location"] - row["middle"]) for row in drawn])
    practical = [row["slope"] for row in slopes["fits"] if (row["data"], row["priors"]) == ("mauna", "practical")]
    return Verdict(
        holds,
        f"a period of {period:.4f} years and a slope of {slope:.3f} (medians), least squares {exact['least squares']:.4f}",
        ""
        if holds
        else f"The paper's formula gives the least-squares slope where LIN's location lies in the middle of the record, and less "
        f"elsewhere. Here it lies {away:.1f} years from there, since SE and LIN share the trend and the location is hardly "
        f"determined. Under practical priors slopes are {min(practical):.3f} to {max(practical):.3f}.",
    )


CLAIMS = (
    Claim(
        "converge",
        "Values found by the lower bound converge to the exact ones as inducing points are added.",
        "seen in its figure on 500 rows of the power plant",
        f"within {NEAR:.0%} on average with the most points, and nearer than with the fewest",
        ("hyperparameters",),
        converge,
    ),
    Claim(
        "smooth",
        "A strong prior keeps SE smooth, where weak ones or none let it join the dots.",
        "seen in its figure on solar",
        "smooth with the strong prior and the paper's starts, and with no weaker one, on the exact value",
        ("prior",),
        smooth,
    ),
    Claim(
        "solar",
        "Forty inducing points are enough for the period of solar irradiance.",
        f"{PERIODS['solar']} years",
        "to three figures, in the median",
        ("slopes",),
        solar,
    ),
    Claim(
        "mauna",
        "Forty inducing points are enough for the period and the slope of carbon dioxide.",
        f"{PERIODS['mauna']:.3f} years, slope {SLOPE:.4f}, least squares 1.5149",
        "to three figures, in the median",
        ("slopes",),
        mauna,
    ),
)
