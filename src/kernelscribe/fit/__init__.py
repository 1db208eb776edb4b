"""Fitting one kernel to data: starts, the climb, and the certificate at its top."""

from kernelscribe.fit.kernel import Fit, certify, fit

__all__ = ["Fit", "certify", "fit"]
