"""A fitted kernel in words and numbers: for the terminal, and as one JSON object. Values are in the user's units."""

from typing import Any

from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.faces import Face
from kernelscribe.fit.facts import Fit
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.laws import distribute
from kernelscribe.kernels.normal import Term
from kernelscribe.kernels.tree import Expression, Leaf, Owner, leaves, owners, text
from kernelscribe.links import LINKS
from kernelscribe.model.findings import Findings
from kernelscribe.noises import Noise
from kernelscribe.outcome import Outcome, Rival
from kernelscribe.report.description.view import View
from kernelscribe.report.words import language
from kernelscribe.scales import Scales
from kernelscribe.search.shown import in_user_units
from kernelscribe.statements.statement import Statement

__all__ = ["analysis_dict", "analysis_text", "as_dict", "as_text", "outcome_dict", "outcome_text", "result_dict"]

# Kernels that are not told from the chosen one and are named in the terminal; the rest are counted.
_RUNNERS_UP = 5
# Whose lengthscale is a length along the input: that of a cycle is not.
_LENGTHS = (Role.SMOOTH, Role.ROUGH)
# Where a line is zero, and where a walk and a bend begin.
_PLACES = (Role.DRIFT, Role.BEND, Role.LINE)


def as_dict(fit: Fit) -> dict[str, Any]:
    """The fit as plain values for JSON; numbers that do not exist are null."""
    inputs = len(fit.scales.names)
    terms = distribute(fit.user)
    return {
        "kernel": text(fit.expr, inputs=inputs),
        "terms": [text(term, inputs=inputs) for term in terms],
        "interval": _ends(fit.evidence.interval),
        "exact": fit.evidence.exact,
        "bic": _ends(fit.bic),
        "score": None if fit.score is None else _ends(fit.score),
        "paper_interval": _ends(fit.evidence.paper),
        "slack": fit.evidence.slack,
        "jitter": fit.evidence.jitter,
        "noise": _noise(fit.user_noise),
        "noise_variance": fit.user_noise.level,
        "parameters": [_parameters(leaf, fit) for leaf in owners(fit.user)],
        "components": [
            {
                "text": text(term, inputs=inputs),
                "periods": _values(term, (Role.CYCLE,), "period"),
                "lengthscales": _values(term, _LENGTHS, "lengthscale"),
                "locations": _values(term, _PLACES, "location"),
                "slope": _slope(term, fit),
            }
            for term in terms
        ],
        "n": fit.scales.rows,
        "inputs": list(fit.scales.names),
        "target": fit.scales.target,
        "transform": fit.scales.link,
        "engine": fit.engine,
        "at_bound": [language.facts.at_bound(each) for each in fit.at_bound],
        "evaluations": fit.evaluations,
        "seconds": round(fit.seconds, 3),
        "status": fit.status.name.lower(),
        "message": fit.status.value,
    }


def outcome_dict(found: Outcome, data: Dataset) -> dict[str, Any]:
    """The outcome of a search as plain values for JSON: those of the chosen kernel, and how it was chosen."""
    best = found.best
    return {
        **({"kernel": None} if best is None else as_dict(best)),
        "statement": None if best is None else _statement(best.statement, best.scales, data),
        "strategy": found.strategy,
        "depth": found.depth,
        "fits": found.tried,
        "dropped": found.dropped,
        "failed": found.failed,
        "decision": language.facts.decision(found.decision),
        "runners_up": [_rival(each, found, data) for each in found.contenders],
        "noise_bic": found.noise_bic,
        "structure": found.structure,
        "stopped": None if found.stopped is None else language.facts.stop(found.stopped),
        "workers": found.workers,
        "evaluations": found.evaluations,
        "seconds": found.seconds,
    }


def _text(kernel: Expression, found: Outcome) -> str:
    return text(kernel, inputs=None if found.best is None else len(found.best.scales.names))


def _statement(statement: Statement | None, scales: Scales, data: Dataset) -> str | None:
    return None if statement is None else language.nodes.node(in_user_units(statement, scales), data)


def _rival(each: Rival, found: Outcome, data: Dataset) -> dict[str, Any]:
    assert found.best is not None  # noqa: S101  (without a choice there is nobody it is not told from)
    return {
        "kernel": _text(each.kernel, found),
        "statement": _statement(each.statement, found.best.scales, data),
        "bic": _ends(each.bic),
        "score": None if each.score is None else _ends(each.score),
    }


def _called(each: Rival, found: Outcome, data: Dataset) -> str:
    """A rival by its statement, or its kernel, with what it is compared by."""
    assert found.best is not None  # noqa: S101
    said = _statement(each.statement, found.best.scales, data) or _text(each.kernel, found)
    return f"{said}  {'BIC' if each.score is None else 'score'} {_range(each.standing)}"


