"""Kernels in English: every case and sub-rule, the worked examples, and what no sentence may ever contain."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.kernels import parse
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Term, normal
from kernelscribe.report.description.subject import Smoothness, Subject
from kernelscribe.report.words.english.component import describe
from kernelscribe.report.words.english.headline import headline
from subjects import NOISE, PLAIN, WEATHER, YEARS, lin, per, rough, se, spline, subject, walk, weather
from told import CASES


def said(one):
    words = describe(one)
    return " ".join((words.summary, *words.details))


# One input, forty decimal years: the summary in full, and what the details must hold.


@pytest.mark.parametrize(("factors", "more", "summary", "details"), CASES, ids=[f"{i}" for i in range(len(CASES))])
def test_cases(factors, more, summary, details):
    words = describe(subject(*factors, **more))
    if summary is not None:
        assert words.summary == summary
    for each in details:
        assert each in " ".join(words.details)


def test_sub_rules_leave_out_what_does_not_hold():
    assert "length-scale" not in said(subject(se(21.0)))
    assert "plain smooth ups" not in said(subject(se(7.4), per(10.9)))
    assert "exactly" not in said(subject(se(7.4), per(10.9))) + said(subject(per(1.0), lin(1950.0)))
    assert "applies" not in said(subject(se(7.4), per(10.9)))


# Several inputs, or one that is no time
@pytest.mark.parametrize(
    ("one", "summary", "details"),
    [
        (
            weather(se(10.0), se(30.0, 2)),
            "a smooth function of temperature and pressure",
            ["in temperature is 10.0.", "in pressure is 30.0 hPa."],
        ),
        (weather(se(20.0), se(300.0, 2), monotone=1), "a very smooth function of temperature and pressure", []),
        (
            weather(se(0.1), se(300.0, 2)),
            "a smooth function of temperature and pressure",
            ["varies rapidly with temperature", "very smooth in pressure"],
        ),
        (weather(se(0.1)), "a rapidly varying function of temperature", ["length-scale of 0.100"]),
        (weather(rough(3.0)), "a rough function of temperature", ["Its typical length-scale in temperature is 3.0."]),
        (
            weather(se(10.0), rough(8.0, 2)),
            "a function of temperature and pressure",
            ["It is rough in pressure, with a typical length-scale of 8.0 hPa."],
        ),
        (
            weather(se(10.0), walk(800.0, 2)),
            "a smooth function of temperature that wanders with pressure",
            ["It wanders with pressure, and nothing draws it back."],
        ),
        (weather(walk(-1.0), variance=4.0), "a level that drifts by about 2.0 over 1.00 in temperature", []),
        (weather(walk(800.0, 2)), "a level that drifts with pressure by about 3.2 over 10.0 hPa", []),
        (weather(walk(-1.0), spline(800.0, 2)), "a level that drifts with temperature and bends with pressure", []),
        (weather(walk(-1.0), lin(0.0, 3)), "a level that drifts with temperature and whose swings are linear in hour", []),
        (
            weather(spline(800.0, 2)),
            "a curve in pressure that bends",
            [],
        ),
        (
            weather(per(24.0, 1.0, 3), walk(800.0, 2)),
            "a cycle of 24.0 in hour whose shape wanders with pressure",
            ["With pressure its shape wanders, and nothing draws it back."],
        ),
        (
            weather(per(24.0, 1.0, 3), rough(8.0, 2)),
            None,
            ["changes by fits and starts with pressure, with a typical length-scale of"],
        ),
        (weather(NOISE, walk(800.0, 2)), "uncorrelated noise whose standard deviation grows with pressure", ["from about 10 at"]),
        (
            weather(per(24.0, 1.0, 3), lin(-3.0)),
            "a cycle of 24.0 in hour whose size is linear in temperature",
            ["grows with temperature"],
        ),
        (
            weather(per(24.0, 1.0, 3), se(20.0, 2), lin(12.0), lin(12.0)),
            "a cycle of 24.0 in hour whose shape changes smoothly with pressure and whose size is quadratic in temperature",
            [
                "Its shape changes smoothly with pressure, with a typical length-scale of 20.0 hPa.",
                "Its size varies with temperature.",
            ],
        ),
        (weather(per(24.0, 1.0, 3), se(300.0, 2)), None, ["Its shape changes very slowly with pressure."]),
        (weather(per(50.0, 9.0, 2)), "a cycle of 50.0 hPa in pressure", ["exactly, every 50.0 hPa"]),
        (weather(per(24.0, 1.0, 3), per(50.0, 9.0, 2)), "a product of two cycles (of 24.0 in hour and 50.0 hPa in pressure)", []),
        (weather(lin(0.0), lin(0.0, 2)), "an interaction that is linear in temperature and pressure", ["depends on the other."]),
        (
            weather(lin(0.0), lin(0.0, 2), lin(1.0, 2), lin(0.0, 3)),
            None,
            ["It is linear in temperature and hour and quadratic in pressure", "others."],
        ),
        (
            weather(lin(0.0), slope=0.3),
            "a straight line in temperature that rises by 0.300 per unit of temperature",
            ["makes 9.00 over the whole"],
        ),
        (
            weather(lin(5.0), lin(9.0)),
            "a quadratic polynomial in temperature",
            [],
        ),
        (weather(se(10.0, 3), lin(0.0, 1)), "a smooth function of hour whose swings are linear in temperature", []),
        (weather(NOISE, lin(-3.0)), "uncorrelated noise whose standard deviation grows with temperature", []),
        (
            weather(NOISE, lin(0.0), lin(0.0, 2)),
            "uncorrelated noise whose standard deviation is linear in temperature and pressure",
            [],
        ),
        (
            subject(se(3.2), axis=PLAIN, ends=(0.0, 9.0)),
            "a smooth function of water",
            ["Its typical length-scale in water is 3.2."],
        ),
        (subject(se(3.2), axis=PLAIN, ends=(0.0, 9.0), monotone=1), "a smooth function of water that rises throughout", []),
        (subject(per(3.2), se(4.0), axis=PLAIN, ends=(0.0, 9.0)), None, ["with a length-scale of 4.0 in water"]),
        (
            subject(per(3.2), lin(-1.0), axis=PLAIN, ends=(0.0, 9.0)),
            "a cycle of 3.2 in water whose size grows with water",
            [],
        ),
    ],
)
def test_inputs_that_are_no_time(one, summary, details):
    words = describe(one)
    if summary is not None:
        assert words.summary == summary
    for each in details:
        assert each in " ".join(words.details)
    assert "year" not in said(one)


def test_a_time_among_several_inputs_is_named():
    axes, ends = (YEARS, Axis("rain")), ((1960.0, 2000.0), (0.0, 5.0))
    assert describe(Subject(Term(1.0, (se(19.0),)), axes, ends)).summary == "a smooth trend in year"
    assert describe(Subject(Term(1.0, (per(1.0),)), axes, ends)).summary == "a yearly cycle in year"
    assert describe(Subject(Term(1.0, (per(3.0),)), axes, ends)).summary == "a cycle of 3.0 years in year"
    assert describe(Subject(Term(1.0, (se(1.0, 2),)), axes, ends)).summary == "a smooth function of rain"
    mixed = describe(Subject(Term(1.0, (per(1.0), se(1.0, 2))), axes, ends)).summary
    assert mixed == "a yearly cycle in year whose shape changes smoothly with rain"


# The worked examples


def test_airline():
    """LIN + SE·PER·LIN + SE + WN·LIN."""
    ends = {"ends": (1949.0, 1961.0)}
    line = describe(subject(lin(1940.0), slope=31.0, **ends))
    cycle = describe(subject(se(40.0), per(1.0, 6.1 * 7 * 2 * math.pi / DAYS_A_YEAR), lin(1940.0), **ends))
    smooth = describe(subject(se(6.7 / 12), **ends))
    noise = describe(subject(NOISE, lin(1940.0), **ends))
    assert line.summary == "a straight line that rises by 31.0 a year"
    assert cycle.summary.startswith("a yearly cycle")
    assert cycle.summary.endswith("whose size grows")
    assert "smooth" in smooth.summary and "6.7 months" in smooth.summary
    assert noise.summary == "uncorrelated noise whose standard deviation grows"


def test_a_kernel_of_another_system():
    """SE·(WN·LIN + CP(C, PER)): noise, a smooth part before the change, an approximate cycle after it."""
    kernel = parse(
        "SE(variance=1, lengthscale=19)*(WN(variance=1)*LIN(variance=1, location=1950)"
        "+ CHANGE(C(variance=1), PER(variance=2, lengthscale=1, period=1), location=1980.4, width=0.1))"
    )
    noise, before, after, _ = (describe(Subject.of(term, (YEARS,), ((1960.0, 2000.0),))) for term in normal(kernel))
    assert noise.summary == "uncorrelated noise whose standard deviation grows"
    assert before.summary == "a smooth trend, which applies until 1980"
    assert before.outlook == ("This part ends before the end of the data, and is taken to be zero beyond them.",)
    assert after.summary.startswith("a yearly cycle")
    assert after.summary.endswith(", which applies from 1980 onwards")
    assert after.details[-1] == "It applies from 1980 onwards."


def test_power_loads():
    """SE1·PER1 + SE2·(PER2 + LIN): five parts once every PER has shed its constant."""
    kernel = parse(
        "SE(variance=1, lengthscale=60)*PER(variance=1, lengthscale=1, period=1)"
        "+ SE(variance=1, lengthscale=331)*(PER(variance=1, lengthscale=1, period=174) + LIN(variance=1, location=700))"
    )
    axis = Axis("date", "days", "2004-01-01T00:00:00")
    parts = {str(term): describe(Subject(term, (axis,), ((0.0, 1650.0),))).summary for term in normal(kernel)}
    lengths = [term.of(Role.SMOOTH)[0].values[0] for term in normal(kernel)]
    assert sorted(lengths) == [60, 60, 331, 331, 331]
    told = [describe(Subject(term, (axis,), ((0.0, 1650.0),))).summary for term in normal(kernel)]
    assert "a daily cycle whose shape changes over about 8.6 weeks" in told
    assert "smooth ups and downs that last about 8.6 weeks" in told
    assert "a cycle of 5.7 months whose shape changes over about 0.91 years" in told
    assert "a smooth trend" in told
    assert "a smooth trend whose swings vary" in told
    assert set(parts) == {"SE1*PER1", "SE1", "SE1*LIN1"}


def test_tides():
    """SE·PER·LIN·PER·PER: an approximate product of three cycles, among the terms without one of them."""
    kernel = parse(
        "SE(variance=1, lengthscale=50)*LIN(variance=1, location=-9)*PER(variance=1, lengthscale=1, period=0.538)"
        "*PER(variance=1, lengthscale=1, period=0.5)*PER(variance=1, lengthscale=1, period=14.6)"
    )
    axis = Axis("date", "days", "2013-01-01T00:00:00")
    told = [describe(Subject(term, (axis,), ((0.0, 60.0),))).summary for term in normal(kernel)]
    assert len(told) == 8
    [whole] = [each for each in told if "three" in each]
    assert whole.startswith("an approximate product of three cycles (of 12.0 hours, 12.9 hours and 14.6 days)")
    assert whole.endswith("whose size grows")
    assert sum("product of two" in each for each in told) == 3
    assert "a very smooth trend whose swings grow" in told


def test_cycles_nearly_in_tune_come_into_step():
    """Sun and moon: spring tides every 14.77 days; the daily tide and the moon's every 13.66."""
    axis = Axis("date", "days", "2013-01-01T00:00:00")

    def told(*periods, days=365.0):
        return describe(Subject(Term(1.0, tuple(per(p, 8.0) for p in periods)), (axis,), ((0.0, days),)))

    moon, sun, star = 0.517525, 0.5, 0.997270
    assert (
        told(sun, moon).summary == "a product of two cycles (of 12.0 hours and 12.4 hours) that swells and fades every 14.8 days"
    )
    assert "The cycles of 12.0 hours and 12.4 hours come into step every 14.8 days; with that rhythm it swells and fades." in (
        told(sun, moon).details
    )
    assert told(moon, star).summary.endswith("that swells and fades every 13.7 days")
    assert told(sun, moon, star).summary.endswith("that swells and fades every 14.8 days and 13.7 days")
    # Too soon, too late to be seen in the data, in tune, and far from it.
    for periods, days in (((0.5, 0.63), 365.0), ((sun, moon), 25.0), ((0.5, 1.0), 365.0), ((0.5, 1.77), 365.0)):
        assert "swells" not in told(*periods, days=days).summary


