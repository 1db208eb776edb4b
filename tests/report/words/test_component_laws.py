"""What holds of the words for every component: no broken sentence, and units that change nothing but themselves."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.kernels.normal import Term
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english.component import describe
from kernelscribe.report.words.english.headline import headline
from subjects import DATES, NOISE, PLAIN, YEARS, dated, lin, per, rough, se, spline, subject, walk
from told import CASES


def said(one):
    words = describe(one)
    return " ".join((words.summary, *words.details))


# One input, forty decimal years: the summary in full, and what the details must hold.


def axes():
    return st.sampled_from([YEARS, DATES, PLAIN, Axis("t", "days"), Axis("depth", "metres"), Axis("", " ")])


def sizes(extreme):
    return st.floats(min_value=-extreme, max_value=extreme).map(lambda power: 10.0**power)


@st.composite
def subjects(draw):
    inputs = draw(st.integers(1, 3))
    extreme = draw(st.sampled_from([1, 4, 12, 60]))
    low = [draw(st.sampled_from([0.0, 1960.0, -3.0, 1e9])) for _ in range(inputs)]
    ends = tuple((each, each + draw(sizes(extreme))) for each in low)
    factors = []
    for _ in range(draw(st.integers(0, 7))):
        dim = draw(st.integers(1, inputs))
        start, stop = ends[dim - 1]
        match draw(st.sampled_from(["WN", "SE", "PER", "LIN", "LIN", "ROUGH", "WALK", "SPLINE"])):
            case "SE":
                factors.append(se((stop - start or 1.0) * draw(sizes(3)), dim))
            case "PER":
                factors.append(per(draw(sizes(extreme)), draw(sizes(2)), dim))
            case "ROUGH":
                factors.append(rough((stop - start or 1.0) * draw(sizes(3)), dim))
            case "WALK":
                factors.append(walk(start - (stop - start) * draw(st.floats(0, 9)), dim))
            case "SPLINE":
                factors.append(spline(start - (stop - start) * draw(st.floats(0, 9)), dim))
            case "LIN":
                factors.append(lin(start + (stop - start) * draw(st.floats(-3, 3)), dim))
            case _:
                factors.append(NOISE)
    spread = tuple(tuple(draw(st.one_of(st.just(math.nan), sizes(extreme))) for _ in each.values) for each in factors)
    edge = low[0] + draw(st.floats(-2, 2))
    regions = draw(
        st.sampled_from(
            [((-math.inf, math.inf),), (), ((-math.inf, edge),), ((edge, edge + 1),), ((-math.inf, edge), (edge + 9, math.inf))]
        )
    )
    return Subject(
        Term(draw(sizes(extreme)), tuple(factors)),
        tuple(draw(axes()) for _ in range(inputs)),
        ends,
        monotone=draw(st.sampled_from([-1, 0, 1])),
        slope=draw(st.one_of(st.sampled_from([0.0, math.nan, math.inf]), sizes(extreme), sizes(extreme).map(lambda s: -s))),
        spread=draw(st.sampled_from([(), spread])),
        regions=regions,
        forgets=draw(st.one_of(st.none(), st.just(math.inf), sizes(extreme))),
    )


def figures(digits):
    """The significant figures of a number in a text."""
    whole, _, rest = digits.replace(",", "").partition(".")
    return len((whole + rest).lstrip("0")) if rest else len(whole.strip("0"))


def check(text):
    assert not re.search(r"\b(nan|inf|None)\b", text), text
    assert "  " not in text and " ," not in text and " ." not in text and "()" not in text and "unknown" not in text, text
    assert "about about" not in text and not re.search(r"\b(\w+) \1\b", text.replace("in in", "")), text
    for digits in re.findall(r"\d[\d,]*(?:\.\d+)?", text):
        assert figures(digits.rstrip(",")) <= 4, text


@given(subjects())
@settings(max_examples=400)
def test_no_sentence_is_ever_broken(one):
    words = describe(one)
    starts = ("a ", "an ", "uncorrelated ", "smooth ", "short-lived ", "slow ", "steady ")
    assert words.summary.startswith(starts) and not words.summary.endswith("."), words.summary
    check(words.summary)
    assert words.outlook
    for sentence in (*words.details, *words.outlook):
        check(sentence)
        assert sentence[0].isupper() and sentence.endswith(".") and not sentence.endswith(".."), sentence
    if not any(axis.temporal for axis in one.axes):
        assert not re.search(
            r"\b(years?|months?|weeks?|days?|hours?|minutes?|seconds)\b", " ".join((words.summary, *words.details))
        )
    check(headline([one]))


def in_days(one):
    """The same component with its input in days instead of decimal years."""

    def factor(each):
        match each.kind, each.values:
            case "SE", (length,):
                return se(length * DAYS_A_YEAR)
            case "PER", (shape, period):
                return per(period * DAYS_A_YEAR, shape)
            case "ROUGH", (length,):
                return rough(length * DAYS_A_YEAR)
            case "WALK" | "SPLINE" | "LIN", (location,):
                return replace(each, values=(dated(location),))
        return each

    variance = one.term.variance / DAYS_A_YEAR ** sum(each.base.degree for each in one.term.factors)
    return replace(
        one,
        term=Term(variance, tuple(factor(each) for each in one.term.factors)),
        axes=(DATES,),
        ends=tuple((dated(low), dated(high)) for low, high in one.ends),
        slope=one.slope / DAYS_A_YEAR,
        spread=tuple(tuple(s * DAYS_A_YEAR if i == len(row) - 1 else s for i, s in enumerate(row)) for row in one.spread),
        regions=tuple((dated(low), dated(high)) for low, high in one.regions),
        forgets=None if one.forgets is None else one.forgets * DAYS_A_YEAR,
    )


def _moved(factor, by):
    """Moved along the axis, if it has a place there."""
    return replace(factor, values=(factor.values[0] + by,)) if factor.kind in ("WALK", "SPLINE", "LIN") else factor


@pytest.mark.parametrize(("factors", "more"), [case[:2] for case in CASES])
def test_days_and_years_say_the_same(factors, more):
    # Ends in the middle of years, which no leap day can move into another year.
    one = subject(*factors, **{"ends": (1960.5, 2000.5), "forgets": 3.0, **more})
    one = replace(one, term=Term(one.term.variance, tuple(_moved(f, f.values[0] % -1 + 0.5) if f.values else f for f in factors)))
    assert describe(in_days(one)) == describe(one)


@pytest.mark.parametrize(("factors", "more"), [case[:2] for case in CASES])
def test_a_shift_of_time_moves_places_only(factors, more):
    one = subject(*factors, **more)
    moved = replace(
        one,
        term=Term(one.term.variance, tuple(_moved(f, 100) for f in factors)),
        ends=tuple((low + 100, high + 100) for low, high in one.ends),
        regions=tuple((low + 100, high + 100) for low, high in one.regions),
    )

    def later(text):
        return re.sub(r"\b(1[89]|20)\d\d\b", lambda year: str(int(year[0]) + 100), text)

    before, after = describe(one), describe(moved)
    assert after.summary == later(before.summary)
    assert list(after.details + after.outlook) == [later(each) for each in before.details + before.outlook]


@pytest.mark.parametrize(("factors", "more"), [case[:2] for case in CASES])
def test_the_scale_of_the_target_changes_sizes_only(factors, more):
    """With all numbers struck out the words are the same; lengths, periods and places keep their numbers, too."""
    one = subject(*factors, **more)
    larger = replace(one, term=replace(one.term, variance=one.term.variance * 100), slope=one.slope * 10)

    def plain(text):
        return re.sub(r"(about|by|makes|deviation of) [\d.,]++(?: million)?(?! (?:± \d+ )?(?:years|months|weeks))", r"\1 #", text)

    before, after = describe(one), describe(larger)
    assert [plain(each) for each in (after.summary, *after.details, *after.outlook)] == [
        plain(each) for each in (before.summary, *before.details, *before.outlook)
    ]
