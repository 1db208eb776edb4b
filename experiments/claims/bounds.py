"""Claims on the bounds: how tight, how steady, how dear."""

from typing import Any

from claims.paper import SECONDS
from claims.verdict import NOT_MEASURED, Claim, Summary, Verdict, median, nats, share

__all__ = ["CLAIMS"]

Row = dict[str, Any]
# Differences below this many nats are rounding, and conjugate gradients that stopped: there is nothing to compare.
NOTHING = 0.01
MOST = 0.9
# Steps that count as few.
FEW = 10
# Times as many that count as many more.
MANY = 3
RECORDED = (10, 20, 40, 80)
_LEARNED = [SECONDS[d, "learned", m] / mean for (d, what, m), mean in SECONDS.items() if what == "lower"]


def _fixed(bounds: Summary) -> list[Row]:
    return [row for row in bounds["table"] if row["points"] == "random"]


def tighter(bounds: Summary, sets: Summary) -> Verdict:
    cells = [(row["upper"] - row["exact"], row["exact"] - row["lower"]) for row in _fixed(bounds)]
    drawn = [(row["upper gap"], row["lower gap"]) for row in sets["table"]]
    told = [(above, below) for above, below in cells + drawn if max(above, below) > NOTHING]
    good = sum(above < below for above, below in told)
    every = sum(above < below for above, below in cells + drawn)
    ours = [row["our upper"] - row["our lower"] for row in _fixed(bounds)]
    return Verdict(
        good > MOST * len(told),
        f"tighter in {share(good, len(told))} cells that tell them apart by {NOTHING:g} nats, and in "
        f"{share(every, len(cells + drawn))} of all; on the three sets the median distance from the exact "
        f"value is {nats(median([above for above, _ in cells]))} nats above and {nats(median([below for _, below in cells]))} "
        f"below, with depth-1 kernels of concrete {nats(median([above for above, _ in drawn]))} and "
        f"{nats(median([below for _, below in drawn]))}; the whole of our interval is {nats(median(ours))} nats wide",
    )


def steadier(sets: Summary) -> Verdict:
    told = [row for row in sets["table"] if max(row["upper spread"], row["lower spread"]) > NOTHING]
    good = sum(row["upper spread"] < row["lower spread"] for row in told)
    spreads = {end: nats(median([row[f"{end} spread"] for row in told])) for end in ("upper", "lower", "our upper", "our lower")}
    same = len(sets["table"]) - len(told)
    every = sum(row["upper spread"] < row["lower spread"] for row in sets["table"])
    return Verdict(
        good > MOST * len(told),
        f"over {sets['sets']} sets of {sets['inducing']} points the upper bound varies less for "
        f"{share(good, len(told))} kernels, by a median of {spreads['upper']} nats against {spreads['lower']}; for {same} more "
        f"neither varies by {NOTHING:g} nats, and with these counted it is {share(every, len(sets['table']))}; our ends vary by "
        f"{spreads['our upper']} and {spreads['our lower']}",
    )


def nystrom(bounds: Summary) -> Verdict:
    rows = bounds["table"]
    good = sum(row["nystrom nld"] < row["fourier nld"] for row in rows)
    return Verdict(
        good == len(rows),
        f"tighter in {share(good, len(rows))} cells, above the exact share by a median of "
        f"{nats(median([row['nystrom nld'] - row['nld'] for row in rows]))} nats, random features by "
        f"{nats(median([row['fourier nld'] - row['nld'] for row in rows]))}",
    )


def preconditioned(bounds: Summary) -> Verdict:
    rows = bounds["table"]
    plain = [row["iterations"]["none"] for row in rows if row["iterations"]["none"] is not None]
    helped = [count for row in rows for kind, count in row["iterations"].items() if kind != "none"]
    if not plain or None in helped:
        return Verdict(False, "some conjugate gradients did not end")
    late = sum(row["nips"]["none"] - row["nip"] > bounds["close"] for row in rows)
    return Verdict(
        max(helped) <= FEW and median(plain) > MANY * median(helped),
        f"to be certain to {bounds['close']:g} nats plain conjugate gradients need {min(plain)} to {max(plain)} iterations "
        f"(median {median(plain):g}), preconditioned ones {min(helped)} to {max(helped)} (median {median(helped):g}); after m "
        f"iterations plain ones are still further away in {share(late, len(rows))} cells",
    )


