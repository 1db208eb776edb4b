"""A fitted kernel in words and numbers: for the terminal, and as one JSON object. Values are in the user's units."""

from typing import Any

from kernelscribe.evidence.interval import Interval
from kernelscribe.fit.kernel import Fit
from kernelscribe.kernels.algebra import distribute
from kernelscribe.kernels.expression import Leaf, leaves, text

__all__ = ["as_dict", "as_text", "comparison"]


def as_dict(fit: Fit) -> dict[str, Any]:
    """The fit as plain values for JSON; numbers that do not exist are null."""
    inputs = fit.data.X.shape[1]
    terms = distribute(fit.user)
    return {
        "kernel": text(fit.expr, inputs=inputs),
        "terms": [text(term, inputs=inputs) for term in terms],
        "interval": _ends(fit.evidence.interval),
        "exact": fit.evidence.exact,
        "bic": _ends(fit.bic),
        "paper_interval": _ends(fit.evidence.paper),
        "slack": fit.evidence.slack,
        "jitter": fit.evidence.jitter,
        "noise_variance": fit.user_noise,
        "parameters": [_parameters(leaf, fit) for leaf in leaves(fit.user)],
        "components": [
            {
                "text": text(term, inputs=inputs),
                "periods": _values(list(leaves(term)), "PER", "period"),
                "lengthscales": _values(list(leaves(term)), "SE", "lengthscale"),
                "locations": _values(list(leaves(term)), "LIN", "location"),
            }
            for term in terms
        ],
        "n": len(fit.data.y),
        "inputs": list(fit.data.names),
        "target": fit.data.target,
        "engine": fit.engine,
        "at_bound": list(fit.at_bound),
        "evaluations": fit.evaluations,
        "seconds": round(fit.seconds, 3),
        "status": fit.status.name.lower(),
        "message": fit.status.value,
    }


def _ends(interval: Interval) -> dict[str, float | None]:
    finite = float("-inf") < interval.lower and interval.upper < float("inf")
    return {"lower": interval.lower, "upper": interval.upper} if finite else {"lower": None, "upper": None}


def _named(leaf: Leaf) -> dict[str, float]:
    return dict(zip((p.name for p in leaf.base.parameters), leaf.values or (), strict=True))


def _parameters(leaf: Leaf, fit: Fit) -> dict[str, Any]:
    return {"kind": leaf.kind, "input": fit.data.names[leaf.dim - 1], **_named(leaf)}


def _values(parts: list[Leaf], kind: str, name: str) -> list[float]:
    return [_named(leaf)[name] for leaf in parts if leaf.kind == kind]


def as_text(fit: Fit) -> str:
    """A few lines for the terminal."""
    data, found = fit.data, fit.evidence
    inputs = data.X.shape[1]
    lines = [
        f"{text(fit.expr, inputs=inputs)}  explaining {data.target} by {', '.join(data.names)}, {len(data.y):,} rows",
        "",
        f"  evidence        {_range(found.interval)} nats" + ("" if found.exact is None else f", exactly {found.exact:.2f}"),
        f"  BIC             {_range(fit.bic)}",
        f"  noise variance  {fit.user_noise:.4g}",
        "",
    ]
    for leaf in leaves(fit.user):
        numbers = ", ".join(f"{name} {value:.6g}" for name, value in _named(leaf).items())
        lines.append(f"  {leaf.kind + ('' if inputs == 1 else str(leaf.dim)):6} {numbers}")
    lines.append("")
    lines.append(f"  engine {fit.engine}, {fit.evaluations} evaluations in {fit.seconds:.1f} s; status: {fit.status.value}")
    if fit.at_bound:
        lines.append(f"  on the edge of its allowed range: {', '.join(fit.at_bound)}")
    return "\n".join(lines)


def _range(interval: Interval) -> str:
    if interval.width == 0:
        return f"{interval.lower:.2f}"
    return f"between {interval.lower:.2f} and {interval.upper:.2f}"


def comparison(fits: list[Fit]) -> str:
    """A table of kernels, best first by the middle of their BIC intervals."""
    ranked = sorted(fits, key=lambda fit: fit.bic.lower + fit.bic.upper, reverse=True)
    best = ranked[0].bic
    rows = [("kernel", "BIC at least", "at most", "period", "behind the best")]
    for fit in ranked:
        periods = [f"{leaf.values[2]:.4g}" for leaf in leaves(fit.user) if leaf.kind == "PER" and leaf.values]
        gap = best.lower - fit.bic.upper
        behind = "" if fit is ranked[0] else f"{gap:.1f} nats or more" if gap > 0 else "not separated"
        name = text(fit.expr, inputs=fit.data.X.shape[1])
        rows.append((name, f"{fit.bic.lower:.1f}", f"{fit.bic.upper:.1f}", ", ".join(periods), behind))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
