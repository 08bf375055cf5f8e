# make run    the table with virtual hardware, in the browser
# make test   everything: rules, record, dice, firmware, browser
# make soak   eight hours at a table in fast motion, with faults of every kind (about half an hour)
# make bench  every figure that the project claims
# make mutants  the rules changed in thousands of places, one at a time: do the tests notice?
# make coverage  branches of referee/ that the tests take; fails under 95 %
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run test types suite coverage soak bench lint clean

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; set PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV) || { echo "venv is missing: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

run: $(STAMP)
	$(BIN)/referee serve --virtual

# types are checked while the tests run: those wait for browsers and sockets a third of their time, which
# is also why there are three workers for two cores
test: $(STAMP)
	sh scripts/system_packages.sh
	$(BIN)/ruff check referee vision firmware_bridge web calibration tests scripts
	$(MAKE) -j 2 types suite

types: $(STAMP)
	$(BIN)/mypy

suite: $(STAMP)
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

coverage: $(STAMP)
	$(BIN)/python scripts/branch_coverage.py --workers 2

soak: $(STAMP)
	$(BIN)/python tests/soak/evening.py --hours 8

bench: $(STAMP)
	$(BIN)/python scripts/bench.py

mutants: $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[mutants]'
	$(BIN)/python scripts/mutants.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist mutants *.egg-info .pytest_cache .mypy_cache .ruff_cache
