"""How the chosen kernel stands among those that were not."""

from kernelscribe.engines.interval import Interval
from kernelscribe.engines.registry import traits
from kernelscribe.kernels.tree import text
from kernelscribe.outcome import Rival
from kernelscribe.report.description.view import View

__all__ = ["NOTHING", "kernel", "lacks", "lead", "roughly_fitted", "scored_on_subset", "standing", "told", "undecided"]

# Differences of BIC below this are worth nothing.
NOTHING = 1.0
# Of the kernel's variance: less than this may be left out of its curves unsaid.
_LACKS = 0.01


def undecided(view: View) -> tuple[Rival, ...]:
    """The rivals that the scores do not tell from the chosen kernel."""
    return tuple(each for each in view.findings.outcome.rivals if not each.told)


def scored_on_subset(view: View) -> bool:
    """Whether the rivals were scored on a part of the rows, and the chosen kernel on all of them."""
    config = view.model.config
    return config.strategy == "subset" and view.rows > config.subset


def told(view: View) -> bool:
    """Whether what was chosen is a statement, which is scored by its evidence; the paper's strategies choose by the BIC."""
    best = view.findings.outcome.best
    return best is not None and best.score is not None


def standing(view: View) -> Interval:
    """What the chosen kernel is compared with others by."""
    best = view.findings.outcome.best
    return view.findings.outcome.bic if best is None or best.score is None else best.score


def lead(view: View) -> float | None:
    """By how many nats the chosen kernel is certain to lie above all rivals; None where that cannot be said."""
    own = standing(view)
    gap = min(own.lower - each.standing.upper for each in view.findings.outcome.rivals)
    return None if scored_on_subset(view) or gap < 0 else gap


def kernel(view: View, rival: Rival) -> str:
    """A rival as it is written: inputs are numbered where there are several."""
    return text(rival.kernel, inputs=len(view.model.axes))


def roughly_fitted(view: View) -> bool:
    """Whether there are so many rows that not every rival's values are as well fitted as the chosen kernel's."""
    outcome, many = view.findings.outcome, view.model.config.effort.many_rows
    return traits(outcome.engine).series and view.rows > many and len(outcome.rivals) > 1


def lacks(view: View) -> bool:
    """Whether curves leave out so much of the kernel's variance that it has to be said."""
    return view.model.posterior.lacks > _LACKS
