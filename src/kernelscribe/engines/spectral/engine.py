"""The spectral engine: the bound is climbed on few waves, and certified on many.

Where a kernel would need far too many waves, as a long record with a short lengthscale does, both stand on windows in time
instead (window_bound.py), where the work that is allowed suffices: much for a kernel that is given, little in a search, none
while its starts are screened. What neither can follow counts as noise."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.engines.engine import ClimbStage, Engine, Work
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.engines.posterior import Posterior
from kernelscribe.engines.registry import Traits
from kernelscribe.engines.spectral.bound import Pull, Solved, solve
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.cost import cost
from kernelscribe.engines.spectral.features import blocks, kept, square
from kernelscribe.engines.spectral.fixed_terms import Fixed
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.engines.spectral.sums import Rehearsal
from kernelscribe.engines.spectral.tables import Frame, Tables
from kernelscribe.engines.spectral.waves import Wave, of_form
from kernelscribe.engines.spectral.window_bound import Local, local_solve
from kernelscribe.engines.spectral.window_certificate import local_certified, slack
from kernelscribe.engines.spectral.window_posterior import WindowPosterior
from kernelscribe.engines.spectral.windows import LONGEST_WINDOW, RHO
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise
from kernelscribe.scales import Extent

__all__ = ["Spectral", "SpectralHolding"]

# Windows that would take too much work may lose so many times as much: where capped waves took their place the bound fell by a
# thousand nats, and climbs ended at the foot of that step.
_COARSER = (1.0, 10.0, 100.0, 1000.0)
# How far apart windows stand while the bound is climbed, in ℓ: the kernel is off by 2e-6 of itself then,
_SPACING = 0.6
# which is nothing beside the noise, where that is no less than this share of the variance. With less noise they stand closer.
_LOUD = 1e-2
# The sharpest shape of PER: below, waves are too many to keep.
_SHARPEST = 0.25
# The bluntest, of which a hundredth is a cosine and nearly all else a constant: even blunter ones take ever more of it for the
# same cycle.
_BLUNTEST = 10.0
# The largest variance of SE, in that of the data, where rows are many: what is shorter than the shortest lengthscale pulls the
# variance up to a million, which follows it a little better, and makes forecasts worthless.
_LARGEST = 4.0
# Nats that a certificate may lose by leaving out waves.
_CERTIFIED = 0.01
# Nats that a certificate on windows may be wide to do without that on waves.
_NARROW = 0.1
# Lines so much lighter than what may be left out are not listed,
_LIGHT = 1e-2
# but all that weigh more than what rounding hides,
_HEAVIEST = 1e-6
# and none that weigh less than an alias.
_LIGHTEST = 1e-18
# Nats that the bound may lose while its curvature is looked at: waves come and go as values move, and what they weigh must be
# nothing beside it,
_CURVED = 1e-6
# the same on windows, where it is dearer.
_CURVED_ON_WINDOWS = 1e-3


@dataclass(frozen=True)
class Spectral(Engine):
    """One input, any number of rows.

    Attributes:
        tolerance: nats that the bound may lose by leaving out waves; `most` frequencies, at most.
        work: floating-point operations of a value and its gradient up to which terms of short lengthscale may stand on windows
            while the bound is climbed, where that costs less than waves.
        shortest: lengthscale of SE, in spans.
    """

    name = "spectral"
    traits = Traits(low=True, series=True, uniform=True)

    data: Dataset
    tables: Tables
    tolerance: float = STANDARD.nats_climbed
    most: int = STANDARD.waves_climbed
    work: float = 0.0
    shortest: float = STANDARD.shortest
    effort: Effort = STANDARD

    @classmethod
    def accepts(cls, data: Dataset, form: Form | None = None) -> str | None:
        """One input, and a kernel of which all terms have a spectrum."""
        if data.X.shape[1] != 1:
            return f"the spectral engine is for one input, got {data.X.shape[1]}: use the inducing engine"
        if form is not None:
            try:
                of_form(form, np.zeros(form.size), Frame(0.0, 1.0))
            except KernelError as error:
                return str(error)
        return None

    @classmethod
    def cost(cls, data: Dataset, config: Config) -> Work:
        """After the tables nothing depends on the rows, and a value takes about as long as an exact one of few rows."""
        return Work(float(config.effort.exact_rows) ** 3)

    @classmethod
    def of(cls, data: Dataset, config: Config | None = None) -> "Spectral":
        effort = STANDARD if config is None else config.effort
        tables = Tables.of(data.X[:, 0], data.y)
        return cls(data, tables, effort.nats_climbed, effort.waves_climbed, shortest=effort.shortest, effort=effort)

    @classmethod
    def condition(cls, data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> Posterior | None:
        """With windows where waves are too many, else with waves; None where neither will do."""
        if not terms or len(data.y) <= config.effort.dense_rows or not noise.uniform:
            return None
        found = WindowPosterior.of(terms, noise, data.X, data.y)
        return found or SpectralPosterior.of(terms, noise, data.X, data.y)

    def coarse(self) -> "Spectral":
        """The same with fewer waves, to screen starts."""
        effort = self.effort
        return replace(self, tolerance=effort.nats_screened, most=effort.waves_screened, work=0.0, shortest=effort.shortest)

    def on_windows(self, shortest: float = 0.0, work: float | None = None) -> "Spectral":
        """The same with windows, and with lengthscales as short as this many spans."""
        return replace(self, work=self.effort.windows_work if work is None else work, shortest=shortest)

    def for_search(self) -> "Spectral":
        """On a long series parts may be shorter than waves can follow; what a search can afford may stand on windows instead."""
        effort = self.effort
        long = len(self.data.y) > effort.many_rows
        return self.on_windows(effort.shortest_in_search, effort.windows_work_in_search) if long else self

    def for_one(self) -> "Spectral":
        return self.on_windows()

    def stages(self, config: Config) -> tuple[ClimbStage, ...]:
        effort = config.effort
        (few, more), (kept_first, finalists) = effort.wave_evaluations, effort.wave_kept
        first = ClimbStage(self.coarse(), few, kept_first, patience=effort.wave_patience)
        return first, replace(first, evaluations=more, kept=finalists, repeat=more, behind=effort.wave_behind, pays=True)

    @property
    def finer(self) -> bool:
        return self.work > 0

    def smooth(self, form: Form, u: Array, around: list[Array]) -> "Spectral | None":
        """On windows, where the kernel takes them; else with sums at just the frequencies that will be asked for."""
        most = self.effort.windows_work_curved
        windows = replace(self.on_windows(work=most), tolerance=_CURVED_ON_WINDOWS)
        price = windows.price(form, u)
        if price > 0:
            return windows if price <= most else None
        rehearsal = Rehearsal.of(self.data.X[:, 0], self.data.y)
        rehearsed = Spectral(
            self.data, rehearsal, _CURVED, self.effort.waves_climbed, shortest=self.effort.shortest, effort=self.effort
        )
        for each in around:
            rehearsed.objective(form, each)
        return replace(rehearsed, tables=rehearsal.sums)

    def limits(self, role: Role, quantity: str, extent: Extent, beside: frozenset[Role] = frozenset()) -> tuple[float, float]:
        low, high = -math.inf, math.inf
        match role, quantity:
            case Role.SMOOTH, "lengthscale":
                low = (
                    max(self.shortest, self.effort.shortest_beside_cycle if self.shortest and Role.CYCLE in beside else 0.0)
                    * extent.span
                )
            case Role.SMOOTH, "variance" if self.shortest and len(self.data.y) > self.effort.many_rows:
                high = _LARGEST
            case Role.CYCLE, "lengthscale":
                low, high = _SHARPEST, _BLUNTEST if self.shortest else math.inf
        return low, high

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        s2 = self.noise_at(form, u).level
        found = self._solved(form, u, s2)
        if found is None:
            return -math.inf, np.zeros_like(u)
        pulls, noise = found.pull(self.tables)
        slope = self._slope(form, u, list(zip(form.members, pulls, strict=True)))
        slope[-1] = noise
        return found.lower, slope

    def _slope(self, form: Form, u: Array, pulls: list[tuple[tuple[int, ...], Pull]]) -> Array:
        """From the gradients of some terms to that in the coordinates, of which the last is the noise's; roots that were not
        asked for stay."""
        slope, span = np.zeros(self.size(form)), self.tables.frame.span
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
        found = self._solved(form, u, self.noise_at(form, u).level)
        return -math.inf if found is None else found.lower

    def price(self, form: Form, u: Array) -> float:
        """That on windows; 0 where waves are the cheaper way, or the only one."""
        if not self.work:
            return 0.0
        waves, s2 = of_form(form, u[: form.size], self.tables.frame), self.noise_at(form, u).level
        choice = cost(waves, self.tables, s2, self.tolerance, _SPACING)
        return choice.windows if choice.pays else 0.0

    def hold(self, form: Form, u: Array, new: frozenset[int]) -> "SpectralHolding | None":
        """None where the other terms do not stand on windows, which is what makes them dear, or where the terms with these leaves
        would need windows themselves."""
        inside = [bool(new.intersection(term)) for term in form.members]
        waves = of_form(form, u[: form.size], self.tables.frame)
        stay = [wave for wave, moves in zip(waves, inside, strict=True) if not moves]
        if not stay or any(wave.lengthscale < self.effort.shortest for wave, moves in zip(waves, inside, strict=True) if moves):
            return None
        found = self._on_windows(stay, self.noise_at(form, u).level)
        return None if found is None else SpectralHolding(self, form, tuple(inside), found)

    def certify(self, form: Form, u: Array) -> Evidence:
        waves, s2 = of_form(form, u[: form.size], self.tables.frame), self.noise_at(form, u).level
        if self.work and cost(waves, self.tables, s2, _CERTIFIED).pays:
            local = local_certified(waves, self.tables, s2, limit=self.effort.windows_work_certified)
            if local is not None and local.status.usable:
                whole = certified(waves, self.tables, s2) if local.interval.width > _NARROW else local
                return whole if whole.status.usable and whole.interval.width < local.interval.width else local
            return self._raised(certified(waves, self.tables, s2), waves, s2)
        return certified(waves, self.tables, s2)

    def _raised(self, whole: Evidence, waves: list[Wave], s2: float) -> Evidence:
        """Where windows that leave out next to nothing would be too much work, those of a climb are a lower bound all the same,
        and it may be far above that of capped waves."""
        wide = whole.interval.width > _NARROW
        found = (
            local_solve(waves, self.tables, s2, self.tolerance, self.most, limit=self.effort.windows_work_certified)
            if wide
            else None
        )
        lower = whole.interval.lower if found is None else found.lower - slack(found, self.tables, RHO)
        if not whole.interval.lower < lower < whole.interval.upper:
            return whole
        interval = Interval(lower, whole.interval.upper).outward()
        return replace(whole, interval=interval, paper=interval)

    def residual(self, form: Form, u: Array) -> Array:
        found = self._solved(form, u, self.noise_at(form, u).level)
        if found is None:
            return self.data.y
        return self.data.y - sum(found.means(self.tables.u))

    def _solved(self, form: Form, u: Array, s2: float) -> Solved | None:
        waves = of_form(form, u[: form.size], self.tables.frame)
        found = self._on_windows(waves, s2)
        if found is not None:
            return found
        floor = self._floor(waves, s2, self.tolerance)
        return solve(kept(blocks(waves, self.tables, floor), s2, self.tolerance, self.most), self.tables, s2)

    def _on_windows(self, waves: list[Wave], s2: float) -> Local | None:
        """None where waves are cheaper, or windows too much work."""
        short = [wave.variance for wave in waves if wave.lengthscale <= LONGEST_WINDOW]
        rho = _SPACING if s2 >= _LOUD * max(short, default=0.0) else RHO
        for coarser in _COARSER if self.work else ():
            tolerance, limit = (
                coarser * self.tolerance,
                self.work * (1.0 if coarser < _COARSER[-1] else self.effort.windows_harder),
            )
            choice = cost(waves, self.tables, s2, tolerance, rho)
            if choice.pays and choice.windows <= limit:
                local = local_solve(waves, self.tables, s2, tolerance, self.most, places=choice.places, rho=rho, limit=limit)
                if local is not None:
                    return local
        return None

    def _floor(self, waves: list[Wave], s2: float, tolerance: float) -> float:
        heaviest = max(wave.variance * square(wave.polynomial, self.tables.moments) for wave in waves)
        return min(max(_LIGHT * tolerance * s2 / heaviest, _LIGHTEST), _HEAVIEST)

    def fixed(self, found: Local, waves: list[Wave]) -> Fixed:
        """These terms as they are, and others that may move."""
        lost, most = self.effort.nats_screened, self.effort.waves_held
        return Fixed.of(found, waves, self.tables, lost, most, self._floor(waves, found.s2, lost))


@dataclass(frozen=True)
class SpectralHolding:
    """A kernel of which some leaves may move while all terms without them stay as they are.

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
        fixed = self.engine.fixed(self.found, self._moving(u))

        def objective(v: Array) -> tuple[float, Array]:
            value, pulls = fixed.value(self._moving(v))
            if not pulls:
                return -math.inf, np.zeros(self.engine.size(self.form))
            terms = [term for term, moves in zip(self.form.members, self.inside, strict=True) if moves]
            return value, self.engine._slope(self.form, v, list(zip(terms, pulls, strict=True)))

        return objective

    def _moving(self, u: Array) -> list[Wave]:
        waves = of_form(self.form, u[: self.form.size], self.engine.tables.frame)
        return [wave for wave, moves in zip(waves, self.inside, strict=True) if moves]
