"""Layers of a chart, as Vega-Lite has them."""

from kernelscribe.report.figures.layers import Layer, expression, field, layered

BASE = Layer("points", {"x": field("x")})


def test_a_layer_says_its_table_its_mark_and_its_channels():
    (layer,) = layered([BASE.mark("circle", size=9).encode(y=field("y", title="height"))], 200)["layer"]
    assert layer == {
        "data": {"name": "points"},
        "name": "layer-0",
        "mark": {"type": "circle", "size": 9},
        "encoding": {"x": field("x"), "y": {"field": "y", "type": "quantitative", "title": "height"}},
    }


def test_layers_that_share_a_base_do_not_change_it():
    BASE.where("datum.x > 0").mark("line").named("other").asking({"name": "word", "value": ""})
    assert BASE == Layer("points", {"x": field("x")})


def test_filters_are_applied_in_order():
    spec = layered([BASE.mark("rule").where("datum.x > 0").where({"param": "hover", "empty": False})], 200)
    assert spec["layer"][0]["transform"] == [{"filter": "datum.x > 0"}, {"filter": {"param": "hover", "empty": False}}]


def test_what_the_reader_points_at_belongs_to_a_layer_and_texts_to_the_chart():
    select = {"name": "hover", "select": {"type": "point"}}
    spec = layered([BASE.mark("rule"), BASE.mark("point").named("pointer").asking({"name": "word", "value": "a"}, select)], 200)
    assert spec["params"] == [{"name": "word", "value": "a"}, {**select, "views": ["pointer"]}]
    assert [each["name"] for each in spec["layer"]] == ["layer-0", "pointer"]
    assert "params" not in layered([BASE.mark("rule")], 200)


def test_an_expression_is_told_from_a_text():
    assert expression("datum.x") == {"expr": "datum.x"}
