"""Numbers and lists as they stand in a sentence, whatever they measure.

At most four significant figures, never a word such as nan (what is not a number is "unknown"), nothing from the locale.
"""

import math
from collections.abc import Sequence

__all__ = ["count_word", "listing", "number", "opened", "ordinal", "percent"]

_FEW = (
    "no one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def opened(sentence: str) -> str:
    """With a capital at its start."""
    return sentence[:1].upper() + sentence[1:]


def listing(items: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    return " and ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)


def number(value: float, figures: int = 3) -> str:
    """To so many significant figures, with words or powers of ten for the very large and very small.

    >>> number(0.12345), number(1234567), number(-0.5, 1), number(2e-7, 2)
    ('0.123', '1.23 million', '−0.5', '2.0 × 10⁻⁷')
    """
    if not math.isfinite(value):
        return "unknown"
    if value == 0:
        return "0"
    sign = "−" if value < 0 else ""
    mantissa, exponent = f"{abs(value):.{figures - 1}e}".split("e")
    power = int(exponent)
    if not -4 <= power < 12:  # noqa: PLR2004
        return f"{sign}{mantissa} × 10{str(power).translate(_SUPERSCRIPTS)}"
    large = power // 3 * 3 if power >= 6 else 0  # noqa: PLR2004
    digits = f"{float(f'{mantissa}e{power - large}'):,.{max(figures - 1 - power + large, 0)}f}"
    return f"{sign}{digits}{ {0: '', 6: ' million', 9: ' billion'}[large] }"


def count_word(n: int) -> str:
    """A whole number in words up to ninety-nine, in digits from there.

    >>> count_word(3), count_word(42), count_word(1200)
    ('three', 'forty-two', '1,200')
    """
    if not 0 <= n < 100:  # noqa: PLR2004
        return f"{n:,}"
    if n < len(_FEW):
        return _FEW[n]
    tens, rest = _TENS[n // 10 - 2], n % 10
    return f"{tens}-{_FEW[rest]}" if rest else tens


def ordinal(n: int) -> str:
    """The place in a row, counted from 1.

    >>> ordinal(1), ordinal(12), ordinal(20), ordinal(21), ordinal(103)
    ('first', 'twelfth', 'twentieth', 'twenty-first', '103rd')
    """
    if n >= 100:  # noqa: PLR2004
        return f"{n:,}{'th' if n // 10 % 10 == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
    head, dash, last = count_word(n).rpartition("-")
    return head + dash + _ORDINALS.get(last, f"{last.removesuffix('y')}ieth" if last.endswith("y") else f"{last}th")


def percent(share: float) -> str:
    """A share of one in per cent, never rounded to all or to nothing.

    >>> percent(0.1234), percent(1.0), percent(0.99999), percent(0.0002), percent(0.0)
    ('12.3 %', '100 %', 'more than 99.9 %', 'less than 0.1 %', '0 %')
    """
    if not math.isfinite(share):
        return "an unknown share"
    if 0 < share < 0.0005:  # noqa: PLR2004
        return "less than 0.1 %"
    if 0.9995 <= share < 1:  # noqa: PLR2004
        return "more than 99.9 %"
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    digits = f"{abs(100 * share):.1f}" if abs(share) < 10 else number(abs(100 * share))  # noqa: PLR2004
    return f"{'−' if share < 0 else ''}{digits} %"
