"""The order of window features in the band: those of a centre together, centres of all terms in the order of time."""

from dataclasses import dataclass

import numpy as np

from kernelscribe.engines.spectral.arrow import BandLayout, Numbers
from kernelscribe.engines.spectral.pairs import Meeting
from kernelscribe.engines.spectral.windows import TermWindows, reach

__all__ = ["BandOrder"]


@dataclass(frozen=True, slots=True)
class BandOrder:
    """Where features stand.

    Attributes:
        features: their numbers, for every term [centres, f].
    """

    features: list[Numbers]
    layout: BandLayout

    @classmethod
    def of(cls, terms: list[TermWindows]) -> "BandOrder":
        centre = np.concatenate([a.centres for a in terms])
        width = np.concatenate([np.full(2 * a.half + 1, len(a.line)) for a in terms])
        order = np.argsort(centre, kind="stable")
        start = np.empty(len(centre), dtype=np.int64)
        start[order] = np.cumsum(width[order]) - width[order]
        first = np.split(start, np.cumsum([2 * a.half + 1 for a in terms])[:-1])
        band = 0
        for a, own in zip(terms, first, strict=True):
            for b, other in zip(terms, first, strict=True):
                # With a little more, so that rounding hides no centre at the very reach.
                last = np.searchsorted(b.centres, a.centres + reach(a.ell, b.ell) * (1 + 1e-9), side="right") - 1
                band = max(band, int((other[last] + len(b.line) - 1 - own)[last >= 0].max(initial=0)))
        features = [own[:, None] + np.arange(len(a.line)) for a, own in zip(terms, first, strict=True)]
        return cls(features, BandLayout.of(int(width.sum()), band))

    def places(self, i: int, j: int, meeting: Meeting) -> Numbers:
        """Where the entries of a meeting of terms i and j stand in the band [n, f₁, f₂]."""
        one, two = self.features[i][meeting.first], self.features[j][meeting.second]
        if (one[:, -1] < two[:, 0]).all():
            return np.asarray((two * self.layout.b)[:, None, :] + self.layout.columns(one)[:, :, None])
        return self.layout.flat(one[:, :, None], two[:, None, :])
