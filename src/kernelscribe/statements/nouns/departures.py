"""Departures that last for some rows, and are smooth over a few: background, as what is rough."""

from kernelscribe.kernels.bases.matern import Matern
from kernelscribe.statements.nouns.rough import RoughNoun

__all__ = ["Departures"]


class Departures(RoughNoun):
    name = "departures"
    base = Matern()
