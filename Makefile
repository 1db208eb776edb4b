# Two commands do everything: `make demo` and `make test`. Both set up .venv themselves, with plain python3 and pip.
PYTHON ?= python3
BIN := .venv/bin
# Two processes share two cores, so the linear algebra of each keeps to one thread.
TEST := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/pytest -n 2

.PHONY: setup demo browser test test-slow lint docs bench clean

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

# The tests that look at pages need Debian's Chromium: installed where that is allowed, else they are left out.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium for the browser tests ..." && \
	apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null 2>&1; } || \
	echo "There is no Chromium and it cannot be installed: the browser tests are left out."

test: lint browser
	$(TEST) -m 'not slow'

test-slow: lint browser
	$(TEST)

docs: setup
	$(BIN)/mkdocs build --strict

# With DATA=folder also those that need real data (an hour and more): see ladder, search, forecast and large in benchmarks.
bench: setup
	$(BIN)/python benchmarks/evidence.py
	$(BIN)/python benchmarks/recovery.py
	$(BIN)/python benchmarks/describe.py
	$(BIN)/python benchmarks/series.py
	$(BIN)/python benchmarks/large.py $(if $(DATA),--data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/ladder.py --data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/search.py --data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/forecast.py --data $(DATA) --make-peers)

clean:
	rm -rf .venv site .pytest_cache .mypy_cache .ruff_cache .hypothesis