def test_several_inputs():
    one = describe(Subject(Term(1.0, (se(1.0), se(1.0, 2))), WEATHER, ((0.0, 5.0),) * 3)).summary
    assert one == "a smooth function of temperature and pressure"
    other = describe(weather(per(6.0, 1.0, 3), lin(-1.0))).summary
    assert other == "a cycle of 6.0 in hour whose size is linear in temperature"


# The top of the page


def test_headlines():
    line, cycle = subject(lin(1950.0), slope=1.5, target="co2"), subject(per(1.0), target="co2", spread=((0.1, 0.001),))
    assert headline([line, cycle]) == "co2 rises by 1.50 a year, with a yearly cycle."
    assert headline([cycle, line]) == headline([line, cycle]), "the trend comes first"
    assert headline([replace(line, slope=-1.0)]) == "co2 falls by 1.00 a year."
    assert headline([subject(se(30.0), monotone=-1)]) == "y falls throughout."
    assert headline([subject(se(30.0), per(3.0), lin(1950.0))]) == "y follows a cycle of 3.0 years whose size grows."
    assert headline([subject(se(3.0)), subject(NOISE)]) == "y has smooth ups and downs that last about 3.0 years."
    assert headline([subject(walk(1950.0), variance=9.0)]) == "y drifts."
    assert headline([subject(walk(1950.0), lin(1950.0))]) == "y drifts."
    assert headline([subject(spline(1950.0), monotone=1, slope=1.0)]) == "y rises throughout."
    assert headline([subject(spline(1950.0), slope=1.0)]) == "y follows a trend that bends."
    quiet = "y shows no trend and no cycle, only short-lived departures that last a few weeks."
    assert headline([subject(rough(0.1), monotone=1)]) == quiet
    assert headline([subject(rough(0.1)), line]) == "y rises by 1.50 a year, with short-lived departures that last a few weeks."
    assert headline([line, subject(NOISE)]) == "co2 rises by 1.50 a year."
    many = [line, cycle, *(subject(se(3.0 + i)) for i in range(4))]
    assert headline(many).endswith(" Three more parts are described below.")
    assert headline(many[:5]).endswith(" Two more parts are described below.")
    assert headline(many[:4]).endswith(" One more part is described below.")
    assert headline([subject(se(30.0), regions=((-math.inf, 1975.5),))]) == "y follows a very smooth trend until 1975."
    assert headline([weather(lin(0.0), slope=-0.3)]) == "y falls by 0.300 per unit of temperature."
    assert headline([weather(lin(0.0), lin(0.0, 2))]) == "y follows an interaction that is linear in temperature and pressure."
    assert headline([weather(se(10.0), se(30.0, 2))]) == "y follows a smooth function of temperature and pressure."


