"""What the forecast assumes of every kind of component."""

import math

import pytest

from kernelscribe.kernels.normal import Term
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english.outlook import outlook
from subjects import NOISE, PLAIN, YEARS, Axis, lin, per, rough, se, spline, subject, walk, weather

LATER = "Further than about 5.0 years beyond the data, these say next to nothing about it"
FLAT = "that does not mean that the cycle stops."


@pytest.mark.parametrize(
    ("one", "holds", "lacks"),
    [
        (subject(NOISE), ["The noise is assumed to go on as it is."], ["deviation"]),
        (
            subject(NOISE, lin(1950.0)),
            ["The noise is assumed to go on.", "deviation of the noise continues to grow linearly."],
            ["as it is"],
        ),
        (subject(NOISE, lin(2010.3)), ["The standard deviation of the noise shrinks until 2010 and then grows again."], []),
        (subject(), ["It is assumed to stay constant."], []),
        (
            subject(se(30.0), forgets=5.0),
            [
                "go on very smoothly, but not for ever in the same direction",
                "eventually returns to zero",
                LATER,
                "length-scale of 30.0 years.",
            ],
            ["quickly"],
        ),
        (
            subject(se(10.0), forgets=5.0),
            ["go on smoothly, but not for ever", "Its forecast returns to zero", LATER],
            ["eventually"],
        ),
        (subject(se(2.0)), ["It is assumed to go on smoothly.", "length-scale of 2.0 years."], ["Further", "for ever"]),
        (subject(se(0.1)), ["It is assumed to go on.", "quickly returns to zero"], ["go on smoothly"]),
        (subject(se(10.0), lin(1980.0)), ["Its swings continue to grow linearly."], ["shrink"]),
        (subject(se(10.0), lin(2010.3)), ["Its swings shrink until 2010 and then grow again."], ["continue"]),
        (
            subject(se(10.0), lin(1990.3), lin(2010.3)),
            ["Its swings continue to vary quadratically, and they are zero in 2010."],
            ["shrink"],
        ),
        (subject(lin(1950.0), slope=1.52), ["The line is assumed to go on as before: it rises by 1.52 per year."], []),
        (subject(lin(1950.0)), ["The line is assumed to go on as before."], [":"]),
        (subject(lin(1950.0), lin(1960.0)), ["The curve is assumed to go on as the same quadratic polynomial."], ["amplitude"]),
        (subject(*[lin(1950.0)] * 8), ["as the same polynomial of degree eight."], []),
        (
            subject(rough(0.1), forgets=5.0),
            [
                "Departures are assumed to go on coming and fading.",
                "Its forecast quickly returns to zero",
                LATER,
                "that it varies about zero, with a length-scale of 5.2 weeks.",
            ],
            ["smooth"],
        ),
        (subject(rough(30.0)), ["Its forecast eventually returns to zero, its long-run mean."], ["smooth"]),
        (
            subject(walk(1950.0), variance=9.0),
            [
                "The level is assumed to go on wandering, so that its forecast stays where the data leave it.",
                "within a year it moves by about 3.0 (one standard deviation), and within four times as long by twice as much.",
            ],
            ["zero", "mean"],
        ),
        (
            subject(walk(1950.0), lin(1940.0)),
            ["go on wandering, and is less", "Its swings continue to grow linearly."],
            ["stays"],
        ),
        (subject(walk(1950.0), spline(1940.0)), ["Its swings continue to grow."], ["stays"]),
        (
            subject(spline(1950.0), variance=3.0),
            [
                "The trend is assumed to go on with the slope that it has where the data end.",
                "within a year the trend strays from its course by about 1.0 (one standard deviation), "
                "and within four times as long by eight times as much.",
            ],
            ["zero", "mean"],
        ),
        (subject(spline(1950.0), lin(1940.0)), ["the way it does where the data end, while its slope goes on changing."], []),
        (
            subject(per(3.0), walk(1950.0)),
            ["The cycle is assumed to go on repeating itself every 3.0 years, in the shape that it has where the data end"],
            ["unchanged", "zero"],
        ),
        (subject(per(3.0), rough(2.0)), ["repeating itself approximately every 3.0 years", FLAT], []),
        (
            subject(NOISE, walk(1950.0)),
            ["The noise is assumed to go on.", "deviation of the noise continues to grow."],
            ["as it is"],
        ),
        (subject(per(3.0)), ["The cycle is assumed to go on repeating itself unchanged every 3.0 years."], [FLAT, "zero"]),
        (
            subject(per(3.0), lin(1950.0)),
            ["repeating itself every 3.0 years.", "Its amplitude continues to grow linearly."],
            ["unchanged"],
        ),
        (
            subject(se(30.0), per(3.0), forgets=5.0),
            ["repeating itself approximately every 3.0 years, while its shape changes.", "eventually returns", LATER, FLAT],
            ["unchanged", "quickly"],
        ),
        (subject(se(10.0), per(3.0)), ["Its forecast returns to zero, its long-run mean.", FLAT], ["eventually", "quickly"]),
        (subject(se(1.0), per(3.0)), ["quickly returns to zero", FLAT], ["eventually"]),
        (subject(se(30.0), per(3.0), lin(1950.0)), ["Its amplitude continues to grow linearly.", FLAT], []),
        (
            subject(per(3.0), per(1.0)),
            ["The product of cycles is assumed to go on repeating itself unchanged."],
            ["every", "has a period"],
        ),
        (
            subject(se(30.0), per(3.0), per(1.0)),
            ["The product of cycles is assumed to go on repeating itself approximately", FLAT],
            ["period of"],
        ),
    ],
)
def test_along_a_time(one, holds, lacks):
    text = " ".join(outlook(one))
    for each in holds:
        assert each in text
    for each in lacks:
        assert each not in text


@pytest.mark.parametrize(
    ("regions", "says"),
    [
        (((-math.inf, 1975.0),), "This part ends before the end of the data, and is taken to be zero beyond them."),
        (
            ((-math.inf, 1965.0), (1970.0, 1980.0)),
            "This part ends before the end of the data, and is taken to be zero beyond them.",
        ),
        (((1970.0, 2020.5),), "This part is assumed to end in 2020, and is taken to be zero from there on."),
        ((), "As it could not be worked out where this part applies, nothing can be said of how it goes on."),
    ],
)
def test_a_part_that_ends(regions, says):
    assert outlook(subject(se(3.0), regions=regions)) == (says,)


@pytest.mark.parametrize("regions", [((1975.0, math.inf),), ((-math.inf, 1965.0), (1970.0, math.inf))])
def test_a_part_that_is_at_work_to_the_end_goes_on(regions):
    assert outlook(subject(se(3.0), regions=regions)) == outlook(subject(se(3.0)))


@pytest.mark.parametrize(
    ("one", "holds"),
    [
        (weather(NOISE), ["Outside the range of the data the noise is assumed to go on as it is."]),
        (weather(), ["Outside the range of the data it is assumed to stay constant."]),
        (
            weather(se(5.0), se(9.0, 2)),
            [
                "Outside the range of temperature and pressure in the data it is",
                "There it returns",
                "of 5.0 in temperature and 9.0 hPa in pressure.",
            ],
        ),
        (
            weather(lin(0.0), slope=-0.2),
            ["Outside the range of temperature in the data the line is", "falls by 0.200 per unit of temperature."],
        ),
        (weather(lin(0.0), lin(0.0, 3), lin(1.0, 3)), ["assumed to remain linear in temperature and quadratic in hour."]),
        (
            weather(per(24.0, 1.0, 3), lin(0.0)),
            ["every 24.0 in hour.", "Its amplitude continues to vary linearly with temperature."],
        ),
        (weather(per(24.0, 1.0, 3), se(9.0, 2)), ["every 24.0 in hour, while its shape changes.", "There it returns to zero"]),
        (weather(rough(3.0)), ["Outside the range of temperature in the data it is assumed to go on varying."]),
        (
            weather(walk(-1.0)),
            ["the level is assumed to go on wandering, so that it stays where", "and four times as far by twice as much."],
        ),
        (
            weather(walk(-1.0), walk(800.0, 2)),
            ["the level is assumed to go on wandering, and is less certain the further one looks."],
        ),
        (weather(spline(-1.0)), ["the curve is assumed to go on with the slope that it has where the data end."]),
        (weather(NOISE, walk(800.0, 2)), ["The standard deviation of the noise continues to vary with pressure."]),
        (
            weather(per(24.0, 1.0, 3), walk(800.0, 2)),
            ["repeating itself every 24.0 in hour, in the shape that it has where the data end, which is less certain"],
        ),
        (
            subject(se(1.0), axis=PLAIN, ends=(0.0, 9.0), forgets=2.0),
            ["Outside the range of the data", "Further than about 2.0 in water beyond", "with a length-scale of 1.00 in water."],
        ),
    ],
)
def test_outside_the_range_of_other_inputs(one, holds):
    text = " ".join(outlook(one))
    for each in holds:
        assert each in text
    assert "forecast" not in text and "continue to grow" not in text and FLAT not in text


def test_how_far_the_data_reach_is_said_along_one_smooth_input_only():
    assert any(each.startswith("Further than about 2.0 in temp") for each in outlook(weather(se(5.0), forgets=2.0)))
    assert not any(each.startswith("Further") for each in outlook(weather(se(5.0), se(9.0, 2), forgets=2.0)))


def test_a_time_among_several_inputs_has_a_forecast():
    one = Subject(Term(1.0, (se(30.0),)), (YEARS, Axis("rain")), ((1960.0, 2000.0), (0.0, 5.0)), forgets=5.0)
    first, returns, forgets, prior = outlook(one)
    assert first.startswith("It is assumed to go on very smoothly")
    assert returns.startswith("Its forecast eventually")
    assert forgets.startswith(LATER)
    assert prior.endswith("with a length-scale of 30.0 years in year.")


@pytest.mark.parametrize("forgets", [None, math.inf, math.nan, 0.0])
def test_nothing_is_said_of_when_it_forgets_if_that_is_not_known(forgets):
    assert not any(each.startswith("Further") for each in outlook(subject(se(3.0), forgets=forgets)))
