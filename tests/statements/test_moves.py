"""What is next to a statement: one thing more, less or otherwise, with the values that were there, and nothing twice."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelscribe.noises import NOISES
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.moves import Neighbourhood, beginnings, near, without_each
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.scan import Scan, Sight
from kernelscribe.statements.statement import Part, Statement
from told_data import SETTINGS, begun

SETTING = SETTINGS["daily"]
SPAN = SETTING.extent.span
WEEK, MONTH = SETTING.calendar
FREE = 1.7 * WEEK
ABOUT = f"cycle(~{FREE:.3g})"
MANY = 50.0
SCAN = Scan(
    periods=(Sight((FREE,), MANY), Sight((WEEK * 1.01,), MANY)),
    calendar=(Sight((WEEK,), MANY), Sight((MONTH,), 0.5)),
    steps=(Sight((0.1,), MANY), Sight((0.2,), MANY)),
    kinks=(Sight((0.3,), MANY),),
    spells=(Sight((0.4, 0.5), MANY),),
    outliers=(Sight((0.6, 0.01), MANY),),
)
ONE = ("trend", "drift", "smooth", "rough")


def moves(statement=None, scan=SCAN, links=("none", "log")):
    statement = statement or Statement()
    return list(Neighbourhood(statement, SETTING, scan, 0.2, links).moves())


def cycle(period=WEEK, *adjectives, fixed=True):
    own = tuple(ADJECTIVES[each].starts(SETTING, 1.0, ())[0] for each in adjectives)
    return Part("cycle", adjectives, (period,) if fixed else (), ((0.3, 0.7, period), *own))


def names(found):
    return [starts[0].name for starts in found]


def families(statement):
    return Counter(part.family for part in statement.parts)


# Statements as a search meets them: at most one of a family, cycles apart.
STATEMENTS = st.builds(
    lambda nouns, cycles, link, noise: Statement(
        tuple(begun(noun, SETTING) for noun in nouns if noun) + tuple(cycles), link, noise
    ),
    st.tuples(*(st.sampled_from([None, *(n.name for n in NOUNS.values() if n.family == family)]) for family in ONE)),
    st.lists(
        st.sampled_from([
            cycle(), cycle(MONTH, "changing"), cycle(FREE, fixed=False), cycle(0.37 * WEEK, "growing", "changing", fixed=False)
        ]),
        max_size=3, unique_by=lambda part: part.values[0][-1],
    ),
    st.sampled_from(["none", "log"]),
    st.sampled_from(list(NOISES)),
)  # fmt: skip


def test_it_begins_with_noise_alone_and_every_trend_and_background_on_every_scale():
    found = list(beginnings(SETTING, ("none", "log")))
    nouns = [noun for noun in NOUNS.values() if noun.family in ONE]
    assert len(nouns) == 6
    assert names(found) == [
        f"{link}: {name} ~ constant" for link in ("none", "log") for name in ("level", *(n.name for n in nouns))
    ]
    for starts in found:
        assert len({each.name for each in starts}) == 1
        for part in starts[0].parts:
            assert len(starts) == len(NOUNS[part.noun].starts(SETTING, 0.3, ()))


@given(STATEMENTS)
@settings(max_examples=80)
def test_starts_of_a_move_are_of_one_statement_and_differ_in_their_values(statement):
    for starts in moves(statement):
        assert starts
        assert len({each.name for each in starts}) == 1
        assert len(set(starts)) == len(starts)
        for each in starts:
            assert [len(part.values) for part in each.parts] == [len(part.words) for part in each.parts]
            assert all(
                len(own) == len(word.base.parameters)
                for part in each.parts
                for word, own in zip(part.words, part.values, strict=True)
            )
            each.built(SETTING)


@given(STATEMENTS)
@settings(max_examples=80)
def test_nothing_is_proposed_twice_nor_what_is_there(statement):
    found = names(moves(statement))
    assert len(found) == len(set(found))
    assert statement.name not in found


@given(STATEMENTS)
@settings(max_examples=80)
def test_everything_is_one_of_a_kind(statement):
    """No two trends, smooths or backgrounds, and no two cycles of one period."""
    for starts in moves(statement):
        for each in starts:
            assert all(families(each)[family] <= 1 for family in ONE)
            periods = [part.values[0][-1] for part in each.parts if part.noun == "cycle"]
            assert not any(near(period, periods[:i]) for i, period in enumerate(periods))


@given(STATEMENTS)
@settings(max_examples=80)
def test_all_components_but_one_at_most_stay_with_their_values(statement):
    for starts in moves(statement):
        for each in starts:
            kept = [part in each.parts or _lengthened(part, each, statement) for part in statement.parts]
            assert sum(kept) >= len(statement.parts) - 1
            assert abs(len(each.parts) - len(statement.parts)) <= 1


def _lengthened(part, each, statement):
    """Beside a cycle that is new, what comes and goes may be begun as long as its period."""
    grown = len(each.parts) > len(statement.parts) and each.parts[-1].noun == "cycle"
    longer = [replace(part, values=((part.values[0][0], each.parts[-1].values[0][-1]),))] if grown else []
    return part.family in ("smooth", "rough") and any(one in each.parts for one in longer)


def test_a_cycle_is_also_begun_beside_a_background_that_is_no_shorter_than_its_period():
    short = replace(begun("rough", SETTING), values=((0.7, 0.2 * WEEK),))
    week = [starts for starts in moves(Statement((short,))) if starts[0].parts[-1].name == f"cycle({WEEK:.9g})"]
    ((*same, last),) = week
    assert {each.parts[0] for each in same} == {short}
    assert last.parts[0].values == ((0.7, WEEK),)
    assert last.parts[1].values[0][0] > same[0].parts[1].values[0][0]
    long = replace(short, values=((0.7, 3 * WEEK),))
    week = [starts for starts in moves(Statement((long,))) if starts[0].parts[-1].name == f"cycle({WEEK:.9g})"]
    assert {each.parts[0] for starts in week for each in starts} == {long}


@given(STATEMENTS)
@settings(max_examples=40)
def test_every_trend_and_background_is_one_move_away(statement):
    """As one more, or in the place of the one that is there."""
    found = [nouns_of(starts[0]) for starts in moves(statement)]
    for noun in NOUNS.values():
        if noun.family in ONE and not any(part.noun == noun.name for part in statement.parts):
            assert any(nouns == sorted([*others(statement, noun.family), noun.name]) for nouns in found)


def nouns_of(statement):
    return sorted(part.noun for part in statement.parts)


def others(statement, family):
    return [part.noun for part in statement.parts if part.family != family]


def test_a_background_in_the_place_of_another_keeps_its_size_and_length():
    statement = Statement((replace(begun("rough", SETTING), values=((0.7, 0.05),)),))
    (found,) = [starts for starts in moves(statement) if [part.noun for part in starts[0].parts] == ["departures"]]
    assert found[0].parts[0].values == ((0.7, 0.05),)


def test_a_level_that_wanders_may_be_a_trend_with_departures():
    drift = Statement((replace(begun("drift", SETTING), values=((0.5, SETTING.extent.low),)),))
    found = {tuple(part.noun for part in starts[0].parts) for starts in moves(drift)}
    pairs = {(trend, rough) for trend in ("line", "bend") for rough in ("rough", "departures")}
    assert pairs <= found
    beside, bend = drift.with_part(begun("rough", SETTING)), Statement((begun("bend", SETTING),))
    assert ["line", "rough", "rough"] not in [nouns_of(starts[0]) for starts in moves(beside)]
    assert ["line", "rough"] not in [nouns_of(starts[0]) for starts in moves(bend)]


def test_periods_of_the_calendar_are_fixed_and_those_that_stand_out_free():
    found = {part.name for starts in moves() for part in starts[0].parts if part.noun == "cycle"}
    week = f"cycle({WEEK:.9g})"
    assert found == {week, f"changing {week}", ABOUT, f"changing {ABOUT}"}
    free = [starts for starts in moves() if starts[0].parts and starts[0].parts[0].name == ABOUT]
    assert {each.parts[0].values[0][-1] for starts in free for each in starts} == {FREE}


def test_a_cycle_of_the_calendar_that_nothing_is_seen_of_is_not_proposed():
    assert not any(MONTH in part.held for starts in moves() for part in starts[0].parts)
    seen = replace(SCAN, calendar=(Sight((MONTH,), 1.5),))
    assert any(MONTH in part.held for starts in moves(scan=seen) for part in starts[0].parts)


def test_a_period_that_is_there_already_is_not_proposed_again():
    statement = Statement((cycle(), cycle(FREE * 1.01, fixed=False)))
    more = [starts[0] for starts in moves(statement) if sum(part.noun == "cycle" for part in starts[0].parts) > 2]
    assert more == []


def test_a_new_cycle_that_changes_does_so_over_several_of_its_periods():
    long = SPAN / 2.1
    found = moves(scan=Scan(periods=(Sight((long,), MANY), Sight((FREE,), MANY))))
    paces = {starts[0].parts[0].values[0][-1]: starts[0].parts[0].values[1][1] for starts in found if _changing(starts[0])}
    assert paces == pytest.approx({long: 3 * long, FREE: 0.3 * SPAN})


def _changing(statement):
    return statement.parts and statement.parts[0].name.startswith("changing cycle(~")


@pytest.mark.parametrize("has", [(), ("changing",), ("growing",), ("changing", "growing"), ("growing", "changing")])
def test_an_adjective_more_or_less_leaves_the_other_values_as_they_are(has):
    part = cycle(WEEK, *has)
    statement = Statement((begun("line", SETTING), part))
    with_week = [starts for starts in moves(statement) if len(starts[0].parts) == 2 and starts[0].parts[1].held == (WEEK,)]
    found = {starts[0].parts[1].adjectives: starts for starts in with_week if starts[0].parts[1].adjectives != has}
    less = {tuple(each for each in has if each != gone) for gone in has}
    more = {(*has, new) for new in ADJECTIVES if new not in has}
    assert set(found) == less | more
    old = dict(zip(has, part.values[1:], strict=True))
    for adjectives, starts in found.items():
        for each in starts:
            own = each.parts[1]
            assert own.values[0] == part.values[0]
            assert all(value == old.get(name, value) for name, value in zip(adjectives, own.values[1:], strict=True))


def test_a_fixed_period_may_be_freed_and_a_free_one_near_it_fixed():
    fixed, freed = Statement((cycle(),)), Statement((cycle(1.02 * WEEK, "changing", fixed=False),))
    (there,) = [s for s in moves(fixed) if len(s[0].parts) == 1 and s[0].parts[0].noun == "cycle" and not s[0].parts[0].held]
    assert there[0].parts[0].values == fixed.parts[0].values and not there[0].parts[0].adjectives
    (back,) = [s for s in moves(freed) if len(s[0].parts) == 1 and s[0].parts[0].held == (WEEK,)]
    assert back[0].parts[0].values == ((0.3, 0.7, WEEK), *freed.parts[0].values[1:])
    far = Statement((cycle(1.05 * WEEK, fixed=False),))
    assert not any(len(s[0].parts) == 1 and s[0].parts[0].held for s in moves(far))


def test_the_best_place_of_every_kind_is_proposed_where_it_is_worth_the_choice():
    placed = [part for starts in moves() for part in starts[0].parts if NOUNS[part.noun].placed]
    assert [(part.noun, part.held) for part in placed] == [
        ("step", (0.1,)), ("kink", (0.3,)), ("spell", (0.4, 0.5)), ("spell", (0.6, 0.01)),
    ]  # fmt: skip
    assert all(part.values[0][1:] == part.held for part in placed)
    weak = Scan(steps=(Sight((0.1,), 7.9),), kinks=(Sight((0.3,), 8.1),))  # log 400 = 5.99, and two nats
    assert [part.noun for starts in moves(scan=weak) for part in starts[0].parts if NOUNS[part.noun].placed] == ["kink"]


def test_another_scale_and_another_noise_leave_all_components_as_they_are():
    statement = Statement((begun("line", SETTING), cycle()), noise="growing")
    same = {(starts[0].link, starts[0].noise) for starts in moves(statement) if starts[0].parts == statement.parts}
    assert same == {("log", "growing"), ("none", "constant"), ("none", "changing")}
    assert ("log", "growing") not in {(s[0].link, s[0].noise) for s in moves(statement, links=("none",))}


@given(STATEMENTS)
@settings(max_examples=40)
def test_every_component_is_left_out_in_turn(statement):
    found = list(without_each(statement))
    assert len(found) == len(statement.parts)
    for i, starts in enumerate(found):
        (one,) = starts
        assert one.parts == (*statement.parts[:i], *statement.parts[i + 1 :])
        assert (one.link, one.noise) == (statement.link, statement.noise)


def test_where_nothing_is_seen_only_trends_backgrounds_scales_and_noises_are_left():
    found = moves(scan=Scan())
    assert {part.family for starts in found for part in starts[0].parts} == set(ONE)
    assert len(found) == 6 + 1 + 2
