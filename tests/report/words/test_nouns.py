"""A sentence for every noun and adjective of a statement: on the scale of the target and on a logarithm, by dates and by plain
numbers."""

import math

import pytest

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.links import LINKS
from kernelscribe.report.description.seen import Event, Extreme, Known, Leg, Seen, Swing
from kernelscribe.report.words.english.component import describe
from kernelscribe.report.words.english.headline import headline
from subjects import PLAIN, cycle, kink, lin, rough, se, spell, spline, step, subject, walk

DATES = Axis("date", "days", "2021-01-01T00:00:00")
LOG = LINKS["log"]
SMALL = math.log(1.1)
LENGTH = {"ends": (0.0, 200.0)}


def seen(**more):
    """Of forty years that rise by eighty."""
    usual = {"size": 0.5, "slope": Known(2.0, 0.04), "ends": (1.0, 3.0), "legs": (Leg(1960.0, 2000.0, 80.0),), "step": 1 / 12}
    return Seen(**{**usual, **more})


def swing(high, low, up=3.0, down=-3.0, first=3.0, last=3.0, step=1.0):
    return seen(swing=Swing(Extreme(high, Known(up, up / 15)), Extreme(low, Known(down, up / 15)), first, last, step), step=step)


def event(value, first, last=200.0, rows=50, step=1.0, error=None, before=0.0):
    return seen(event=Event(Known(value, abs(value) / 20 if error is None else error), first, last, rows, before), step=step)


def dated(*factors, **more):
    """Two hundred days from the first of January 2021 on."""
    return subject(*factors, axis=DATES, **{**LENGTH, **more})


def deep(*factors, **more):
    """Along the depth of water."""
    return subject(*factors, axis=PLAIN, **{"ends": (0.0, 9.0), **more})


