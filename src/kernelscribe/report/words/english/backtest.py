"""What is said of past forecasts, or of rows that were left out: the honest test of the bands."""

import numpy as np

from kernelscribe.model.backtest import Backtest
from kernelscribe.report.description.bands import Width, width
from kernelscribe.report.description.view import View
from kernelscribe.report.document import TableBlock
from kernelscribe.report.words.english.numbers import count_word, number, opened

__all__ = ["chart", "errors", "how", "judgement", "table", "title", "too_few", "verdict"]


def verdict(view: View) -> str:
    """One sentence for the top of the report; empty where nothing was tested."""
    tested = view.findings.backtest
    if tested is None:
        return ""
    level, inside = tested.covered[-1]
    who = "Bands of past forecasts" if view.model.series else "Bands for rows left out"
    said = f" {who} that should have held {level:.0f} % of the values held {inside:.0f} %"
    if tested.widening > 0:
        return f"{said}; those beyond the data have been widened to match."
    return f"{said}{': take the bands as too narrow' if width(tested) is Width.NARROW else ''}."


def title(view: View) -> str:
    """Of the subsection."""
    return "Past forecasts" if view.model.series else "Rows left out"


def too_few(view: View) -> str:
    """Why nothing was tested."""
    return f"{opened(count_word(view.rows))} rows are too few to try the model out on some that it has not seen."


def how(tested: Backtest) -> str:
    """What was done."""
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
        f"found in all the data and {values}.{_unforeseeable(tested.unforeseeable)}"
    )


def _unforeseeable(rows: int) -> str:
    """How many rows are not counted, and why."""
    if not rows:
        return ""
    return (
        f" {opened(count_word(rows))} further row{' is' if rows == 1 else 's are'} not counted: something had begun there, or "
        "ended, of which nobody could have known at that moment."
    )


def table(tested: Backtest) -> TableBlock:
    """How many values lay in the bands, and how many should have."""
    return TableBlock(
        ("Band", "should hold", "held"),
        tuple((f"{level:.0f} %", f"{level:.0f} % of the values", f"{inside:.1f} %") for level, inside in tested.covered),
        "Bands as the model alone draws them." if tested.widening else "",
        ("right", "right", "right"),
    )


def chart(tested: Backtest) -> tuple[str, str]:
    """Caption and description of the same as a figure."""
    shares = ", ".join(f"{share:.0f} % in the {level:.0f} % band" for level, share in tested.covered)
    return (
        "How many values lay in bands of each level. On the dashed line the bands are as wide as they should be; "
        "below it they are too narrow.",
        f"Of past values, {shares}.",
    )


def errors(tested: Backtest) -> str:
    """How large they were, next to those of the simplest forecast."""
    simple = "the last value seen" if tested.origins else "the mean"
    said = (
        f"The typical error (root mean square) was {number(tested.error)}; taking {simple} instead would have made it "
        f"{number(tested.naive)}"
    )
    if tested.error >= tested.naive:
        return f"{said}, which is no worse. As a forecaster the model is of no use here, whatever it explains."
    if tested.naive > 1.05 * tested.error:
        return f"{said}, or {number(tested.naive / tested.error, 2)} times as large."
    return f"{said}, hardly more."


def judgement(tested: Backtest) -> str:
    """What to make of the bands."""
    level, inside = tested.covered[-1]
    match width(tested):
        case Width.WIDENED:
            return (
                f"Past forecasts were too sure of themselves: bands that should have held {level:.0f} % of the values held "
                f"{inside:.1f} %. The bands beyond the data in this report have therefore been widened by the least that "
                f"would have mended the past. The variance of a forecast is multiplied by 1 + {number(tested.widening, 2)} · t, "
                "where t is how far it reaches beyond the data in tenths of their range: a tenth of the range ahead, bands are "
                f"{number(float(np.sqrt(1 + tested.widening)), 2)} times as wide as the model alone would draw them."
            )
        case Width.NARROW:
            return (
                f"Bands that should have held {level:.0f} % of the values held only {inside:.1f} %: take the bands of this "
                "report as too narrow."
            )
        case Width.WIDE:
            return "The bands were wider than they needed to be: they err on the side of caution."
    return "The bands held about as many values as they should."
