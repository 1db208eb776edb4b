"""The main job as one call: a table in, an `Analysis` out, which describes, predicts, reports and saves."""

from collections.abc import Callable, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelscribe import events
from kernelscribe.arrays import Array
from kernelscribe.config import Config, configure
from kernelscribe.data.arrays import points, within
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.frame import frame_data
from kernelscribe.data.frame_columns import label_of
from kernelscribe.data.prediction_points import frame_points
from kernelscribe.data.reader import file_data
from kernelscribe.data.reading import Reading, reading_keywords, reading_options
from kernelscribe.discovery import search
from kernelscribe.errors import DataError, OptionError
from kernelscribe.faces import Face
from kernelscribe.model import file
from kernelscribe.model.backtest import backtest
from kernelscribe.model.findings import Findings, calm
from kernelscribe.model.forecast import LEVELS, percentages, table
from kernelscribe.model.future import future
from kernelscribe.model.model import Model
from kernelscribe.outcome import Outcome
from kernelscribe.report.description.subject import Subject, subjects
from kernelscribe.report.description.view import View
from kernelscribe.report.words import language
from kernelscribe.summary import result_dict

if TYPE_CHECKING:
    import pandas as pd

    from kernelscribe.report.document import Document

__all__ = ["Analysis", "analyse", "conclude", "explain", "load"]


class Analysis(Findings):
    """A table, the structure that was found in it, and how sure that is. Everything is in the user's units.

    What takes time (components, checks) is computed when first asked for. The data stand in `Findings`; here are the ways to use
    them: words, forecasts, reports, a file.
    """

    @property
    def result(self) -> dict[str, Any]:
        """The outcome of the search as plain values for JSON."""
        return result_dict(self)

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """What there is to say about every component."""
        return subjects(self)

    @cached_property
    def words(self) -> tuple[language.component.Words, ...]:
        """Every component in plain English."""
        return tuple(language.component.describe(subject) for subject in self.subjects)

    @cached_property
    def headline(self) -> str:
        """The findings in a sentence or two."""
        return language.findings.headline(View(self))

    def forecast(self, h: int | None = None, level: float | Sequence[float] = LEVELS) -> "pd.DataFrame":
        """The next h points of a series (a tenth of its range when not given): `ds`, `mean`, `lower_95`, `upper_95` and so on for
        every level, and one column a component. Levels are percentages, or shares below 1; the components' columns are about
        zero."""
        if not self.model.series:
            names = ", ".join(axis.name for axis in self.model.axes)
            raise OptionError(f"a forecast needs one input to go along, this model has {names}: use predict")
        if h is not None and (isinstance(h, bool) or not isinstance(h, Integral) or h < 1):
            raise OptionError(
                f"a forecast needs a whole number of steps, at least one, got {h!r}; predict takes dates and places"
            )
        x = future(self.model.inputs[:, 0], self.model.axes[0], None if h is None else int(h))
        return self._table(x[:, None], level)

    def predict(self, X: Any, level: float | Sequence[float] = LEVELS) -> "pd.DataFrame":
        """The same at given points: a frame with the input columns, or one value, a series or an array [n] or [n, D] in the
        user's units. Dates are dates of any kind, or days from `model.axes[0].origin`."""
        if hasattr(X, "columns"):
            return self._table(frame_points(X, self.model.axes), level)
        places = points(X, self.model.axes)
        if not np.isfinite(places).all():
            raise DataError("points must be finite numbers")
        within(places, self.model.axes)
        return self._table(places, level)

    def _table(self, X: Array, level: float | Sequence[float]) -> "pd.DataFrame":
        levels = percentages(level)
        with calm(self.model):
            parts = self.components
            return table(self.model, X, [each.standard for each in parts], [each.offset for each in parts], levels=levels)

    def document(self, steps: int | None = None, face: Face = Face.PYTHON) -> "Document":
        """The report as a tree, from which every format is rendered; `steps` to forecast; options are named as `face` does."""
        from kernelscribe.report.compose import compose  # noqa: PLC0415

        with calm(self.model):
            return compose(self, steps, face)

    def report(self, path: Path | str, format: str | None = None, *, document: "Document | None" = None) -> Path:
        """Write the report: html, md, pdf or json, by the path's ending when not given. Returns the path."""
        from kernelscribe.report.formats.render import write_report  # noqa: PLC0415

        return write_report(document or self.document(), Path(path), format)

    def save(self, path: Path | str) -> Path:
        """Write the model as JSON; `kernelscribe.load` reads it. It holds the data."""
        file.save(self.model, self.outcome, self.backtest, Path(path))
        return Path(path)

    def __str__(self) -> str:
        lines = [self.headline, *(f"  {i}. {words.summary}" for i, words in enumerate(self.words, start=1))]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from kernelscribe.report.compose import glance  # noqa: PLC0415
        from kernelscribe.report.formats.notebook import notebook  # noqa: PLC0415

        return notebook(glance(self))


