"""How dates are written: each form a pattern with named parts, for one whole cell.

A pattern looks at which characters are digits, never at which digits they are, so that it fits all cells of one shape or none:
one match then says where the parts of a million cells stand.

Parts: Y year, y year of two digits, m month, b month's name, d day, j day of the year, q quarter, w ISO week, u day of that week,
H I hour, M minute, S second, f its fraction, p am or pm, z zone, of which s sign, h hours, n minutes.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from kernelscribe.errors import DataError

__all__ = ["DMY", "FORMS", "MDY", "MONTHS", "SHORT", "DateForm", "written"]

# How names of months begin.
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTH = rf"(?P<b>{_LONG}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)"
_WEEKDAY = "(?:Mon|Tues?|Wed|Wednes|Thu|Thurs?|Fri|Sat|Satur|Sun)(?:day)?"
_ZONE = r"(?: ?(?P<z>Z|UTC|GMT|(?P<s>[+-])(?P<h>[0-9]{2}):?(?P<n>[0-9]{2})?))?"
_CLOCK = r"(?P<H>[0-9]{1,2})(?::(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]+))?)?)?(?: ?(?P<p>[ap]\.?m\.?))?" + _ZONE
_TIME = rf"(?:(?:T|,? +){_CLOCK})?"
_Y = "(?P<Y>[0-9]{4})"
_m = "(?P<m>[0-9]{1,2})"
_d = "(?P<d>[0-9]{1,2})"
# The same mark stands twice.
_MARK = "(?P<mark>[-/.])"


@dataclass(frozen=True, slots=True, eq=False)
class DateForm:
    """A way to write dates; `plain` says that nobody would read it otherwise."""

    name: str
    pattern: re.Pattern[str]
    plain: bool = True


def _form(name: str, pattern: str, *, plain: bool = True) -> DateForm:
    return DateForm(name, re.compile(pattern, re.IGNORECASE | re.ASCII), plain)


DMY = _form("dmy", rf"{_d}{_MARK}{_m}(?P=mark){_Y}{_TIME}", plain=False)
# With dots the day always comes first.
MDY = _form("mdy", rf"{_m}(?P<mark>[-/]){_d}(?P=mark){_Y}{_TIME}", plain=False)
# Not read, only recognised: the century is anyone's guess, and so is which part is the year.
SHORT = _form(
    "a year of two digits",
    rf"(?:[0-9]{{1,2}}[-/. ][0-9]{{1,2}}|(?:[0-9]{{1,2}}[-/. ]?)?{_MONTH})[-/. ']{{1,2}}[0-9]{{2}}{_TIME}",
)

FORMS = (
    _form("year-month-day", rf"{_Y}{_MARK}{_m}(?P=mark){_d}{_TIME}"),
    _form("year-month", rf"{_Y}[-/]{_m}"),
    _form("year, month", rf"{_Y}M(?P<m>[0-9]{{2}})"),
    _form(
        "year, month and day without marks",
        r"(?P<Y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})"
        rf"(?:[T ]?(?P<H>[0-9]{{2}}):?(?P<M>[0-9]{{2}})(?::?(?P<S>[0-9]{{2}})(?:\.(?P<f>[0-9]+))?)?{_ZONE})?",
    ),
    _form("day, month's name, year", rf"(?:{_WEEKDAY},? )?{_d}(?:st|nd|rd|th)?[-/. ]*{_MONTH}[-/., ]*{_Y}{_TIME}"),
    _form("month's name, day, year", rf"(?:{_WEEKDAY},? )?{_MONTH}[-/. ]*{_d}(?:st|nd|rd|th)?(?:, ?|[-/. ]){_Y}{_TIME}"),
    _form("month's name, year", rf"{_MONTH}[-/., ]*{_Y}"),
    _form("year, month's name", rf"{_Y}[-/ ]*{_MONTH}(?:[-/ ]{_d}{_TIME})?"),
    _form("year and quarter", rf"{_Y}[-/ ]?Q(?P<q>[0-9])"),
    _form("quarter and year", rf"Q(?P<q>[0-9])[-/ ]?{_Y}"),
    _form("year and ISO week", rf"{_Y}-?W(?P<w>[0-9]{{2}})(?:-?(?P<u>[0-9]))?"),
)

_DIRECTIVES = {
    "Y": _Y,
    "y": "(?P<y>[0-9]{2})",
    "m": _m,
    "d": _d,
    "j": "(?P<j>[0-9]{1,3})",
    "b": _MONTH,
    "B": _MONTH,
    "a": _WEEKDAY,
    "A": _WEEKDAY,
    "H": "(?P<H>[0-9]{1,2})",
    "I": "(?P<I>[0-9]{1,2})",
    "M": "(?P<M>[0-9]{1,2})",
    "S": "(?P<S>[0-9]{1,2})",
    "f": "(?P<f>[0-9]{1,9})",
    "p": r"(?P<p>[ap]\.?m\.?)",
    "z": _ZONE.removesuffix("?"),
    "%": "%",
}


@lru_cache(maxsize=8)
def written(date_format: str) -> DateForm:
    """The form of a format such as %d/%m/%Y.

    >>> written("%d/%m/%Y").pattern.fullmatch("31/1/2020")["m"]
    '1'
    """
    pattern, parts = "", date_format.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S")
    position = 0
    while position < len(parts):
        letter = parts[position]
        if letter == "%":
            directive = parts[position + 1 : position + 2]
            if directive not in _DIRECTIVES or not directive:
                known = " ".join(f"%{each}" for each in _DIRECTIVES)
                raise DataError(f"the date format {date_format!r} has %{directive}, which is not known; known are {known}")
            pattern += _DIRECTIVES[directive]
            position += 2
        else:
            pattern += r"\s+" if letter.isspace() else re.escape(letter)
            position += 1
    try:
        form = _form(date_format, pattern)
    except re.error:
        raise DataError(f"the date format {date_format!r} names a part of the date twice") from None
    if not {"Y", "y"} & set(form.pattern.groupindex):
        raise DataError(f"the date format {date_format!r} has no year: add %Y")
    if "p" in form.pattern.groupindex and "H" in form.pattern.groupindex:
        raise DataError(f"the date format {date_format!r} has %p, which goes with %I, not with %H")
    return form