def outcome_text(found: Outcome, data: Dataset) -> str:
    """The outcome of a search for the terminal: the chosen kernel, how sure that is, and what it cannot be told from."""
    if found.best is None:
        return f"No model: none of {found.tried} kernels could be fitted. Noise alone has a BIC of {found.noise_bic:.2f}."
    said = _statement(found.best.statement, found.best.scales, data)
    lines = [*([said] if said else []), as_text(found.best), ""]
    if not found.structure:
        lines.append(f"  No structure: noise alone has a BIC of {found.noise_bic:.2f}, which no kernel exceeds.")
    lines.append(f"  chosen          {language.facts.decision(found.decision)}")
    if found.contenders:
        lines.append("  not told from it:")
        lines += [f"    {_called(each, found, data)}" for each in found.contenders[:_RUNNERS_UP]]
        if len(found.contenders) > _RUNNERS_UP:
            lines.append(f"    and {len(found.contenders) - _RUNNERS_UP} more")
    lines += _next_best(found)
    what = "kernel" if found.best.statement is None else "statement"
    tried = f"{found.tried} {what}{'' if found.tried == 1 else 's'}"
    took = "" if found.seconds is None else f" in {found.seconds:.1f} s"
    lines.append(
        f"  searched        {tried} to depth {found.depth}{took}; {found.dropped} dropped after screening, {found.failed} failed"
    )
    return "\n".join(lines)


def _next_best(found: Outcome) -> list[str]:
    """The kernel that is behind the chosen one by the least, and by how much at least."""
    if found.best is None or found.state is None:
        return []
    # As it was ranked: with a subset of the rows, what is reported is its fit to all of them.
    # Of statements the decision says it.
    if found.best.statement is not None:
        return []
    chosen = found.state.fits[found.best.name]
    behind = [fit for fit in found.fits if fit.usable and fit.bic.upper < chosen.bic.lower]
    if not behind:
        return []
    best = max(behind, key=lambda fit: fit.bic.upper)
    return [f"  next best       {_text(best.expr, found)}, at least {chosen.bic.lower - best.bic.upper:.2f} nats behind"]


def result_dict(found: Findings) -> dict[str, Any]:
    """How the search ended as plain values for JSON; where the target is constant there was none."""
    if found.model.data.constant:
        return {"kernel": None, "n": len(found.model.data.y), "target": found.model.data.target}
    return outcome_dict(found.outcome, found.model.data)


def analysis_dict(found: Findings) -> dict[str, Any]:
    """All of it as plain values for JSON: the outcome of the search, and every component with its words and its share."""
    parts, view = found.decomposition, View(found)
    return {
        **result_dict(found),
        "headline": language.findings.headline(view),
        "explained": parts.explained,
        "components": [
            {
                "text": str(each.term),
                "summary": words.summary,
                "share": each.share,
                "worth": each.worth,
                "periods": [factor["period"] for factor in each.term.of(Role.CYCLE)],
                "lengthscales": [factor["lengthscale"] for factor in each.term.factors if factor.role in _LENGTHS],
                "locations": [factor["location"] for factor in each.term.factors if factor.role in _PLACES],
                "slope": _line(each.term, found),
                "rise": each.slope if len(each.term.dims) == 1 else None,
            }
            for each, words in zip(parts.components, map(language.component.describe, view.subjects), strict=True)
        ],
        "notes": [language.notes.spoken(note, Face.TERMINAL) for note in found.model.data.notes],
    }


def _line(term: Term, found: Findings) -> float | None:
    """The paper's slope of a component that is a line."""
    if [factor.role for factor in term.factors] != [Role.LINE]:
        return None
    (factor,), data = term.factors, found.model.data
    return _paper_slope(term.variance, factor["location"], factor.dim, data.scales, found.model.noise_sd**2)


def analysis_text(found: Findings) -> str:
    """All of it for the terminal: how it was found, then the findings, last and so in sight."""
    lines = []
    if found.outcome.state is not None:
        lines += [
            language.facts.tree(found.outcome.tree, found.model.data),
            "",
            outcome_text(found.outcome, found.model.data),
            "",
        ]
    parts, view, percent = found.decomposition, View(found), language.numbers.percent
    lines.append(language.findings.headline(view))
    lines += [language.scale_words.scale_sentence(view)] if parts.components and not view.link.plain else []
    for i, (each, subject) in enumerate(zip(parts.components, view.subjects, strict=True), start=1):
        lines.append(f"  {i}. {language.component.describe(subject).summary}: {percent(each.share)} of the variation")
    if parts.components:
        left = f"{percent(1 - parts.explained)} of the variation"
        amount = language.scale_words.amount_on_scale(view.link, found.model.noise_sd)
        size, course = f"{amount}{language.noise.average(view)}", language.noise.sentence(view)
        lines.append(f"  What is left, {left}, is noise with a standard deviation of {size}. {course}".rstrip())
    return "\n".join(lines)


