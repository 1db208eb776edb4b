"""How good would past forecasts have been: the honest test of the bands."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.model.backtest import Backtest
from kernelscribe.report import figures
from kernelscribe.report.description.view import View, opened
from kernelscribe.report.document import Block, Callout, Figure, Paragraph, Section, Table
from kernelscribe.report.words.english.quantities import count_word, number

__all__ = ["past", "past_verdict"]

# Points of a percentage within which a share is as it should be.
_CLOSE = 3.0


def past_verdict(view: View) -> str:
    """One sentence for the top of the report; empty where nothing was tested."""
    tested = view.analysis.backtest
    if tested is None:
        return ""
    level, held = tested.covered[-1]
    who = "Bands of past forecasts" if view.model.series else "Bands for rows left out"
    held_text = f" {who} that should have held {level:.0f} % of the values held {held:.0f} %"
    if tested.widening > 0:
        return f"{held_text}; those beyond the data have been widened to match."
    return f"{held_text}{': take the bands as too narrow' if _narrow(tested) else ''}."


def _narrow(tested: Backtest) -> bool:
    return any(held < level - _CLOSE for level, held in tested.covered[-1:])


def past(view: View) -> Iterator[Block]:
    """The subsection."""
    tested = view.analysis.backtest
    title = "Past forecasts" if view.model.series else "Rows left out"
    if tested is None:
        why = f"{opened(count_word(view.rows))} rows are too few to try the model out on some that it has not seen."
        yield Section(title, (Paragraph(why),), "past")
        return
    blocks = (Paragraph(_how(tested)), _table(tested), _figure(tested), Paragraph(_errors(view, tested)), *_verdict(view, tested))
    yield Section(title, blocks, "past")


def _how(tested: Backtest) -> str:
    if not tested.origins:
        return (
            f"The rows were parted at random, and {tested.rows:,} of them predicted from the others, with the structure and the "
            "values that were fitted to all of them. That flatters the model a little: it had seen these rows."
        )
    moments = "one moment" if tested.origins == 1 else f"{count_word(tested.origins)} moments"
    values = (
        "values fitted again to the rows before that moment alone"
        if tested.refitted
        else "the values that were fitted to all rows, which flatters it a little"
    )
    return (
        f"From {moments} in the past the model forecast what came next, {tested.rows:,} rows in all, with the structure that was "
        f"found in all the data and {values}."
    )


def _table(tested: Backtest) -> Table:
    return Table(
        ("Band", "should hold", "held"),
        tuple((f"{level:.0f} %", f"{level:.0f} % of the values", f"{held:.1f} %") for level, held in tested.covered),
        "Bands as the model alone draws them." if tested.widening else "",
        ("right", "right", "right"),
    )


def _figure(tested: Backtest) -> Figure:
    levels, held = np.array(tested.covered).T / 100
    shares = ", ".join(f"{share:.0f} % in the {level:.0f} % band" for level, share in tested.covered)
    return Figure(
        figures.coverage(levels, held),
        "How many values lay in bands of each level. On the dashed line the bands are as wide as they should be; "
        "below it they are too narrow.",
        f"Of past values, {shares}.",
        "coverage",
    )


def _errors(view: View, tested: Backtest) -> str:
    simple = "the last value seen" if tested.origins else "the mean"
    errors = f"was {number(tested.error)}; taking {simple} instead would have made it {number(tested.naive)}"
    said = f"The typical error (root mean square) {errors}"
    if tested.error >= tested.naive:
        return f"{said}, which is no worse. As a forecaster the model is of no use here, whatever it explains."
    return (
        f"{said}, or {number(tested.naive / tested.error, 2)} times as large."
        if tested.naive > 1.05 * tested.error
        else f"{said}, hardly more."
    )


def _verdict(view: View, tested: Backtest) -> Iterator[Block]:
    level, held = tested.covered[-1]
    if tested.widening > 0:
        end = np.sqrt(1 + tested.widening)
        yield Callout(
            "note",
            f"Past forecasts were too sure of themselves: bands that should have held {level:.0f} % of the values held "
            f"{held:.1f} %. The bands beyond the data in this report have therefore been widened by the least that would have "
            f"mended the past. The variance of a forecast is multiplied by 1 + {number(tested.widening, 2)} · t, where t is how "
            "far it reaches beyond the data in tenths of their range: a tenth of the range ahead, bands are "
            f"{number(float(end), 2)} times as wide as the model alone would draw them.",
        )
    elif _narrow(tested):
        yield Callout(
            "warning",
            f"Bands that should have held {level:.0f} % of the values held only {held:.1f} %: take the bands of this report as "
            "too narrow.",
        )
    elif held > level + _CLOSE:
        yield Paragraph("The bands were wider than they needed to be: they err on the side of caution.")
    else:
        yield Paragraph("The bands held about as many values as they should.")
