"""The spectral engine: the bound is climbed on few waves, and certified on many.

Where a kernel would need far too many waves, as a long record with a short lengthscale does, both stand on windows in time
instead (local.py), where the work that is allowed suffices: much for a kernel that is given, little in a search, none while its
starts are screened. What neither can follow counts as noise."""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.data.dataset import Dataset
from kernelscribe.evidence.interval import Evidence
from kernelscribe.evidence.spectral.bound import Solution, means, pull, solve
from kernelscribe.evidence.spectral.certificate import certified
from kernelscribe.evidence.spectral.cost import cost
from kernelscribe.evidence.spectral.enclosure import local_certified
from kernelscribe.evidence.spectral.features import blocks, kept, square
from kernelscribe.evidence.spectral.local import MOST_WORK, Local, local_means, local_solve
from kernelscribe.evidence.spectral.slope import local_pull
from kernelscribe.evidence.spectral.tables import Tables
from kernelscribe.evidence.spectral.waves import of_form
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.terms import Form

__all__ = ["MANY_ROWS", "VAST_ROWS", "Spectral"]

# Rows from which a series is long: values are all but certain then, and looks at all rows dear.
MANY_ROWS = 2000
# And beyond which every second counts: a step of a search is worth ten thousand nats there, and rounds are few.
VAST_ROWS = 100_000

# Nats that the bound may lose by leaving out waves: while starts are screened, and while the best are climbed.
_SCREENED, _CLIMBED = 1.0, 0.1
# Frequencies, at most, then.
_FEW, _MOST = 400, 1000
# Windows that would take too much work may lose some times as much, and as a last resort take some times the work: where capped
# waves took their place the bound fell by a thousand nats, and climbs ended at the foot of that step.
_COARSER, _HARDER = (1.0, 10.0, 100.0), 4.0
# The shortest lengthscale of SE, in spans, and the sharpest shape of PER: below, waves are too many to keep. And the bluntest, of
# which a hundredth is a cosine and nearly all else a constant: even blunter ones take ever more of it for the same cycle.
_SHORTEST, _SHARPEST, _BLUNTEST = 2e-3, 0.25, 10.0
# The same for an SE that multiplies PER, whose every overtone takes as many waves as an SE alone. Where the search was free to go
# below, the bound was that of the thousand waves it kept, jumped as these changed, and rewarded kernels for fitting among them.
_TOGETHER = 1e-2
# The largest variance of SE, in that of the data, where rows are many: what is shorter than the shortest lengthscale pulls the
# variance up to a million, which follows it a little better, and makes forecasts worthless.
_LARGEST = 4.0
# Nats that a certificate may lose so, and how wide one on windows may be to do without that on waves.
_CERTIFIED, _NARROW = 0.01, 0.1
# Lines so much lighter than what may be left out are not listed: from the second of these at least, to the third at most.
_LIGHT, _LIGHTEST, _HEAVIEST = 1e-2, 1e-18, 1e-6


@dataclass(frozen=True)
class Spectral:
    """One input, any number of rows.

    Attributes:
        tolerance: nats that the bound may lose by leaving out waves; `most` frequencies, at most.
        work: floating-point operations of a value and its gradient up to which terms of short lengthscale may stand on windows
            while the bound is climbed, where that costs less than waves.
        shortest: lengthscale of SE, in spans.
    """

    data: Dataset
    tables: Tables
    tolerance: float = _CLIMBED
    most: int = _MOST
    work: float = 0.0
    shortest: float = _SHORTEST
    name: str = "spectral"

    @classmethod
    def of(cls, data: Dataset) -> "Spectral":
        return cls(data, Tables.of(data.X[:, 0], data.y))

    def coarse(self) -> "Spectral":
        """The same with fewer waves, to screen starts."""
        return replace(self, tolerance=_SCREENED, most=_FEW, work=0.0, shortest=_SHORTEST)

    def thorough(self, shortest: float = 0.0, work: float = MOST_WORK) -> "Spectral":
        """The same with windows, and with lengthscales as short as this many spans."""
        return replace(self, work=work, shortest=shortest)

    @property
    def extra(self) -> Array:
        return np.empty(0)

    def limits(self, kind: str, parameter: str, extent: Extent, beside: frozenset[str] = frozenset()) -> tuple[float, float]:
        low, high = -math.inf, math.inf
        match kind, parameter:
            case "SE", "lengthscale":
                low = max(self.shortest, _TOGETHER if self.shortest and "PER" in beside else 0.0) * extent.span
            case "SE", "variance" if self.shortest and len(self.data.y) > MANY_ROWS:
                high = _LARGEST
            case "PER", "lengthscale":
                low, high = _SHARPEST, _BLUNTEST if self.shortest else math.inf
        return low, high

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        s2 = math.exp(u[form.size])
        found = self._solved(form, u, s2)
        if found is None:
            return -math.inf, np.zeros_like(u)
        pulls, noise = local_pull(found, self.tables) if isinstance(found, Local) else pull(found, self.tables)
        slope = np.zeros(form.size + 1)
        slope[-1] = noise
        for term, wave, own in zip(form.terms, of_form(form, u[: form.size], self.tables.frame), pulls, strict=True):
            shapes, periods, roots = iter(own.shape), iter(own.period), iter(own.roots)
            for i in term:
                start = form.slices[i].start
                slope[start] += own.variance
                match form.leaves[i].kind:
                    case "LIN":
                        slope[start + 1] += next(roots) / self.tables.frame.span
                    case "SE":
                        share = (wave.lengthscale * self.tables.frame.span / math.exp(u[start + 1])) ** 2
                        slope[start + 1] += share * own.lengthscale
                    case "PER":
                        slope[start + 1] += next(shapes)
                        slope[start + 2] += next(periods)
        return found.lower, slope

    def certify(self, form: Form, u: Array) -> Evidence:
        waves, s2 = of_form(form, u[: form.size], self.tables.frame), math.exp(u[form.size])
        if self.work and cost(waves, self.tables, s2, _CERTIFIED).pays:
            local = local_certified(waves, self.tables, s2)
            if local is not None and local.status.usable:
                whole = certified(waves, self.tables, s2) if local.interval.width > _NARROW else local
                return whole if whole.status.usable and whole.interval.width < local.interval.width else local
        return certified(waves, self.tables, s2)

    def residual(self, form: Form, u: Array) -> Array:
        found = self._solved(form, u, math.exp(u[form.size]))
        if found is None:
            return self.data.y
        parts = local_means(found, self.tables.u) if isinstance(found, Local) else means(found, self.tables.u)
        return self.data.y - sum(parts)

    def _solved(self, form: Form, u: Array, s2: float) -> Solution | Local | None:
        waves = of_form(form, u[: form.size], self.tables.frame)
        utmost = _HARDER * self.work if len(self.data.y) <= VAST_ROWS else self.work
        for coarser in _COARSER if self.work else ():
            tolerance, limit = coarser * self.tolerance, self.work if coarser < _COARSER[-1] else utmost
            choice = cost(waves, self.tables, s2, tolerance)
            if choice.pays and choice.windows <= limit:
                local = local_solve(waves, self.tables, s2, tolerance, self.most, places=choice.places, limit=limit)
                if local is not None:
                    return local
        heaviest = max(wave.variance * square(wave.polynomial, self.tables.moments) for wave in waves)
        floor = min(max(_LIGHT * self.tolerance * s2 / heaviest, _LIGHTEST), _HEAVIEST)
        return solve(kept(blocks(waves, self.tables, floor), s2, self.tolerance, self.most), self.tables, s2)
