"""Numbers in sentences: figures, units, dates, calendar names, and text that users bring."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.links import NO_LINK
from kernelscribe.report.words.english.names import label
from kernelscribe.report.words.english.numbers import count_word, listing, number, ordinal, percent
from kernelscribe.report.words.english.quantities import about, amount, at, cycle_name, duration, place
from kernelscribe.report.words.english.scale_words import rate_on_scale

YEARS, DAYS, DATES, WATER, DEPTH = (
    Axis("year", "years"),
    Axis("t", "days"),
    Axis("date", "days", "2004-01-01T00:00:00"),
    Axis("water"),
    Axis("depth", "metres"),
)


@pytest.mark.parametrize(
    ("value", "figures", "says"),
    [
        (0.0, 3, "0"),
        (1.0, 3, "1.00"),
        (0.0996, 2, "0.10"),
        (999.6, 3, "1,000"),
        (123456.0, 3, "123,000"),
        (1.5e6, 3, "1.50 million"),
        (1.5e7, 3, "15.0 million"),
        (9.996e8, 3, "1.00 billion"),
        (-2.5e-9, 2, "−2.5 × 10⁻⁹"),
        (3e15, 1, "3 × 10¹⁵"),
        (0.00012, 2, "0.00012"),
        (math.nan, 3, "unknown"),
        (-math.inf, 3, "unknown"),
    ],
)
def test_numbers(value, figures, says):
    assert number(value, figures) == says


@pytest.mark.parametrize(
    ("axis", "value", "spread", "says"),
    [
        (YEARS, 1.0, 0.002, "1.000 ± 0.002 years"),
        (YEARS, 10.9, None, "10.9 years"),
        (YEARS, 10.93, 0.31, "10.9 ± 0.3 years"),
        (YEARS, 6.1 * 7 / DAYS_A_YEAR, None, "6.1 weeks"),
        (DAYS, 14.8, None, "14.8 days"),
        (DAYS, 14.77, 0.04, "14.77 ± 0.04 days"),
        (DAYS, 12.42 / 24, None, "12.4 hours"),
        (DAYS, 90.0, None, "3.0 months"),
        (DAYS, 5 / 1440, None, "5.0 minutes"),
        (DAYS, 3 / 86400, None, "3.0 seconds"),
        (DATES, DAYS_A_YEAR, 1e-5, "1.000 years"),
        (YEARS, 11.0, 9.6, "11 ± 10 years"),
        (YEARS, 3.0, 20.0, "very roughly 3.0 years"),
        (YEARS, 3.0, math.nan, "3.0 years"),
        (YEARS, 3.0, 0.0, "3.0 years"),
        (WATER, 3.2, None, "3.2 in water"),
        (WATER, 3.21, 0.12, "3.2 ± 0.1 in water"),
        (DEPTH, 1234.0, None, "1,230 metres"),
        (Axis("a", "\x1b[31m"), 2.0, None, "2.0 in a"),
    ],
)
def test_durations(axis, value, spread, says):
    assert duration(axis, value, spread) == says


def test_about_says_so_only_without_a_standard_error():
    assert about(YEARS, 3.0) == "about 3.0 years"
    assert about(YEARS, 3.0, 0.2) == "3.0 ± 0.2 years"
    assert about(YEARS, 3.0, 5.0) == "very roughly 3.0 years"
    assert amount(WATER, 3.2) == "3.2"


@pytest.mark.parametrize(
    ("axis", "value", "span", "says"),
    [
        (YEARS, 1958.2, 43.0, "in 1958"),
        (YEARS, 1958.2, 12.0, "in March 1958"),
        (YEARS, 1958.999, 0.5, "on 31 December 1958"),
        (YEARS, 1958.0, 0.1, "at 00:00 on 1 January 1958"),
        (YEARS, 12.5, 40.0, "in year 12.5"),
        (DATES, 31.5, 9000.0, "in 2004"),
        (DATES, 31.5, 1000.0, "in February 2004"),
        (DATES, 59.0, 100.0, "on 29 February 2004"),
        (DATES, 31.5, 20.0, "at 12:00 on 1 February 2004"),
        (DATES, 31.5, 0.05, "at 12:00:00 on 1 February 2004"),
        (DATES, 1e300, 9000.0, "in 9999"),
        (DAYS, 31.5, 100.0, "on day 31.5"),
        (WATER, 3.2, 10.0, "at water = 3.20"),
        (DEPTH, 1234.5, 10.0, "at depth = 1,234 metres"),
    ],
)
def test_places(axis, value, span, says):
    assert at(axis, value, span) == says
    assert says.endswith(f" {place(axis, value, span)}")


def test_places_that_are_none():
    assert place(DATES, math.nan, 10.0) == place(WATER, math.inf, 10.0) == "an unknown place"


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (365.2425, "yearly"),
        (362.0, "yearly"),
        (360.0, None),
        (182.6, "half-yearly"),
        (91.3, "quarterly"),
        (30.44, "monthly"),
        (29.53, None),
        (7.05, "weekly"),
        (1.0, "daily"),
        (0.5, "half-daily"),
        (12.42 / 24, None),
        (1 / 24, "hourly"),
        (10.9 * DAYS_A_YEAR, None),
    ],
)
def test_calendar_names(days, name):
    assert cycle_name(DATES, days) == cycle_name(YEARS, days / DAYS_A_YEAR) == name
    assert cycle_name(WATER, days) is None


def test_calendar_names_within_the_standard_error():
    assert cycle_name(DAYS, 358.0, 10.0) == "yearly"
    assert cycle_name(DAYS, 358.0, 1.0) is None
    assert cycle_name(DAYS, 12.42 / 24, 0.1) is None
    assert cycle_name(DAYS, 29.53, 5.0) is None
    assert cycle_name(DAYS, 365.0, math.nan) == "yearly"


@pytest.mark.parametrize(
    ("axis", "slope", "span", "says"),
    [
        (YEARS, 1.52, 43.0, "1.52 a year"),
        (DATES, -1.52 / DAYS_A_YEAR, 43 * DAYS_A_YEAR, "1.52 a year"),
        (DATES, 0.25, 100.0, "0.250 a day"),
        (DATES, 24.0, 1.0, "1.00 an hour"),
        (DATES, 86400.0, 0.01, "1.00 a second"),
        (DEPTH, 0.3, 10.0, "0.300 per unit of depth"),
    ],
)
def test_rates(axis, slope, span, says):
    assert rate_on_scale(NO_LINK, axis, slope, span) == says


@pytest.mark.parametrize(
    ("n", "word"), [(0, "no"), (1, "one"), (13, "thirteen"), (20, "twenty"), (42, "forty-two"), (100, "100")]
)
def test_counts(n, word):
    assert count_word(n) == word


def test_ordinals():
    named = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth".split()
    assert [ordinal(n) for n in range(1, 14)] == named
    assert [ordinal(n) for n in (20, 21, 32, 43, 90, 99)] == [
        "twentieth",
        "twenty-first",
        "thirty-second",
        "forty-third",
        "ninetieth",
        "ninety-ninth",
    ]
    assert [ordinal(n) for n in (101, 111, 112, 122, 1003)] == ["101st", "111th", "112th", "122nd", "1,003rd"]


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (0.5, "50.0 %"),
        (-0.031, "−3.1 %"),
        (0.9994, "99.9 %"),
        (0.9996, "more than 99.9 %"),
        (1e-9, "less than 0.1 %"),
        (250.0, "25,000 %"),
        (math.nan, "an unknown share"),
    ],
)
def test_percents(share, says):
    assert percent(share) == says


def test_lists():
    assert [listing("abcd"[:n]) for n in (1, 2, 3, 4)] == ["a", "a and b", "a, b and c", "a, b, c and d"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("co2", "co2"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("a\tb\r\n  c", "a b c"),
        ("\u202etxet\x00", "txet"),
        ("", "unnamed"),
        ("\x07", "unnamed"),
        ("Außentemperatur °C", "Außentemperatur °C"),
        ("x" * 100, "x" * 59 + "…"),
        ("<script>", "<script>"),
    ],
)
def test_labels(name, says):
    assert label(name) == says


@given(st.text())
@settings(max_examples=300)
def test_labels_are_short_and_plain(name):
    shown = label(name)
    assert 0 < len(shown) <= 60
    assert shown == " ".join(shown.split())
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", shown)
    assert label(shown) == shown


@given(st.floats(min_value=1e-9, max_value=1e9), st.sampled_from([YEARS, DAYS, DATES, WATER, DEPTH]))
@settings(max_examples=300)
def test_what_a_duration_says_is_true(value, axis):
    """Read back, it differs by no more than its last figure; the number itself is never awkward on a time."""
    sizes = {"years": DAYS_A_YEAR, "months": DAYS_A_YEAR / 12, "weeks": 7, "days": 1}
    sizes |= {"hours": 1 / 24, "minutes": 1 / 1440, "seconds": 1 / 86400}
    found = re.fullmatch(r"([\d.,]+)( million| billion)?( × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))? (\w+)( water)?", duration(axis, value))
    assert found, duration(axis, value)
    powers = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    read = float(found[1].replace(",", "")) * {None: 1.0, " million": 1e6, " billion": 1e9}[found[2]]
    read *= 10.0 ** int((found[4] or "0").translate(powers))
    expected = axis.days(value) / sizes[found[5]] if axis.temporal else value
    assert math.isclose(read, expected, rel_tol=0.026)
