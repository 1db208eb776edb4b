"""What a reader guessed, repaired and noticed, in English: one template or one small function for every code of `REMARKS`."""

from collections.abc import Callable, Mapping, Sequence

from kernelscribe.data.notes import Note
from kernelscribe.data.phrases import listed, quoted, share
from kernelscribe.data.questions import ORDERS
from kernelscribe.faces import Face

__all__ = ["CLAUSES", "SENTENCES", "sentence", "spoken"]

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "spaces"}
_HOLDS = {"text": "text", "empty": "no values", "broken": "cells that cannot be read"}
_LACKING = {"absent": "no value", "infinite": "an infinite value"}
# What numbers of a column may stand for.
_MEANINGS = {
    "years": "years",
    "decimal_years": "decimal years",
    "months": "months written as year and month",
    "dates": "dates written as year, month and day",
    "s": "seconds from 1970 on",
    "ms": "milliseconds from 1970 on",
    "us": "microseconds from 1970 on",
    "ns": "nanoseconds from 1970 on",
    "excel": "serial days of a spreadsheet",
}
# The seconds of what a step between dates is told in, the longest first.
_UNITS = (("day", 86400.0), ("hour", 3600.0), ("minute", 60.0), ("second", 1.0))
# A step that is short of a unit by less than this share of it is one.
_ROUNDING = 1e-9


def sentence(note: Note, face: Face = Face.PYTHON) -> str:
    """A note in plain English, naming its option as that face does. On a page the options are in sight, and none is named."""
    words = SENTENCES[note.code]
    said = words.format_map(note.values) if isinstance(words, str) else words(**note.values)
    if note.option is None or face is Face.PAGE:
        return said
    value, rest = CLAUSES[note.code]
    return f"{said.removesuffix('.')}; {face.option(note.option, value)} {rest}."


def spoken(note: Note, face: Face) -> dict[str, str]:
    """A note for JSON."""
    return {"code": note.code, "kind": note.kind, "text": sentence(note, face)}


