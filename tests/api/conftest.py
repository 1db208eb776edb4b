"""A regressor that knows a small series."""

import pytest

from regressors import regressor, series


@pytest.fixture(scope="module")
def fitted():
    return regressor().fit(*series())