# What is said of it in a line, and in its details.
@pytest.mark.parametrize(
    ("one", "summary", "details"),
    [
        (
            subject(lin(1980.0), slope=2.0, seen=seen()),
            "a straight line that rises by 2.00 a year",
            "It rises by 2.00 ± 0.04 a year, which makes 80.0 from 1960 to 2000.",
        ),
        (
            subject(lin(1980.0), slope=-0.02, seen=seen(slope=Known(-0.02, 0.004)), link=LOG),
            "a steady decline by 2.0 % a year",
            "It falls by 2.0 ± 0.4 % a year, which makes 55.1 % from 1960 to 2000.",
        ),
        (
            subject(lin(1980.0), slope=0.03, seen=seen(slope=Known(0.03, 0.0004)), link=LOG),
            "steady growth by 3.05 % a year",
            "It grows by 3.05 ± 0.04 % a year, which makes a factor of 3.32 from 1960 to 2000.",
        ),
        (
            deep(lin(4.0), slope=2.0, seen=seen()),
            "a straight line in water that rises by 2.00 per unit of water",
            "It rises by 2.00 ± 0.04 per unit of water, which makes 18.0 over the whole of the data.",
        ),
        (
            subject(spline(1900.0), seen=seen()),
            "a bending trend that rises by 80.0 in all, ever faster",
            "It rises by 1.00 a year at first and by 3.00 a year at the end.",
        ),
        (
            subject(spline(1900.0), seen=seen(ends=(3.0, 2.9))),
            "a bending trend that rises by 80.0 in all",
            "It rises by 3.00 a year at first and by 2.90 a year at the end.",
        ),
        (
            subject(spline(1900.0), seen=seen(legs=(Leg(1960.0, 1978.5, 9.0), Leg(1978.5, 2000.0, -5.0)), ends=(0.5, -0.2))),
            "a bending trend that rises until 1978 and falls since",
            "It rises by 0.500 a year at first and falls by 0.200 a year at the end.",
        ),
        (
            subject(spline(1900.0), seen=seen(legs=(Leg(1960.0, 2000.0, 0.5),), ends=(0.02, 0.01)), link=LOG),
            "a bending trend that grows by 64.9 % in all, ever more slowly",
            "It grows by 2.02 % a year at first and by 1.01 % a year at the end.",
        ),
        (subject(spline(1900.0), seen=seen(legs=(Leg(1960.0, 1970.0, 1.0),) * 5)), "a trend that bends", ""),
        (
            subject(walk(1960.0), variance=9.0, seen=seen()),
            "a level that drifts, up by 80.0 in all",
            "Within a year it moves by about 3.0 (one standard deviation), up as readily as down, and nothing draws it back.",
        ),
        (
            subject(walk(1960.0), variance=9e-4, seen=seen(slope=Known(-0.01, 0.0), size=0.1), link=LOG),
            "a level that drifts, down by 33.0 % in all",
            "Within a year it moves by about 3.0 % (one standard deviation), up as readily as down, and nothing draws it back.",
        ),
        (
            subject(se(3.0), seen=seen()),
            "smooth ups and downs of ± 0.50 that last about 3.0 years",
            "Two times of three they are no larger than ± 0.50.",
        ),
        (
            subject(rough(0.1), seen=seen(size=SMALL), link=LOG),
            "short-lived departures of ± 10 % that last about 5.2 weeks",
            "Two times of three they are no larger than ± 10 %.",
        ),
        (deep(se(0.5), seen=seen()), "a smooth function of water that varies by ± 0.50", ""),
        (deep(se(5.0), seen=seen()), "a very smooth function of water that rises by 80.0 in all, ever faster", ""),
        (
            dated(cycle(DAYS_A_YEAR), ends=(0.0, 2000.0), seen=swing(120.0, 280.0)),
            "a yearly cycle of ± 3.0, highest in May and lowest in October",
            "It repeats itself exactly, every year. It is highest in May, 3.0 ± 0.2 above its average, and lowest in October, "
            "3.0 ± 0.2 below its average.",
        ),
        (
            dated(cycle(7.0), seen=swing(4.0, 9.0, up=SMALL, down=-SMALL, first=SMALL, last=SMALL), link=LOG),
            "a weekly cycle of ± 10 %, highest on Tuesdays and lowest on Sundays",
            "It repeats itself exactly, every week. It is highest on Tuesdays, 10.0 ± 0.7 % above its average, and lowest on "
            "Sundays, 9.1 ± 0.6 % below its average.",
        ),
        (
            dated(cycle(1.0), seen=swing(0.71, 0.2, step=1 / 24)),
            "a daily cycle of ± 3.0, highest about 17:00 and lowest about 04:45",
            "",
        ),
        (
            dated(cycle(7.0), seen=swing(4.71, 9.0, step=1 / 24)),
            "a weekly cycle of ± 3.0, highest on Tuesdays about 17:00 and lowest on Sundays about 00:00",
            "",
        ),
        (
            dated(cycle(DAYS_A_YEAR / 12), seen=swing(4.0, 20.0)),
            "a monthly cycle of ± 3.0, highest about day 5 of the month and lowest about day 21 of the month",
            "",
        ),
        (
            dated(cycle(DAYS_A_YEAR / 2), ends=(0.0, 2000.0), seen=swing(120.0, 20.0)),
            "a half-yearly cycle of ± 3.0, highest in May and November and lowest in January and July",
            "",
        ),
        (
            subject(cycle(10.9), spread=((0.1, 0.3),), seen=swing(1991.2, 1996.0, step=1 / 12)),
            "a cycle of 10.9 ± 0.3 years and ± 3.0, last highest in 1991 and last lowest in 1996",
            "It repeats itself exactly, every 10.9 ± 0.3 years. It was last highest in 1991, 3.0 ± 0.2 above its average, and "
            "lowest in 1996, 3.0 ± 0.2 below its average.",
        ),
        (
            subject(cycle(1.0), seen=swing(1999.0 + 1 / 24, 1999.0 + 13 / 24, step=1 / 12)),
            "a yearly cycle of ± 3.0, highest in January and lowest in July",
            "",
        ),
        (
            deep(cycle(3.2), seen=swing(7.0, 8.4, step=0.1)),
            "a cycle of 3.2 in water and ± 3.0, last highest at water = 7.000 and last lowest at water = 8.400",
            "It repeats itself exactly, every 3.2 in water.",
        ),
        (
            subject(se(19.0), cycle(1.0), seen=swing(1999.4, 1999.9, step=1 / 12)),
            "a yearly cycle of ± 3.0, highest in May and lowest in November, whose shape changes over about 19.0 years",
            "In the last whole period of the data it is highest in May",
        ),
        (
            subject(lin(1955.3), cycle(1.0), seen=swing(1999.4, 1999.9, first=3.0, last=12.0, step=1 / 12)),
            "a yearly cycle, highest in May and lowest in November, whose size grows from ± 3.0 to ± 12 over the data",
            "In the last whole period of the data it is highest in May",
        ),
        (
            subject(lin(1955.3), cycle(1.0), seen=swing(1999.4, 1999.9, first=12.0, last=3.0, step=1 / 12)),
            "a yearly cycle, highest in May and lowest in November, whose size shrinks from ± 12 to ± 3.0 over the data",
            "",
        ),
        (
            subject(se(19.0), lin(1980.0), cycle(1.0), seen=swing(1999.4, 1999.9, step=1 / 12)),
            "a yearly cycle, highest in May and lowest in November, whose shape changes over about 19.0 years and whose size "
            "changes little, from ± 3.0 to ± 3.0 over the data",
            "",
        ),
        (
            dated(step(119.5), seen=event(40.0, 120.0)),
            "a jump of +40 on 1 May 2021",
            "From 1 May 2021 on it lies 40 ± 2 higher than before, and stays there.",
        ),
        (
            dated(step(119.5), seen=event(-SMALL, 120.0), link=LOG),
            "a jump of −9.1 % on 1 May 2021",
            "From 1 May 2021 on it lies 9.1 ± 0.4 % lower than before, and stays there.",
        ),
        (dated(step(119.5), seen=event(2.0, 120.0, error=0.1), link=LOG), "a jump of a factor of 7.4 up on 1 May 2021", ""),
        (dated(step(119.5), seen=event(40.0, 120.0, step=30.4)), "a jump of +40 in May 2021", ""),
        (dated(step(119.5), seen=event(40.0, 120.5, step=1 / 24)), "a jump of +40 at 12:00 on 1 May 2021", ""),
        (subject(step(1979.9), seen=event(-40.0, 1980.0, step=1.0)), "a jump of −40 in 1980", ""),
        (subject(step(1980.06), seen=event(40.0, 1980.0 + 1 / 12, step=1 / 12)), "a jump of +40 in February 1980", ""),
        (deep(step(3.1), seen=event(40.0, 3.2)), "a jump of +40 at water = 3.200", ""),
        (
            subject(kink(1980.0), seen=event(-3.1, 1980.2, step=1 / 12, before=5.0)),
            "a change of slope in March 1980, after which it rises by 3.1 a year more slowly",
            "From March 1980 on it rises by 3.1 a year more slowly. The slope is 3.1 ± 0.2 a year less than before.",
        ),
        (
            subject(kink(1980.0), seen=event(3.1, 1980.2, step=1 / 12, before=5.0)),
            "a change of slope in March 1980, after which it rises by 3.1 a year faster",
            "",
        ),
        (
            subject(kink(1980.0), seen=event(-3.1, 1980.2, step=1 / 12, before=1.0)),
            "a change of slope in March 1980, after which it no longer rises but falls, by 2.1 a year",
            "",
        ),
        (
            subject(kink(1980.0), seen=event(-SMALL, 1980.2, step=1 / 12), link=LOG),
            "a change of slope in March 1980, after which it falls by 9.1 % a year",
            "",
        ),
        (
            dated(spell(100.0, 60.0), seen=event(-12.0, 71.0, 130.0, 60)),
            "a while between 13 March 2021 and 11 May 2021 that lies 12.0 lower",
            "From 13 March 2021 until 11 May 2021, for 60 rows, it lies 12.0 ± 0.6 lower than before and after.",
        ),
        (
            dated(spell(122.0, 1.0), seen=event(35.0, 122.0, 122.0, 1)),
            "a single row, 3 May 2021, that lies 35 above what the rest says",
            "The value of 3 May 2021 lies 35 ± 2 above what the rest says",
        ),
        (
            dated(spell(122.0, 1.0), seen=event(-SMALL, 122.0, 122.0, 1), link=LOG),
            "a single row, 3 May 2021, that lies 9.1 % below what the rest says",
            "",
        ),
        (
            deep(spell(4.0, 0.1), seen=event(35.0, 4.0, 4.0, 1)),
            "a single row, water = 4.000, that lies 35 above what the rest says",
            "",
        ),
    ],
)  # fmt: skip
def test_every_noun_and_adjective_says_what_the_data_show(one, summary, details):
    words = describe(one)
    assert words.summary == summary
    assert details in " ".join(words.details)


