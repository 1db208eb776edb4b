# Two commands do everything: `make demo` and `make test`. Both set up .venv themselves, with plain python3 and pip.
PYTHON ?= python3
BIN := .venv/bin
# Two processes share two cores, so the linear algebra of each keeps to one thread.
TEST := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/pytest -n 2
AXE := axe-core@4.14.0

.PHONY: setup demo browser axe test test-slow lint house rooms coverage screenshots quotes docs bench experiments paper clean

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
	$(BIN)/codespell .ci .github benchmarks docs experiments scripts src tests *.md *.toml *.yml *.cff Makefile

# The rooms and their order, and what no room may hold, with file and line. The tests count too.
house: setup
	$(BIN)/python scripts/house.py

# The picture and the tables of docs/rooms.md, made anew of the imports.
rooms: setup
	$(BIN)/python scripts/rooms.py

# The tests that look at pages need Debian's Chromium: installed where that is allowed, else they are left out.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium for the browser tests ..." && \
	apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null 2>&1; } || \
	echo "There is no Chromium and it cannot be installed: the browser tests are left out."

# axe-core finds what shuts people out of a page. Only tests use it: fetched where npm is there, else they are left out.
axe:
	@[ -f .axe/node_modules/axe-core/axe.min.js ] || \
	{ command -v npm >/dev/null && npm install --silent --no-audit --no-fund --prefix .axe $(AXE) >/dev/null 2>&1; } || \
	echo "There is no npm, or it cannot fetch $(AXE): the tests of accessibility are left out."

test: lint browser axe
	$(TEST) -m 'not slow'

test-slow: lint browser axe
	$(TEST)

# The same tests, and which lines of the package they run: a table here, and pages in htmlcov.
coverage: setup browser axe
	$(TEST) -m 'not slow' --cov --cov-report=term:skip-covered --cov-report=html

# The pictures of docs/web.md, taken anew.
screenshots: setup browser
	PYTHONPATH=tests $(BIN)/python scripts/screenshots.py

# What README.md and docs quote of the demo and of the tutorial, printed anew.
quotes: setup
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python scripts/quotes.py

docs: setup
	$(BIN)/mkdocs build --strict

# With DATA=folder also those that need real data (an hour and more): see ladder, search, forecast, large and statements in benchmarks.
bench: setup
	$(BIN)/python benchmarks/evidence.py
	$(BIN)/python benchmarks/recovery.py
	$(BIN)/python benchmarks/statements.py --jobs 2 --write $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/describe.py
	$(BIN)/python benchmarks/series.py
	$(BIN)/python benchmarks/series_rows.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/large.py $(if $(DATA),--data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/ladder.py --data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/search.py --data $(DATA))
	$(if $(DATA),$(BIN)/python benchmarks/forecast.py --data $(DATA) --make-peers)

# The paper's figures, in hours; interrupted, the same command goes on. At the end docs/paper.md is made of the results.
experiments: setup
	@test -n "$(DATA)" || { echo "The experiments need data: make experiments DATA=folder"; exit 2; }
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python experiments/run.py --data $(DATA)
	$(BIN)/python experiments/page.py --from experiments/runs

paper: setup
	$(BIN)/python experiments/page.py

clean:
	rm -rf .venv .axe site htmlcov .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis
