"""What the forecast assumes of every kind of component."""

import math

import pytest

from kernelscribe.kernels.normal import Term
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english.outlook import outlook
from subjects import NOISE, PLAIN, YEARS, Axis, kink, lin, per, rough, se, spell, spline, step, subject, walk, weather

LATER = "Further than about 5.0 years beyond the data, these say next to nothing about it"


@pytest.mark.parametrize(
    ("one", "holds", "lacks"),
    [
        (subject(NOISE), ["The noise is assumed to go on as it is."], ["deviation"]),
        (subject(NOISE, lin(1950.0)), ["The noise is assumed to go on.", "of the noise continues to grow."], ["as it is"]),
        (subject(NOISE, lin(2010.3)), ["The standard deviation of the noise continues to shrink."], []),
        (subject(), ["It is assumed to stay constant."], []),
        (subject(se(30.0), forgets=5.0), ["It goes back to its level, the average", LATER], ["zero", "mean"]),
        (subject(se(10.0), forgets=5.0), ["It goes back to its level", LATER], ["zero"]),
        (subject(se(2.0), forgets=5.0), ["they go back to the level.", LATER.replace("it", "them")], ["zero"]),
        (subject(se(0.1)), ["What is left of the last of them fades: they go back to the level."], ["Further"]),
        (subject(se(10.0), lin(1980.0)), ["Its swings continue to vary."], ["shrink"]),
        (subject(se(10.0), lin(1950.0)), ["Its swings continue to grow."], ["shrink"]),
        (subject(se(10.0), lin(2010.3)), ["Its swings continue to shrink."], ["grow"]),
        (subject(lin(1950.0), slope=1.52), ["The line is assumed to go on as before: it rises by 1.52 a year."], []),
        (subject(lin(1950.0)), ["The line is assumed to go on as before."], [":"]),
        (subject(lin(1950.0), lin(1960.0)), ["The curve is assumed to go on as the same quadratic polynomial."], ["size"]),
        (subject(*[lin(1950.0)] * 8), ["as the same polynomial of degree eight."], []),
        (subject(rough(0.1), forgets=5.0), ["What is left of the last of them fades", LATER.replace("it", "them")], ["smooth"]),
        (subject(rough(30.0)), ["they go back to the level."], ["smooth"]),
        (
            subject(walk(1950.0), variance=9.0),
            [
                "The best forecast of the level is where it is.",
                "within a year it moves by about 3.0 (one standard deviation), and within four times as long by twice as much.",
            ],
            ["zero", "mean"],
        ),
        (subject(walk(1950.0), lin(1940.0)), ["go on drifting, and is less", "Its swings continue to grow."], ["where it is"]),
        (subject(walk(1950.0), spline(1940.0)), ["Its swings continue to grow."], ["where it is"]),
        (
            subject(spline(1950.0), variance=3.0),
            [
                "The trend is assumed to go on with its last slope.",
                "less certain the further one looks: within a year the trend strays from its course by about 1.0 (one standard "
                "deviation), and within four times as long by eight times as much.",
            ],
            ["zero", "mean"],
        ),
        (subject(spline(1950.0), lin(1940.0)), ["the way it does where the data end, while its slope goes on changing."], []),
        (
            subject(per(3.0), walk(1950.0)),
            ["The cycle is assumed to go on repeating itself every 3.0 years, in its last shape, which is less certain"],
            ["unchanged", "zero"],
        ),
        (
            subject(per(3.0), rough(2.0)),
            ["repeating itself every 3.0 years as it does where the data end, less surely"],
            ["unch"],
        ),
        (
            subject(NOISE, walk(1950.0)),
            ["The noise is assumed to go on.", "deviation of the noise continues to grow."],
            ["as it is"],
        ),
        (subject(per(3.0)), ["The cycle is assumed to go on repeating itself unchanged every 3.0 years."], ["zero"]),
        (subject(per(1.0)), ["The cycle is assumed to go on repeating itself unchanged every year."], ["1.0"]),
        (
            subject(per(3.0), lin(1950.0)),
            ["repeating itself every 3.0 years.", "Its size continues to grow."],
            ["unchanged"],
        ),
        (
            subject(se(30.0), per(3.0), forgets=5.0),
            [
                "every 3.0 years as it does where the data end, less surely the further one looks.",
                LATER.replace("it", "its shape"),
            ],
            ["unchanged", "zero"],
        ),
        (subject(se(30.0), per(3.0), lin(1950.0)), ["Its size continues to grow."], []),
        (
            subject(per(3.0), per(1.0)),
            ["The product of cycles is assumed to go on repeating itself unchanged."],
            ["every", "has a period"],
        ),
        (subject(se(30.0), per(3.0), per(1.0)), ["The product of cycles is assumed to go on repeating itself as"], ["period of"]),
        (subject(step(1980.0)), ["The new level is taken to stay."], []),
        (subject(kink(1980.0)), ["The new slope is taken to stay."], []),
        (subject(spell(1980.0, 3.0)), ["The while is taken to be over."], []),
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
            ["Outside the range of temperature and pressure in the data it goes back there to its level, the average"],
        ),
        (
            weather(lin(0.0), slope=-0.2),
            ["Outside the range of temperature in the data the line is", "falls by 0.200 per unit of temperature."],
        ),
        (weather(lin(0.0), lin(0.0, 3), lin(1.0, 3)), ["assumed to remain linear in temperature and quadratic in hour."]),
        (weather(per(24.0, 1.0, 3), lin(0.0)), ["every 24.0 in hour.", "Its size continues to vary with temperature."]),
        (weather(per(24.0, 1.0, 3), se(9.0, 2)), ["every 24.0 in hour as it does where the data end, less surely"]),
        (weather(rough(3.0)), ["Outside the range of temperature in the data it goes back there to its level"]),
        (weather(walk(-1.0)), ["the best guess is that the level stays.", "and four times as far by twice as much."]),
        (
            weather(walk(-1.0), walk(800.0, 2)),
            ["the level is assumed to go on drifting, and is less certain the further one looks."],
        ),
        (weather(spline(-1.0)), ["the curve is assumed to go on with its last slope."]),
        (weather(NOISE, walk(800.0, 2)), ["The standard deviation of the noise continues to vary with pressure."]),
        (
            weather(per(24.0, 1.0, 3), walk(800.0, 2)),
            ["repeating itself every 24.0 in hour, in its last shape, which is less certain"],
        ),
        (
            subject(se(1.0), axis=PLAIN, ends=(0.0, 9.0), forgets=2.0),
            ["Outside the range of the data", "Further than about 2.0 in water beyond"],
        ),
    ],
)
def test_outside_the_range_of_other_inputs(one, holds):
    text = " ".join(outlook(one))
    for each in holds:
        assert each in text
    assert "forecast" not in text and "continue to grow" not in text


def test_how_far_the_data_reach_is_said_along_one_smooth_input_only():
    assert any(each.startswith("Further than about 2.0 in temp") for each in outlook(weather(se(5.0), forgets=2.0)))
    assert not any(each.startswith("Further") for each in outlook(weather(se(5.0), se(9.0, 2), forgets=2.0)))


def test_a_time_among_several_inputs_has_a_forecast():
    one = Subject(Term(1.0, (se(30.0),)), (YEARS, Axis("rain")), ((1960.0, 2000.0), (0.0, 5.0)), forgets=5.0)
    first, forgets = outlook(one)
    assert first.startswith("It goes back to its level")
    assert forgets.startswith(LATER)


@pytest.mark.parametrize("forgets", [None, math.inf, math.nan, 0.0])
def test_nothing_is_said_of_when_it_forgets_if_that_is_not_known(forgets):
    assert not any(each.startswith("Further") for each in outlook(subject(se(3.0), forgets=forgets)))
