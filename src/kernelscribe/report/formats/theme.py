"""How charts look: colours by their part in a chart, once for light and once for dark, and the settings that use them.

Charts name styles ("mean", "band"), never colours. In HTML a colour is a variable of the style sheet, so that charts follow
the reader's scheme and the printer; in pictures it is the light one. Blue, orange and grey are told apart by all kinds of
colour vision (after Okabe and Ito), and differ in lightness, too.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["DARK", "FONT", "LIGHT", "VARIABLES", "config"]

LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "paper": "#ffffff",
        "ink": "#1b2330",
        "muted": "#586273",
        "rule": "#d9dde4",
        "grid": "#eceef2",
        "datum": "#39424f",
        "mean": "#0b66a8",
        "ahead": "#c4500a",
        "third": "#00805c",
        "fourth": "#9a4f83",
        "reference": "#8b94a5",
    }
)
DARK: Mapping[str, str] = MappingProxyType(
    {
        "paper": "#14181f",
        "ink": "#e9ebef",
        "muted": "#a3acba",
        "rule": "#363e4a",
        "grid": "#262d37",
        "datum": "#c6ccd6",
        "mean": "#62b4f0",
        "ahead": "#f09a5a",
        "third": "#4cc79f",
        "fourth": "#d896c1",
        "reference": "#7d8798",
    }
)
VARIABLES: Mapping[str, str] = MappingProxyType({name: f"var(--{name})" for name in LIGHT})

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"


def config(colours: Mapping[str, str], font: str = FONT) -> dict[str, Any]:
    """The settings of Vega-Lite that give the styles their colours."""
    return {
        "background": None,
        "font": font,
        "padding": 4,
        # The element around a chart tells what it shows; a label on each of its points would only be in the way.
        "aria": False,
        "view": {"stroke": None},
        "axis": {
            "domainColor": colours["rule"],
            "gridColor": colours["grid"],
            "tickColor": colours["rule"],
            "labelColor": colours["muted"],
            "titleColor": colours["muted"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": 500,
            "titleLimit": 220,
            "labelLimit": 180,
            "labelPadding": 6,
            "titlePadding": 8,
            "tickSize": 4,
        },
        "axisX": {"grid": False, "labelFlush": True, "tickCount": {"expr": "max(3, min(9, width / 80))"}},
        "axisY": {"domain": False, "ticks": False, "tickCount": 5, "titleLimit": 200},
        "legend": {
            "labelColor": colours["muted"],
            "titleColor": colours["muted"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": 500,
        },
        "title": {"color": colours["ink"], "fontSize": 14, "fontWeight": 600, "anchor": "start", "offset": 10, "limit": 560},
        "style": _styles(colours),
    }


def _styles(colours: Mapping[str, str]) -> dict[str, Any]:
    lines = {
        name: {"color": colours[name], "strokeWidth": 1.5, "strokeJoin": "round"} for name in ("mean", "ahead", "third", "fourth")
    }
    return {
        **lines,
        "band": {"color": colours["mean"], "fillOpacity": 0.2},
        "band-ahead": {"color": colours["ahead"], "fillOpacity": 0.2},
        "band-reference": {"color": colours["reference"], "fillOpacity": 0.24},
        "datum": {"color": colours["datum"], "fillOpacity": 0.72},
        "dot": {"color": colours["mean"], "fillOpacity": 1},
        "dot-reference": {"color": colours["reference"], "fillOpacity": 1},
        "trace": {"color": colours["datum"], "strokeWidth": 1, "strokeOpacity": 0.45, "strokeJoin": "round"},
        "stem": {"color": colours["mean"], "strokeWidth": 1.5},
        "split": {"color": colours["muted"], "strokeWidth": 1, "strokeDash": [4, 4]},
        "level": {"color": colours["muted"], "strokeWidth": 1},
        "cursor": {"color": colours["muted"], "strokeWidth": 1, "strokeOpacity": 0.7},
        "ring": {"color": colours["muted"], "strokeWidth": 1.5, "filled": False},
        "span": {"color": colours["mean"], "strokeWidth": 5, "strokeCap": "round"},
        "span-reference": {"color": colours["reference"], "strokeWidth": 5, "strokeCap": "round"},
        "bar": {"color": colours["mean"], "cornerRadiusEnd": 2},
        "label": {"color": colours["ink"], "fontSize": 12, "align": "left", "baseline": "middle"},
        "value": {"color": colours["muted"], "fontSize": 12, "align": "left", "baseline": "middle"},
    }
