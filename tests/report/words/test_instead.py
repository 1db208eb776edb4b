"""What other descriptions would say instead."""

import pytest

import analyses
from kernelscribe.report.description.view import View
from kernelscribe.report.words import language

LINE, YEAR = "LIN(variance=0.3, location=2000)", "CYCLE(variance=1, lengthscale=1, period=1)"
CHANGING, GROWING = f"SE(variance=1, lengthscale=4)*{YEAR}", f"LIN(variance=0.01, location=1990)*{YEAR}"
HALF = "CYCLE(variance=1, lengthscale=1, period=0.5)"
ROUGH, MATERN = "ROUGH(variance=0.3, lengthscale=0.4)", "MATERN(variance=0.3, lengthscale=0.4)"
BEND, DRIFT = "SPLINE(variance=0.5, location=1990)", "WALK(variance=1, location=2003.9)"


def told(chosen, rival):
    found = analyses.series(90, " + ".join(chosen))
    view = View(found)
    return language.instead.instead(view, analyses.rival(found.model, " + ".join(rival), -112.0, -110.0, False))


@pytest.mark.parametrize(
    ("chosen", "rival", "says"),
    [
        ((LINE, YEAR), (LINE,), "without the yearly cycle"),
        ((LINE, YEAR), (LINE, YEAR, ROUGH), "with short-lived departures besides"),
        ((LINE, YEAR), (LINE, YEAR, HALF), "with a half-yearly cycle besides"),
        ((LINE, YEAR), (DRIFT, YEAR), "with a drift in place of the straight line"),
        ((BEND, YEAR), (LINE, YEAR), "with a straight line in place of the bend"),
        ((LINE, YEAR), (BEND, HALF), "with a half-yearly cycle and a bend in place of the yearly cycle and the straight line"),
        ((LINE, YEAR), (LINE, CHANGING), "with a yearly cycle whose shape changes"),
        ((LINE, CHANGING), (LINE, YEAR), "with a yearly cycle whose shape stays the same"),
        ((LINE, GROWING), (LINE, YEAR), "with a yearly cycle whose size stays the same"),
        ((LINE, GROWING), (LINE, CHANGING, ROUGH),
         "with a yearly cycle whose shape changes and whose size stays the same and with short-lived departures besides"),
        ((LINE, ROUGH), (LINE, MATERN), "with the short-lived departures of another kind"),
        ((LINE, YEAR), (LINE, YEAR), "with the same components, whose values, or how they are tied to each other, differ"),
        ((LINE, YEAR), (LINE, YEAR, "STEP(variance=1, location=2006.5)"), "with a jump in July 2006 besides"),
        ((LINE, YEAR), (LINE, YEAR, "KINK(variance=1, location=2006.5)"), "with a change of slope in July 2006 besides"),
    ],
)  # fmt: skip
def test_differences_are_told_by_components(chosen, rival, says):
    assert told(chosen, rival) == says
