"""What the first section says and draws."""

from dataclasses import replace

import numpy as np
import pytest

import analyses
from analyses import HELD, series
from kernelscribe.report import figures as drawn
from kernelscribe.report.compose import compose
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Cards, Section, plain, walk
from kernelscribe.report.words import language
from kernelscribe.summary import analysis_dict, analysis_text
from reading import section, sentences
from sections import figures, only, tables


def test_the_findings_begin_with_the_headline_and_key_figures(document):
    found, analysis = section(document, "findings"), series(tested=HELD)
    assert plain(found.blocks[0].text) == analysis.headline
    (cards,) = (each.cards for each in walk((found,)) if isinstance(each, Cards))
    assert [card.label for card in cards] == ["Rows", "Components", "Explained", "Noise"]
    assert [cards[0].value, cards[1].value, cards[3].value] == ["120", "3", "± 0.316"]
    assert cards[2].value == f"{100 * analysis.decomposition.explained:.1f} %"


def test_the_main_figure_holds_every_row_and_a_forecast(document):
    spec = figures(section(document, "findings"))["main"].spec
    assert len(spec["datasets"]["points"]) == 120
    x = [row["x"] for row in spec["datasets"]["curve"]]
    assert x[0] == pytest.approx(2004)
    assert x[-1] == pytest.approx(2004 + 119 / 12 + 1, abs=0.1)
    assert len(x) <= 400


def test_the_first_table_tells_what_each_component_adds(document):
    (table,) = tables(section(document, "findings"))
    found = series().decomposition
    assert len(table.rows) == 2 + len(found.components)
    assert table.rows[0][1] == "the mean alone"
    assert table.rows[1][2] == f"{100 * found.components[0].total:.1f} %"
    assert table.rows[-1][1:4] == ("what is left as noise", "100.0 %", f"{100 * (1 - found.explained):.1f} %")
    assert "no estimate of how well new data would be predicted" in " ".join(plain(table.caption).split())


def per_cent(cell):
    return float(cell.split()[0].replace("−", "-"))


@pytest.mark.parametrize("made", [made for made in analyses.ALL if made().components], ids=lambda made: made.__name__)
def test_parts_are_told_in_the_order_of_the_numbers_that_are_shown(made):
    """No sentence claims another order; shares lie within 0 and 100 %, and with that of the noise add up to 100 %."""
    analysis = made()
    found = only("findings", analysis)
    (table,) = tables(found)
    shown = [per_cent(row[3]) for row in table.rows[1:]]
    assert all(0 <= share <= 100 for share in shown)
    assert shown[:-1] == sorted(shown[:-1], reverse=True)
    assert sum(shown) == pytest.approx(100, abs=0.06 * len(shown))
    said = " ".join(sentences(found))
    assert "order of importance" not in said
    assert ("the largest share of the variance first" in said) == (len(analysis.components) > 1)
    listed = analysis_text(analysis).splitlines()[1:]
    assert len(listed) == len(analysis.components) + 1
    left = language.numbers.percent(1 - analysis.decomposition.explained)
    assert f"What is left, {left} of the variation, is noise" in listed[-1]


@pytest.mark.parametrize("made", analyses.ALL, ids=lambda made: made.__name__)
def test_a_headline_without_structure_is_followed_by_no_parts(made):
    """Not in the terminal, in Python, as JSON, in a notebook or in the report; and parts have a headline that tells them."""
    analysis = made()
    listed = len(analysis_text(analysis).splitlines()) - 1
    parts = [
        listed, len(analysis.components), len(analysis.words), len(str(analysis).splitlines()) - 1,
        len(analysis_dict(analysis)["components"]), analysis._repr_html_().count("<li>"), analysis.decomposition.explained,
        len([each for each in walk(compose(analysis).sections) if isinstance(each, Section) and each.id.startswith("part-")]),
    ]  # fmt: skip
    nothing = ("no structure", "is constant", "No model")
    assert all(parts) != any(said in analysis.headline for said in nothing)
    assert any(parts) == all(parts)


@pytest.mark.parametrize(
    ("totals", "explained", "said"),
    [
        ((0.3, 0.6), 0.62, "Together they explain 62.0 % of the variance of level."),
        ((0.95, 0.97), 0.97, "The first alone explains 95.0 % of the variance of level."),
        ((0.95, 0.995), 0.995, "The first alone explains 95.0 % of the variance of level, all of them together 99.5 %."),
        (
            (0.5, 0.92, 0.993, 0.994),
            0.994,
            "The first two together explain 92.0 % of the variance of level, the first three together 99.3 %.",
        ),
        ((0.992, 0.999), 0.999, "The first alone explains 99.2 % of the variance of level."),
        ((0.4,), 0.4, "It explains 40.0 % of the variance of level."),
    ],
)  # fmt: skip
def test_how_much_is_explained_by_how_few(totals, explained, said):

    analysis = series()
    one = analysis.components[0]
    made = tuple(replace(one, total=total) for total in totals)
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, components=made, explained=explained)
    assert language.findings.explains(View(analysis)) == said


@pytest.mark.parametrize(
    ("drops", "said"),
    [
        ((0.5, 0.2), ""),
        ((0.5, 0.0005), "component 2 does not lower the cross-validated error by 0.1 % or more: it may describe"),
        (
            (0.5, 0.0, -0.1),
            "components 2 and 3 do not lower the cross-validated error each by 0.1 % or more: they may describe",
        ),
        ((0.5, 0.0, 0.3), "component 2 does not lower"),
        ((0.0, -0.2), "it may be no more than noise"),
    ],
)
def test_components_that_do_not_help_are_named(drops, said):

    analysis = series()
    made = tuple(replace(analysis.components[0], drop=drop) for drop in drops)
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, components=made)
    found = language.findings.helps(View(analysis))
    assert said in found if said else found == ""


def test_values_against_the_model_lie_about_the_diagonal():
    spec = drawn.against(np.array([1.0, 2.0, 3.0]), np.array([1.5, 2.0, 2.5]), "y")
    assert spec["datasets"]["points"] == [{"x": 1, "y": 1.5}, {"x": 2, "y": 2}, {"x": 3, "y": 2.5}]
    assert spec["datasets"]["ends"] == [{"x": 1, "y": 1}, {"x": 3, "y": 3}]
