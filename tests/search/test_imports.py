"""What the fold of a search needs to be loaded: the language of kernels and a few facts, but no engine."""

import json
import subprocess
import sys

import house
import pytest

CODE = """
import json, sys
import kernelscribe.search.state
print(json.dumps(sorted(sys.modules)))
"""


@pytest.fixture(scope="module")
def loaded():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_fewer_than_fifteen_modules_come_with_the_fold(loaded):
    """Beside the languages of kernels and statements, the foundations, and packages, which hold nothing themselves."""
    own = [name for name in loaded if name in house.modules() and house.modules()[name].stem != "__init__"]
    beside = [name for name in own if house.room(name) not in ("kernels", "statements", "foundations")]
    assert "kernelscribe.search.state" in beside
    assert len(beside) < 15, beside


def test_no_engine_comes_with_it_and_no_library_that_is_slow_to_load(loaded):
    engines = {path.parent.name for path in (house.SOURCE / house.PACKAGE / "engines").glob("*/__init__.py")}
    assert engines
    assert not {f"kernelscribe.engines.{name}" for name in engines}.intersection(loaded)
    assert not {"finufft", "numba", "pandas", "loky"}.intersection(loaded)