def learned(bounds: Summary) -> Verdict:
    fixed = _fixed(bounds)
    moved = [row for row in bounds["table"] if row["points"] == "learned"]
    beaten, gains, costs = 0, [], []
    for row in moved:
        rivals = [each for each in fixed if each["data"] == row["data"]]
        (twin,) = [each for each in rivals if each["m"] == row["m"]]
        gains.append(row["lower"] - twin["lower"])
        costs.append(row["seconds"] / twin["seconds"])
        beaten += any(each["seconds"] <= row["seconds"] and each["lower"] >= row["lower"] for each in rivals)
    stuck = sum(gain < -1 for gain in gains)
    holds = beaten > 0.5 * len(moved)
    return Verdict(
        holds,
        f"fixed points reach a higher bound in no more time in {share(beaten, len(moved))} cells. With as many points learning "
        f"takes {median(costs):.1f} times as long (median) and gains {nats(median(gains))} nats (median); in "
        f"{share(stuck, len(moved))} it ends more than a nat lower, stuck",
        ""
        if holds
        else f"A climb that moves the points costs {min(costs):.1f} to {max(costs):.1f} times as much here, in the paper up to "
        f"{max(_LEARNED):.0f} times: the gradient of the points shares the work of that of the kernel.",
    )


def dominates(times: Summary) -> Verdict:
    mean = {(row["data"], row["what"], row["m"]): row["mean"] for row in times["table"]}
    cells = [(data, m) for data, what, m in mean if what == "lower"]
    ratios = [(mean[d, "logdet", m] + mean[d, "quadratic", m]) / mean[d, "lower", m] for d, m in cells]
    return Verdict(
        max(ratios) < 1,
        f"both halves of the upper bound together take {min(ratios):.2g} to {max(ratios):.2g} of the time of one climb of the "
        f"lower bound (median {median(ratios):.2g})",
    )


def cheaper(times: Summary) -> Verdict:
    mean = {(row["data"], row["what"], row["m"]): row["mean"] for row in times["table"]}
    cells = [(data, m) for data, what, m in mean if what == "lower" and m in RECORDED]
    if not cells:
        return NOT_MEASURED
    gains = {(d, m): mean[d, "exact", 0] / sum(mean[d, what, m] for what in ("lower", "logdet", "quadratic")) for d, m in cells}
    slower = [f"{d} with {m} points" for (d, m), gain in gains.items() if gain <= 1]
    return Verdict(
        not slower,
        f"a climb of the exact value takes {min(gains.values()):.1f} to {max(gains.values()):.1f} times as long (median "
        f"{median(list(gains.values())):.1f})" + (f"; not longer on {', '.join(slower)}" if slower else ""),
    )


CLAIMS = (
    Claim(
        "tighter",
        "The upper bound is tighter than the lower one.",
        "seen in its figures 1 and 2",
        "in more than nine tenths of the cells",
        ("bounds", "inducing_sets"),
        tighter,
        "that differences below a hundredth of a nat do not count",
    ),
    Claim(
        "steadier",
        "The upper bound depends less on which inducing points were drawn.",
        "seen in its figure 2",
        "for more than nine tenths of the kernels",
        ("inducing_sets",),
        steadier,
        "that differences below a hundredth of a nat do not count",
    ),
    Claim(
        "nystrom",
        "Nyström bounds the log-determinant more tightly than random Fourier features.",
        "seen in its figure 1",
        "in every cell",
        ("bounds",),
        nystrom,
    ),
    Claim(
        "preconditioned",
        "Preconditioned conjugate gradients need few iterations where plain ones need many.",
        "tight after m iterations with every preconditioner, plain ones not on Mauna Loa",
        "ten iterations at most, and a third of the plain ones' or less (medians)",
        ("bounds",),
        preconditioned,
    ),
    Claim(
        "learned",
        "Learning inducing points is not worth its cost.",
        f"{min(_LEARNED):.0f} to {max(_LEARNED):.0f} times as long, and no vast improvement",
        "in more than half of the cells fixed points reach more in the same time",
        ("bounds",),
        learned,
        "that fixed points are compared at equal time, not at equal number, where learning gains",
    ),
    Claim(
        "dominates",
        "The climb of the lower bound dominates the cost.",
        "9.7 s against 0.03 s on solar with 80 points",
        "in every cell",
        ("times",),
        dominates,
    ),
    Claim(
        "cheaper",
        "Up to 80 inducing points both bounds together cost less than the exact Gaussian process.",
        "29 s against 9.7 s on solar, 404 s against 47 s on concrete, with 80 points",
        "in every cell",
        ("times",),
        cheaper,
    ),
)