@reading_keywords
def analyse(
    data: Any,
    y: Any = None,
    *,
    workers: int | None = None,
    journal: Path | str | None = None,
    resume: bool = False,
    on_event: events.Listener = events.quiet,
    **options: Any,
) -> Analysis:
    """Find the structure of a table and say how sure that is.

    Args:
        data: the path of a file, a pandas or polars frame, a Dataset, or inputs [N] or [N, D] with `y`.
        y: the target [N], where `data` is an array.
        target, time, inputs: names of columns; guessed where not given, and the guess is in the report.
        date_format: how dates are written, as in "%d/%m/%Y", where that is ambiguous.
        where: columns with the value that the rows to use have, as in {"store": "A"}; of files and frames.
        encoding: of a file's text, where that is not UTF-8.
        workers: processes to use; all cores when not given. Inside `with ks.parallel(executor)` that executor is used instead.
        journal: a file that keeps every result, so that a search that was stopped or killed can go on; `resume` goes on with it.
        on_event: called with what happens, as values of `kernelscribe.events`.
        options: any of `kernelscribe.Config`, as in budget="1m", seed=0.
    """
    given = {name: options.pop(name) for name in reading_options() if name in options}
    config = configure(options)
    path = None if journal is None else Path(journal)
    table = _dataset(data, y, Reading.of(given))
    return explain(table, config, workers=workers, journal=path, resume=resume, on_event=on_event)


def explain(
    data: Dataset,
    config: Config,
    *,
    workers: int | None = None,
    journal: Path | None = None,
    resume: bool = False,
    force: bool = False,
    on_event: events.Listener = events.quiet,
    stop: Callable[[], events.Stop | None] = lambda: None,
) -> Analysis:
    """The same for data that are checked and scaled."""
    if data.constant:
        return Analysis(Model.chosen(data, None, config), Outcome.empty(config.strategy), None)
    found = search(data, config, workers=workers, journal=journal, resume=resume, force=force, on_event=on_event, stop=stop)
    return conclude(Model.chosen(data, found.best, config), found)


def conclude(model: Model, outcome: Outcome) -> Analysis:
    """What follows from a search: its model with forecasts that are as sure as past ones were right."""
    tested = backtest(model)
    if tested is not None:
        model = model.widened(tested.widening)
    return Analysis(model, outcome, tested)


def load(path: Path | str) -> Analysis:
    """An analysis that was saved."""
    return Analysis(*file.load(Path(path)))


def _dataset(data: Any, y: Any, reading: Reading) -> Dataset:
    if isinstance(data, str | Path):
        return file_data(Path(data), reading)
    if reading.where and (y is not None or isinstance(data, Dataset)):
        raise OptionError("where chooses rows of a file or a frame: of arrays, give those that are meant")
    if isinstance(data, Dataset):
        return data
    if y is not None:
        return Dataset.of(data, y, target=reading.target or label_of(y))
    # A series of pandas has its times in its index.
    if hasattr(data, "columns") or hasattr(data, "to_frame"):
        return frame_data(data, reading)
    raise DataError("give a file, a pandas or polars frame, or arrays X and y")
