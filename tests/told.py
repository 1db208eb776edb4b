"""Components along a time, and what is to be said of them."""

import math

from subjects import NOISE, lin, per, rough, se, spline, walk

# Factors, what else is known, the summary, and what stands in the details.
CASES = [
    # 1 noise
    ((NOISE,), {"variance": 4.0}, "uncorrelated noise with a standard deviation of 2.00", ["each value strays on its own"]),
    (
        (NOISE, lin(1950.0)),
        {},
        "uncorrelated noise whose standard deviation grows linearly",
        ["from about 10 in 1960 to about 50 in 2000."],
    ),
    (
        (NOISE, lin(2010.0)),
        {},
        "uncorrelated noise whose standard deviation shrinks linearly",
        ["from about 50 in 1960 to about 10 in 2000."],
    ),
    (
        (NOISE, lin(1975.2)),
        {},
        "uncorrelated noise whose standard deviation grows linearly away from 1975",
        ["of the noise grows linearly away from 1975, where it is zero, to about 15 in 1960 and about 25 in 2000."],
    ),
    ((NOISE, lin(1950.0), lin(1940.0)), {}, "uncorrelated noise whose standard deviation grows quadratically", []),
    # 2 constant
    ((), {"target": "co2"}, "a constant", ["moves every value of co2 by the same amount"]),
    # 3 smooth, by length-scale
    ((se(21.0),), {}, "a very smooth trend", ["bends only slowly"]),
    ((se(19.0),), {}, "a smooth trend", ["typical length-scale of 19.0 years"]),
    ((se(3.0),), {}, "smooth ups and downs that last about 3.0 years", ["their typical length-scale"]),
    ((se(0.21),), {}, "smooth ups and downs that last about 2.5 months", []),
    ((se(0.19),), {}, "short-lived departures that last about 2.3 months", ["rapid, short-lived departures"]),
    (
        (se(21.0),),
        {"monotone": 1, "slope": 0.5},
        "a very smooth trend that rises throughout",
        ["rises throughout the data, by 20.0 in all."],
    ),
    ((se(19.0),), {"monotone": -1}, "a smooth trend that falls throughout", ["It falls throughout the data."]),
    ((se(3.0),), {"monotone": -1, "slope": -1.0}, "a smooth trend that falls throughout", ["of 3.0 years", "by 40.0 in all"]),
    ((se(0.1),), {"monotone": 1, "slope": 1.0}, "short-lived departures that last about 5.2 weeks", []),
    (
        (se(19.0), lin(1950.0)),
        {},
        "a smooth trend whose swings grow linearly",
        ["Its swings grow linearly, from about 10 in 1960"],
    ),
    (
        (se(19.0), lin(2020.0)),
        {},
        "a smooth trend whose swings shrink linearly",
        ["to about 20 in 2000 (as standard deviations)"],
    ),
    ((se(19.0), lin(1990.3)), {}, "a smooth trend whose swings grow linearly away from 1990", ["where they are zero"]),
    ((se(30.0), se(40.0)), {}, "a very smooth trend", []),
    ((se(12.0), se(12.0)), {}, "a smooth trend", ["length-scale of 8.5 years"]),
    # 4 line
    ((lin(1950.0),), {"slope": 1.52}, "a straight line that rises by 1.52 per year", ["which makes 60.8 from 1960 to 2000."]),
    ((lin(1950.0),), {"slope": -0.3}, "a straight line that falls by 0.300 per year", ["which makes 12.0"]),
    ((lin(1950.0),), {"monotone": -1}, "a straight line that falls", []),
    ((lin(1950.0),), {}, "a straight line", []),
    # 5 polynomials
    ((lin(1950.0),) * 2, {}, "a quadratic polynomial", []),
    ((lin(1970.0), lin(1990.0)), {}, "a quadratic polynomial", ["which is zero in 1970 and in 1990."]),
    ((lin(1950.0),) * 3, {"monotone": 1}, "a cubic polynomial that rises throughout", ["It rises throughout the data."]),
    ((lin(1950.0),) * 4, {}, "a quartic polynomial", []),
    ((lin(1950.0),) * 5, {}, "a quintic polynomial", []),
    ((lin(1950.0),) * 6, {}, "a polynomial of degree six", []),
    # 6 exactly periodic
    ((per(1.0),), {}, "a yearly cycle (period 1.00 years)", ["repeats itself exactly, every 1.00 years", "over about 8.3 weeks"]),
    ((per(1.0, 7.5),), {}, "a yearly cycle (period 1.00 years)", ["Within a cycle it is close to a sine wave."]),
    ((per(1.0, 7.3),), {}, "a yearly cycle (period 1.00 years)", ["Within a cycle it changes over about 1.16 years."]),
    ((per(10.9),), {"spread": ((0.1, 0.3),)}, "a cycle of 10.9 ± 0.3 years", ["exactly, every 10.9 ± 0.3 years"]),
    # 7 nearly periodic
    (
        (se(19.0), per(1.0)),
        {"spread": ((4.0,), (0.1, 0.001))},
        "an approximately yearly cycle (period 1.000 ± 0.001 years) whose shape changes over 19 ± 4 years",
        ["From one cycle to the next its shape changes smoothly, over 19 ± 4 years.", "Within a cycle"],
    ),
    (
        (se(21.0), per(10.9)),
        {},
        "an approximate cycle of 10.9 years whose shape changes very slowly",
        ["shape changes very slowly."],
    ),
    ((se(7.4), per(10.9)), {}, "an approximate cycle of 10.9 years whose shape changes over about 7.4 years", ["Within a cycle"]),
    (
        (se(7.3), per(10.9)),
        {},
        "a very approximate cycle of 10.9 years whose shape changes over about 7.3 years",
        ["repeats itself very approximately", "may look like plain smooth ups and downs."],
    ),
    (
        (se(0.5), per(1.0)),
        {},
        "a very approximately yearly cycle (period 1.00 years) whose shape changes over about 6.0 months",
        [],
    ),
    (
        (se(23.0), per(39.0)),
        {},
        "a very approximate cycle of 39.0 years whose shape changes over about 23.0 years",
        ["smoothly, over"],
    ),
    # 8 periodic with lines
    (
        (per(1.0), lin(1950.0)),
        {},
        "a yearly cycle (period 1.00 years) whose amplitude grows linearly",
        [
            "Its amplitude grows linearly, from about 10 in 1960 to about 50 in 2000 (as standard deviations).",
            "It repeats itself every",
        ],
    ),
    (
        (per(1.0), lin(1960.0)),
        {},
        "a yearly cycle (period 1.00 years) whose amplitude grows linearly",
        ["from about 0 in 1960 to about 40"],
    ),
    (
        (per(1.0), lin(2000.0)),
        {},
        "a yearly cycle (period 1.00 years) whose amplitude shrinks linearly",
        ["from about 40 in 1960 to about 0"],
    ),
    (
        (per(1.0), lin(1990.5), lin(2010.0)),
        {},
        "a yearly cycle (period 1.00 years) whose amplitude varies quadratically",
        ["zero in 1990."],
    ),
    ((per(1.0), lin(2010.0)), {}, "a yearly cycle (period 1.00 years) whose amplitude shrinks linearly", []),
    ((per(1.0), lin(1990.5)), {}, "a yearly cycle (period 1.00 years) whose amplitude grows linearly away from 1990", []),
    ((per(0.25), lin(1950.0), lin(1940.0)), {}, "a quarterly cycle (period 3.0 months) whose amplitude grows quadratically", []),
    (
        (per(0.5), *(lin(2010.0 + i) for i in range(3))),
        {},
        "a half-yearly cycle (period 6.0 months) whose amplitude shrinks cubically",
        [],
    ),
    (
        (per(1 / 12), *(lin(1962.5 + 10 * i) for i in range(4))),
        {},
        "a monthly cycle (period 4.3 weeks) whose amplitude varies quartically",
        ["and zero in 1962, in 1972, in 1982 and in 1992."],
    ),
    ((per(3.0), *(lin(1962.5 + i) for i in range(5))), {}, "a cycle of 3.0 years whose amplitude varies quintically", []),
    (
        (per(3.0), *[lin(1962.5)] * 6),
        {},
        "a cycle of 3.0 years whose amplitude grows as a polynomial of degree six away from 1962",
        [],
    ),
    # 9 nearly periodic with lines
    (
        (se(40.0), per(1.0), lin(1950.0)),
        {},
        "an approximately yearly cycle (period 1.00 years) whose shape changes very slowly and whose amplitude grows linearly",
        ["Its amplitude grows linearly"],
    ),
    (
        (se(2.0), per(10.9), lin(1950.0)),
        {},
        "a very approximate cycle of 10.9 years whose shape changes over about 2.0 years and whose swings grow linearly",
        ["Its swings grow linearly"],
    ),
    # 10 several cycles
    (
        (per(1.0, 8.0), per(10.9)),
        {},
        "a product of two cycles (of 1.00 years and 10.9 years)",
        [
            "The first, a yearly one, has a period of 1.00 years, within which it is close to a sine wave.",
            "The second has a period of 10.9 years, within which it changes over about 1.73 years.",
        ],
    ),
    (
        (se(30.0), per(1.0), per(0.5), per(11.0), lin(1950.0)),
        {},
        "an approximate product of three cycles (of 1.00 years, 6.0 months and 11.0 years) whose shape changes very slowly "
        "and whose amplitude grows linearly",
        ["The third has a period of 11.0 years", "shape changes very slowly"],
    ),
    # where it acts
    ((se(19.0),), {"regions": ((-math.inf, 1975.5),)}, "a smooth trend, which applies until 1975", ["It applies until 1975."]),
    (
        (se(3.0),),
        {"regions": ((1975.5, math.inf),)},
        "smooth ups and downs that last about 3.0 years, which apply from 1975 onwards",
        [],
    ),
    ((per(1.0),), {"regions": ()}, None, ["It applies in a region that could not be worked out"]),
    # 6 rough
    ((rough(0.1),), {}, "short-lived departures that last about 5.2 weeks", ["what is left of one shrinks to about a third."]),
    ((rough(3.9),), {}, "short-lived departures that last about 3.9 years", []),
    ((rough(4.1),), {}, "slow departures that last about 4.1 years", []),
    ((rough(30.0),), {"monotone": 1, "slope": 1.0}, "slow departures that last about 30.0 years", []),
    ((rough(0.1), lin(1950.0)), {}, "short-lived departures that last about 5.2 weeks and whose swings grow linearly", []),
    # 1/l adds, as if both were rough
    ((se(4.0), rough(4.0)), {}, "short-lived departures that last about 2.0 years", []),
    (
        (per(1.0), rough(3.0)),
        {},
        None,
        ["From one cycle to the next its shape changes by fits and starts, over about 3.0 years."],
    ),
    ((per(10.9), rough(7.3)), {}, None, ["As its shape is lost within less than a cycle"]),
    # 7 walks
    (
        (walk(1950.0),),
        {"variance": 9.0},
        "a level that wanders by about 3.0 within a year",
        ["within a year it moves by about 3.0 (one standard deviation), up as readily as down, and nothing draws it back."],
    ),
    ((walk(1950.0),), {"monotone": 1, "slope": 2.0}, "a level that wanders by about 1.0 within a year", []),
    (
        (walk(1950.0), lin(1940.0)),
        {},
        "a level that wanders and whose swings grow linearly",
        ["from about 63 in 1960 to about 420 in 2000"],
    ),
    (
        (walk(1950.0), walk(1950.0)),
        {},
        "a level that wanders and whose swings grow",
        ["from about 10 in 1960 to about 50 in 2000"],
    ),
    ((walk(1950.0), spline(1950.0)), {}, "a level that wanders and whose swings grow", []),
    ((se(19.0), walk(1950.0)), {}, "a smooth trend whose swings grow", ["from about 3.2 in 1960 to about 7.1 in 2000"]),
    ((rough(0.1), walk(1950.0)), {}, "short-lived departures that last about 5.2 weeks and whose swings grow", []),
    (
        (NOISE, walk(1950.0)),
        {},
        "uncorrelated noise whose standard deviation grows",
        ["from about 3.2 in 1960 to about 7.1 in 2000."],
    ),
    (
        (per(1.0), walk(1950.0)),
        {},
        "an approximately yearly cycle (period 1.00 years) whose shape wanders",
        ["From one cycle to the next its shape wanders, and nothing draws it back."],
    ),
    # 8 bends
    (
        (spline(1950.0),),
        {"variance": 0.04},
        "a trend whose slope changes",
        ["whose slope changes: within a year by about 0.200 per year (one standard deviation)."],
    ),
    (
        (spline(1950.0),),
        {"monotone": -1, "slope": -0.5},
        "a trend whose slope changes and that falls throughout",
        ["It falls throughout the data, by 20.0 in all."],
    ),
    ((spline(1950.0), lin(1950.0)), {}, "a trend whose slope changes and whose swings grow linearly", []),
    ((per(1.0), spline(1950.0)), {}, "an approximately yearly cycle (period 1.00 years) whose shape drifts", []),
]
