# Start with `make run` and `make test`. Each target first installs what it needs into .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

# What runs the everyday and the slow tests. CI sets it to tests/twice.sh $(BIN)/pytest.
PYTEST := $(BIN)/pytest

# All tests of a file run on one core, because they share fixtures that take long to set up. One process more than cores:
# many tests wait for a program they started.
WORKERS = $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
ON_ALL_CORES = -n $(WORKERS) --dist loadfile

# KiCad's results for the circuit boards, from their last build.
BOARDS := hardware/build/pcb.json

.PHONY: run test test-slow test-pythons smoke-of-pythons suite-of-pythons test-pcb test-home-assistant \
  test-home-assistant-new test-kernel test-arm64 bench bench-small performance power-cuts blind-games pegs fuzz \
  mutants strength soak club-load league-load reliability coverage schemas translations gallery heard wiring-page \
  hardware pcb lock release clean

run: $(VENV)/.run
	@$(BIN)/cribboard run $(ARGS)

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) $(ON_ALL_CORES)

test-slow: $(VENV)/.test $(VENV)/.magnets $(VENV)/.listener
	EXAMPLES=400 $(PYTEST) $(ON_ALL_CORES) -m "(slow or hypothesis) and not kicad"

# Try the installed wheel with each Python that people have, and run the everyday tests with the newest. A Python that this
# machine lacks is taken from a Debian in build/, which needs root and debootstrap. Two jobs, as the smoke needs one core.
PYTHONS = 3.11 3.12 3.13
SUITE_PYTHONS = 3.13
SMOKE = firmware_host/doctor/smoke.py
test-pythons: $(VENV)/.test
	$(MAKE) --no-print-directory -j 2 smoke-of-pythons suite-of-pythons

smoke-of-pythons: $(VENV)/.test
	tests/pythons.sh smoke $(SMOKE) $(PYTHONS)

suite-of-pythons: $(VENV)/.test
	tests/pythons.sh suite $(SUITE_PYTHONS)

# Play a game with a real Home Assistant Core of $(HA_VERSION), which takes 400 MB in build/ and needs the network once.
HA_VERSION = 2024.3.3
HA = build/home-assistant-$(HA_VERSION)
test-home-assistant: $(VENV)/.test $(HA)/.installed
	HASS=$(CURDIR)/$(HA)/bin/hass $(BIN)/pytest tests/telemetry/test_home_assistant_core.py -m slow

$(HA)/.installed:
	$(PYTHON) -m venv $(HA)
	@$(HA)/bin/pip install --quiet --disable-pip-version-check uv
	@$(HA)/bin/uv pip install --quiet --python $(HA)/bin/python homeassistant==$(HA_VERSION) paho-mqtt==1.6.1 'josepy<2' || { \
	  echo "Home Assistant could not be installed. Fix: check the network, and use Python 3.11 or 3.12."; exit 1; }
	@touch $@

# The same with a Core that needs a newer Python: in a Debian 13 of its own, 1.5 GB in build/. Needs root and debootstrap.
HA_NEW_VERSION = 2026.2.3
HA_NEW = build/home-assistant-$(HA_NEW_VERSION)
test-home-assistant-new: $(VENV)/.test $(HA_NEW)/.installed
	HASS="$(CURDIR)/tests/telemetry/home_assistant_root.sh run $(CURDIR)/$(HA_NEW)" \
	  $(BIN)/pytest tests/telemetry/test_home_assistant_core.py -m slow

$(HA_NEW)/.installed:
	@tests/telemetry/home_assistant_root.sh install $(HA_NEW) $(HA_NEW_VERSION) || { \
	  echo "Home Assistant could not be installed. Fix: check the network, run as root, apt install debootstrap."; exit 1; }
	@touch $@

# Draw and check the circuit boards with KiCad and ngspice, which are Debian packages.
pcb: $(VENV)/.test
	@hardware/pcb/get_kicad.sh
	$(BIN)/python -m hardware.kicad.make
	$(MAKE) test-pcb

# Check the circuit boards alone: are the files that were committed those that are drawn?
test-pcb: $(VENV)/.test
	@hardware/pcb/get_kicad.sh
	$(BIN)/pytest $(ON_ALL_CORES) tests/pcb -m kicad