def _ends(interval: Interval) -> dict[str, float | None]:
    finite = float("-inf") < interval.lower and interval.upper < float("inf")
    return {"lower": interval.lower, "upper": interval.upper} if finite else {"lower": None, "upper": None}


def _named(leaf: Owner) -> dict[str, float]:
    return dict(zip((p.name for p in leaf.base.parameters), leaf.values or (), strict=True))


def _parameters(leaf: Owner, fit: Fit) -> dict[str, Any]:
    return {"kind": leaf.kind, "input": fit.scales.names[leaf.dim - 1], **_named(leaf)}


def _slope(term: Expression, fit: Fit) -> float | None:
    """That of a line that is a term of its own."""
    if not isinstance(term, Leaf) or term.base.role is not Role.LINE:
        return None
    variance, location = _named(term)["variance"], _named(term)["location"]
    return _paper_slope(variance, location, term.dim, fit.scales, fit.user_noise.level)


def _paper_slope(variance: float, location: float, dim: int, scales: Scales, noise: float) -> float:
    """The slope of a line that is a component of its own, in the user's units, by the paper's formula

        σ²(x − l)ᵀ[σ²(x − l)(x − l)ᵀ + s2·I]⁻¹y = σ²(x − l)ᵀy / (s2 + σ²|x − l|²),

    for y about its mean: what the line would be if everything else were noise.
    """
    axis = scales.inputs[dim - 1]
    # Sums over standardised inputs: |x − l|² = N·scale²·(1 + offset²), (x − l)ᵀy = N·scale·σ_y·correlation.
    offset = (location - axis.centre) / axis.scale
    square = scales.rows * axis.scale**2 * (1 + offset**2)
    cross = scales.rows * axis.scale * scales.output.scale * scales.correlations[dim - 1]
    return float(variance * cross / (noise + variance * square))


def _values(term: Expression, roles: tuple[Role, ...], name: str) -> list[float]:
    return [_named(leaf)[name] for leaf in leaves(term) if leaf.base.role in roles]


def as_text(fit: Fit) -> str:
    """A few lines for the terminal."""
    scales, found = fit.scales, fit.evidence
    inputs, target = len(scales.names), language.scale_words.scaled(LINKS[scales.link], scales.target)
    lines = [
        f"{text(fit.expr, inputs=inputs)}  explaining {target} by {', '.join(scales.names)}, {scales.rows:,} rows",
        "",
        f"  evidence        {_range(found.interval)} nats{_exactly(found)}",
        f"  BIC             {_range(fit.bic)}",
        *([] if fit.score is None else [f"  score           {_range(fit.score)}"]),
        f"  noise variance  {_variance(fit.user_noise)}",
        "",
    ]
    for leaf in leaves(fit.user):
        numbers = ", ".join(f"{name} {value:.6g}" for name, value in _named(leaf).items())
        lines.append(f"  {leaf.kind + ('' if inputs == 1 else str(leaf.dim)):6} {numbers}")
    lines.append("")
    lines.append(f"  engine {fit.engine}, {fit.evaluations} evaluations in {fit.seconds:.1f} s; status: {fit.status.value}")
    if fit.at_bound:
        lines.append(f"  on the edge of its allowed range: {', '.join(language.facts.at_bound(each) for each in fit.at_bound)}")
    return "\n".join(lines)


def _noise(noise: Noise) -> dict[str, Any]:
    """Its kind and its values by their names."""
    return {"kind": noise.name} | dict(zip((each.name for each in noise.parameters), noise.values, strict=True))


def _variance(noise: Noise) -> str:
    """In the middle of the data, and how it goes on from there."""
    if noise.uniform:
        return f"{noise.level:.4g}"
    values = ", ".join(f"{name} {value:.4g}" for name, value in _noise(noise).items() if name not in ("kind", "variance"))
    return f"{noise.level:.4g} in the middle, {noise.name}: {values}"


def _exactly(found: Evidence) -> str:
    return "" if found.exact is None or found.settled else f", exactly {found.exact:.2f}"


def _range(interval: Interval) -> str:
    if interval.pointlike:
        return f"{interval.middle:.2f}"
    return f"between {interval.lower:.2f} and {interval.upper:.2f}"
