"""What is left of a table when its numbers are taken away."""

from dataclasses import dataclass

from kernelscribe.kernels.units import Affine

__all__ = ["Scales"]


@dataclass(frozen=True, slots=True)
class Scales:
    """How many rows a table has, what its columns are called, and the way back to their units."""

    rows: int
    inputs: tuple[Affine, ...]
    output: Affine
    names: tuple[str, ...]
    target: str
    correlations: tuple[float, ...]  # of each input with the target
