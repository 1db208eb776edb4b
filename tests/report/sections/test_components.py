"""What is told and drawn of every component."""

from dataclasses import replace

import numpy as np
import pytest

import analyses
from analyses import series
from kernelscribe.report.compose import compose
from kernelscribe.report.description.view import REACH, View
from kernelscribe.report.document import Section, plain
from reading import section, sentences
from sections import callouts, figures, only


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
        names |= {f"part-{i}-period"} if "cycle" in plain(part.title) else set()
        assert set(figures(part)) == names
    assert "standard deviation of 0.316" in " ".join(sentences(below[-1]))


def test_the_parts_add_up_to_the_model():

    analysis = series()
    view = View(analysis)
    whole = analysis.model.predict(analysis.model.inputs).median
    np.testing.assert_allclose(view.fitted, whole, atol=0.02)
    for centred in view.centred:
        assert abs(centred.mean()) < 1e-9
    x = np.linspace(2005, 2012, 20)[:, None]
    parts = [view.shape(x, [each.standard], rows)[0] for each, rows in zip(analysis.components, view.centred, strict=True)]
    np.testing.assert_allclose(view.level + sum(parts), analysis.model.predict(x).median, atol=0.02)


def test_the_band_of_a_shape_knows_no_level():
    """The data do not say whether a constant belongs to the line or to the smooth part; that must not widen both bands."""

    view = View(series())
    j = next(i for i, each in enumerate(view.findings.components) if str(each.term) == "SE1")
    one = view.findings.components[j].standard
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


@pytest.mark.parametrize(("worth", "told"), [(None, True), (300.0, False)])
def test_an_error_that_does_not_move_is_not_held_against_what_the_evidence_says(worth, told):
    """One row that is out of line helps to predict no other, and is there beyond doubt."""
    analysis = series()
    one, two, three = analysis.components
    still = replace(two, drop=0.0, error=analysis.decomposition.error, worth=worth)
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, components=(one, still, three))
    part = next(each for each in only("components", analysis).blocks if isinstance(each, Section) and each.id == "part-2")
    said = " ".join(sentences(part))
    assert ("error would stay at" in said) == told
    assert ("there is no doubt that it is there" in said) != told
    assert "  " not in said


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


def with_worth(analysis, *worths):
    """The same analysis, of a search that knows what its components are worth."""
    parts = tuple(replace(each, worth=worth) for each, worth in zip(analysis.components, worths, strict=True))
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, components=parts)
    return analysis


@pytest.mark.parametrize(
    ("worth", "said"),
    [
        (412.3, "Without it the evidence falls by 412 nats: there is no doubt that it is there."),
        (6.0, "Without it the evidence falls by 6.0 nats, odds of 400 to one: strong evidence that it is there."),
        (4.0, "Without it the evidence falls by 4.0 nats, odds of 55 to one: good evidence that it is there."),
        (2.0, "Without it the evidence falls by 2.0 nats, odds of 7.4 to one: weak evidence that it is there."),
        (0.4, "Without it the evidence falls by 0.4 nats only: the data do not say that it is there."),
        (-0.4, "Without it the evidence does not fall: the data do not say that it is there."),
    ],
)
def test_whether_a_component_is_there_is_told_by_the_evidence(worth, said):
    analysis = with_worth(series(), 100.0, worth, 3.0)
    assert " ".join(sentences(_parts(analysis)[1])).count(said) == 1


def test_no_component_that_the_evidence_demands_is_doubted():
    analysis = with_worth(series(), 100.0, 1.5, 3.0)
    idle = tuple(replace(each, drop=0.0, rest=0.0, share=0.0) for each in analysis.components)
    analysis.__dict__["decomposition"] = replace(analysis.decomposition, components=idle)
    told = " ".join(" ".join(sentences(each)) for each in (only("components", analysis), only("findings", analysis)))
    for doubt in ("artefact", "Zero lies within", "do not say", "may be no more than noise"):
        assert doubt not in told


def test_where_nobody_knows_what_components_are_worth_nothing_is_said_of_it():
    told = " ".join(" ".join(sentences(each)) for each in (only("components", series()), only("findings", series())))
    assert "the evidence falls" not in told and "nats" not in told.replace("nats behind", "")


def _parts(analysis):
    return [each for each in only("components", analysis).blocks if isinstance(each, Section) and each.id.startswith("part-")]
