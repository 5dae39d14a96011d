# Everything a newcomer needs is `make run` and `make test`; both set up all they use in .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

# A file of tests stays together: its tests share what was costly to set up.
ON_ALL_CORES := -n auto --dist loadfile

# What KiCad said of the circuit boards when they were last built.
BOARDS := hardware/build/pcb.json

.PHONY: run test test-slow test-kernel bench power-cuts pegs fuzz soak reliability coverage words docs hardware pcb lock clean

run: $(VENV)/.run
	@$(BIN)/cribboard run $(ARGS)

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(ON_ALL_CORES)

test-slow: $(VENV)/.test
	$(BIN)/pytest $(ON_ALL_CORES) -m slow

# The circuit boards, routed and checked by KiCad, which comes from Debian and runs on Debian's own Python.
pcb: $(VENV)/.test
	@hardware/pcb/get_kicad.sh
	/usr/bin/python3 -m hardware.make_pcb
	$(BIN)/pytest tests/pcb -m kicad

# The first time it builds a kernel, which takes some ten minutes. See tests/kernel/README.md.
test-kernel: $(VENV)/.kernel
	tests/kernel/install.sh
	$(BIN)/python -m tests.kernel.kernels
	$(BIN)/pytest -n auto -m kernel -v

bench: $(VENV)/.test
	$(BIN)/pytest -m bench -s

# Ten thousand power cuts, programs killed while people play, thousands of flipped bits, bytes written to the card.
power-cuts: $(VENV)/.test
	KEEP_FIGURES=1 $(BIN)/pytest tests/reliability/test_power_cuts.py tests/reliability/test_kills.py \
	  tests/reliability/test_damage.py -m slow -s

# A million turns by simulated hands: how many are read wrong?
pegs: $(VENV)/.test
	KEEP_FIGURES=1 $(BIN)/python -m tests.reliability.pegs_at_scale

# Everything that reads what others wrote, against a fuzzer; minutes of processor time in all.
MINUTES ?= 15
fuzz: $(VENV)/.fuzz
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.fuzz.hunt --minutes $(MINUTES)

# A week of play: 200 games by simulated hands, with phones and troubles, on a clock that is not waited for.
GAMES ?= 200
soak: $(VENV)/.test
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.reliability.soak --games $(GAMES)

# The figures of all these, and the page that is made of them.
reliability: power-cuts pegs fuzz soak
	$(BIN)/python -m tests.reliability.promises > firmware_host/RELIABILITY.md

coverage: $(VENV)/.test
	$(BIN)/pytest --cov --cov-report=term-missing:skip-covered

# After a sentence was changed: into the catalogues with it. Then translate what it lists, and run it again to compile.
words: $(VENV)/.test
	$(BIN)/python -m tests.translations.catalogue

# After the wiring was changed: the page that people read while they solder.
docs: $(VENV)/.test
	$(BIN)/python -m board_drivers.wiring_page > hardware/WIRING.md

$(BOARDS): $(wildcard hardware/pcb/*.py hardware/strip/*.py hardware/hub/*.py hardware/boards/*.toml hardware/pins.toml)
	@hardware/pcb/get_kicad.sh
	/usr/bin/python3 -m hardware.make_pcb

# All that a maker needs: built into hardware/build, opened with the tools that makers use, and summed up in a table.
# After a plan, a measure or a price was changed: cribboard draw, for hardware/generated.
hardware: $(VENV)/.hardware $(BOARDS)
	@command -v openscad pdfinfo rsvg-convert >/dev/null || { \
	  echo "Some tools are missing. Mend: sudo apt install --no-install-recommends openscad poppler-utils librsvg2-bin"; \
	  exit 1; }
	$(BIN)/pytest tests/drafting -m hardware
	@$(BIN)/python -m tests.drafting.workbench

# The lock holds the exact version of everything above; this takes the newest that fit and rewrites it.
lock: $(VENV)/.test
	$(BIN)/pip install --quiet --upgrade --upgrade-strategy eager -e '.[test,hardware,pi,fuzz]'
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

$(VENV)/.hardware: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[test,hardware]' || { \
	  echo "The packages could not be installed. Mend: check the network, then run make again."; exit 1; }
	@touch $@

$(VENV)/.kernel: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[test,pi]' || { \
	  echo "lgpio could not be installed. Mend: check the network, and use Python 3.11 or 3.12."; exit 1; }
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
