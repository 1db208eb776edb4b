"""What a model says of the target at some points: a normal distribution on the scale of its link, told in the user's units."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from kernelscribe.arrays import Array
from kernelscribe.links import TargetLink

__all__ = ["Prediction"]


@dataclass(frozen=True)
class Prediction:
    """g(target) is normal, with this mean and this standard deviation, at every point.

    Attributes:
        transformed: the mean of g(target), and `deviation` its standard deviation: in the user's units where there is no link.
    """

    transformed: Array
    deviation: Array
    link: TargetLink

    @property
    def median(self) -> Array:
        """The point forecast, in the user's units: the mean too where there is no link."""
        return self.link.inverse(self.transformed)

    @property
    def std(self) -> Array:
        """The standard deviation of the target, in the user's units."""
        return np.asarray(np.sqrt(self.link.variance(self.transformed, self.deviation)))

    def band(self, level: float) -> tuple[Array, Array]:
        """Both ends of the band that holds this share of the values, in per cent, with as many above as below."""
        reach = float(ndtri(0.5 + level / 200)) * self.deviation
        return self.link.inverse(self.transformed - reach), self.link.inverse(self.transformed + reach)
