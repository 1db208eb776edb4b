"""What a term is made of, as a series sees it: the stationary part and the walk. Lines, steps and gates stand in its amplitude.

k(x, z) = a(x) a(z) · exp(−d²/2ℓ²) · Π_b PER_b(d) · Π_f P_f(κ_f d) e^{−κ_f d} · w(x, z)
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.lines import Cycle
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.normal import Term
from kernelscribe.kernels.operators.operator import Operator
from kernelscribe.kernels.spectral import Alone, Amplitude, Fading, Gaussian, Harmonics, Root, Spectrum, Steady, Walk
from kernelscribe.kernels.tree import Leaf

__all__ = ["Ingredients", "amplitude_of_term", "known", "of_form", "of_term"]


@dataclass(frozen=True, slots=True)
class Ingredients:
    """One term.

    Attributes:
        gaussians: length-scales of the factors exp(−d²/2ℓ²), which are one whose inverse square is the sum of theirs.
        alone: whether it is 0 between any two different points.
    """

    gaussians: tuple[float, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    fadings: tuple[Fading, ...] = ()
    walk: Walk | None = None
    alone: bool = False

    @property
    def lengthscale(self) -> float:
        """Of all Gaussian factors together; inf where there is none."""
        return sum(each**-2.0 for each in self.gaussians) ** -0.5 if self.gaussians else math.inf

    @property
    def steady(self) -> bool:
        """Whether it is amplitudes and cycles alone, which do not fade over any distance."""
        return not (self.gaussians or self.fadings or self.walk is not None or self.alone)

    def grown(self, t: float) -> float:
        """The diagonal of the walk at a time, which multiplies all that stands beside it; 1 where there is none."""
        if self.walk is None:
            return 1.0
        s = max(t - self.walk.location, 0.0)
        return s if self.walk.order == 1 else s**3 / 3


def known(form: Form) -> str | None:
    """None, or why a series cannot follow the kernel."""
    for members in form.members:
        spectra = [_spectrum(form, i, [1.0] * len(form.owners[i].base.parameters)) for i in members]
        for i, spectrum in zip(members, spectra, strict=True):
            if spectrum is None:
                return f"the series engine does not know {form.owners[i].kind}"
        if sum(isinstance(each, Walk) for each in spectra) > 1:
            return "the series engine does not know products of walks"
    return None


def of_form(form: Form, side: Side) -> list[Ingredients]:
    """The terms of a kernel at the values of a side."""
    return [_gathered(_spectrum(form, i, side.values[i]) for i in members) for members in form.members]


def _spectrum(form: Form, owner: int, values: Iterable[float]) -> Spectrum | None:
    node = form.owners[owner]
    # What an operator does stands in the amplitude.
    return node.base.spectrum(tuple(float(v) for v in values)[1:]) if isinstance(node, Leaf) else Steady()


def of_term(term: Term) -> Ingredients:
    """A term of the normal form, whose cycles have no constant part."""
    return _gathered(
        (each.base.spectrum(each.values) if isinstance(each.base, Base) else Steady() for each in term.factors), centred=True
    )


def amplitude_of_term(term: Term, x: Array) -> Array:
    """a, of a term of the normal form, at numbers x."""
    a = np.full(len(x), math.sqrt(term.variance))
    for each in term.factors:
        if isinstance(each.base, Operator):
            a *= each.base.gate(x, each.values, each.branch)
        elif each.base.exponential is not None:
            own = each.base.exponential.features(x, np.array([1.0, *each.values])).a
            a = a if own is None else a * own
    return a


def _gathered(spectra: Iterable[Spectrum | None], *, centred: bool = False) -> Ingredients:
    gaussians, cycles, fadings, walk, alone = list[float](), list[Cycle](), list[Fading](), None, False
    for spectrum in spectra:
        match spectrum:
            case Gaussian(lengthscale):
                gaussians.append(lengthscale)
            case Harmonics(lengthscale, period, without):
                cycles.append(Cycle(lengthscale, period, centred or without))
            case Fading():
                fadings.append(spectrum)
            case Walk():
                if walk is not None:
                    raise KernelError("the series engine does not know products of walks")
                walk = spectrum
            case Alone():
                alone = True
            case Root() | Amplitude() | Steady():
                pass
            case None:
                raise KernelError("the series engine does not know a factor of this term")
    return Ingredients(tuple(gaussians), tuple(cycles), tuple(fadings), walk, alone)
