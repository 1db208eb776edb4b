"""What was guessed, repaired or noticed on the way from a file to a `Dataset`, as facts. `report` puts them into words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

__all__ = ["REMARKS", "Note", "NoteKind"]

NoteKind = Literal["guess", "repair", "notice", "rhythm"]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader may remark: of which kind it is, and the names of the values that come with it."""

    kind: NoteKind
    values: frozenset[str]


def _remark(kind: NoteKind, *values: str) -> Remark:
    return Remark(kind, frozenset(values))


REMARKS: Mapping[str, Remark] = {
    # Which columns are meant.
    "target_guessed": _remark("guess", "column"),
    "time_guessed": _remark("guess", "column"),
    "rows_counted": _remark("guess", "target"),
    "others_left_out": _remark("guess", "time", "columns"),
    "counter_left_out": _remark("guess", "columns"),
    "useless_left_out": _remark("repair", "columns", "holds"),
    "constant_left_out": _remark("repair", "column", "value"),
    "constants_left_out": _remark("repair", "columns"),
    # Which rows.
    "rows_chosen": _remark("repair", "column", "value", "rows", "every"),
    "rows_joined": _remark("notice", "column"),
    "rows_left_out": _remark("repair", "rows", "every", "lacking", "columns"),
    "blank_rows": _remark("repair", "rows"),
    # How the file is written.
    "layout_found": _remark("guess", "delimiter", "decimal_commas", "nameless", "skipped", "encoding"),
    "two_numbers_a_line": _remark("guess"),
    "rows_above_table": _remark("guess", "rows"),
    "sheet_chosen": _remark("guess", "sheet", "sheets"),
    # How cells are written.
    "truth_as_numbers": _remark("repair", "column"),
    "numbers_rewritten": _remark("repair", "column", "example", "value"),
    "numbers_as_times": _remark("guess", "column", "meaning"),
    "date_order_guessed": _remark("guess", "column", "order"),
    "zone_converted": _remark("repair", "column", "zone"),
    "offsets_converted": _remark("repair", "column"),
    "leap_seconds": _remark("repair", "column", "cells"),
    # What is odd, and left as it is.
    "few_rows": _remark("notice", "rows"),
    "constant_target": _remark("notice", "target", "value"),
    "out_of_order": _remark("notice", "time"),
    "same_inputs": _remark("notice", "rows", "inputs", "target"),
    "copied_rows": _remark("notice", "rows"),
    "inputs_alike": _remark("notice", "pairs"),
    "target_among_inputs": _remark("notice", "target", "column"),
    "outliers": _remark("notice", "target", "count", "row_word", "rows"),
    # The steps of a series: their unit is in the plural, or "date".
    "even_steps": _remark("rhythm", "time", "unit", "step", "exactly"),
    "uneven_steps": _remark("rhythm", "time", "unit", "step", "longest", "start", "end"),
    # A sentence that is ready, by the author of a format.
    "plain": _remark("notice", "kind", "text"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One fact.

    Attributes:
        code: which fact, a key of `REMARKS`.
        values: what goes with it, as plain values of JSON.
        option: the one by which the user may have it otherwise, where there is one.
    """

    code: str
    values: dict[str, Any] = field(default_factory=dict, hash=False)
    option: str | None = None

    def __post_init__(self) -> None:
        remark = REMARKS.get(self.code)
        if remark is None or set(self.values) != remark.values:
            raise ValueError(f"no remark of a reader is called {self.code!r} with values {sorted(self.values)}")

    @classmethod
    def plain(cls, kind: NoteKind, text: str) -> "Note":
        """A sentence that is ready."""
        return cls("plain", {"kind": kind, "text": text})

    @property
    def kind(self) -> NoteKind:
        """A "guess" that the user may correct, a "repair" that changed the data, a "notice" that changed nothing, or the
        "rhythm" of a series, which reports tell in words of their own."""
        kind = self.values["kind"] if self.code == "plain" else REMARKS[self.code].kind
        return kind if kind in get_args(NoteKind) else "notice"
