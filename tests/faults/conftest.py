"""A small table as a file."""

import pytest

from searches import write_table


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write_table(tmp_path_factory.mktemp("data") / "series.csv")
