"""What the fold of a search needs to be loaded: the language of kernels and a few facts, but no engine."""

import json
import subprocess
import sys

CODE = """
import json, sys
import kernelscribe.search.state
print(json.dumps(sorted(sys.modules)))
"""
# Packages that are loaded with whatever is in them, and hold nothing themselves but the version.
ROOMS = {"kernelscribe", "kernelscribe.version", "kernelscribe.search", "kernelscribe.engines", "kernelscribe.fit"}


def test_the_fold_loads_fewer_than_fifteen_modules_beside_the_language_of_kernels():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    own = [name for name in loaded if name.startswith("kernelscribe") and name not in ROOMS]
    beside = [name for name in own if not name.startswith("kernelscribe.kernels")]
    assert len(beside) < 15, beside
    assert not {"finufft", "numba", "pandas", "loky"}.intersection(loaded)