def _number(count: int, one: str, many: str) -> str:
    """
    >>> _number(1, "row", "rows"), _number(1200, "row", "rows")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {one if count == 1 else many}"


def _lines(count: int, row_word: str, rows: Sequence[int]) -> str:
    """So many rows by their numbers, of which the first are known."""
    return f"{row_word}{'' if count == 1 else 's'} {listed(rows, every=count)}"


def _others(time: str, columns: Sequence[str]) -> str:
    were = "was" if len(columns) == 1 else "were"
    return f"The data were taken for a time series with {time} as its only input: {listed(columns)} {were} left out."


def _useless(columns: Sequence[str], holds: str) -> str:
    if len(columns) == 1:
        return f"Column {listed(columns)} holds {_HOLDS[holds]} and was left out."
    return f"Columns {listed(columns)} hold {_HOLDS[holds]} and were left out."


def _chosen(column: str, value: str, rows: int, every: int) -> str:
    return f"Only the rows in which {column} is {value} were used: {share(rows, every)}."


def _left_out(rows: int, every: int, lacking: str, columns: Sequence[str]) -> str:
    have, were = ("has", "was") if rows == 1 else ("have", "were")
    return f"{share(rows, every)} {have} {_LACKING[lacking]} of {listed(columns, last='or')} and {were} left out."


def _layout(delimiter: str | None, decimal_commas: bool, nameless: bool, skipped: int, encoding: str | None) -> str:
    words = [] if delimiter is None else [f"cells separated by {_DELIMITERS.get(delimiter, repr(delimiter))}"]
    if decimal_commas:
        words.append("decimal commas")
    if nameless:
        words.append("no names for its columns")
    if skipped:
        words.append("a line before the table" if skipped == 1 else f"{skipped} lines before the table")
    if encoding is not None:
        words.append(f"text in {encoding.upper()}")
    return f"The file was found to have {listed(words)}."


def _outliers(target: str, count: int, row_word: str, rows: Sequence[int]) -> str:
    return f"{_number(count, 'value lies', 'values lie')} far outside the others of {target}, in {_lines(count, row_word, rows)}."


def _same_inputs(rows: int, inputs: Sequence[str], target: str) -> str:
    return f"{_number(rows, 'row has', 'rows have')} the same {listed(inputs)} as another row, but another {target}."


def _alike(pairs: Sequence[tuple[str, str]]) -> str:
    names = listed([f"{one} with {other}" for one, other in pairs])
    return f"Some inputs are nearly the same up to scale, so that either may stand for the other: {names}."


def _even(time: str, unit: str, step: float, exactly: bool) -> str:
    return f"The values of {time} are {'' if exactly else 'about '}{_length(unit, step)} apart, without a gap."


def _uneven(time: str, unit: str, step: float, longest: float, start: str | float, end: str | float) -> str:
    ends = f"from {_place(start)} to {_place(end)}"
    return f"The usual step of {time} is {_length(unit, step)}; the longest is {_length(unit, longest)}, {ends}."


def _length(unit: str, length: float) -> str:
    """A step in its unit; one between dates, which is in days, in a unit that suits it."""
    name, size = unit.removesuffix("s"), 1.0
    if unit == "date":
        length *= 86400
        name, size = next((each for each in _UNITS if length >= each[1] * (1 - _ROUNDING)), _UNITS[-1])
    number = f"{length / size:.4g}"
    return f"{number} {name}{'' if number == '1' or not name else 's'}".rstrip()


def _place(place: str | float) -> str:
    """A moment as ISO writes it, without a time of day at midnight; or a number."""
    return place.removesuffix("T00:00:00").replace("T", " ") if isinstance(place, str) else f"{place:.10g}"


SENTENCES: Mapping[str, str | Callable[..., str]] = {
    "target_guessed": "The column {column} was taken for the target, as the last one of numbers.",
    "time_guessed": "The column {column} was taken for the time.",
    "rows_counted": (
        "There is no column beside {target}: its values were taken as evenly spaced in time, and their rows counted from 1."
    ),
    "others_left_out": _others,
    "counter_left_out": lambda columns: f"The column {listed(columns)} only counts the rows and was left out.",
    "useless_left_out": _useless,
    "constant_left_out": "Column {column} is constant at {value} and was left out.",
    "constants_left_out": lambda columns: f"Constant, and so left out: {listed(columns)}.",
    "rows_chosen": _chosen,
    "rows_joined": "The rows of every {column} were taken together, as one series.",
    "rows_left_out": _left_out,
    "blank_rows": lambda rows: f"{_number(rows, 'row without any value was', 'rows without any value were')} skipped.",
    "layout_found": _layout,
    "two_numbers_a_line": (
        "Each line was taken for two numbers with a comma between them; if it is one number with a decimal comma, write a name "
        "for the column above the first line."
    ),
    "rows_above_table": lambda rows: f"{_number(rows, 'row above the table was', 'rows above the table were')} skipped.",
    "sheet_chosen": "The sheet {sheet} was read, the first of {sheets} that has cells.",
    "truth_as_numbers": "The column {column} holds true and false, which were read as 1 and 0.",
    "numbers_rewritten": lambda column, example, value: (
        f"The numbers of {column} are written like {quoted(example)}, which was read as {value:.10g}."
    ),
    "numbers_as_times": lambda column, meaning: f"The numbers of {column} were taken for {_MEANINGS[meaning]}.",
    "date_order_guessed": lambda column, order: f"The dates of {column} were read as {ORDERS[order]}, which fits every row.",
    "zone_converted": "The times of {column} were converted from {zone} to UTC.",
    "offsets_converted": "The times of {column} have offsets from UTC and were all converted to UTC.",
    "leap_seconds": lambda column, cells: (
        f"{_number(cells, 'cell', 'cells')} of {column} had a second called 60, which was read as 59."
    ),
    "few_rows": "There are {rows} rows, too few to judge structure by.",
    "constant_target": "{target} is constant at {value:g}: there is nothing to explain.",
    "out_of_order": "The rows are not in the order of {time}; figures show them in order.",
    "same_inputs": _same_inputs,
    "copied_rows": lambda rows: (
        f"{_number(rows, 'row is an exact copy', 'rows are exact copies')} of another row; all were kept."
    ),
    "inputs_alike": _alike,
    "target_among_inputs": "{target} equals column {column}, which therefore explains it without telling anything.",
    "outliers": _outliers,
    "even_steps": _even,
    "uneven_steps": _uneven,
    "plain": "{text}",
}

# Of notes that name an option: a value that is proposed for it, and what it does.
CLAUSES: Mapping[str, tuple[str, str]] = {
    "target_guessed": ("", "names another"),
    "time_guessed": ("", "names another"),
    "others_left_out": ("", "names columns to use beside it"),
    "numbers_as_times": ("number", "leaves them as they are"),
    "date_order_guessed": ("", "says otherwise"),
}
