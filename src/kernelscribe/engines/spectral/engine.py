"""The spectral engine: the bound is climbed on few waves, and certified on many.

Where a kernel would need far too many waves, as a long record with a short lengthscale does, both stand on windows in time
instead (local.py), where the work that is allowed suffices: much for a kernel that is given, little in a search, none while its
starts are screened. What neither can follow counts as noise."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.engines.spectral.bound import Pull, Solution, means, pull, solve
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.cost import cost
from kernelscribe.engines.spectral.enclosure import local_certified, slack
from kernelscribe.engines.spectral.features import blocks, kept, square
from kernelscribe.engines.spectral.holding import Held
from kernelscribe.engines.spectral.local import MOST_WORK, Local, local_means, local_solve
from kernelscribe.engines.spectral.slope import local_pull
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import Wave, of_form
from kernelscribe.engines.spectral.windows import LONGEST_WINDOW, RHO
from kernelscribe.kernels.base import Extent, Role
from kernelscribe.kernels.form import Form

__all__ = ["MANY_ROWS", "Holding", "Spectral"]

# Rows from which a series is long: values are all but certain then, and looks at all rows dear.
MANY_ROWS = 2000

# Nats that the bound may lose by leaving out waves: while starts are screened, and while the best are climbed.
_SCREENED, _CLIMBED = 1.0, 0.1
# Frequencies, at most, then.
_FEW, _MOST = 400, 1000
# And beside terms that are held, where many starts are tried.
_FEWEST = 200
# Windows that would take too much work may lose some times as much, and as a last resort take some times the work: where capped
# waves took their place the bound fell by a thousand nats, and climbs ended at the foot of that step.
_COARSER, _HARDER = (1.0, 10.0, 100.0, 1000.0), 8.0
# How far apart windows stand while the bound is climbed, in ℓ, where the noise is no less than this share of the variance: the
# kernel is off by 2e-6 of itself then, which is nothing beside the noise. Where there is less noise they stand closer.
_APART, _LOUD = 0.6, 1e-2
# The shortest lengthscale of SE, in spans, and the sharpest shape of PER: below, waves are too many to keep. And the bluntest, of
# which a hundredth is a cosine and nearly all else a constant: even blunter ones take ever more of it for the same cycle.
_SHORTEST, _SHARPEST, _BLUNTEST = 2e-3, 0.25, 10.0
# The same for an SE that multiplies PER, whose every overtone takes as many waves as an SE alone. Where the search was free to go
# below, the bound was that of the thousand waves it kept, jumped as these changed, and rewarded kernels for fitting among them.
_TOGETHER = 1e-2
# The largest variance of SE, in that of the data, where rows are many: what is shorter than the shortest lengthscale pulls the
# variance up to a million, which follows it a little better, and makes forecasts worthless.
_LARGEST = 4.0
# Nats that a certificate may lose so, how wide one on windows may be to do without that on waves, and operations that it may take
# on windows: without a gradient some ten seconds.
_CERTIFIED, _NARROW, _CERTIFY = 0.01, 0.1, 1e12
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

    def limits(self, role: Role, quantity: str, extent: Extent, beside: frozenset[Role] = frozenset()) -> tuple[float, float]:
        low, high = -math.inf, math.inf
        match role, quantity:
            case Role.SMOOTH, "lengthscale":
                low = max(self.shortest, _TOGETHER if self.shortest and Role.CYCLE in beside else 0.0) * extent.span
            case Role.SMOOTH, "variance" if self.shortest and len(self.data.y) > MANY_ROWS:
                high = _LARGEST
            case Role.CYCLE, "lengthscale":
                low, high = _SHARPEST, _BLUNTEST if self.shortest else math.inf
        return low, high

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        s2 = math.exp(u[form.size])
        found = self._solved(form, u, s2)
        if found is None:
            return -math.inf, np.zeros_like(u)
        pulls, noise = local_pull(found, self.tables) if isinstance(found, Local) else pull(found, self.tables)
        slope = self._slope(form, u, list(zip(form.members, pulls, strict=True)))
        slope[-1] = noise
        return found.lower, slope

    def _slope(self, form: Form, u: Array, pulls: list[tuple[tuple[int, ...], Pull]]) -> Array:
        """From the gradients of some terms to that in the coordinates, of which the last is the noise's; roots that were not
        asked for stay."""
        slope, span = np.zeros(form.size + 1), self.tables.frame.span
        for term, own in pulls:
            shapes, periods, roots = iter(own.shape), iter(own.period), iter(own.roots)
            roles = {i: form.owners[i].base.role for i in term}
            inverse = sum(math.exp(-2 * u[form.slices[i].start + 1]) for i in term if roles[i] is Role.SMOOTH)
            for i in term:
                start = form.slices[i].start
                slope[start] += own.variance
                match roles[i]:
                    case Role.LINE:
                        slope[start + 1] += next(roots, 0.0) / span
                    case Role.SMOOTH:
                        slope[start + 1] += math.exp(-2 * u[start + 1]) / inverse * own.lengthscale
                    case Role.CYCLE:
                        slope[start + 1] += next(shapes)
                        slope[start + 2] += next(periods)
        return slope

    def value(self, form: Form, u: Array) -> float:
        """The bound alone."""
        found = self._solved(form, u, math.exp(u[form.size]))
        return -math.inf if found is None else found.lower

    def price(self, form: Form, u: Array) -> float:
        """Floating-point operations of a value and its gradient on windows, about; 0 where waves are the cheaper way."""
        waves, s2 = of_form(form, u[: form.size], self.tables.frame), math.exp(u[form.size])
        choice = cost(waves, self.tables, s2, self.tolerance, _APART)
        return choice.windows if choice.pays else 0.0

    def hold(self, form: Form, u: Array, new: frozenset[int]) -> "Holding | None":
        """What is needed to climb in the values of some leaves alone. None where the other terms do not stand on windows, which
        is what makes them dear, or where the terms with these leaves would need windows themselves."""
        inside = [bool(new.intersection(term)) for term in form.members]
        waves = of_form(form, u[: form.size], self.tables.frame)
        stay = [wave for wave, moves in zip(waves, inside, strict=True) if not moves]
        if not stay or any(wave.lengthscale < _SHORTEST for wave, moves in zip(waves, inside, strict=True) if moves):
            return None
        found = self._on(stay, math.exp(u[form.size]))
        return Holding(self, form, tuple(inside), found) if isinstance(found, Local) else None

    def certify(self, form: Form, u: Array) -> Evidence:
        waves, s2 = of_form(form, u[: form.size], self.tables.frame), math.exp(u[form.size])
        if self.work and cost(waves, self.tables, s2, _CERTIFIED).pays:
            local = local_certified(waves, self.tables, s2, limit=_CERTIFY)
            if local is not None and local.status.usable:
                whole = certified(waves, self.tables, s2) if local.interval.width > _NARROW else local
                return whole if whole.status.usable and whole.interval.width < local.interval.width else local
            return self._raised(certified(waves, self.tables, s2), waves, s2)
        return certified(waves, self.tables, s2)

    def _raised(self, whole: Evidence, waves: list[Wave], s2: float) -> Evidence:
        """Where windows that leave out next to nothing would be too much work, those of a climb are a lower bound all the same,
        and it may be far above that of capped waves."""
        wide = whole.interval.width > _NARROW
        found = local_solve(waves, self.tables, s2, self.tolerance, self.most, limit=_CERTIFY) if wide else None
        lower = whole.interval.lower if found is None else found.lower - slack(found, self.tables, RHO)
        if not whole.interval.lower < lower < whole.interval.upper:
            return whole
        interval = Interval(lower, whole.interval.upper).outward()
        return replace(whole, interval=interval, paper=interval)

    def residual(self, form: Form, u: Array) -> Array:
        found = self._solved(form, u, math.exp(u[form.size]))
        if found is None:
            return self.data.y
        parts = local_means(found, self.tables.u) if isinstance(found, Local) else means(found, self.tables.u)
        return self.data.y - sum(parts)

    def _solved(self, form: Form, u: Array, s2: float) -> Solution | Local | None:
        return self._on(of_form(form, u[: form.size], self.tables.frame), s2)

    def _on(self, waves: list[Wave], s2: float) -> Solution | Local | None:
        short = [wave.variance for wave in waves if wave.lengthscale <= LONGEST_WINDOW]
        rho = _APART if s2 >= _LOUD * max(short, default=0.0) else RHO
        for coarser in _COARSER if self.work else ():
            tolerance, limit = coarser * self.tolerance, self.work * (1.0 if coarser < _COARSER[-1] else _HARDER)
            choice = cost(waves, self.tables, s2, tolerance, rho)
            if choice.pays and choice.windows <= limit:
                local = local_solve(waves, self.tables, s2, tolerance, self.most, places=choice.places, rho=rho, limit=limit)
                if local is not None:
                    return local
        floor = self._floor(waves, s2, self.tolerance)
        return solve(kept(blocks(waves, self.tables, floor), s2, self.tolerance, self.most), self.tables, s2)

    def _floor(self, waves: list[Wave], s2: float, tolerance: float) -> float:
        heaviest = max(wave.variance * square(wave.polynomial, self.tables.moments) for wave in waves)
        return min(max(_LIGHT * tolerance * s2 / heaviest, _LIGHTEST), _HEAVIEST)

    def _held(self, found: Local, waves: list[Wave]) -> Held:
        return Held.of(found, waves, self.tables, _SCREENED, _FEWEST, self._floor(waves, found.s2, _SCREENED))


@dataclass(frozen=True)
class Holding:
    """A kernel of which some leaves may move while all terms without them are held.

    Attributes:
        inside: of every term, whether it has such a leaf.
    """

    engine: Spectral
    form: Form
    inside: tuple[bool, ...]
    found: Local

    def around(self, u: Array) -> Callable[[Array], tuple[float, Array]]:
        """The bound and its gradient, near u: frequencies are those that new terms need there. Lines that stand alone, and zeros
        of LIN, have to stay: their slopes are nothing."""
        held = self.engine._held(self.found, self._moving(u))

        def objective(v: Array) -> tuple[float, Array]:
            value, pulls = held.value(self._moving(v))
            if not pulls:
                return -math.inf, np.zeros(self.form.size + 1)
            terms = [term for term, moves in zip(self.form.members, self.inside, strict=True) if moves]
            return value, self.engine._slope(self.form, v, list(zip(terms, pulls, strict=True)))

        return objective

    def _moving(self, u: Array) -> list[Wave]:
        waves = of_form(self.form, u[: self.form.size], self.engine.tables.frame)
        return [wave for wave, moves in zip(waves, self.inside, strict=True) if moves]
