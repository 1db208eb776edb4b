"""What stands at the top of the report: its title, a sentence below it, and facts about it."""

from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.names import axes, target
from kernelscribe.report.words.english.numbers import listing

__all__ = ["facts", "subtitle", "title"]

# Inputs that are named below the title; the others are counted.
_NAMED = 4


def title(view: View) -> str:
    """A question."""
    return f"What explains {target(view)}?"


def subtitle(view: View) -> str:
    """What the report is about."""
    names = axes(view)
    by = listing(names) if len(names) <= _NAMED else f"{listing(names[:_NAMED])} and {len(names) - _NAMED} more inputs"
    over = f"along {by}" if view.model.series else f"by {by}"
    return f"An automatic report on {view.rows:,} rows of {target(view)} {over}."


def facts(view: View, version: str) -> tuple[tuple[str, str], ...]:
    """What was explained, by which kernel, and who says so."""
    kernel = view.findings.kernel
    chosen = () if kernel is None else (("Kernel", kernel),)
    return ("Target", target(view)), ("Rows", f"{view.rows:,}"), *chosen, ("Made by", f"kernelscribe {version}")
