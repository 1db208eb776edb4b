"""The last section: everything an expert needs to check the report and to do it again."""

import platform
from collections.abc import Iterator

import numpy
import scipy

from kernelscribe.config import Config, chosen
from kernelscribe.kernels.units import to_user
from kernelscribe.report.description.program import program
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Code, Details, Paragraph, Section
from kernelscribe.report.words import language
from kernelscribe.version import __version__

__all__ = ["appendix"]


def appendix(view: View) -> Section:
    """The appendix."""
    words = language.appendix
    first = () if view.model.expr is None else (Section(words.KERNEL_TITLE, tuple(_kernel(view)), "kernel"),)
    others = (
        Section(words.SEARCH_TITLE, tuple(_search(view)), "search"),
        Section(words.SETTINGS_TITLE, tuple(_settings(view)), "settings"),
        Section(words.AGAIN_TITLE, tuple(_again(view)), "again"),
        Section(words.GLOSSARY_TITLE, (Bullets(language.glossary.glossary(view.model.expr)),), "glossary"),
    )
    return Section(words.TITLE, (*first, *others), "appendix")


def _kernel(view: View) -> Iterator[Block]:
    data, expr, words = view.model.data, view.model.expr, language.appendix
    assert expr is not None  # noqa: S101
    yield Paragraph(words.kernel(view, expr))
    yield words.parameters(view, to_user(expr, data.inputs, data.output))
    yield words.scores(view)
    yield Paragraph(words.basis(view))


def _search(view: View) -> Iterator[Block]:
    words = language.appendix
    yield Paragraph(words.search(view))
    if view.findings.outcome.tried:
        yield Details(words.TREE_TITLE, (Paragraph(words.TREE), Code(words.tree(view))))


def _settings(view: View) -> Iterator[Block]:
    words, mine, usual = language.appendix, chosen(view.model.config), chosen(Config())
    changed = {name: value for name, value in mine.items() if value != usual[name]}
    if changed:
        yield Paragraph(words.CHANGED)
        yield words.settings(changed)
    else:
        yield Paragraph(words.ALL_DEFAULTS)
    yield Details(words.ALL_SETTINGS, (words.settings(mine),))


def _again(view: View) -> Iterator[Block]:
    yield Paragraph(language.appendix.AGAIN)
    yield Code(program(view), "python")
    made_with = {
        "kernelscribe": __version__,
        "Python": platform.python_version(),
        "NumPy": numpy.__version__,
        "SciPy": scipy.__version__,
    }
    yield language.appendix.versions(view, tuple(made_with.items()))
