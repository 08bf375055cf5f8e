# make run    the table with virtual hardware, in the browser
# make pi     the same on a Raspberry Pi, with its camera: docs/build/raspberry_pi.md
# make check  style, types, imports and the quick tests: under three minutes
# make test   everything: rules, record, dice, firmware, browser
#             (ONLY='not battlelore and not battle_editor and not mountain': what pytest's -k chooses, here two games)
# make test-arm  a part of rules, record, dice and serving on an emulated 64-bit ARM Debian (SUITE=trixie: Debian 13)
# make soak   eight hours at a table in fast motion, with faults of every kind, and 200 stops (about an hour)
# make bench  every figure that the project claims
# make mutants  the rules changed in thousands of places, one at a time: do the tests notice?
# make coverage  branches of referee/ that the tests take; fails under 95 %
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# an environment that `make pi` made goes on seeing the system's packages
SYSTEM_PACKAGES := $(shell grep -qs 'include-system-site-packages = true' $(VENV)/pyvenv.cfg && echo --system-site-packages)

# processes for the tests: four for two cores, since they wait for browsers, boards and sockets for a part of their time
WORKERS ?= 4

# of each room what says soonest that something is wrong
QUICK := tests/kernel tests/record/test_exchange.py tests/table/test_answers.py tests/table/test_config.py \
	tests/games/test_states_json.py tests/games/five_armies/rules tests/games/war_of_the_ring/test_wotr_catalogue.py \
	tests/web/test_play.py tests/web/test_words.py tests/test_docs.py

.PHONY: run pi check style suite test test-arm coverage soak bench mutants clean

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; set PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(SYSTEM_PACKAGES) $(VENV) || { echo "venv is missing: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

# On a Pi picamera2 is a system package, so the environment must see those.  Where its parts were built for
# another numpy than the one that OpenCV wants (Raspberry Pi OS Bookworm), simplejpeg is built anew.
pi:
	$(PYTHON) -c 'import picamera2' || { echo "The camera's package is missing: sudo apt install python3-picamera2"; exit 1; }
	$(PYTHON) -m venv --system-site-packages $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	$(BIN)/python -c 'import picamera2' || $(BIN)/pip install --quiet --force-reinstall --no-deps simplejpeg
	$(BIN)/python -c 'import picamera2'
	@echo "Ready: $(BIN)/referee doctor"

run: $(STAMP)
	$(BIN)/referee serve --virtual

style:
	$(BIN)/ruff check referee vision firmware_bridge web calibration tests scripts
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/draw_house.py --check

check: $(STAMP) style
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -q $(QUICK)

test: $(STAMP)
	sh scripts/system_packages.sh
	$(MAKE) -j 2 style suite

# each process reads all tests first, and what pytest makes of them is kept for the next
suite: export PYTHONDONTWRITEBYTECODE =
suite: export PYTHONPYCACHEPREFIX = $(CURDIR)/$(VENV)/pycache
suite: $(STAMP)
	$(BIN)/python -m pytest --collect-only -qq >$(VENV)/collected.txt || { cat $(VENV)/collected.txt; exit 1; }
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(if $(ONLY),-k '$(ONLY)')

test-arm: $(STAMP)
	sh scripts/test_arm.sh

coverage: $(STAMP)
	$(BIN)/python scripts/branch_coverage.py --workers 2

soak: $(STAMP)
	$(BIN)/python tests/soak/evening.py --hours 8
	$(BIN)/python tests/soak/stopping.py --bursts 200

bench: $(STAMP)
	$(BIN)/python scripts/bench.py

mutants: $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[mutants]'
	$(BIN)/python scripts/mutants.py

clean:
	rm -rf $(VENV) build dist mutants *.egg-info .pytest_cache .mypy_cache .ruff_cache
