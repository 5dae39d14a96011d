# Everything a newcomer needs is `make run` and `make test`; both set up all they use in .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

# A file of tests stays together: its tests share what was costly to set up.
ON_ALL_CORES := -n auto --dist loadfile

.PHONY: run test test-slow test-browser bench power-cuts fuzz soak coverage words docs lock clean

run: $(VENV)/.run
	@$(BIN)/cribboard run $(ARGS)

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(ON_ALL_CORES)

test-slow: $(VENV)/.test
	$(BIN)/pytest $(ON_ALL_CORES) -m slow

test-browser: $(VENV)/.test
	$(BIN)/pytest -m long

bench: $(VENV)/.test
	$(BIN)/pytest -m bench -s

# Ten thousand power cuts, thousands of flipped bits, bytes written to the card; the figures also go into figures.json.
power-cuts: $(VENV)/.test
	KEEP_FIGURES=1 $(BIN)/pytest tests/reliability/test_power_cuts.py tests/reliability/test_damage.py -m slow -s

# Readers of cards, records, traces, settings, plans, frames and rows against a fuzzer; minutes of processor time in all.
MINUTES ?= 15
fuzz: $(VENV)/.fuzz
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.fuzz.hunt --minutes $(MINUTES)

# A week of play: 200 games by simulated hands, with phones and troubles, on a clock that is not waited for.
GAMES ?= 200
soak: $(VENV)/.test
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.reliability.soak --games $(GAMES)

coverage: $(VENV)/.test
	$(BIN)/pytest --cov --cov-report=term-missing:skip-covered

# After a sentence was changed: into the catalogues with it. Then translate what it lists, and run it again to compile.
words: $(VENV)/.test
	$(BIN)/python -m tests.translations.catalogue

# After the wiring was changed: the page that people read while they solder.
docs: $(VENV)/.test
	$(BIN)/python -m board_drivers.wiring_page > hardware/WIRING.md

# The lock holds the exact version of everything above; this takes the newest that fit and rewrites it.
lock: $(VENV)/.test
	$(BIN)/pip install --quiet --upgrade --upgrade-strategy eager -e '.[test,fuzz]'
	$(BIN)/pip freeze --exclude-editable > requirements.lock

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .coverage dist

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "cribboard needs Python 3.11 or newer, found: $$($(PYTHON) --version 2>&1 || echo none)."; \
	  echo "Mend: install it (Debian: sudo apt install python3), or name it: make PYTHON=python3.12 run"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make virtual environments. Mend: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/pip pyproject.toml requirements.lock
	@echo "Setting up $(VENV) (once; needs the network) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e . || { \
	  echo "The packages could not be installed. Mend: check the network, then run make again."; exit 1; }
	@touch $@

$(VENV)/.test: $(VENV)/bin/pip pyproject.toml requirements.lock
	@echo "Setting up $(VENV) with the test tools (once; needs the network) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[test]' || { \
	  echo "The packages could not be installed. Mend: check the network, then run make again."; exit 1; }
	@touch $@

$(VENV)/.fuzz: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[fuzz]' || { \
	  echo "The fuzzer could not be installed: there is one for x86-64 Linux and macOS only, and it needs the network."; exit 1; }
	@touch $@