# Run the program in virtual machines with their own kernels. The first run builds a kernel, in about ten minutes. See
# tests/kernel/README.md.
test-kernel: $(VENV)/.kernel
	tests/kernel/install.sh
	$(BIN)/python -m tests.kernel.kernels
	$(BIN)/pytest -n auto -m kernel -v

# Run the program with the packages of a Raspberry Pi on an emulated 64-bit ARM, and count its instructions. As root.
# KEEP_FIGURES=1 stores them, for `cribboard doctor --bench`.
test-arm64: $(VENV)/.test
	tests/emulated/install.sh
	$(BIN)/pytest tests/emulated -m emulated -s

# Measure speed and memory, and print the figures; some seven minutes.
bench: $(VENV)/.test
	$(BIN)/pytest tests/bench -m bench -s

# Run every benchmark for a moment, to see that it works, and warn about what became 10 % slower than its floor.
# KEEP_FIGURES=1 stores the ratios that later runs are compared with.
bench-small: $(VENV)/.test
	BENCH_SIZE=small $(BIN)/pytest tests/bench -m bench

# Measure at full size, store the figures, and write the page that shows them. Leave the machine alone meanwhile.
performance: $(VENV)/.test
	KEEP_FIGURES=1 $(BIN)/pytest tests/bench -m bench -s
	$(BIN)/python -m tests.bench.performance_page > firmware_host/PERFORMANCE.md

# 10,000 power cuts, processes killed during a game, 3,000 flipped bits, damaged logs, and the bytes written to the SD card.
power-cuts: $(VENV)/.test
	KEEP_FIGURES=1 POWER_CUTS=10000 $(BIN)/pytest --timeout=7200 -m slow -s tests/reliability/test_power_cuts.py \
	  tests/reliability/test_process_kills.py tests/reliability/test_corruption.py tests/reliability/test_log_damage.py

# 200 whole games by players who only hear and feel, with repairs, penalties and power cuts. Some two minutes.
blind-games: $(VENV)/.test
	BLIND_GAMES=200 $(BIN)/pytest --timeout=1800 -m slow tests/speech/test_blind_games.py

# A million turns by simulated hands: how many are misread.
pegs: $(VENV)/.test
	KEEP_FIGURES=1 $(BIN)/python -m tests.reliability.pegs_at_scale

# Fuzzes everything that reads untrusted input. MINUTES is the processor time of all targets together.
MINUTES ?= 15
fuzz: $(VENV)/.fuzz
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.fuzz.run_fuzzer --minutes $(MINUTES)

# Change one place of the rules of the game at a time: which changes does no test of tests/game notice? Some ten minutes.
# NUMBER=0 tries every change.
SEED   ?= 1
NUMBER ?= 60
mutants: $(VENV)/.test
	nice $(BIN)/python -m tests.game.mutants --seed $(SEED) --number $(NUMBER)

# How well the engine plays: thousands of duplicate games, dealt cribs and positions, with the errors; some four hours.
strength: $(VENV)/.test
	$(BIN)/pytest $(ON_ALL_CORES) -m strength -s

# A week of play: 200 games by simulated hands, with phones and faults, on a simulated clock.
GAMES ?= 200
soak: $(VENV)/.test
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.reliability.soak --games $(GAMES)

# A club night of 50 board processes: the broker is killed, lines are cut, the organiser loses power. 25 to 40 minutes.
club-load: $(VENV)/.test
	KEEP_FIGURES=1 nice $(BIN)/python -m tests.club.load

# 5,000 boards, three NATS servers and PostgreSQL on this computer: 200 results a second for ten minutes, then faults,
# upgrades, and runs with fewer boards; 30 minutes. Needs: sudo apt install nats-server postgresql-15
league-load: $(VENV)/.test
	for boards in 10 100 1000; do \
	  $(BIN)/python -m tests.league.league_load --boards $$boards --rate $$((boards / 25 + 1)) --seconds 30 --keep boards_$$boards; \
	done
	$(BIN)/python -m tests.league.league_load --boards 5000 --rate 200 --seconds 600 --faults --keep boards_5000
	$(BIN)/python -m tests.league.league_load --boards 5000 --rate 200 --seconds 30 --upgrades --keep upgrades_5000
	$(BIN)/python -m tests.league.load_page > firmware_host/league/LOAD.md

