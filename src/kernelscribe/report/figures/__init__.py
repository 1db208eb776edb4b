"""Charts, as values: from arrays to specifications in Vega-Lite that hold their data and no colours."""

from kernelscribe.report.figures.bands import Dots, band
from kernelscribe.report.figures.checks import acf, coverage, periodogram, quantiles
from kernelscribe.report.figures.period import period
from kernelscribe.report.figures.planes import against, heat
from kernelscribe.report.figures.ranks import bars, intervals
from kernelscribe.report.figures.series import data, residuals, samples, scatter

__all__ = [
    "Dots",
    "acf",
    "against",
    "band",
    "bars",
    "coverage",
    "data",
    "heat",
    "intervals",
    "period",
    "periodogram",
    "quantiles",
    "residuals",
    "samples",
    "scatter",
]