def test_headlines_without_structure():
    assert headline([]) == "No structure was found."
    nothing = "No structure was found in y: its values look like noise about a constant."
    assert headline([subject(NOISE)]) == headline([subject()]) == nothing


def test_names_of_users_are_told_plainly():
    hostile = Axis("\x1b[31mdepth\x1b[0m\n" + "z" * 99, "")
    one = Subject(Term(1.0, (se(1.0),)), (hostile,), ((0.0, 9.0),), target="a\tb\x00")
    assert "\x1b" not in said(one) and "\n" not in said(one) and "z" * 60 not in said(one)
    assert headline([one]).startswith("a b follows a smooth function of depth z")
    assert "value of a b by" in said(replace(one, term=Term(1.0)))


# What holds for all


def test_thresholds_are_told_in_spans():
    for factor, kind in (
        (0.51, Smoothness.VERY),
        (0.49, Smoothness.TREND),
        (0.11, Smoothness.TREND),
        (0.09, Smoothness.WAVES),
        (0.0051, Smoothness.WAVES),
    ):
        assert subject(se(40 * factor)).smooth(1) is kind
    assert subject(se(40 * 0.0049)).smooth(1) is Smoothness.RAPID


def test_the_page_on_the_language_shows_what_is_said(capsys):
    page = (Path(__file__).resolve().parents[3] / "docs" / "language.md").read_text()
    code, shown = re.search(r"```python\n(.*?)```\s+```\n(.*?)```", page, re.DOTALL).groups()
    exec(code, {})  # noqa: S102
    assert capsys.readouterr().out == shown
