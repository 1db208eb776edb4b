"""The array of the house: double precision throughout, since certificates count its digits."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array"]

Array = NDArray[np.float64]
