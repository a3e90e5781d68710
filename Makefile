# Parlor. `make demo` shows it at work, `make test` checks everything; both set up what they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup demo test lint bench goldens clean

help:
	@echo "make demo     set up, solve Leduc poker, draw the curve, and say what to try next"
	@echo "make test     set up, check style and types, run all tests"
	@echo "make bench    run the benchmarks against their peers"
	@echo "make goldens  write the golden playthroughs and tree hashes anew (then read the diff)"
	@echo "make clean    remove .venv and what was generated"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Parlor needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (once; about a minute) …"
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "A virtual environment could not be made. On Debian: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

demo: setup
	@echo; echo "Solving Leduc poker with CFR+ until a best response gains less than a millionth of a chip a game …"
	@$(BIN)/parlor solve leduc --until 0.000001 --out runs/demo/leduc.json --figure runs/demo/leduc.svg
	@echo; echo "Measuring the saved policy from scratch …"
	@$(BIN)/parlor evaluate runs/demo/leduc.json
	@echo; echo "What to try next:"
	@echo "  $(BIN)/parlor play leduc --against runs/demo/leduc.json --peek    sit down against it"
	@echo "  $(BIN)/parlor games                                               see what else there is"
	@echo "  $(BIN)/parlor solve liars-dice --algorithm mccfr-external --threads 2 --iterations 100000"
	@echo "  docs/your-game.md                                                    your own game in fifteen minutes"

test: setup
	@echo "Style …"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@echo "Types …"
	@$(BIN)/mypy
	@echo "Tests …"
	@$(BIN)/python -m pytest -n 2

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format .
	@$(BIN)/mypy

bench: setup
	@for file in benchmarks/*.py; do echo; echo "== $$file"; $(BIN)/python $$file || exit 1; done

goldens: setup
	@$(BIN)/python -m tests.goldens

clean:
	rm -rf $(VENV) runs .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