# Where nothing was measured, as of a rival.
@pytest.mark.parametrize(
    ("one", "summary"),
    [
        (subject(cycle(1.0)), "a yearly cycle"),
        (subject(se(19.0), cycle(1.0)), "a yearly cycle whose shape changes over about 19.0 years"),
        (subject(lin(1950.0), cycle(1.0)), "a yearly cycle whose size grows"),
        (subject(step(1980.5)), "a jump in 1980"),
        (subject(kink(1980.5)), "a change of slope in 1980"),
        (subject(spell(1980.5, 0.1)), "a while in 1980 that lies higher or lower"),
        (subject(spell(1980.5, 6.0)), "a while in 1977 to 1983 that lies higher or lower"),
        (subject(cycle(1.0), step(1980.5)), "a yearly cycle that begins in 1980"),
        (subject(lin(1950.0), spell(1980.5, 4.0)), "a straight line that is there only in 1980"),
    ],
)
def test_what_was_not_measured_is_told_without_numbers(one, summary):
    assert describe(one).summary == summary


@pytest.mark.parametrize(
    ("one", "outlook"),
    [
        (subject(spline(1900.0), seen=seen()), "The trend is assumed to go on with its last slope: it rises by 3.00 a year."),
        (subject(lin(1980.0), slope=2.0, seen=seen()), "The line is assumed to go on as before: it rises by 2.00 a year."),
        (
            dated(spell(122.0, 1.0), seen=event(35.0, 122.0, 122.0, 1)),
            "The row is taken for an exception that does not come again.",
        ),
        (dated(cycle(7.0), seen=swing(4.0, 9.0)), "The cycle is assumed to go on repeating itself unchanged every week."),
    ],
)
def test_the_outlook_has_the_numbers_that_it_needs(one, outlook):
    assert describe(one).outlook[0] == outlook


