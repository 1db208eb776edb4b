"""Predictions as tables: the target with bands, and every component beside it."""

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.errors import OptionError
from kernelscribe.kernels.normal import Term
from kernelscribe.model.future import stamps
from kernelscribe.model.model import Model

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LEVELS", "draws", "names", "percentages", "table"]

LEVELS = (95.0,)


def names(terms: Sequence[Term]) -> list[str]:
    """A name for every component's column: its kernel, numbered where several are alike."""
    texts = [str(term) for term in terms]
    return [
        text if texts.count(text) == 1 else f"{text} ({texts[: i + 1].count(text)})" for i, text in enumerate(texts)
    ]  # fmt: skip


def table(
    model: Model, X: Array, terms: Sequence[Term] = (), offsets: Sequence[float] = (), *, levels: Sequence[float] = LEVELS
) -> "pd.DataFrame":
    """The target at points [n, D] of the user's units: where (`ds` for one input, else the inputs' names), mean (with a link the
    median), lower and upper end of a band for every level (in per cent, or a share below 1), and the mean of every term
    given (of the standardised data), less its offset (in units of g(target)), as the link shows parts. An input whose name is one
    of these is marked as an input."""
    import pandas as pd  # noqa: PLC0415

    bands = percentages(levels)
    predicted = model.predict(X)
    found: dict[str, Any] = {"mean": predicted.median}
    for level in bands:
        found[f"lower_{level:g}"], found[f"upper_{level:g}"] = predicted.band(level)
    parts = model.posterior.means(model.standard(X)) * model.data.output.scale
    for name, term, offset in zip(names(terms), terms, offsets or (0.0,) * len(terms), strict=True):
        found[name] = model.link.part(parts[:, model.terms.index(term)] - offset)
    where = ["ds"] if model.series else [f"{name} (input)" if name in found else name for name in model.data.names]
    places = {name: stamps(X[:, d], axis) for d, (name, axis) in enumerate(zip(where, model.axes, strict=True))}
    return pd.DataFrame(places | found)


def percentages(level: Any) -> tuple[float, ...]:
    """One level or several, in per cent: what is below 1 is a share.

    >>> percentages([0.8, 95])
    (80.0, 95.0)
    """
    several = [level] if isinstance(level, str) or np.ndim(level) == 0 else list(level)
    return tuple(_percentage(each) for each in several)


def _percentage(level: Any) -> float:
    number = float(level) if isinstance(level, Real) and not isinstance(level, bool) else None
    # A whole one may be meant as a share or as a percentage, and no band holds everything.
    if number is None or not 0 < number < 100 or number == 1:  # noqa: PLR2004
        shown = level if number is None else f"{number:g}"
        raise OptionError(
            f"a level is a percentage above 1 and below 100, as in 95, or a share below 1, as in 0.95; got {shown!s}"
        )
    return round(100 * number, 10) if number < 1 else number


def draws(model: Model, X: Array, number: int, rng: np.random.Generator, terms: Sequence[Term] | None = None) -> Array:
    """Draws [number, n] from the posterior at few points, in the user's units; of some terms alone, in those of g(target)."""
    mean, cov = model.posterior.joint(model.standard(X), terms)
    values, vectors = np.linalg.eigh(0.5 * (cov + cov.T))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    found = mean + rng.standard_normal((number, len(mean))) @ root.T
    return model.user(found) if terms is None else np.asarray(found * model.data.output.scale)
