"""The sixth section: whether what the model leaves over looks like chance."""

from collections.abc import Iterator

import numpy as np
from scipy.special import betaincinv, ndtri

from kernelscribe.model.criticism import Criticism
from kernelscribe.report import figures
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Figure, Paragraph, Section, SideBySide
from kernelscribe.report.figures.shrink import shrink
from kernelscribe.report.words import language

__all__ = ["checks"]

# Autocorrelations that are drawn where none of them is a finding.
_LAGS = 60
# Half the width of the band of correlations in which chance stays 19 times of 20, in standard deviations.
_BAND = 1.96


def checks(view: View) -> Section:
    """Does the model fit?"""
    found, words = view.findings.criticism, language.checks
    if found is None:
        return Section(words.TITLE, (Paragraph(words.too_few(view)),), "checks")
    blocks: list[Block] = [Paragraph(words.how(view, found)), words.table(found)]
    if found.findings:
        blocks += [Paragraph(words.FOUND), Bullets(words.findings(view, found))]
    else:
        blocks.append(Paragraph(words.NOTHING))
    blocks += _figures(view, found)
    return Section(words.TITLE, tuple(blocks), "checks")


def _figures(view: View, found: Criticism) -> Iterator[Block]:
    if view.model.series:
        yield SideBySide((_acf(found), _periodogram(found)))
    yield _quantiles(found)


def _acf(found: Criticism) -> Figure:
    lag = next((each.place for each in found.findings if each.name == "alike"), None)
    shown = found.autocorrelation if lag is not None else found.autocorrelation[:_LAGS]
    limit = np.full(len(shown), _BAND / np.sqrt(found.rows))
    spec = figures.acf(np.arange(1.0, len(shown) + 1), shown, -limit, limit)
    return Figure(spec, *language.checks.autocorrelations(len(shown)), "acf")


def _periodogram(found: Criticism) -> Figure:
    n = len(found.power)
    low, high = (float(10 * np.log10(-np.log1p(-q))) for q in (0.025, 0.975))
    decibels = 10 * np.log10(np.maximum(found.power * n, 1e-6))
    spec = figures.periodogram(found.frequencies, decibels, np.full(n, low), np.full(n, high))
    return Figure(spec, *language.checks.PERIODOGRAM, "periodogram")


def _quantiles(found: Criticism) -> Figure:
    n, errors = len(found.errors), np.sort(found.errors)
    expected = ndtri((np.arange(n) + 0.5) / n)
    # Those that are drawn: the band of a million takes longer than all else.
    kept = shrink(expected, [errors])
    lower, upper = (ndtri(betaincinv(kept + 1.0, n - kept, q)) for q in (0.025, 0.975))
    return Figure(figures.quantiles(expected[kept], errors[kept], lower, upper), *language.checks.QUANTILES, "quantiles")
