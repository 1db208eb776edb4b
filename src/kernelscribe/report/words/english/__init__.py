"""The report in English: components (component.py and what it needs), the sentences of every section, and single words of charts
and pages. Another language is another folder with the same names in it."""

from kernelscribe.report.words.english import (
    appendix,
    backtest,
    brief,
    charts,
    checks,
    component,
    components,
    confidence,
    cover,
    data,
    facts,
    findings,
    forecast,
    glossary,
    names,
    numbers,
    page,
    surfaces,
)

__all__ = [
    "appendix",
    "backtest",
    "brief",
    "charts",
    "checks",
    "component",
    "components",
    "confidence",
    "cover",
    "data",
    "facts",
    "findings",
    "forecast",
    "glossary",
    "names",
    "numbers",
    "page",
    "surfaces",
]
