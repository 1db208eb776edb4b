"""How much work, and when: every amount that decides what a run spends its time on, as one value that is passed down.

It travels in `Config`, so that whoever has the options has it too, but it is no option: nobody has to know these numbers to use
the program, and a journal or a model file does not hold them. Digits, tolerances of certificates and sizes of blocks are not
here: they belong to their algorithms.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Protocol

__all__ = ["STANDARD", "Effort"]


class _Runs(Protocol):
    """What has to be known of an engine: whether its work goes by waves, where a row costs nothing."""

    @property
    def series(self) -> bool: ...


def _in(room: str) -> Any:
    """How the amounts of one room are written down: the value, and the reason for it in one sentence."""

    def amount(default: Any, reason: str) -> Any:
        return field(default=default, metadata={"room": room, "reason": reason})

    return amount


# The table of docs/effort.md is made of these: `make quotes`.
_engines = _in("engines")
_fit = _in("fit")
_search = _in("search")
_model = _in("model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Every "how much, when": rows, evaluations, starts, points, folds, operations, and nats that decide whether work is worth
    it."""

    compiled_entries: int = _engines(
        250_000,
        "Entries of kernel matrices beyond which compiled loops repay their loading: of 500 rows, 600 values save a second.",
    )
    compiled_entries_alone: int = _engines(
        5_000_000, "The same where some twenty values are taken, as for a report: they save a twentieth of that."
    )
    exact_rows: int = _engines(
        500, "Rows up to which a search takes a matrix of all of them thousands of times: below, no bound is worth its looseness."
    )
    series_rows: int = _engines(
        400, "Rows of one input from which a value carried from row to row takes less time than a matrix of all of them."
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
    stage_evaluations: tuple[int, int] = _engines(
        (8, 12), "Evaluations from each start to the end of the two stages of an engine that screens by itself."
    )
    stage_kept: tuple[int, int] = _engines((2, 1), "Climbs that go on from each of them.")
    points_least: int = _engines(160, "Inducing points where their number is not given, at least: these are next to free.")
    points_most: int = _engines(320, "The same, at most: a search can afford hundreds of evaluations with them.")
    rows_a_point_least: int = _engines(4, "Rows for each inducing point between the two.")
    part_rows: int = _engines(2000, "Rows from which part of them will do for screening.")
    part: int = _engines(4, "One row in so many is in that part.")
    rows_a_point: int = _engines(
        7, "Rows of it that an inducing point should stand for: with fewer the points cost more than the rows."
    )
    part_evaluations: tuple[int, int] = _engines(
        (12, 24), "Evaluations from each start to the end of the two stages on part of the rows, or on a sample."
    )
    part_kept: tuple[int, int] = _engines((2, 1), "Climbs that go on from each of them.")
    part_again: int = _engines(
        12, "Evaluations that follow on all rows: part of them does not say for certain which start, nor which kernel, is better."
    )
    sample_few: int = _engines(
        1000, "Rows of a table's sample for screening, at most a quarter of all: a value takes some hundredths of a second."
    )
    sample_some: int = _engines(2000, "Rows of the sample for climbing, at most a half of all.")
    sample_many: int = _engines(4000, "Rows of the sample for comparing kernels, and for the last climb.")
    waves_screened: int = _engines(400, "Frequencies while starts are screened: a value takes some hundredths of a second.")
    waves_climbed: int = _engines(1000, "Frequencies while the best are climbed: some tenths.")
    nats_screened: float = _engines(
        1.0, "Nats that waves left out may be worth while starts are screened: kernels differ by tens."
    )
    nats_climbed: float = _engines(0.1, "The same while the best are climbed, where kernels may differ by one.")
    nats_alone: float = _engines(0.01, "The same for one kernel that is given, which is worth some seconds a value.")
    wave_evaluations: tuple[int, int] = _engines(
        (10, 28), "Evaluations from each start to the end of the two stages on few waves."
    )
    wave_kept: tuple[int, int] = _engines((2, 1), "Climbs that go on from each of them.")
    wave_patience: int = _engines(6, "Evaluations there that may add next to nothing before a climb ends: more are to come.")
    wave_behind: float = _engines(10.0, "Nats that a start may be behind the best on few waves: they do not say for certain.")
    shortest: float = _engines(2e-3, "The shortest length-scale on waves, in spans: below, they are too many to keep.")
    shortest_beside_cycle: float = _engines(
        1e-2, "The same for what multiplies a cycle, whose every overtone takes as many waves as it would alone."
    )
    series_evaluations: tuple[int, int, int] = _engines(
        (3, 8, 20),
        "Evaluations from each start to the end of the three stages on a long series, where each takes some tenths of a second.",
    )
    series_kept: tuple[int, int, int] = _engines((5, 2, 1), "Climbs that go on from each of them.")
    nats_curved: float = _engines(
        1e-6, "Nats that states may cost while the curvature is looked at: differences make five hundred times as much of them."
    )
    curved_work: float = _engines(5e11, "Operations of all values that the curvature takes, at most: about a minute.")

    patience: int = _fit(12, "Evaluations that may add next to nothing before a rough climb ends.")
    little: float = _fit(0.05, "What is next to nothing, in nats.")
    little_when_many: float = _fit(
        0.5,
        "The same where rows are many: kernels differ by hundreds there, evaluations are dear, and the last climb is not rough.",
    )
    fair_evaluations: int = _fit(6, "Evaluations after which a climb can be judged beside those that have ended.")
    slow_evaluations: int = _fit(20, "The same for one that has not gained yet: the first steps may all reach too far.")
    dear_work: float = _fit(
        3e10, "Operations from which an evaluation is dear, a second or more: a search has time for one climb of a kernel then."
    )
    dear_evaluations: int = _fit(30, "Dear evaluations that a climb may take.")
    last_evaluations: int = _fit(12, "Dear evaluations of the last climb, which has little to add.")
    fine_rows: int = _fit(
        2000,
        "Rows below which length-scales are also looked for between those of the data: beyond, looks are dear and say little.",
    )
    dip: float = _fit(20.0, "Nats that a period or a length-scale cut to a part may cost at first and still be climbed from.")
    dip_gain: float = _fit(0.5, "Nats that such a climb has to gain for the search beyond dips to go on.")
    unforetold: float = _fit(0.05, "Nats that a kernel may gain beyond what a sample foretells, for each row that is not in it.")
    loose: float = _fit(0.01, "Nats a row between bound and evidence beyond which the bound is not climbed: it would lead away.")
    fresh_starts: int = _fit(2, "Starts for each restart where there is nothing to inherit and nothing to go by.")
    new_periods: int = _fit(8, "Periods that a new cycle takes from each list where inherited values stay.")
    new_starts: int = _fit(3, "Other starts that are tried there, at least.")
    peaks: int = _fit(4, "Peaks of a spectrum that are looked at.")
    peaks_when_many: int = _fit(8, "The same where rows are many: overtones stand out as much as what they belong to.")
    statement_rough: float = _fit(
        2.5e-3, "Nats a row by which a value may be off while statements are screened: what is worth its choice gains far more."
    )
    statement_fine: float = _fit(
        2.5e-4, "The same while they are polished: where the top is moves by less than the data can tell; its value is certified."
    )
    statement_first: int = _fit(3, "Evaluations from each start of a statement that has several; the best of them goes on.")
    statement_evaluations: int = _fit(8, "Evaluations from each start of a statement while it is screened.")
    statement_evaluations_when_many: int = _fit(6, "The same where rows are many, and every evaluation is dear.")
    statement_polish: int = _fit(60, "Evaluations of a statement that was screened, at most, to near its top.")
    statement_polish_when_many: int = _fit(30, "The same where rows are many.")
    statement_patience: int = _fit(6, "Of these, how many may add next to nothing.")
    scan_rows: int = _fit(
        600, "Rows up to which jumps, kinks and spells are looked for at every row by themselves: a tenth of a second."
    )
    scan_places: int = _fit(3, "Places of each kind that are looked at by themselves where rows are more.")
    scan_waves: int = _fit(64, "Frequencies at which a scan finds out how well the data see a wave.")
    scan_waves_when_many: int = _fit(24, "The same where rows are many.")
    scan_periods: int = _fit(3, "Periods that a scan proposes.")

    statements_kept: int = _search(4, "Statements of a round that are polished: the best of those that were screened.")
    statements_kept_when_many: int = _search(3, "The same where rows are many.")
    statement_behind: float = _search(
        12.0, "Nats that a statement may be behind the best when it was screened and still be polished, which gains some."
    )
    statement_together: float = _search(
        5.0, "Nats that a component must have gained by itself, when it was screened, to be tried together with others."
    )
    statement_beside: float = _search(
        0.03, "The same as a share of what the best of them gains: what gains less beside much may be a part of it."
    )
    statement_plain: float = _search(
        2.0, "Nats that leaving out a component may cost, when it was screened, for it to be left out together with others."
    )
    statement_margin: float = _search(
        2.0,
        "Nats that a step must gain beyond what its choice costs: chance gives the best of a round's candidates about as much.",
    )
    statement_much: float = _search(
        30.0,
        "Nats that a step must gain for those that fell short beside it to be tried anew: what is left is another thing.",
    )
    statement_lost: float = _search(
        60.0, "Nats by which a new statement may be behind the best after its first few evaluations, to go on."
    )
    statement_hopeless: float = _search(
        12.0, "Nats by which a step fell short when it was screened, from which on it is left out until much is gained."
    )
    statement_value: float = _search(
        1.5, "Nats that a value of a statement costs, about, before its evidence is integrated: what Laplace's usually comes to."
    )
    statement_parts: int = _search(7, "Components that a statement has, at most: more are no longer read.")

    few_rows: int = _search(10, "Rows below which nothing but base kernels can be told apart.")
    vast_rows: int = _search(100_000, "Rows beyond which every second counts, and a step is worth ten thousand nats.")
    rounds: int = _search(3, "Rounds of a search that was not told how many: as many as take about a minute.")
    rounds_by_rows: tuple[tuple[int, int], ...] = _search(
        ((150, 6), (250, 5), (400, 4)), "The same up to so many rows, so many rounds each."
    )
    rounds_on_waves: int = _search(
        4, "The same on waves, from many rows to vast ones: a row costs nothing there, and a long record resolves more."
    )
    margin: float = _search(10.0, "Nats by which even the hope of a kernel must stay behind the best score for it to be dropped.")
    looseness: float = _search(
        0.01, "More of them for each row where scores are bounds, whose distance from the truth differs between kernels."
    )
    narrow: float = _search(0.1, "Nats up to which an interval is so narrow that it needs no exact value.")
    worth: float = _search(1.0, "Nats that a round has to gain for another to follow.")
    wave: int = _search(
        4, "Kernels that are polished at a time, best first: those that are overtaken while they wait are dropped."
    )
    reach: float = _search(
        20.0, "Nats that a kernel may be behind the best and still grow: a step from it may be worth more than one from the best."
    )
    reach_a_row: float = _search(0.03, "The same for each row where rows are vast.")
    decided: int = _search(2, "Contenders whose exact values are found at a time: often the first few decide.")
    starts_a_copy: int = _search(1, "Restarts for each shaken copy from which the best kernel is fitted again.")
    starts_a_copy_when_many: int = _search(
        3, "The same where rows are many: values can move less, and it is dearer to see that they do not."
    )
    shown: int = _search(5, "Children shown under one parent in the tree; the rest are counted.")
    rescue_seconds: float = _search(5.0, "Seconds for the climbs of a kernel when the time is used up already.")

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

    def of(self, rows: int, inputs: int, engine: _Runs | None = None) -> "Effort":
        """The same for so many rows and inputs, on an engine with these traits where it matters: amounts that go by the situation
        have their value there. Samples are of tables: a series has waves."""
        many = rows > self.many_rows
        return replace(
            self,
            little=self.little_when_many if many else self.little,
            statement_evaluations=self.statement_evaluations_when_many if many else self.statement_evaluations,
            statement_polish=self.statement_polish_when_many if many else self.statement_polish,
            scan_waves=self.scan_waves_when_many if many else self.scan_waves,
            statements_kept=self.statements_kept_when_many if many else self.statements_kept,
            peaks=self.peaks_when_many if many else self.peaks,
            rounds=self._rounds(rows, engine is not None and engine.series),
            reach=self.reach_a_row * rows if rows > self.vast_rows else self.reach,
            sample_few=min(self.sample_few, rows // 4) if inputs > 1 else 0,
            sample_some=min(self.sample_some, rows // 2) if inputs > 1 else 0,
            sample_many=min(self.sample_many, rows) if inputs > 1 else 0,
            starts_a_copy=self.starts_a_copy_when_many if many else self.starts_a_copy,
        )

    @property
    def briefly(self) -> "Effort":
        """The same for somebody who takes only some twenty values."""
        return replace(self, compiled_entries=self.compiled_entries_alone)

    def _rounds(self, rows: int, waves: bool) -> int:
        if rows < self.few_rows:
            return 0
        if waves and self.many_rows < rows <= self.vast_rows:
            return self.rounds_on_waves
        return next((rounds for most, rounds in self.rounds_by_rows if rows <= most), self.rounds)


STANDARD = Effort()
