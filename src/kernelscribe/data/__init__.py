"""From files, frames and arrays to a checked, standardised `Dataset`."""

from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.frame import from_frame
from kernelscribe.data.notes import Note
from kernelscribe.data.prediction_points import frame_points, read_points
from kernelscribe.data.reader import read

__all__ = ["Axis", "Dataset", "Note", "frame_points", "from_frame", "read", "read_points"]
