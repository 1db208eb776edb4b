"""The search as a tree in text: every kernel under the one it grew from, with its BIC interval."""

from collections.abc import Iterator

from kernelscribe.engines.interval import Interval
from kernelscribe.errors import Status
from kernelscribe.fit.kernel import Fit
from kernelscribe.kernels.tree import text
from kernelscribe.search.rules import score
from kernelscribe.search.state import State, contenders, leader

__all__ = ["bic_text", "tree"]

# Children shown under one parent; the rest are counted.
_SHOWN = 5


def bic_text(interval: Interval) -> str:
    """A BIC interval in short: one number where both ends agree to a tenth of a nat."""
    low, high = f"{interval.lower:.1f}", f"{interval.upper:.1f}"
    return low if low == high else f"{low} .. {high}"


def tree(state: State) -> str:
    """One line a kernel: `*` marks the chosen one, `?` those that bounds cannot tell from it, `+` those that grew."""
    names = {name: text(fit.expr, inputs=len(state.scales.names)) for name, fit in state.fits.items()}
    lines = list(_branch(state, None, "", names))
    width = max((len(head) for head, _ in lines), default=0)
    return "\n".join(f"{head:{width}}  {tail}".rstrip() for head, tail in lines)


def _branch(state: State, parent: str | None, indent: str, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    children = [name for name, each in state.candidates.items() if each.parent == parent and name in state.fits]
    children.sort(key=lambda name: (-score(state.fits[name], state.rules.by), name))
    kept = [name for i, name in enumerate(children) if (i < _SHOWN and state.fits[name].usable) or name in state.grown]
    rest = [state.fits[name] for name in children if name not in kept]
    for i, name in enumerate(kept):
        last = i == len(kept) - 1 and not rest
        yield f"{indent}{'└' if last else '├'} {_mark(state, name)} {names[name]}", bic_text(state.fits[name].bic)
        yield from _branch(state, name, indent + ("  " if last else "│ "), names)
    if rest:
        yield f"{indent}└ {_others(rest)}", ""


def _mark(state: State, name: str) -> str:
    if name == leader(state):
        return "*"
    if name in contenders(state):
        return "?"
    return "+" if name in state.grown else "-"


def _others(rest: list[Fit]) -> str:
    dropped = sum(fit.status is Status.DROPPED for fit in rest)
    failed = sum(not fit.usable and fit.status is not Status.DROPPED for fit in rest)
    parts = [(len(rest) - dropped - failed, "lower"), (dropped, "dropped after screening"), (failed, "failed")]
    return "and " + ", ".join(f"{count} {what}" for count, what in parts if count)
