"""The spectral engine: the bound is climbed on few waves, and certified on many.

What waves cannot follow, as short lengthscales on a long record, counts as noise; the series engine follows it."""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.engines.engine import ClimbStage, Engine, Work
from kernelscribe.engines.interval import Evidence
from kernelscribe.engines.posterior import Posterior
from kernelscribe.engines.registry import Traits
from kernelscribe.engines.spectral.bound import Pull, Solution, solve
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.features import blocks, kept, square
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.engines.spectral.sums import Rehearsal
from kernelscribe.engines.spectral.tables import Frame, Tables
from kernelscribe.engines.spectral.waves import Wave, of_form
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise
from kernelscribe.scales import Extent

__all__ = ["Spectral"]

# The sharpest shape of PER: below, waves are too many to keep.
_SHARPEST = 0.25
# The bluntest, of which a hundredth is a cosine and nearly all else a constant: even blunter ones take ever more of it for the
# same cycle.
_BLUNTEST = 10.0
# Lines so much lighter than what may be left out are not listed,
_LIGHT = 1e-2
# but all that weigh more than what rounding hides,
_HEAVIEST = 1e-6
# and none that weigh less than an alias.
_LIGHTEST = 1e-18
# Nats that the bound may lose while its curvature is looked at: waves come and go as values move, and what they weigh must be
# nothing beside it.
_CURVED = 1e-6


@dataclass(frozen=True)
class Spectral(Engine):
    """One input, any number of rows.

    Attributes:
        tolerance: nats that the bound may lose by leaving out waves; `most` frequencies, at most.
    """

    name = "spectral"
    traits = Traits(low=True, series=True, uniform=True)

    data: Dataset
    tables: Tables
    tolerance: float = STANDARD.nats_climbed
    most: int = STANDARD.waves_climbed
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
        """A value takes nothing of the rows, but a kernel may be as short as they can tell, and take as many waves then."""
        return Work(float(len(data.y)) ** 3)

    @classmethod
    def of(cls, data: Dataset, config: Config | None = None) -> "Spectral":
        effort = STANDARD if config is None else config.effort
        tables = Tables.of(data.X[:, 0], data.y)
        return cls(data, tables, effort.nats_climbed, effort.waves_climbed, effort)

    @classmethod
    def condition(cls, data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> Posterior | None:
        """None where waves would be too many, or the kernel is not theirs."""
        if not terms or len(data.y) <= config.effort.dense_rows or not noise.uniform:
            return None
        try:
            return SpectralPosterior.of(terms, noise, data.X, data.y)
        except KernelError:
            return None

    def coarse(self) -> "Spectral":
        """The same with fewer waves, to screen starts."""
        return replace(self, tolerance=self.effort.nats_screened, most=self.effort.waves_screened)

    def stages(self, config: Config) -> tuple[ClimbStage, ...]:
        effort = config.effort
        (few, more), (kept_first, finalists) = effort.wave_evaluations, effort.wave_kept
        first = ClimbStage(self.coarse(), few, kept_first, patience=effort.wave_patience)
        return first, replace(first, evaluations=more, kept=finalists, repeat=more, behind=effort.wave_behind, pays=True)

    def smooth(self, form: Form, u: Array, around: list[Array]) -> "Spectral":
        """With sums at just the frequencies that will be asked for."""
        rehearsal = Rehearsal.of(self.data.X[:, 0], self.data.y)
        rehearsed = Spectral(self.data, rehearsal, _CURVED, self.effort.waves_climbed, self.effort)
        for each in around:
            rehearsed.objective(form, each)
        return replace(rehearsed, tables=rehearsal.sums)

    def limits(self, role: Role, quantity: str, extent: Extent, beside: frozenset[Role] = frozenset()) -> tuple[float, float]:
        match role, quantity:
            case Role.SMOOTH, "lengthscale":
                shortest = self.effort.shortest_beside_cycle if Role.CYCLE in beside else self.effort.shortest
                return shortest * extent.span, math.inf
            case Role.CYCLE, "lengthscale":
                return _SHARPEST, _BLUNTEST
        return -math.inf, math.inf

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        s2 = self.noise_at(form, u).level
        found = self._solved(form, u, s2)
        if found is None:
            return -math.inf, np.zeros_like(u)
        pulls, noise = found.pull(self.tables)
        return found.lower, np.append(self._slope(form, u, pulls), noise)

    def _slope(self, form: Form, u: Array, pulls: list[Pull]) -> Array:
        """From the gradients of all terms to that in the coordinates of the kernel."""
        slope, span = np.zeros(form.size), self.tables.frame.span
        for term, own in zip(form.members, pulls, strict=True):
            shapes, periods, roots = iter(own.shape), iter(own.period), iter(own.roots)
            roles = {i: form.owners[i].base.role for i in term}
            inverse = sum(math.exp(-2 * u[form.slices[i].start + 1]) for i in term if roles[i] is Role.SMOOTH)
            for i in term:
                start = form.slices[i].start
                slope[start] += own.variance
                match roles[i]:
                    case Role.LINE:
                        slope[start + 1] += next(roots) / span
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

    def certify(self, form: Form, u: Array) -> Evidence:
        return certified(of_form(form, u[: form.size], self.tables.frame), self.tables, self.noise_at(form, u).level)

    def residual(self, form: Form, u: Array) -> Array:
        found = self._solved(form, u, self.noise_at(form, u).level)
        if found is None:
            return self.data.y
        return self.data.y - sum(found.means(self.tables.u))

    def _solved(self, form: Form, u: Array, s2: float) -> Solution | None:
        waves = of_form(form, u[: form.size], self.tables.frame)
        floor = self._floor(waves, s2)
        return solve(kept(blocks(waves, self.tables, floor), s2, self.tolerance, self.most), self.tables, s2)

    def _floor(self, waves: list[Wave], s2: float) -> float:
        heaviest = max(wave.variance * square(wave.polynomial, self.tables.moments) for wave in waves)
        return min(max(_LIGHT * self.tolerance * s2 / heaviest, _LIGHTEST), _HEAVIEST)
