"""What the docs put in numbers or list in tables is what the code does."""

import math

import pytest

import analyses
from kernelscribe.effort import STANDARD
from kernelscribe.report.compose import compose
from pages import DOCS, SEARCH, TEXT, flag, option_section, rows, section


def test_rules_that_the_docs_put_in_numbers():
    from kernelscribe.engines.inducing import sample

    assert f"exact up to {STANDARD.exact_rows} rows" in TEXT
    assert f"there are {STANDARD.affordable_rows:,} rows or fewer" in SEARCH
    assert f"more than {STANDARD.margin:g} nats behind" in SEARCH
    assert f"{STANDARD.looseness:g} nats more for each row" in SEARCH
    assert f"within {STANDARD.reach:g} nats of the best" in SEARCH
    assert f"in waves of {STANDARD.wave}, best first" in SEARCH
    assert f"From {STANDARD.part_rows:,} rows on" in SEARCH
    assert f"exactly on {STANDARD.sample_few:,} rows" in SEARCH
    assert f"compared on {STANDARD.sample_many:,}" in SEARCH
    assert f"climb on {STANDARD.sample_some:,}" in SEARCH
    assert f"{STANDARD.unforetold:g} nats more for each row that is not in it" in SEARCH
    assert f"with up to {STANDARD.affordable_rows:,} rows" in SEARCH
    assert f"the bound is tight ({STANDARD.loose:g} nats a row)" in SEARCH
    assert f"stretches of {sample.STRETCH} rows" in SEARCH
    assert sample.APART == 0.25, "A quarter of the sample"
    assert (STANDARD.worth, STANDARD.shown) == (1, 5)
    assert "gains less than one nat" in SEARCH


def test_the_rounds_that_go_by_rows():
    words = {3: "three", 4: "four", 5: "five", 6: "six"}
    (row,) = rows(option_section("depth"), flag("depth"))
    for most, depth in STANDARD.rounds_by_rows:
        assert f"{words[depth]} up to {most}" in row[1]
    assert (
        f"{words[STANDARD.rounds_on_waves]} up to {STANDARD.rounds_by_rows[-1][0]} and for series of "
        f"{STANDARD.many_rows:,} to {STANDARD.vast_rows:,}, "
        f"{words[STANDARD.rounds]} for others, none below {STANDARD.few_rows}"
    ) in row[1]


def test_rules_of_the_model_that_the_docs_put_in_numbers():
    from kernelscribe.model import backtest, components, criticism
    from kernelscribe.noises import changing, growing
    from kernelscribe.noises.noise import LOUDEST, QUIETEST

    method = DOCS["method"]
    assert f"up to {STANDARD.dense_rows:,} rows" in method
    assert f"up to {STANDARD.posterior_points:,} inducing points" in method
    assert f"beyond {STANDARD.spread_rows:,} rows" in method
    assert "after 50, 60, 70, 80 and 90 % of its rows" in method
    assert STANDARD.backtest_origins == (0.5, 0.6, 0.7, 0.8, 0.9)
    assert (backtest._AHEAD, STANDARD.backtest_rows, STANDARD.checked_rows) == (0.1, 2000, 2000)
    assert f"Below {STANDARD.backtest_fewest} rows" in method
    assert f"a grid that ends at {backtest._WIDENINGS[-1]:.0f}" in method
    assert f"There must be {STANDARD.checked_fewest} rows" in method
    assert f"up to {criticism.SIGNIFICANT:g} they are findings, up to {criticism.STRONG:g} strong ones" in method
    assert f"less than {components._MOVES:.0%} of".replace("%", " %") in method
    assert f"by less than {components._HELPS:.1%}".replace("%", " %") in method
    assert "s² from 1e-6 to 100" in method
    assert (QUIETEST, LOUDEST) == (1e-6, 100)
    assert "by a hundredfold at most" in method
    assert math.exp(growing._MOST / 2) == pytest.approx(100)
    assert f"with a standard deviation of {growing._EXPECTED:g}" in method
    assert "a twentieth of their range away from either end, and w is from half a step to a tenth" in method
    assert (changing._MARGIN, changing._SHORTEST, changing._LONGEST) == (0.05, 0.5, 0.1)


def test_every_check_has_a_row():
    found = analyses.series().criticism
    assert {check.name for check in found.checks} == {"alike", "cycle", "spread", "tails", "skew", "drift"}
    for check in found.checks:
        assert rows(section(DOCS["method"], "Checks"), f"`{check.name}`"), check.name


def test_every_strategy_and_move_has_a_row():
    from kernelscribe.search.moves import MOVES
    from kernelscribe.search.rules import STRATEGIES

    for name, rules in STRATEGIES.items():
        (row,) = rows(SEARCH, f"`{name}`")
        assert row[0] == ", ".join(rules.moves)
    for name in MOVES:
        assert rows(section(SEARCH, "Moves"), name), name


@pytest.mark.parametrize("make", [analyses.contested, analyses.table, analyses.plain], ids=lambda make: make.__name__)
def test_every_section_of_the_report_is_explained(make):
    for part in compose(make()).sections:
        assert part.title in DOCS["report"], part.title


def test_the_report_says_what_its_page_says():
    from kernelscribe.report.words.english.worth import odds

    words = ("next to nothing", "weak", "good", "strong", "beyond doubt")
    for lead, word in zip((0.99, 1.0, 3.0, 5.0, 10.0), words, strict=True):
        assert odds(lead) == word
        assert f"| {word} |" in DOCS["report"] and f"| {word} |" in DOCS["language"]
