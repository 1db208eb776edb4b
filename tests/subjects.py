"""Components made by hand, for the tests of the words: factors in short, and axes of every sort."""

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.kernels.normal import Factor, Term
from kernelscribe.report.description.subject import Subject

YEARS, DATES, PLAIN = Axis("year", "years"), Axis("date", "days", "1950-01-01T00:00:00"), Axis("water")
WEATHER = (Axis("temperature"), Axis("pressure", "hPa"), Axis("hour"))
NOISE = Factor("WN", 1)


def se(lengthscale, dim=1):
    return Factor("SE", dim, (lengthscale,))


def per(period, lengthscale=1.0, dim=1):
    return Factor("PER", dim, (lengthscale, period))


def rough(lengthscale, dim=1):
    return Factor("ROUGH", dim, (lengthscale,))


def walk(location, dim=1):
    return Factor("WALK", dim, (location,))


def spline(location, dim=1):
    return Factor("SPLINE", dim, (location,))


def cycle(period, lengthscale=1.0, dim=1):
    return Factor("CYCLE", dim, (lengthscale, period))


def step(location, dim=1):
    return Factor("STEP", dim, (location,))


def kink(location, dim=1):
    return Factor("KINK", dim, (location,))


def spell(location, width, dim=1):
    return Factor("SPELL", dim, (location, width))


def lin(location, dim=1):
    return Factor("LIN", dim, (location,))


def subject(*factors, axis=YEARS, ends=(1960.0, 2000.0), variance=1.0, **more):
    """A component along one input; forty decimal years unless told otherwise."""
    return Subject(Term(variance, factors), (axis,), (ends,), **more)


def weather(*factors, variance=1.0, **more):
    """A component of three inputs, none of them a time."""
    return Subject(Term(variance, factors), WEATHER, ((0.0, 30.0), (900.0, 1100.0), (0.0, 24.0)), **more)


def dated(years):
    """A decimal year as a day of the axis DATES."""
    return (years - 1950.0) * DAYS_A_YEAR
