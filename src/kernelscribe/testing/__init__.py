"""Contract checks, so that a new part of the house proves itself in one line of test.

    check_base(MyKernel())                     a base kernel
    check_operator(MyOperator())               an operator
    check_noise(MyNoise(0.1, 2.0))             noise, with values
    check_engine(MyEngine, data, kernel)       an engine
    check_interval(interval, exact)            any bound beside the exact value
    check_posterior(posterior, X, folds)       what an engine says given the data
    check_format(MyFormat(), path)             a file format, on a file that it can read
    check_report_format(MyFormat(), folder)    a format of the report

Each raises AssertionError with what was expected and what was got. The oracles beside them know nothing of the engines.
"""

from kernelscribe.testing.differences import check_gradient, numerical_gradient
from kernelscribe.testing.engines import check_engine, check_interval, check_posterior
from kernelscribe.testing.formats import check_format
from kernelscribe.testing.kernels import check_base, check_operator
from kernelscribe.testing.noises import check_noise
from kernelscribe.testing.oracles import evaluate, toeplitz_evidence
from kernelscribe.testing.report_formats import check_report_format

__all__ = [
    "check_base",
    "check_engine",
    "check_format",
    "check_gradient",
    "check_interval",
    "check_noise",
    "check_operator",
    "check_posterior",
    "check_report_format",
    "evaluate",
    "numerical_gradient",
    "toeplitz_evidence",
]
