"""From what was found to the report: every section in its place. Each has a file of its own."""

from kernelscribe.faces import Face
from kernelscribe.model.findings import Findings
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Document, Glance, Section
from kernelscribe.report.sections.appendix import appendix
from kernelscribe.report.sections.checks import checks
from kernelscribe.report.sections.components import components
from kernelscribe.report.sections.confidence import confidence
from kernelscribe.report.sections.data import data
from kernelscribe.report.sections.findings import chart, findings
from kernelscribe.report.sections.forecast import forecast
from kernelscribe.report.words import language
from kernelscribe.version import __version__

__all__ = ["compose", "glance"]


def compose(found: Findings, steps: int | None = None, face: Face = Face.PYTHON) -> Document:
    """The report; `steps` to forecast, a tenth of the range when not given; options are named as `face` does."""
    view = View(found, steps, face)
    words = language.cover
    return Document(words.title(view), words.subtitle(view), _sections(view), words.facts(view, __version__))


def glance(found: Findings) -> Glance:
    """The findings with one chart, as a notebook shows them."""
    view = View(found)
    headline = language.findings.headline(view)
    return Glance(headline, language.findings.glance(view), chart(view)) if view.structure else Glance(headline)


def _sections(view: View) -> tuple[Section, ...]:
    first = (findings(view), data(view))
    if view.model.data.constant:
        return first
    if view.model.expr is None:
        return (*first, confidence(view), appendix(view))
    middle = (components(view), forecast(view)) if view.structure else ()
    return (*first, *middle, confidence(view), checks(view), appendix(view))
