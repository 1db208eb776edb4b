"""What does not fade, as columns beside the states:  K + Λ = A0 + Φ Φᵀ + E.

Levels, lines, steps, kinks, gates and pure cycles are amplitudes times lines, which last as long as the record. As states they
would be carried through all of it, and every rounding of a block would reach all rows behind. Yet each of their lines is known
at every row at once,

    a(x) a(z) w cos ω(x − z)  =  Σ φ(x) φ(z)  over  φ = √w a(x) cos ω(x − o)  and  √w a(x) sin ω(x − o),

whatever o is. A0 is what fades, with the noise. E ⪰ 0 are lines that were left out.

Legend: N rows, m arms.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.engines.digits import UNIT
from kernelscribe.engines.series.columns import Columns
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.groups import TermGroups
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.spectral import Harmonics
from kernelscribe.kernels.tree import Leaf

__all__ = ["Arms", "parted"]

# Bytes of arms, at most; there are four matrices of their size.
_ROOM = 5e8
# Units in the last place of a weight (Bessel functions of every cycle), of its root, of cosine or sine and of what is multiplied.
_LINE = 64.0
# Units of an angle beside one for every cycle: of quotient, distance, 2π, and their products.
_ANGLE = 8.0
# What roundings of the bounds themselves are worth.
_OUTWARD = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Arms:
    """Φ.

    Attributes:
        columns: [N, m].
        off: the norm of what rounding leaves wrong in each [m].
        left_out: the trace of E.
    """

    columns: Array
    off: Array
    left_out: float


def parted(covariance: Covariance) -> tuple[Covariance, Arms]:
    """What fades, with the noise, and the arms."""
    made, form, side = covariance.columns.terms, covariance.form, covariance.side
    own = _steady(covariance)
    rest = [t for t in range(len(form.terms)) if t not in own]
    fading = replace(
        covariance, 
        form=Form(form.owners, form.factors, tuple(form.terms[t] for t in rest)),
        side=replace(side, a=side.a[rest], phi=side.phi[_features(form, rest)]),
        columns=Columns(tuple(_renumbered(made[t], number) for number, t in enumerate(rest)), covariance.columns.loops),
    )  # fmt: skip
    left_out = sum(made[t].left_out * float((side.a[t] ** 2).sum()) for t in own)
    parts = [_columns(covariance, t) for t in own]
    if not parts:
        return fading, Arms(np.empty((len(covariance.t), 0)), np.empty(0), 0.0)
    columns, off = (np.concatenate(each, axis=-1) for each in zip(*parts, strict=True))
    return fading, Arms(columns, off, left_out * _OUTWARD)


def _steady(covariance: Covariance) -> list[int]:
    """Terms that are arms: those of few lines first, as long as there is room."""
    terms, most = covariance.columns.terms, _ROOM / 8 / len(covariance.t)
    own = [t for t, term in enumerate(terms) if term.made_of.steady and term.groups]
    counts = {t: 2 * len(terms[t].lines.nu) for t in own}
    own.sort(key=counts.__getitem__)
    taken = np.cumsum([counts[t] for t in own])
    return sorted(t for t, all_ in zip(own, taken, strict=True) if all_ <= most)


def _features(form: Form, rest: list[int]) -> list[int]:
    """Rows of φ that belong to these terms."""
    return [row for t in rest for row in range(int(form.offsets[t]), int(form.offsets[t + 1]))]


def _renumbered(term: TermGroups, number: int) -> TermGroups:
    return replace(term, groups=tuple(replace(group, term=number) for group in term.groups))


def _columns(covariance: Covariance, t: int) -> tuple[Array, Array]:
    """Those of one term, and by how much each is off."""
    term, a, times = covariance.columns.terms[t], covariance.side.a[t], covariance.t
    x, lines = times - 0.5 * (times[0] + times[-1]), term.lines
    periods = np.array([cycle.period for cycle in term.made_of.cycles])
    turning = lines.nu != 0
    angle = np.multiply.outer(x, 2 * math.pi * lines.nu)
    kinds = (np.cos(angle), np.sin(angle[:, turning]))
    sizes = np.sqrt(lines.weight)
    columns = np.concatenate([kinds[0] * sizes, kinds[1] * sizes[turning]], axis=1) * a[:, None]
    # Frequencies of several cycles may cancel, but not what they are off by.
    steepest = 2 * math.pi * (np.abs(lines.number) / periods).sum(axis=1) * (_ANGLE + len(periods))
    fixed = _LINE * (1 + len(periods)) + _amplitude_units(covariance, t)
    size, far = float(a @ a), float((a * x) @ (a * x))
    # √(a²(fixed + s|x|)²) summed over rows is no more than the sum of both norms.
    off = UNIT * _OUTWARD * sizes * (fixed * math.sqrt(size) + steepest * math.sqrt(far))
    return columns, np.concatenate([off, off[turning]])


def _amplitude_units(covariance: Covariance, t: int) -> float:
    """Units in the last place of the amplitude of a term: those of its factors that are no cycles."""
    form = covariance.form
    steady = tuple(i for i in form.terms[t] if not _is_cycle(form, i))
    alone = Form(form.owners, form.factors, (steady,))
    side = replace(covariance.side, a=covariance.side.a[t : t + 1], phi=np.empty((0, len(covariance.t))))
    return digits.entries(alone, side)


def _is_cycle(form: Form, i: int) -> bool:
    node = form.owners[form.factors[i].owner]
    return isinstance(node, Leaf) and isinstance(node.base.spectrum((1.0,) * (len(node.base.parameters) - 1)), Harmonics)
