"""A report made by hand, with every kind of block and chart, from a crude decomposition of the embedded series."""

from functools import cache

import numpy as np
from scipy.stats import norm

from kernelscribe.data.axis import Axis
from kernelscribe.datasets import load
from kernelscribe.report import figures
from kernelscribe.report.document import (
    Bullets,
    Callout,
    Card,
    Cards,
    Code,
    Details,
    Document,
    Emph,
    Figure,
    Mono,
    Paragraph,
    Section,
    SideBySide,
    Strong,
    TableBlock,
    Text,
)

AXIS = Axis("date", "years")
TARGET = "co2"


def decomposition():
    """Rise and season by least squares, up to a tenth beyond the data, and what they leave of the data."""
    series = load("mauna_loa")
    x = series.X[:, 0] * series.inputs[0].scale + series.inputs[0].centre
    y = series.y * series.output.scale + series.output.centre
    grid = np.linspace(x[0], x[-1] + 0.1 * np.ptp(x), 1200)

    def rise(at):
        return np.vander((at - x.mean()) / np.ptp(x), 4, increasing=True)

    def season(at):
        return np.column_stack([wave(2 * np.pi * k * at) for k in (1, 2, 3) for wave in (np.sin, np.cos)])

    weights, *_ = np.linalg.lstsq(np.column_stack([rise(x), season(x)]), y, rcond=None)
    left = y - np.column_stack([rise(x), season(x)]) @ weights
    return x, y, grid, rise(grid) @ weights[:4], season(grid) @ weights[4:], left


@cache
def charts():
    """A chart of every kind, by name."""
    x, y, grid, rise, season, left = decomposition()
    spread = 1.96 * left.std() * (1 + np.maximum(grid - x[-1], 0) / 1.5)
    total = rise + season
    alone = [(rise, rise - spread, rise + spread), (season, season - spread / 2, season + spread / 2)]
    together = [(rise, rise - spread, rise + spread), (total, total - spread, total + spread)]
    rng = np.random.default_rng(0)
    lags = np.arange(1, 41)
    limit = np.full(40, 1.96 / np.sqrt(len(x)))
    correlations = np.array([np.corrcoef(left[lag:], left[:-lag])[0, 1] for lag in lags])
    power = 10 * np.log10(np.abs(np.fft.rfft(left)[1:]) ** 2 / len(left))
    frequencies = np.arange(1, len(power) + 1) * 12 / len(left)
    order = norm.ppf((np.arange(len(left)) + 0.5) / len(left))
    around = 3 * np.sqrt(norm.cdf(order) * norm.sf(order) / len(left)) / norm.pdf(order)
    levels = np.arange(1, 20) / 20
    observed = np.array([(np.abs(left) < left.std() * norm.ppf(0.5 + level / 2)).mean() for level in levels])
    dots = figures.Dots(x, y, y - left)
    draws = total + np.cumsum(rng.normal(size=(3, len(grid))), axis=1) * 0.04
    return {
        "data": figures.data(x, y, AXIS, TARGET),
        "band": figures.band(grid, total, total - spread, total + spread, AXIS, TARGET, dots, split=x[-1]),
        "components": tuple(
            (
                figures.band(grid, *one, AXIS, f"part of {TARGET}", split=x[-1], height=220),
                figures.band(grid, *whole, AXIS, TARGET, figures.Dots(x, y, np.interp(x, grid, whole[0])), x[-1], height=220),
            )
            for one, whole in zip(alone, together, strict=True)
        ),
        "samples": figures.samples(grid, draws, AXIS, TARGET, split=x[-1]),
        "intervals": figures.intervals(
            [
                ("SE + PER*SE + SE", -812.4, -806.1),
                ("LIN + PER*SE + SE", -823.9, -811.2),
                ("PER + SE*(LIN + PER) + SE", -830.0, -829.0),
                ("SE + PER", -1012.0, -1012.0),
            ]
        ),
        "acf": figures.acf(lags, correlations, -limit, limit, "lag (months)"),
        "periodogram": figures.periodogram(
            frequencies, power, np.full_like(power, power.mean() - 12), np.full_like(power, power.mean() + 8)
        ),
        "quantiles": figures.quantiles(order, np.sort(left) / left.std(), order - around, order + around),
        "coverage": figures.coverage(levels, observed, levels - 0.04, levels + 0.04),
        "residuals": figures.residuals(x, left, AXIS, "co2, what is left"),
        "bars": figures.bars(
            [("a smooth rise", 0.962), ("a yearly cycle", 0.031), ("a short irregular movement", 0.005), ("noise", 0.002)]
        ),
        "scatter": figures.scatter(y, left, Axis("co2", "ppm"), "left"),
        "heat": figures.heat(grid[::60], y[:15], np.outer(y[:15], total[::60]), AXIS, Axis("co2", "ppm"), "product"),
        "against": figures.against(y - left, y, TARGET),
        "along": figures.band(
            y, left * 0, left * 0 - 1, left * 0 + 1, Axis("co2", "ppm"), "left", figures.Dots(y, left, left * 0)
        ),
    }