# All of these figures, and the page that is generated from them.
reliability: power-cuts pegs fuzz soak club-load
	$(BIN)/python -m tests.reliability.reliability_page > firmware_host/RELIABILITY.md

coverage: $(VENV)/.test
	$(BIN)/pytest --cov --cov-report=term-missing:skip-covered

# After a change of an MQTT message: write the JSON schemas of firmware_host/telemetry/schemas anew from its type.
schemas: $(VENV)/.test
	$(BIN)/python -m tests.mqtt_messages.schemas

# After a change of a sentence: update the catalogues. Translate the entries it lists, then run it again.
translations: $(VENV)/.test
	$(BIN)/python -m tests.translations.catalogue

# Contact sheets of every page in every state, size, theme and language, in build/gallery; some ten minutes.
# SCENES="play settings" makes these alone.
gallery: $(VENV)/.test
	$(BIN)/python -m tests.web_panel.gallery $(SCENES)

# Everything that the voice says in one game, in four languages, in build/heard.md.
heard: $(VENV)/.test
	$(BIN)/python -m tests.speech.heard_sentences

# After a change of the wiring: generate the wiring page from pins.toml.
wiring-page: $(VENV)/.test
	$(BIN)/python -m board_drivers.wiring_page > hardware/WIRING.md

$(BOARDS): $(wildcard firmware_host/circuits/*.py hardware/pcb/*.py hardware/kicad/*.py hardware/kicad/*.tsv hardware/kicad/sources.toml hardware/boards/*.toml)
	@hardware/pcb/get_kicad.sh
	$(BIN)/python -m hardware.kicad.make

# Build every file for makers into hardware/build, open each with the tools that makers use, and print a summary table.
# After a change of a plan, a measure or a price, run `cribboard draw` too: it updates hardware/generated.
hardware: $(VENV)/.test $(BOARDS)
	@command -v openscad pdfinfo rsvg-convert >/dev/null || { \
	  echo "Some tools are missing. Fix: sudo apt install --no-install-recommends openscad poppler-utils librsvg2-bin"; \
	  exit 1; }
	$(BIN)/pytest tests/fabrication -m hardware
	@$(BIN)/python -m tests.fabrication.workbench

# Install the newest versions that pyproject.toml allows, and write them to requirements.lock. Then write what install.sh
# installs, with hashes, to hardware/requirements.
lock: $(VENV)/.test
	$(BIN)/pip install --quiet --upgrade --upgrade-strategy eager -e '.[test,pi,fuzz]'
	$(BIN)/pip freeze --exclude-editable > requirements.lock
	$(BIN)/python -m release.pin_packages

# Build archive, wheel, bill of materials and checksums from the latest commit into dist/. See release/README.md.
release: $(VENV)/.test
	@$(BIN)/python -m release.make_release

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .coverage dist

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "cribboard needs Python 3.11 or newer, found: $$($(PYTHON) --version 2>&1 || echo none)."; \
	  echo "Fix: install it (Debian: sudo apt install python3), or choose one: make PYTHON=python3.12 run"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make virtual environments. Fix: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/pip pyproject.toml requirements.lock
	@echo "Setting up $(VENV) (once; needs the network) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e . || { \
	  echo "The packages could not be installed. Fix: check the network, then run make again."; exit 1; }
	@touch $@

$(VENV)/.kernel: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[test,pi]' || { \
	  echo "lgpio could not be installed. Fix: check the network, and use Python 3.11 or 3.12."; exit 1; }
	@touch $@

$(VENV)/.test: $(VENV)/bin/pip pyproject.toml requirements.lock
	@echo "Setting up $(VENV) with the test tools (once; needs the network) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[test]' || { \
	  echo "The packages could not be installed. Fix: check the network, then run make again."; exit 1; }
	@touch $@

$(VENV)/.fuzz: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[fuzz]' || { \
	  echo "The fuzzer could not be installed. It exists for x86-64 Linux and macOS only. Fix: check the network."; exit 1; }
	@touch $@

$(VENV)/.listener: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[listener]' || \
	  echo "!!! WARNING: Piper and pocketsphinx could not be installed: nobody listens to the voice in the tests. !!!"
	@touch $@

$(VENV)/.magnets: $(VENV)/.test
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[magnets]' || { \
	  echo "magpylib could not be installed. Fix: check the network, then run make again."; exit 1; }
	@touch $@
