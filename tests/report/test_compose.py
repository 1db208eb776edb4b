"""What the sections of a report say, on analyses that were made by hand."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import analyses
from analyses import HELD, NARROW, series
from kernelscribe.engines.interval import Interval
from kernelscribe.report import figures as drawn
from kernelscribe.report.compose import compose
from kernelscribe.report.description.view import REACH, View
from kernelscribe.report.document import Callout, Code, Figure, Link, Cards, Section, Strong, TableBlock, parts, plain, walk
from kernelscribe.report.sections.appendix import appendix
from kernelscribe.report.sections.checks import checks
from kernelscribe.report.sections.components import parts as parts_of
from kernelscribe.report.sections.confidence import sure
from kernelscribe.report.sections.data import seen
from kernelscribe.report.sections.findings import _explains, _helps, findings
from kernelscribe.report.sections.forecast import ahead
from kernelscribe.report.words.english.numbers import percent
from kernelscribe.report.words.english.rivals import difference
from kernelscribe.summary import analysis_dict, analysis_text
from reading import section, sentences, words

SECTIONS = {
    "findings": findings,
    "data": seen,
    "components": parts_of,
    "forecast": ahead,
    "sure": sure,
    "checks": checks,
    "appendix": appendix,
}


@pytest.fixture(scope="module")
def document():
    return compose(series(tested=HELD))


def only(name, analysis, steps=None):
    """One section of a report; the others take their time."""
    return SECTIONS[name](View(analysis, steps))


def tables(part):
    return [each for each in walk((part,)) if isinstance(each, TableBlock)]


def figures(part):
    return {each.id: each for each in walk((part,)) if isinstance(each, Figure)}


def callouts(part, kind):
    return [plain(each.text) for each in walk((part,)) if isinstance(each, Callout) and each.kind == kind]


def test_the_sections_stand_in_their_order(document):
    assert [each.id for each in document.sections] == ["findings", "data", "components", "forecast", "sure", "checks", "appendix"]
    assert document.title == "What explains level?"


def test_every_link_has_something_to_point_at(document):
    names = {each.id for each in walk(document.sections) if isinstance(each, Section | Figure)}
    links = [part for text in words(document) for part in parts(text) if isinstance(part, Link)]
    assert len(links) >= 5
    assert {link.to for link in links} <= names


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
    assert f"What is left, {percent(1 - analysis.decomposition.explained)} of the variation, is noise" in listed[-1]


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
    assert _explains(View(analysis)) == said


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
    found = _helps(View(analysis))
    assert said in found if said else found == ""


def test_the_data_are_told_with_dates_gaps_notes_and_odd_rows():
    found = only("data", analyses.dated())
    said = " ".join(sentences(found))
    (inputs, odd) = tables(found)
    assert [plain(cell) for cell in inputs.rows[0]][1:3] == ["a date", "2004-01-01"]
    assert "The typical step along date is one month; the longest gap is 4.0 months, between 2008-01-31" in said
    for text in ("The column date was taken for the time.", "Two rows were left out.", "All well."):
        assert text in said
    assert said.index("What was guessed") < said.index("What was repaired") < said.index("What was noticed")
    assert "One row lies so far from what the model expects" in said
    assert odd.rows[0][0].startswith("2007-05")
    assert odd.rows[0][2] == "above"
    assert float(odd.rows[0][3]) > 10
    assert "raw" in figures(found)


def test_every_component_has_words_numbers_and_pictures(document):
    found, analysis = section(document, "components"), series()
    below = [each for each in found.blocks if isinstance(each, Section)]
    assert [each.id for each in below] == ["part-1", "part-2", "part-3", "noise"]
    for i, (part, told) in enumerate(zip(below, analysis.words, strict=False), start=1):
        assert plain(part.title) == f"{i}. {told.summary[0].upper()}{told.summary[1:]}"
        said = " ".join(sentences(part))
        assert " ".join(told.details) in said
        assert "cross-validated mean absolute error" in said
        names = {f"part-{i}-alone", f"part-{i}-sum"} | ({f"part-{i}-rest"} if i < 3 else set())
        assert set(figures(part)) == names
    assert "standard deviation of 0.316" in " ".join(sentences(below[-1]))


def test_the_parts_add_up_to_the_model():

    analysis = series()
    view = View(analysis)
    whole, _ = analysis.model.predict(analysis.model.inputs)
    np.testing.assert_allclose(view.fitted, whole, atol=0.02)
    for centred in view.centred:
        assert abs(centred.mean()) < 1e-9
    x = np.linspace(2005, 2012, 20)[:, None]
    parts = [view.shape(x, [each.standard], rows)[0] for each, rows in zip(analysis.components, view.centred, strict=True)]
    np.testing.assert_allclose(view.level + sum(parts), analysis.model.predict(x)[0], atol=0.02)


def test_the_band_of_a_shape_knows_no_level():
    """The data do not say whether a constant belongs to the line or to the smooth part; that must not widen both bands."""

    view = View(series())
    j = next(i for i, each in enumerate(view.analysis.components) if str(each.term) == "SE1")
    one = view.analysis.components[j].standard
    x = np.linspace(2005, 2012, 20)[:, None]
    mean, lower, upper = view.shape(x, [one], view.centred[j])
    raw = 2 * REACH * view.model.data.output.scale * np.sqrt(view.model.posterior.predict(view.model.standard(x), [one])[1])
    assert np.all(upper - lower < 0.8 * raw)
    rows = view.model.inputs[view._some]
    _, C = view.model.posterior.joint(view.model.standard(np.concatenate([x[:1], rows])), [one])
    weights = np.concatenate([[1.0], np.full(len(rows), -1 / len(rows))])
    assert (upper - mean)[0] == pytest.approx(REACH * view.model.data.output.scale * np.sqrt(weights @ C @ weights), rel=1e-6)


def test_small_terms_are_counted():
    analysis = series()
    minor = analysis.components[0].term
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, minor=(minor, minor), minor_share=0.0004)
    said = " ".join(sentences(only("components", analysis)))
    assert (
        "Two further terms of the kernel are too small to be told of: together they explain less than 0.1 % of the variance."
        in said
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"drop": 0.0, "rest": 0.0}, "it is probably an artefact"),
        ({"drop": 0.0, "rest": 0.2}, "it may be a pattern too short-lived for that, noise, or an artefact"),
        ({"drop": -0.25, "error": 0.1}, "Without it the cross-validated mean absolute error would fall from"),
        ({"drop": 0.9, "error": 3.0}, "Without it the cross-validated mean absolute error would rise from"),
        ({"rest": 0.0}, "It explains next to nothing of what the components before it leave over"),
    ],
)  # fmt: skip
def test_what_does_not_help_is_called_so(change, said):
    analysis = series()
    one, two, three = analysis.components
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, components=(one, replace(two, **change), three))
    part = next(each for each in only("components", analysis).blocks if isinstance(each, Section) and each.id == "part-2")
    assert said in " ".join(sentences(part))


def test_a_cycle_of_many_is_drawn_for_its_last_few():
    kernel = "SE(variance=1, lengthscale=30)*PER(variance=1, lengthscale=1, period=1)"
    x = np.arange(800) / 8
    y = np.sin(2 * np.pi * x) + 0.1 * np.cos(50 * x)
    found = only("components", analyses.analysis(kernel, x, y, noise=0.01))
    alone = figures(found)["part-1-alone"]
    assert "Only its last 12.0 are drawn" in plain(alone.caption)
    assert alone.spec["datasets"]["curve"][0]["x"] == pytest.approx(x[-1] - 12, abs=0.01)
    together = figures(found)["part-1-sum"].spec["datasets"]["curve"]
    assert together[0]["x"] == 0
    assert len(together) <= 400


def test_the_forecast_has_a_band_draws_rows_and_an_outlook(document):
    found = section(document, "forecast")
    (table,) = tables(found)
    assert len(table.rows) == 8
    assert table.rows[0][0] == "1 January 2014"
    analysis = series()
    frame = analysis.forecast()
    mean, lower, upper = (float(cell) for cell in table.rows[-1][1:])
    assert mean == pytest.approx(frame["mean"].iloc[-1], abs=0.01)
    assert lower == pytest.approx(frame["lower_95"].iloc[-1], abs=0.01)
    assert upper == pytest.approx(frame["upper_95"].iloc[-1], abs=0.01)
    assert {"ahead", "draws", "ahead-1", "ahead-2", "ahead-3"} == set(figures(found))
    for told in analysis.words:
        assert " ".join(told.outlook) in " ".join(sentences(found))
    assert "widened" not in " ".join(sentences(found))


def test_the_steps_can_be_chosen():
    found = only("forecast", series(), 3)
    assert "reaches three steps beyond the data" in " ".join(sentences(found))
    assert len(tables(found)[0].rows) == 3


def test_bands_that_were_widened_are_said_to_be():
    analysis = series(tested=NARROW)
    ahead, sure = (" ".join(sentences(only(name, analysis))) for name in ("forecast", "sure"))
    assert "they are 1.9 times as wide as the model alone would draw them" in ahead
    assert "without the widening" in ahead
    (note,) = callouts(only("sure", analysis), "note")
    assert "bands that should have held 95 % of the values held 77.0 %" in note
    assert "multiplied by 1 + 2.5 · t" in note
    assert callouts(only("sure", analysis), "warning") == []
    assert "widened to match" in " ".join(sentences(only("findings", analysis)))
    assert "was 0.710; taking the last value seen instead would have made it 2.20, or 3.1 times as large" in sure


def test_a_model_that_forecasts_no_better_than_the_last_value_is_said_to():
    said = " ".join(sentences(only("sure", series(tested=replace(HELD, error=2.5)))))
    assert "As a forecaster the model is of no use here" in said


def test_rivals_among_many_rows_are_said_to_be_less_well_fitted(monkeypatch):
    said, contested = "only the chosen kernel and the next best had their values fitted to the end", analyses.contested()
    waves = replace(contested, verdict=replace(contested.verdict, engine="spectral"))
    assert said not in tables(only("sure", waves))[0].caption, "few rows"
    monkeypatch.setattr("kernelscribe.report.sections.confidence.MANY_ROWS", 50)
    assert said in tables(only("sure", waves))[0].caption
    assert said not in tables(only("sure", contested))[0].caption, "another engine"
    alone = replace(waves, verdict=replace(waves.verdict, rivals=waves.verdict.rivals[:1]))
    assert said not in tables(only("sure", alone))[0].caption, "the next best alone"


def test_rivals_are_held_against_the_choice():
    found = only("sure", analyses.contested())
    rows = [[plain(cell) for cell in row] for row in tables(found)[0].rows]
    assert [row[0] for row in rows] == ["SE + SE*PER + LIN", "SE*PER", "LIN"]
    assert rows[0][2:] == ["−0.75 to 1.75", "left open"]
    assert rows[1][2:] == ["2.75 to 4.25", "moderate: at least 16 times less probable"]
    assert rows[2][3] == "decisive: more than a million times less probable"
    said = " ".join(sentences(found))
    assert "SE + SE*PER + LIN: It has smooth ups and downs that last about 3.6 months besides." in said
    assert "The choice is left open: the intervals of 1 more" in said
    warnings = callouts(found, "warning")
    assert any("the budget of 10 s was used up" in each for each in warnings)
    assert any("lengthscale of SE1" in each for each in warnings)
    assert "rivals" in figures(found)
    assert "coverage" in figures(found)
    top = " ".join(sentences(only("findings", analyses.contested())))
    assert "One other description explains the data so nearly as well" in top


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (f"{analyses.TREND} + {analyses.CYCLE}", "It has the same components"),
        (analyses.CYCLE, "It does without component"),
        (f"{analyses.TREND} + {analyses.CYCLE.replace('period=1', 'period=0.5')}", "half-yearly cycle"),
    ],
)
def test_what_a_rival_would_mean_is_told_by_its_components(kernel, said):

    found = series()
    assert said in difference(View(found), analyses.rival(found.model, kernel, -112.0, -110.0, False))


def test_a_clear_choice_is_called_decisive_in_one_sentence():
    found = series()
    lone = replace(found.verdict, rivals=(analyses.rival(found.model, analyses.TREND, -180.0, -170.0, True),))
    said = " ".join(sentences(only("findings", replace(found, verdict=lone))))
    assert "The next best description is at least 58.75 nats behind, a lead that is decisive" in said


def test_scores_of_a_subset_are_not_held_against_those_of_all_rows():
    found = series(options={"strategy": "subset", "subset": 50})
    told = replace(found.verdict, rivals=(analyses.rival(found.model, analyses.TREND, -80.0, -70.0, True),))
    sure = only("sure", replace(found, verdict=told))
    assert "compared on 50 of the rows" in " ".join(sentences(sure))
    assert "rivals" not in figures(sure)
    assert plain(tables(sure)[0].rows[0][2]) == "–"


def test_a_choice_for_simplicity_says_that_the_other_is_ahead():
    found = series()
    above = replace(
        found.verdict, rivals=(analyses.rival(found.model, f"{analyses.TREND} + {analyses.CYCLE}", -110.5, -110.4, False),)
    )
    sure = only("sure", replace(found, verdict=above))
    assert plain(tables(sure)[0].rows[0][3]) == "ahead by less than its size is worth"


def test_noise_alone_is_compared():
    near = replace(series().verdict, noise_bic=-111.0)
    said = " ".join(sentences(only("sure", replace(series(), verdict=near))))
    assert "so there may be no structure at all" in said


def test_checks_that_find_nothing_say_so(document):
    found = section(document, "checks")
    (table,) = tables(found)
    assert len(table.rows) == 6
    assert all(re.fullmatch(r"\d\.\d{3}|<0\.001", plain(cell)) for row in table.rows for cell in row[1:])
    assert "Nothing was found that chance does not explain." in sentences(found)
    assert set(figures(found)) == {"acf", "periodogram", "quantiles"}


def test_checks_that_find_something_name_it_and_what_it_may_mean():
    x, y = analyses.months(240)
    kernel = "LIN(variance=0.3, location=2000)"
    found = section(
        compose(analyses.analysis(kernel, x, y + 3 * np.sin(2 * np.pi * x), noise=6.0, axes=(analyses.YEARS,))), "checks"
    )
    said = " ".join(sentences(found))
    assert "A cycle of about 1.0" in said
    assert "there may be a cycle that no component describes" in said
    bold = [cell for row in tables(found)[0].rows for cell in row if any(isinstance(part, Strong) for part in parts(cell))]
    assert plain(bold[0]) == "<0.001"


def long(n=2500, length=400, **more):
    """More rows than an exact posterior takes."""
    x = np.arange(float(n))
    y = np.sin(x / 400) + np.random.default_rng(0).normal(size=n)
    return analyses.analysis(f"SE(variance=1, lengthscale={length})", x, y, noise=1.0, **more)


def test_checks_of_some_rows_say_how_many():
    said = " ".join(sentences(checks(View(long(options={"inducing": 100})))))
    assert "Of the 2,500 rows, the last 2,000 were looked at." in said
    assert "each value predicted from all rows before it" in said


def test_checks_by_waves_look_at_all_rows_and_say_what_their_errors_are(monkeypatch):
    said = " ".join(sentences(checks(View(long()))))
    assert "were looked at" not in said
    assert "what it leaves over, with the little that the curve took of the noise given back" in said
    assert "too small to matter" not in said
    monkeypatch.setattr("kernelscribe.report.sections.checks._MANY", 2500)
    assert "even departures are found that are too small to matter" in " ".join(sentences(checks(View(long()))))


def test_the_quantiles_of_many_errors_keep_the_largest():
    """A few hundred are drawn, with the same band as if all were."""
    found = long()
    errors = np.sort(found.criticism.errors)
    chart = figures(checks(View(found)))["quantiles"].spec["datasets"]["values"]
    assert len(chart) < 1300
    assert [chart[0]["y"], chart[-1]["y"]] == pytest.approx([errors[0], errors[-1]], rel=1e-5)
    ends = stats.norm.ppf(stats.beta.ppf([0.025, 0.975], 2500, 1))
    assert [chart[-1]["lower"], chart[-1]["upper"]] == pytest.approx(ends, rel=1e-4)


@pytest.mark.parametrize(("lower", "upper", "said"), [
    (-4411.52, -4411.5, "Its own BIC is certified: the true value, by all 120 rows, lies between −4,411.52 and −4,411.50, "
     "an interval 0.02 nats wide."),
    (-110.751, -110.749, "Its own BIC is −110.75, by all 120 rows."),
    (-110.75, np.inf, "Its own BIC, by all 120 rows, is certified to be at least −110.75; from above it could not be bounded."),
])  # fmt: skip
def test_what_is_known_of_the_chosen_score(lower, upper, said):
    assert said in sentences(sure(View(series(bic=Interval(lower, upper)))))


def test_a_score_that_is_not_known_is_not_told():
    assert "Its own BIC" not in " ".join(sentences(sure(View(series(bic=Interval(-np.inf, np.inf))))))


@pytest.mark.parametrize(("options", "basis"), [({}, "all rows, by "), ({"inducing": 100}, "912 inducing points")])
def test_what_curves_rest_on(options, basis):
    found = long(6000, options=options) if options else long(options=options)
    assert f"Components, their bands and forecasts rest on {basis}" in " ".join(sentences(appendix(View(found))))


def test_a_kernel_too_fast_for_its_waves_is_a_warning(monkeypatch):
    assert not callouts(sure(View(long())), "warning")
    monkeypatch.setattr("kernelscribe.engines.spectral.posterior_waves.MOST", 40)
    (warning,) = callouts(sure(View(long(length=20))), "warning")
    assert "rests on all rows, by 40 waves, which leave out" in warning


def test_the_appendix_has_all_that_it_takes_to_check(document):
    found = section(document, "appendix")
    said = " ".join(sentences(found))
    for text in ("tried 31 kernels in two rounds of growth", "4,321", "12.3 seconds with 2 workers", series().model.data.digest):
        assert text in said
    (tree, program) = (each for each in walk((found,)) if isinstance(each, Code))
    assert tree.text == "└ * SE  -110.9"
    assert program.language == "python"
    scores = next(each for each in tables(found) if each.rows[0][0] == "evidence")
    assert scores.rows[0][1:] == ("−101.25", "−100.75")
    assert scores.rows[1][1:] == ("−111.25", "−110.75")
    values = tables(found)[0]
    assert [plain(row[0]) for row in values.rows] == ["SE", "PER", "LIN", "noise"]
    assert "period 1.000" in plain(values.rows[1][2])
    assert "location 2000" in plain(values.rows[2][2])


def test_a_search_whose_time_is_not_known_does_not_tell_it():
    found = series()
    said = " ".join(sentences(only("appendix", replace(found, verdict=replace(found.verdict, seconds=None, workers=None)))))
    assert "It evaluated the evidence 4,321 times." in said


def test_tables_draw_components_against_their_inputs():
    document = compose(analyses.table())
    found = section(document, "components")
    names = set(figures(found))
    kinds = {str(each.term): i for i, each in enumerate(analyses.table().components, start=1)}
    line, plane, cube = kinds["LIN1"], kinds["SE2*SE3"], kinds["LIN1*LIN2*LIN3"]
    assert {f"part-{line}-alone", f"part-{plane}-alone", *(f"part-{cube}-{dim}" for dim in (1, 2, 3)), "left"} == names
    cells = figures(found)[f"part-{plane}-alone"].spec["datasets"]["cells"]
    assert len(cells) == 1600
    values = np.array([cell["value"] for cell in cells])
    assert np.abs(values).max() > 1
    assert "Held at their medians: pressure and load." in plain(figures(found)[f"part-{cube}-1"].caption)
    outside = section(document, "forecast")
    assert plain(outside.title) == "Outside the range of the data"
    assert "take the bands of this report as too narrow" in callouts(section(document, "sure"), "warning")[0]
    assert len(figures(section(document, "findings"))["main"].spec["datasets"]["points"]) == 150
    assert set(figures(section(document, "checks"))) == {"quantiles"}


def test_charts_are_valid_vega_lite(document):
    import altair as alt
    from jsonschema import ValidationError

    table = analyses.table()
    charts = [
        *figures(Section("", document.sections)).values(),
        *(chart for name in ("findings", "components") for chart in figures(only(name, table)).values()),
    ]
    # One of every make: the same layers with other numbers are not looked at again.
    for spec in {str([each["mark"] for each in chart.spec["layer"]]): chart.spec for chart in charts}.values():
        alt.LayerChart.from_dict({key: value for key, value in spec.items() if key not in ("$schema", "datasets")})
    with pytest.raises(ValidationError):
        alt.LayerChart.from_dict({"layer": [{"mark": "spot"}]})


def test_values_against_the_model_lie_about_the_diagonal():
    spec = drawn.against(np.array([1.0, 2.0, 3.0]), np.array([1.5, 2.0, 2.5]), "y")
    assert spec["datasets"]["points"] == [{"x": 1, "y": 1.5}, {"x": 2, "y": 2}, {"x": 3, "y": 2.5}]
    assert spec["datasets"]["ends"] == [{"x": 1, "y": 1}, {"x": 3, "y": 3}]


def test_intervals_without_width_are_single_numbers():
    found = series()
    exact = replace(found.verdict, bic=Interval(-110.0, -110.0))
    said = " ".join(sentences(only("appendix", replace(found, verdict=exact))))
    assert "−110.00" in said
    assert "−110.00 to" not in said


def test_a_component_whose_band_holds_zero_is_called_doubtful():
    rng = np.random.default_rng(1)
    x = np.arange(60) / 6
    y = np.sin(x) + 0.3 * rng.normal(size=60)
    kernel = "SE(variance=1, lengthscale=1.5) + LIN(variance=0.001, location=5)"
    analysis = analyses.analysis(kernel, x, y, noise=0.09)
    said = {str(each.term): " ".join(sentences(part)) for each, part in zip(analysis.components, _parts(analysis), strict=True)}
    doubt = "the data do not say for certain that it is there"
    assert doubt in said["LIN1"]
    assert doubt not in said["SE1"]


def _parts(analysis):
    return [each for each in only("components", analysis).blocks if isinstance(each, Section) and each.id.startswith("part-")]
