"""The spectral engine: the bound is climbed on few waves, and certified on many."""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.data.dataset import Dataset
from kernelscribe.evidence.interval import Evidence
from kernelscribe.evidence.spectral.bound import Solution, pull, solve
from kernelscribe.evidence.spectral.certificate import certified
from kernelscribe.evidence.spectral.features import blocks, kept, square
from kernelscribe.evidence.spectral.gram import sections
from kernelscribe.evidence.spectral.tables import Tables, synthesise
from kernelscribe.evidence.spectral.waves import of_form
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.terms import Form

__all__ = ["Spectral", "components"]

# Nats that the bound may lose by leaving out waves: while starts are screened, and while the best are climbed.
_SCREENED, _CLIMBED = 1.0, 0.1
# Frequencies, at most, then.
_FEW, _MOST = 400, 1000
# The shortest lengthscale of SE, in spans, and the sharpest shape of PER: below, waves are too many to keep.
_SHORTEST, _SHARPEST = 2e-3, 0.25
# Lines so much lighter than what may be left out are not listed: from the second of these at least, to the third at most.
_LIGHT, _LIGHTEST, _HEAVIEST = 1e-2, 1e-18, 1e-6


@dataclass(frozen=True)
class Spectral:
    """One input, any number of rows."""

    data: Dataset
    tables: Tables
    tolerance: float = _CLIMBED
    most: int = _MOST
    name: str = "spectral"

    @classmethod
    def of(cls, data: Dataset) -> "Spectral":
        return cls(data, Tables.of(data.X[:, 0], data.y))

    def coarse(self) -> "Spectral":
        """The same with fewer waves, to screen starts."""
        return replace(self, tolerance=_SCREENED, most=_FEW)

    @property
    def extra(self) -> Array:
        return np.empty(0)

    def least(self, kind: str, parameter: str, extent: Extent) -> float:
        match kind, parameter:
            case "SE", "lengthscale":
                return _SHORTEST * extent.span
            case "PER", "lengthscale":
                return _SHARPEST
        return -math.inf

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        s2 = math.exp(u[form.size])
        found = self._solved(form, u, s2)
        if found is None:
            return -math.inf, np.zeros_like(u)
        pulls, noise = pull(found, self.tables)
        slope = np.zeros(form.size + 1)
        slope[-1] = noise
        for term, wave, own in zip(form.terms, (block.wave for block in found.blocks), pulls, strict=True):
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
        return certified(of_form(form, u[: form.size], self.tables.frame), self.tables, math.exp(u[form.size]))

    def residual(self, form: Form, u: Array) -> Array:
        found = self._solved(form, u, math.exp(u[form.size]))
        return self.data.y if found is None else self.data.y - sum(components(found, self.tables.u))

    def _solved(self, form: Form, u: Array, s2: float) -> Solution | None:
        waves = of_form(form, u[: form.size], self.tables.frame)
        heaviest = max(wave.variance * square(wave.polynomial, self.tables.moments) for wave in waves)
        floor = min(max(_LIGHT * self.tolerance * s2 / heaviest, _LIGHTEST), _HEAVIEST)
        return solve(kept(blocks(waves, self.tables, floor), s2, self.tolerance, self.most), self.tables, s2)


def components(found: Solution, u: Array) -> list[Array]:
    """The posterior mean of every term at places of the unit range."""
    means = []
    for block, where in zip(found.blocks, sections(found.blocks), strict=True):
        cosines, sines = np.split(found.coefficients[where], 2)
        shape = np.polynomial.polynomial.polyval(u, block.wave.polynomial)
        means.append(np.asarray(shape * synthesise(u, block.xi, cosines, sines)))
    return means
