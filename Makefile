# Two commands do everything: `make demo` and `make test`. Both set up .venv themselves, with plain python3 and pip.
PYTHON ?= python3
BIN := .venv/bin
# Two processes share two cores, so the linear algebra of each keeps to one thread.
TEST := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/pytest -n 2

.PHONY: setup demo test test-slow lint bench clean

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("kernelscribe needs Python 3.11 or later, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: setup
	$(BIN)/kernelscribe demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(TEST) -m 'not slow'

test-slow: lint
	$(TEST)

# With DATA=folder also those that need real data (an hour and more): see benchmarks/search.py and benchmarks/ladder.py.
bench: setup
	$(BIN)/python benchmarks/evidence.py
	$(BIN)/python benchmarks/recovery.py
	$(if $(DATA),$(BIN)/python benchmarks/ladder.py --data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/search.py --data $(DATA))

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
