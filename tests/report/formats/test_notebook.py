"""An analysis in a notebook: words and one picture, without scripts."""

from xml.etree import ElementTree

import pytest

import analyses
from kernelscribe.report.compose import glance
from kernelscribe.report.formats.notebook import notebook


@pytest.mark.parametrize(
    "make", [analyses.series, analyses.table, analyses.constant, analyses.nothing, analyses.none, analyses.hostile]
)
def test_it_is_a_whole_fragment_without_scripts(make):
    found = make()
    shown = notebook(glance(found))
    tree = ElementTree.fromstring(shown)  # noqa: S314
    assert tree.tag == "div"
    tags = {each.tag.rpartition("}")[2] for each in tree.iter()}
    assert not tags & {"script", "iframe", "link", "img", "foreignObject"}
    assert not any(name.startswith("on") for each in tree.iter() for name in each.attrib)
    assert ("svg" in tags) == (found.outcome.structure and bool(found.components))


def test_it_has_the_headline_every_component_and_its_share():
    found = analyses.series()
    tree = ElementTree.fromstring(notebook(glance(found)))  # noqa: S314
    assert "".join(tree.find("p").itertext()) == found.headline
    items = ["".join(each.itertext()) for each in tree.iter("li")]
    assert len(items) == len(found.components)
    assert f"({100 * found.components[0].share:.1f} %)" in items[0]


def test_it_is_what_the_analysis_shows():
    assert (
        analyses.constant()._repr_html_()
        == "<div><p><strong>level is constant at 7.5: there is nothing to explain.</strong></p></div>"
    )