def test_a_headline_is_what_an_expert_would_say():
    year = subject(cycle(1.0), seen=swing(1999.4, 1999.9, step=1 / 12), target="co2")
    trend, quiet = subject(spline(1900.0), seen=seen(), target="co2"), subject(rough(0.3), seen=seen(), target="co2")
    jump = subject(step(1980.0), seen=event(40.0, 1980.2, step=1 / 12), target="co2")
    out = subject(spell(1985.0, 0.1), seen=event(-35.0, 1985.0, 1985.0, 1, step=1 / 12), target="co2")
    assert headline([quiet, year, trend]) == (
        "co2 rises by 80.0 in all, ever faster, with a yearly cycle of ± 3.0 (highest in May and lowest in November) and "
        "short-lived departures that last a few months."
    )
    assert headline([jump, quiet, out, trend]) == (
        "co2 rises by 80.0 in all, ever faster. In March 1980 it jumps up by 40. A single row, January 1985, lies 35 below what "
        "the rest says. Besides, there are short-lived departures that last a few months."
    )
    counted = subject(step(1980.0), seen=event(1.2, 1980.2, step=1 / 12), target="cases", link=LINKS["root"])
    assert headline([counted]) == "In March 1980 cases jumps up by 1.20. These sizes are those of the root of cases."
    assert headline([jump]) == "In March 1980 co2 jumps up by 40."
    assert headline([quiet]) == "co2 shows no trend and no cycle, only short-lived departures that last a few months."


def test_a_headline_is_never_longer_than_can_be_read_at_once():
    parts = [
        subject(lin(1980.0), slope=2.0, seen=seen()),
        *(subject(lin(1955.3), cycle(p), seen=swing(1999.4, 1999.9, last=12.0, step=1 / 12)) for p in (1.0, 0.5, 0.25, 10.9)),
        *(subject(step(1980.0 + i), seen=event(40.0, 1980.2 + i, step=1 / 12)) for i in range(4)),
        *(subject(rough(0.1 + i), seen=seen()) for i in range(3)),
    ]
    assert len(headline(parts).split()) <= 110
    assert headline(parts).endswith("Four more parts are described below.")


def test_no_place_at_which_a_line_is_zero_is_told():
    """It is a property of the kernel, not of the data."""
    growing = subject(lin(1955.3), cycle(1.0), seen=swing(1999.4, 1999.9, first=3.0, last=12.0, step=1 / 12))
    words = describe(growing)
    told = " ".join((words.summary, *words.details, *words.outlook))
    assert "1955" not in told and "zero" not in told and "mean" not in told


def test_a_size_that_was_seen_to_grow_is_taken_to_go_on():
    """Though the line that multiplies it is zero within the data."""
    growing = subject(lin(1980.3), cycle(1.0), seen=swing(1999.4, 1999.9, first=3.0, last=12.0, step=1 / 12))
    assert describe(growing).outlook[-1] == "Its size continues to grow."