def _summary(drawn):
    """The whole in short: cards, charts, a list, a warning and a table."""
    return Section(
        "In short",
        (
            Paragraph(
                Text(
                    (
                        "The 521 monthly values of ",
                        Mono("co2"),
                        " are explained by ",
                        Strong("four components"),
                        ". Together the first two account for 99.3 % of the variance; the rest is ",
                        Emph("short-lived"),
                        " movement and noise.",
                    )
                )
            ),
            Cards(
                (
                    Card("Rows", "521", "March 1958 to December 2001"),
                    Card("Variance explained", "99.8 %", "by the whole model"),
                    Card("Typical error", "0.28", "ppm, on months left out"),
                    Card("Evidence", "−806 to −812", Text(("nats; ", Emph("certified")))),
                )
            ),
            SideBySide(
                (
                    Figure(
                        drawn["data"], "The data as they came.", "Carbon dioxide rises from 315 to 371 with a yearly wave.", "raw"
                    ),
                    Figure(
                        drawn["band"],
                        "The model (line) with its 95 % band, the data (dots), and a forecast beyond the dashed line.",
                        "The model follows the data; the forecast goes on rising, with a band that widens.",
                        "model",
                    ),
                )
            ),
            Bullets(
                (
                    Text((Strong("A very smooth rise"), ", from 314 to 371 ppm.")),
                    Text((Strong("A yearly cycle"), " of 6 ppm from top to bottom, whose shape hardly changes.")),
                    "A smooth irregular movement that lasts about nine months.",
                    "Noise with a standard deviation of 0.2 ppm.",
                )
            ),
            Callout("warning", "Five months had no value and were left out; the longest gap lasts three months."),
            _gains(),
            Figure(drawn["bars"], "Share of the variance by component.", "The rise has 96 %, the yearly cycle 3 %.", "shares"),
        ),
        "summary",
    )


def _gains():
    return TableBlock(
        ("Component", "Variance explained", "Error on months left out", "Change"),
        (
            ("none", "–", "14.30", "–"),
            ("a smooth rise", "96.2 %", "1.82", "−87.3 %"),
            ("a yearly cycle", "99.3 %", "0.61", "−66.5 %"),
            ("a short irregular movement", "99.8 %", "0.28", "−54.1 %"),
        ),
        "How much each component adds, in the order in which it helps most.",
        ("left", "right", "right", "right"),
    )


def _components(drawn):
    """Each component with its charts."""
    (rise_alone, rise_sum), (season_alone, season_sum) = drawn["components"]
    return Section(
        "The components, one by one",
        (
            Section(
                "A very smooth rise",
                (
                    Paragraph("It rises throughout, and faster towards the end. It explains 96.2 % of the variance."),
                    SideBySide(
                        (
                            Figure(rise_alone, "The component alone.", "A smooth rise.", "rise-alone"),
                            Figure(rise_sum, "With the data.", "The rise passes through the data.", "rise-sum"),
                        )
                    ),
                ),
                "rise",
            ),
            Section(
                "A yearly cycle",
                (
                    Paragraph("It repeats every 1.0 years. It explains 81.5 % of what the rise leaves."),
                    SideBySide(
                        (
                            Figure(season_alone, "The component alone.", "A wave with a period of one year.", "cycle-alone"),
                            Figure(season_sum, "Both components with the data.", "Rise and wave follow the data.", "cycle-sum"),
                        )
                    ),
                    Figure(drawn["residuals"], "What the two leave over.", "Slow movements of about one ppm.", "left-over"),
                ),
                "cycle",
            ),
        ),
        "components",
    )


def _checks(drawn):
    """Charts of what is left over, and what experts want to know."""
    return Section(
        "How far to trust it",
        (
            Callout("note", "Three checks compare what is left over with what the model expects of it."),
            SideBySide(
                (
                    Figure(
                        drawn["acf"], "Autocorrelation.", "Neighbouring months resemble each other more than expected.", "acf"
                    ),
                    Figure(drawn["periodogram"], "Periodogram.", "No frequency stands out.", "spectrum"),
                )
            ),
            SideBySide(
                (
                    Figure(drawn["quantiles"], "Quantiles.", "The values lie on the diagonal.", "quantiles"),
                    Figure(drawn["coverage"], "Coverage.", "Bands hold as many values as they should.", "coverage"),
                )
            ),
            Figure(
                drawn["samples"], "Three curves that the model holds possible.", "Three curves that part after 2001.", "samples"
            ),
            Figure(
                drawn["intervals"],
                "The best kernels, by how far each may lie from the best.",
                "The chosen kernel leads; the second overlaps it.",
                "kernels",
            ),
            Details(
                "For experts: the kernel and how to fit it again",
                (
                    Paragraph(Text(("The kernel is ", Mono("SE + PER*SE + SE"), "; all its values are below."))),
                    Code('kernelscribe score co2.csv "SE + PER*SE + SE" --restarts 5\n', "sh"),
                    SideBySide(
                        (
                            Figure(drawn["scatter"], "What is left against the level.", "No pattern.", "level"),
                            Figure(drawn["along"], "The same with a band.", "No pattern.", "level-band"),
                        )
                    ),
                ),
            ),
        ),
        "checks",
    )


def example(title="Carbon dioxide at Mauna Loa"):
    """The whole report."""
    drawn = charts()
    meta = (("Data", "mauna_loa.csv"), ("Searched", "143 kernels in 41 s"), ("Made with", "kernelscribe 0.1.0"))
    sections = (_summary(drawn), _components(drawn), _checks(drawn))
    return Document(title, "What moves co2, found and checked automatically", sections, meta)
