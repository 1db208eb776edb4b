"""Words of the page that are no part of the report: those around it, and those that name a kind of block."""

from types import MappingProxyType

__all__ = ["CALLOUTS", "CHART", "CODE", "CONTENTS", "HINT", "NO_SCRIPTS", "SKIP", "TABLE"]

# The language by its code, for browsers and readers.
CODE = "en"
SKIP = "Skip to the report"
CONTENTS = "Contents"
TABLE = "Table"
CHART = "Chart:"
CALLOUTS = MappingProxyType({"note": "Note", "warning": "Warning"})
HINT = "Charts: point for values, drag to move, Ctrl and wheel to zoom, double-click to reset."
NO_SCRIPTS = (
    "The charts of this report are drawn by a script, and scripts are switched off here. All numbers and words are below; the "
    "report as PDF or Markdown has the charts as pictures."
)
