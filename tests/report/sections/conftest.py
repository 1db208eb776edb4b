"""One report for the tests of all sections."""

import pytest

from analyses import HELD, series
from kernelscribe.report.compose import compose


@pytest.fixture(scope="session")
def document():
    return compose(series(tested=HELD))
