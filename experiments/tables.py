"""The figures of each experiment as tables in Markdown: pure functions of their summaries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from claims.paper import BIC, HOURS, SECONDS

__all__ = ["TABLES"]

Summary = Mapping[str, Any]
Row = Mapping[str, Any]
# The head of a column, and the key or the function that gives its cells.
Columns = Mapping[str, str | Callable[[Any], Any]]


def table(columns: Columns, rows: Iterable[Row]) -> str:
    """One table; numbers are told to four digits."""
    cells = [[each(row) if callable(each) else row[each] for each in columns.values()] for row in rows]
    return _lines([list(columns), ["---"] * len(columns), *cells])


def _lines(lines: Iterable[Sequence[Any]]) -> str:
    return "\n".join("| " + " | ".join(_told(cell) for cell in line) + " |" for line in lines)


def _told(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"
    return str(value)


def _kernel(row: Row) -> str:
    return f"`{row['kernel']}`"


def bounds(summary: Summary) -> str:
    about: Columns = {
        "data": "data", "m": "m", "points": lambda row: "fixed" if row["points"] == "random" else "learned",
    }  # fmt: skip
    ends: Columns = {
        "exact optimum": "top", "lower": "lower", "exact there": "exact", "upper": "upper", "our lower": "our lower",
        "our upper": "our upper", "spread of the starts": "spread", "seconds": "seconds",
    }  # fmt: skip
    kinds = {kind: "plain" if kind == "none" else kind for kind in summary["table"][0]["nips"]}
    shares: Columns = {
        "Nyström": lambda row: row["nystrom nld"] - row["nld"],
        "Fourier": lambda row: row["fourier nld"] - row["nld"],
        # What is left below zero is rounding.
        **{f"{name}, after m": lambda row, k=kind: max(row["nips"][k] - row["nip"], 0.0) for kind, name in kinds.items()},
        **{f"{name}, iterations": lambda row, k=kind: row["iterations"][k] for kind, name in kinds.items()},
    }
    return (
        f"Log marginal likelihood of the standardised data, in nats.\n\n{table({**about, **ends}, summary['table'])}\n\n"
        "Nats above the exact share of the log-determinant, and above that of the quadratic after m iterations; and iterations "
        f"until the quadratic is certain to {summary['close']:g} nats.\n\n{table({**about, **shares}, summary['table'])}"
    )


def inducing_sets(summary: Summary) -> str:
    ends = ("lower", "upper", "our lower", "our upper")
    columns = {end: lambda row, e=end: f"{row[f'{e} gap']:.3g} ± {row[f'{e} spread']:.2g}" for end in ends}
    return (
        "Distance from the exact value in nats, mean ± standard deviation over "
        f"{summary['sets']} sets of {summary['inducing']} points.\n\n"
        + table({"kernel": _kernel, **columns}, summary["table"])
    )  # fmt: skip


def small(summary: Summary) -> str:
    rounds = [
        {"data": name, "strategy": strategy.upper(), **each}
        for name, both in summary["searches"].items()
        for strategy, told in both["rounds"].items()
        for each in told
    ]
    searches: Columns = {
        "data": "data", "strategy": "strategy", "depth": "depth", "kernel": _kernel, "lower": "lower", "upper": "upper",
    }  # fmt: skip
    cells = {(row["data"], row["kernel"], row["m"]): row for row in summary["trees"]}
    kernels = {(row["data"], row["kernel"]): row for row in summary["trees"]}

    def interval(row: Row, m: int) -> str | None:
        found = cells.get((row["data"], row["kernel"], m))
        return found and f"{found['lower']:.1f} .. {found['upper']:.1f}"

    sizes = sorted({row["m"] for row in summary["trees"]})
    tree = {"data": "data", "depth": "depth", "kernel": _kernel, **{f"m = {m}": lambda row, m=m: interval(row, m) for m in sizes}}
    return (
        f"The best kernel by the end of each round, with its BIC in nats.\n\n{table(searches, rounds)}\n\n"
        f"The trees of SKC: BIC of every kernel for several numbers of inducing points.\n\n{table(tree, kernels.values())}"
    )


def power(summary: Summary) -> str:
    rounds = [row for each in summary["ways"].values() for row in each["rounds"]]
    columns: Columns = {
        "search": "way", "depth": "depth", "kernel": _kernel, "lower": "lower", "upper": "upper", "exact BIC": "exact",
        "hours": lambda row: row["seconds"] / 3600,
    }  # fmt: skip
    hours = [
        [f"SKC, m = {m}", *map(each["hours"].get, "12"), *HOURS.get(m, (None, None))] for m, each in summary["hours"].items()
    ]
    if "cks" in summary:
        hours.append(["CKS, extrapolated", None, summary["cks"]["hours"], *HOURS["cks"]])
    head = ["hours to", "depth 1", "depth 2", "paper, depth 1", "paper, depth 2"]
    return (
        f"The best kernel by the end of each round. The paper ends with an exact BIC of {BIC['skc']} by SKC and {BIC['skc-lb']} "
        f"by SKC-LB.\n\n{table(columns, rounds)}\n\n{_lines([head, ['---'] * len(head), *hours])}"
    )


def hourly(summary: Summary) -> str:
    columns: Columns = {
        "data": "data", "search": "way", "kernel": _kernel,
        "values": lambda row: "; ".join(_leaf(leaf) for leaf in row["values"]),
        "periods": lambda row: "; ".join(f"{what}: {how}" for what, how in row["found"].items()),
        "depth": "depth", "minutes": lambda row: row["seconds"] / 60, "cut off": lambda row: row["stopped"] or "no",
        "BIC on all rows": lambda row: " to ".join(f"{end:,.1f}" for end in row["by waves"]),
    }  # fmt: skip
    about = (
        "Variances are those of the standardised target. The BIC is bounded by waves, whatever the search went by. The paper's "
        "kernel was not searched for: it was climbed to from the values in its table, with as many points as SKC has; on tides "
        "from their periods in nature, without the two factors that the paper calls negligible."
    )
    return f"{about}\n\n{table(columns, summary['searches'])}"


def _leaf(leaf: Row) -> str:
    values = [_value(key, value) for key, value in leaf.items() if key not in ("kind", "variance")]
    return f"{leaf['kind']} (σ² {leaf['variance']:.2g}, {', '.join(values)})"


def _value(key: str, value: float) -> str:
    """As "period 105 days"; a location is a year."""
    name, _, unit = key.partition(", ")
    return f"{name} {f'{value:.1f}' if name == 'location' else _told(value)} {unit}".rstrip()


def times(summary: Summary) -> str:
    columns: Columns = {
        "data": "data", "what": "what", "m": lambda row: row["m"] or None,
        "seconds, mean ± standard deviation": lambda row: f"{row['mean']:.3g} ± {row['std']:.2g}",
        "paper, mean": lambda row: SECONDS.get((row["data"], row["what"], row["m"])),
    }  # fmt: skip
    return (
        "Seconds of the processor. `lower` and `learned` are climbs of the lower bound, `logdet` and `quadratic` the halves of "
        f"the upper one; {summary['runs']} runs.\n\n{table(columns, summary['table'])}"
    )


def hyperparameters(summary: Summary) -> str:
    off = summary["mean distance of log values"]
    return "Mean distance of the logarithms of all values from those of the exact optimum.\n\n" + table(
        {f"m = {m}": lambda row, m=m: float(row[m]) for m in off}, [off]
    )


def prior(summary: Summary) -> str:
    columns: Columns = {
        "engine": "engine", "priors": "priors", "start": "start", f"length-scale, {summary['unit']}": "lengthscale",
        "variance": "variance", "noise": "noise", "exact evidence, nats": "exact", "smooth": "smooth",
    }  # fmt: skip
    return f"Smooth are length-scales beyond {summary['smooth beyond']:.1f} {summary['unit']}.\n\n" + table(
        columns, summary["fits"]
    )


def slopes(summary: Summary) -> str:
    columns: Columns = {
        "data": "data", "priors": "priors", "points": "way", "period, years": lambda row: f"{row['period']:.4f}",
        "length-scale of SE, years": lambda row: row["lengthscales"][0], "slope of LIN": lambda row: row.get("slope"),
        "its location": lambda row: f"{row['location']:.1f}" if "location" in row else None, "evidence, nats": "lower",
    }  # fmt: skip
    return f"Each set is another draw of {summary['inducing']} points.\n\n" + table(columns, summary["fits"])


TABLES: Mapping[str, Callable[[Summary], str]] = {
    "bounds": bounds, "inducing_sets": inducing_sets, "small": small, "power": power, "hourly": hourly, "times": times,
    "hyperparameters": hyperparameters, "prior": prior, "slopes": slopes,
}  # fmt: skip
