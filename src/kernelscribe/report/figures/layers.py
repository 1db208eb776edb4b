"""Charts in the language of Vega-Lite, of the few words that are needed here: layers of marks over named tables.

Channels, scales and parameters are plain objects, as they stand in a specification; a test checks them against its schema.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Layer", "Part", "Spec", "expression", "field", "layered"]

# A chart, and a part of one.
Spec = dict[str, Any]
Part = dict[str, Any]

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


@dataclass(frozen=True, slots=True)
class Layer:
    """One mark over one table, as it is put together.

    Attributes:
        data: the name of its table.
        drawn: the mark with its properties; nothing yet in what several layers share.
        filters: which rows are drawn.
        params: what the reader may change, and texts that its expressions speak of.
    """

    data: str
    encoding: Mapping[str, Part]
    drawn: Part | None = None
    name: str | None = None
    filters: tuple[str | Part, ...] = ()
    params: tuple[Part, ...] = ()

    def encode(self, **channels: Part) -> "Layer":
        return replace(self, encoding={**self.encoding, **channels})

    def mark(self, kind: str, **properties: Any) -> "Layer":
        return replace(self, drawn={"type": kind, **properties})

    def where(self, condition: str | Part) -> "Layer":
        return replace(self, filters=(*self.filters, condition))

    def named(self, name: str) -> "Layer":
        return replace(self, name=name)

    def asking(self, *params: Part) -> "Layer":
        return replace(self, params=(*self.params, *params))


def layered(layers: Sequence[Layer], height: int) -> Spec:
    """The layers as one chart, as wide as its place."""
    named = [each if each.name else each.named(f"layer-{number}") for number, each in enumerate(layers)]
    spec: Spec = {"$schema": _SCHEMA, "width": "container", "height": height}
    params = [_placed(param, each) for each in named for param in each.params]
    if params:
        spec["params"] = params
    return {**spec, "layer": [_layer(each) for each in named]}


def _layer(layer: Layer) -> Part:
    found: Part = {"data": {"name": layer.data}, "name": layer.name, "mark": layer.drawn, "encoding": dict(layer.encoding)}
    if layer.filters:
        found["transform"] = [{"filter": each} for each in layer.filters]
    return found


def _placed(param: Part, layer: Layer) -> Part:
    """Parameters stand above the layers; what the reader does with the pointer belongs to one of them."""
    return {**param, "views": [layer.name]} if "select" in param else param


def field(name: str, kind: str = "quantitative", **more: Any) -> Part:
    """A channel that takes its values from a column."""
    return {"field": name, "type": kind, **more}


def expression(text: str) -> Part:
    return {"expr": text}
