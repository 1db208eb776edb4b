"""From files and arrays to a checked, standardised `Dataset`."""

from kernelscribe.data.dataset import Dataset
from kernelscribe.data.table import read

__all__ = ["Dataset", "read"]
