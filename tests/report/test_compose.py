"""The report as a whole: its sections in their order, links and charts."""

import pytest

import analyses
from analyses import HELD, series
from kernelscribe.report.compose import compose
from kernelscribe.report.document import Figure, Link, Section, pieces, walk
from reading import words
from sections import figures, only


@pytest.fixture(scope="module")
def document():
    return compose(series(tested=HELD))


def test_the_sections_stand_in_their_order(document):
    assert [each.id for each in document.sections] == ["findings", "data", "components", "forecast", "sure", "checks", "appendix"]
    assert document.title == "What explains level?"


def test_every_link_has_something_to_point_at(document):
    names = {each.id for each in walk(document.sections) if isinstance(each, Section | Figure)}
    links = [part for text in words(document) for part in pieces(text) if isinstance(part, Link)]
    assert len(links) >= 5
    assert {link.to for link in links} <= names


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
