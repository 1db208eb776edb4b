"""How much work, and when: every amount that decides what a run spends its time on, as one value that is passed down.

It travels in `Config`, so that whoever has the options has it too, but it is no option: nobody has to know these numbers to use
the program, and a journal or a model file does not hold them. Digits, tolerances of certificates and sizes of blocks are not
here: they belong to their algorithms.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Protocol

__all__ = ["STANDARD", "Effort", "table"]


class _Runs(Protocol):
    """What has to be known of an engine: whether its work goes by waves, where a row costs nothing."""

    @property
    def series(self) -> bool: ...


def _in(room: str) -> Any:
    """How the amounts of one room are written down: the value, and the reason for it in one sentence."""

    def amount(default: Any, reason: str) -> Any:
        return field(default=default, metadata={"room": room, "reason": reason})

    return amount


_engines = _in("engines")
_model = _in("model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Every "how much, when": rows, evaluations, starts, points, folds, operations, and nats that decide whether work is worth
    it."""

    exact_rows: int = _engines(
        500, "Rows up to which a search takes a matrix of all of them thousands of times: below, no bound is worth its looseness."
    )
    dense_rows: int = _engines(
        2000, "Rows up to which a posterior, of which a report makes some twenty, takes one: that is less than a second."
    )
    affordable_rows: int = _engines(12_000, "Rows up to which one factorisation is worth its seconds where bounds cannot decide.")
    many_rows: int = _engines(
        2000, "Rows from which a series is long: values are all but certain then, and looks at all rows dear."
    )
    posterior_points: int = _engines(1024, "Inducing points of a posterior, which is found once.")
    posterior_work: int = _engines(5_000_000_000, "Rows times points squared, at most, for a posterior: some seconds.")

    backtest_origins: tuple[float, ...] = _model(
        (0.5, 0.6, 0.7, 0.8, 0.9), "Shares of the rows after which the next tenth is forecast."
    )
    backtest_fewest: int = _model(30, "Rows below which five forecasts of a tenth would say nothing.")
    backtest_rows: int = _model(
        2000,
        "Rows up to which a backtest fits values again, and of a table predicts: more take longer than a report may.",
    )
    backtest_sample: int = _model(
        1200, "Rows of a longer series that are looked at, where the posterior rests on fewer points than rows."
    )
    forecast_rows: int = _model(1000, "Rows that a backtest forecasts from one moment, at most.")
    folds: int = _model(10, "Blocks of a cross-validation, as is usual.")
    component_rows: int = _model(
        1000, "Rows that are cross-validated where there are too many for all: enough to rank components, few enough to be exact."
    )
    forgetting_places: int = _model(200, "Places beyond the data at which it is looked whether a component has forgotten them.")
    checked_rows: int = _model(2000, "Rows of which the covariance is factorised for the checks: less than a second.")
    checked_fewest: int = _model(20, "Rows below which no check finds anything.")
    spread_rows: int = _model(
        20_000, "Rows beyond which standard errors cost more than the rest of a report, unless a row costs the engine nothing."
    )


STANDARD = Effort()


def table(room: str) -> str:
    """The amounts of one room, as the docs list them."""
    rows = [
        f"| `{each.name}` | {_told(each.default)} | {each.metadata['reason']} |"
        for each in fields(Effort)
        if each.metadata["room"] == room
    ]
    return "\n".join(["| amount | value | why |", "| --- | ---: | --- |", *rows])


def _told(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_told(each) for each in value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
