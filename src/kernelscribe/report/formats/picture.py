"""A chart as a picture, without a browser and without a network."""

from typing import Any

from kernelscribe.report.formats.escape import readable
from kernelscribe.report.formats.theme import LIGHT, config

__all__ = ["svg"]

# Comes with the converter, so that widths of text are measured with the letters that are drawn.
_FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# Layers that only a pointer brings to life.
_MOVING = ("cursor", "pointer")


def svg(spec: dict[str, Any], width: int = 640, font: str = _FONT) -> str:
    """The chart in SVG, on white paper, its plot as wide as asked."""
    import vl_convert  # noqa: PLC0415

    still = {**_readable(_still(spec)), "width": width}
    return str(vl_convert.vegalite_to_svg(still, config=config(LIGHT, font), allowed_base_urls=[]))


def _still(spec: dict[str, Any]) -> dict[str, Any]:
    """Without what answers to a pointer."""
    kept = {key: value for key, value in spec.items() if key != "params"}
    layers = [_silent(each) for each in spec.get("layer", ()) if each.get("name") not in _MOVING]
    return kept | {"layer": layers} if "layer" in spec else kept


def _silent(layer: dict[str, Any]) -> dict[str, Any]:
    return {**layer, "mark": {key: value for key, value in layer["mark"].items() if key != "tooltip"}}


def _readable(value: Any) -> Any:
    # One control character in a title, and no reader of XML would open the picture.
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, list):
        return [_readable(each) for each in value]
    if isinstance(value, dict):
        return {key: _readable(each) for key, each in value.items()}
    return value
