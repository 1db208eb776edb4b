"""The analysis as a notebook shows it: the findings and one picture, in a fragment of HTML without scripts."""

from html import escape
from typing import TYPE_CHECKING

from kernelscribe.report.description.view import View, opened
from kernelscribe.report.formats.escape import readable
from kernelscribe.report.formats.picture import svg
from kernelscribe.report.words.english.quantities import percent

if TYPE_CHECKING:
    from kernelscribe.api.analysis import Analysis

__all__ = ["notebook"]

_WIDTH = 620


def notebook(analysis: "Analysis") -> str:
    """Headline, components and main chart."""
    from kernelscribe.report.sections.findings import chart, headline  # noqa: PLC0415  (loads Altair)

    view = View(analysis)
    parts = [f"<p><strong>{_safe(headline(view))}</strong></p>"]
    if view.structure:
        pairs = zip(analysis.components, analysis.words, strict=True)
        items = "".join(f"<li>{_safe(opened(words.summary))} ({percent(each.share)})</li>" for each, words in pairs)
        picture = svg(chart(view).spec, _WIDTH)
        parts += [f"<ol>{items}</ol>", f'<div style="background:#fff;max-width:100%;overflow-x:auto">{picture}</div>']
    return f"<div>{''.join(parts)}</div>"


def _safe(text: str) -> str:
    return escape(readable(text))
