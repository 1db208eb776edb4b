"""Foreign text made harmless: one function for each place where it may end up.

Names of columns, files and titles come from outside. Each function takes any string and gives what shows that string, and
nothing else, in its format; characters that no format can show are left out. HTML is escaped by Jinja as it is written.
"""

import json
import re
from typing import Any

__all__ = ["code_span", "csv_cell", "json_for_html", "markdown", "readable", "terminal", "typst"]

# Control characters, halves of surrogate pairs, and the marks that turn the direction of what follows.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_BREAKS = re.compile("[\t\r\n\u2028\u2029]+")

# What a terminal acts on: sequences with parameters, strings up to their end (titles, links), and two-character ones.
_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)"
    "|\x1b[ -/]*[0-~]"
)

_MARKS = re.compile(r"([\\`*_\[\]<>&|~$#{}])")
_LINKS = re.compile(r"(?<=[a-z]):(?=//)|(?<=www)\.|@|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_OPENERS = re.compile(r"^(\s*)([-+=>]|\d+(?=[.)](?:\s|$)))")

_FORMULAE = tuple(
    "=+-@\t\r\n\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)


def readable(text: str) -> str:
    """The text on one line, without the characters that cannot be shown.

    >>> readable("temp\\x1b[31m\\nin °C")
    'temp[31m in °C'
    """
    return _UNSEEN.sub("", _BREAKS.sub(" ", text))


def lines(text: str) -> str:
    """The same for text of several lines."""
    return "\n".join(readable(line) for line in text.splitlines())


def terminal(text: str) -> str:
    """For the screen: without the sequences on which a terminal acts.

    >>> terminal("\\x1b[2J\\x1b]0;owned\\x07price")
    'price'
    """
    return readable(_SEQUENCES.sub("", text))


def csv_cell(value: Any) -> Any:
    """For a table that a spreadsheet may open: text that it would take for a formula begins with an apostrophe.

    >>> csv_cell("=1+1"), csv_cell("price"), csv_cell(-1.5)
    ("'=1+1", 'price', -1.5)
    """
    if not isinstance(value, str):
        return value
    shown = value.replace("\x00", "")
    return f"'{shown}" if shown.startswith(_FORMULAE) or shown.lstrip().startswith(_FORMULAE) else shown


def json_for_html(value: Any) -> str:
    """JSON that may stand inside a script element: nothing in it ends the element or a line.

    >>> json_for_html("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    # Beyond ASCII all is escaped by the encoder, U+2028 and U+2029 with it; a lone half of a pair stays an escape, too.
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def markdown(text: str) -> str:
    """For CommonMark with tables: no emphasis, link, HTML, formula, cell, list or heading comes of it.

    >>> markdown("a_b <i> | 1*2")
    'a\\\\_b \\\\<i\\\\> \\\\| 1\\\\*2'
    """
    shown = _MARKS.sub(r"\\\1", readable(text))
    shown = _LINKS.sub(lambda found: "\\" + found[0], shown)
    return _OPENERS.sub(_opened, shown)


def _opened(found: re.Match[str]) -> str:
    # A number before a full stop begins a list; only the stop can be escaped.
    return f"{found[1]}{found[2]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}"


def code_span(text: str, cell: bool = False) -> str:
    """A code span of Markdown; in a cell of a table even there the bar is escaped.

    >>> code_span("a`b")
    '``a`b``'
    """
    shown = readable(text).strip()
    if not shown:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return fence + pad + (shown.replace("|", "\\|") if cell else shown) + pad + fence


def typst(text: str) -> str:
    """A string of Typst: quoted, so that nothing in it is markup.

    >>> typst('say "#x"')
    '"say \\\\"#x\\\\""'
    """
    return '"' + lines(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
