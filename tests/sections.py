"""The sections of a report, one at a time, and what stands in them."""

import numpy as np

import analyses
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Callout, Figure, TableBlock, plain, walk
from kernelscribe.report.sections.appendix import appendix
from kernelscribe.report.sections.checks import checks
from kernelscribe.report.sections.components import components
from kernelscribe.report.sections.confidence import confidence
from kernelscribe.report.sections.data import data
from kernelscribe.report.sections.findings import findings
from kernelscribe.report.sections.forecast import forecast

SECTIONS = {
    "findings": findings,
    "data": data,
    "components": components,
    "forecast": forecast,
    "sure": confidence,
    "checks": checks,
    "appendix": appendix,
}


def only(name, analysis, steps=None):
    """One section of a report; the others take their time."""
    return SECTIONS[name](View(analysis, steps))


def tables(part):
    return [each for each in walk((part,)) if isinstance(each, TableBlock)]


def figures(part):
    return {each.id: each for each in walk((part,)) if isinstance(each, Figure)}


def callouts(part, kind):
    return [plain(each.text) for each in walk((part,)) if isinstance(each, Callout) and each.kind == kind]


def long(n=2500, length=400, **more):
    """More rows than an exact posterior takes."""
    x = np.arange(float(n))
    y = np.sin(x / 400) + np.random.default_rng(0).normal(size=n)
    return analyses.analysis(f"SE(variance=1, lengthscale={length})", x, y, noise=1.0, **more)
