"""The findings as a notebook shows them, with one picture, in a fragment of HTML without scripts."""

from html import escape

from kernelscribe.report.document import Glance
from kernelscribe.report.formats.escape import readable
from kernelscribe.report.formats.picture import svg

__all__ = ["notebook"]

# Of the picture, in pixels: as wide as the column of a notebook.
_WIDTH = 620


def notebook(glance: Glance) -> str:
    """Headline, components and main chart."""
    blocks = [f"<p><strong>{_safe(glance.headline)}</strong></p>"]
    if glance.lines:
        blocks.append(f"<ol>{''.join(f'<li>{_safe(line)}</li>' for line in glance.lines)}</ol>")
    if glance.chart is not None:
        picture = svg(glance.chart.spec, _WIDTH)
        blocks.append(f'<div style="background:#fff;max-width:100%;overflow-x:auto">{picture}</div>')
    return f"<div>{''.join(blocks)}</div>"


def _safe(text: str) -> str:
    return escape(readable(text))
