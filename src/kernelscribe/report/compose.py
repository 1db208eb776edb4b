"""From an analysis to the report: every section in its place. Each has a file of its own."""

from typing import TYPE_CHECKING

from kernelscribe.report.description.view import View
from kernelscribe.report.document import Document, Section
from kernelscribe.report.sections.appendix import appendix
from kernelscribe.report.sections.checks import checks
from kernelscribe.report.sections.components import parts
from kernelscribe.report.sections.confidence import sure
from kernelscribe.report.sections.data import seen
from kernelscribe.report.sections.findings import findings
from kernelscribe.report.sections.forecast import ahead
from kernelscribe.report.words.english.quantities import label, listing

if TYPE_CHECKING:
    from kernelscribe.api.analysis import Analysis

__all__ = ["compose"]

_NAMED = 4


def compose(analysis: "Analysis", steps: int | None = None) -> Document:
    """The report of an analysis; `steps` to forecast, a tenth of the range when not given."""
    view = View(analysis, steps)
    return Document(f"What explains {view.target}?", _subtitle(view), _sections(view), _meta(view))


def _sections(view: View) -> tuple[Section, ...]:
    first = (findings(view), seen(view))
    if view.model.data.constant:
        return first
    if view.model.expr is None:
        return (*first, sure(view), appendix(view))
    middle = (parts(view), ahead(view)) if view.structure else ()
    return (*first, *middle, sure(view), checks(view), appendix(view))


def _subtitle(view: View) -> str:
    names = [label(axis.name) for axis in view.model.axes]
    by = listing(names) if len(names) <= _NAMED else f"{listing(names[:_NAMED])} and {len(names) - _NAMED} more inputs"
    over = f"along {by}" if view.model.series else f"by {by}"
    return f"An automatic report on {view.rows:,} rows of {view.target} {over}."


def _meta(view: View) -> tuple[tuple[str, str], ...]:
    from kernelscribe import __version__  # noqa: PLC0415  (the package imports this module)

    kernel = view.analysis.kernel
    facts = [("Target", view.target), ("Rows", f"{view.rows:,}")]
    if kernel is not None:
        facts.append(("Kernel", kernel))
    return (*facts, ("Made by", f"kernelscribe {__version__}"))
