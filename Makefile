# Parlor. `make demo` shows it at work, `make test` checks everything; both set up what they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup page services browser demo test style types tests test-fast test-page test-changed mutants lint bench goldens schema clean

# Whoever asks Python to store no bytecode would wait for all sources to be read anew in every process of the tests.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo     set up, solve or train an opponent for every game, measure them, and serve the page to play them"
	@echo "make test     set up, check style and types, run all tests"
	@echo "make test-fast  the quick tests, for daily work"
	@echo "make test-page  the page's unit tests alone"
	@echo "make test-changed  style, types and the tests that use what has changed since they passed (the first time: all)"
	@echo "make mutants  plant small mistakes in a copy, one at a time, and list those that no test notices"
	@echo "make page     build the page that parlor serve serves (needs Node 20 or newer, once)"
	@echo "make bench    run the benchmarks against their peers"
	@echo "make goldens  rewrite the golden playthroughs and tree hashes (then read the diff)"
	@echo "make schema   rewrite web/openapi.json, the API's schema"
	@echo "make clean    remove .venv and generated files"

setup: $(READY)

# uv takes a fifth of the time that pip takes. Where it finds no packages (it does not read pip's settings), pip does.
INSTALL := --constraint constraints.txt --config-settings editable_mode=compat --editable '.[dev]'

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Parlor needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (once; about a minute) …"
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "The virtual environment could not be created. On Debian: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt uv && \
	  VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet $(INSTALL) 2>/dev/null || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check $(INSTALL)
	@touch $(READY)

# The page: installed and built only when its sources are newer. Without Node all but the page works.
PAGE := parlor/server/static/index.html
INSTALLED := web/node_modules/.ready
SOURCES := $(shell find web -name node_modules -prune -o -type f ! -name schema.d.ts -print)

ifeq ($(shell command -v npm),)
page:
	@test -f $(PAGE) || echo "The page is not built: that needs Node 20 or newer and npm. Everything else works without it."
else
page: $(PAGE)
endif

$(INSTALLED): web/package.json web/package-lock.json
	@echo "Installing what the page is built with into web/node_modules (once; half a minute) …"
	@cd web && npm ci --no-audit --no-fund --loglevel error
	@touch $@

$(PAGE): $(INSTALLED) $(SOURCES)
	@echo "Building the page …"
	@cd web && npm run --silent build

# What `make demo` solves, by the name of the file, and where it measures how strong everybody is.
SOLVED := 'kuhn' 'kuhn(players=3)' 'kuhn(players=4)' 'leduc' 'leduc(players=3)' 'liars-dice' \
  'goofspiel' 'goofspiel(cards=5)' 'goofspiel(players=3)' 'monopoly-deal(preset=tiny)' 'clue(preset=tiny)' \
  'tiny-bridge' 'battleship' 'sheriff' 'sheriff(preset=ten-items)' 'sheriff(preset=openspiel)' \
  'normal-form' 'normal-form(preset=bach-or-stravinsky)' 'normal-form(preset=prisoners-dilemma)' \
  'normal-form(preset=stag-hunt)' 'normal-form(preset=coordination)' 'normal-form(preset=matching-pennies)' \
  'normal-form(preset=rock-paper-scissors)' 'normal-form(preset=shapley)'
RATED := 'kuhn' 'leduc' 'liars-dice' 'goofspiel' 'battleship' 'sheriff' 'normal-form' 'monopoly-deal' 'holdem'

demo: setup page
	@rm -rf runs/demo
	@echo; echo "Training an agent for Monopoly Deal: 1,000 games against itself, every action of every decision evaluated by rollouts …"
	@$(BIN)/parlor train monopoly-deal --out runs/demo/monopoly-deal
	@echo; echo "Measuring it in 20,000 games against each baseline, every deal played from both seats …"
	@$(BIN)/parlor evaluate runs/demo/monopoly-deal --against random risk-aware careful --games 20000 --start both
	@echo; echo "Drawing its learning curves …"
	@$(BIN)/parlor figures runs/demo/monopoly-deal
	@echo; echo "Solving the small games, for opponents that cannot be beaten in the long run …"
	@for game in $(SOLVED); do echo "  $$game"; \
	  file=$$(echo "$$game" | tr -c 'a-z0-9\n' '-' | sed 's/-*$$//'); \
	  $(BIN)/parlor solve "$$game" --iterations 300 --out "runs/demo/$$file.npz" --json >/dev/null || exit 1; done
	@echo; echo "Training a blueprint for heads-up hold'em: one minute, four bets, a hundred buckets on each street …"
	@echo "(the tables of all hands on all boards, 405 MB, are computed first, once)"
	@$(BIN)/parlor train holdem --bets fcpa --abstraction ehs --buckets 100 --minutes 1 --checkpoint-minutes 0.2 \
	  --out runs/demo/holdem
	@echo; echo "The same for stacks of 200 big blinds …"
	@$(BIN)/parlor train 'holdem(preset=hunl-200bb)' --bets fcpa --abstraction ehs --buckets 100 --minutes 1 \
	  --checkpoint-minutes 0.2 --out runs/demo/holdem-200bb
	@echo; echo "Training a player for Clue: 30,000 games against itself …"
	@$(BIN)/parlor train clue --games 30000 --out runs/demo/clue
	@echo; echo "Growing a population for Leduc poker by best responses to a mixture of itself: 60 iterations of PSRO …"
	@$(BIN)/parlor psro leduc --iterations 60 --out runs/demo/leduc-psro
	@echo; echo "Probing the blueprint with a bettor that never looks at its cards …"
	@$(BIN)/parlor evaluate runs/demo/holdem --probes --games 100000
	@$(BIN)/parlor cards runs/demo
	@echo; echo "Letting everybody play everybody, half a second for each pair: the levels that the page shows …"
	@$(BIN)/parlor rate $(RATED) --agents runs/demo --seconds 0.5
	@echo; echo "What to try next, besides the page below:"
	@echo "  $(BIN)/parlor games                      list the games"
	@echo "  $(BIN)/parlor play leduc                 play in the terminal"
	@echo "  $(BIN)/parlor solve leduc --until 1e-6   solve a small game exactly"
	@echo "  docs/monopoly-deal.md, docs/holdem.md, docs/your-game.md     read on; write your own game"
	@echo
	@$(BIN)/parlor serve --agents runs/demo

# The server is tested on a real PostgreSQL that the tests start themselves; only its programs must be there.
services:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing PostgreSQL for the tests (apt-get install postgresql) …"; \
	    { apt-get install -y -qq postgresql >/dev/null 2>&1 || \
	      { apt-get update -qq && apt-get install -y -qq postgresql >/dev/null; }; } ; \
	  else \
	    echo "PostgreSQL is not installed: the tests that need it will be skipped. On Debian: apt-get install postgresql"; \
	  fi; }

# The page is tested in a real Chromium.
browser:
	@command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1 || \
	  command -v google-chrome >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing Chromium for the tests (apt-get install chromium-headless-shell) …"; \
	    { apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 || \
	      { apt-get update -qq && apt-get install -y -qq chromium-headless-shell >/dev/null; }; } ; \
	  else \
	    echo "Chromium is not installed: the tests of the page will be skipped. On Debian: apt-get install chromium"; \
	  fi; }

# What was installed for the tests must be there: where it could not be, they are skipped and the summary says so.
ROOT := $(and $(filter 0,$(shell id -u)),$(shell command -v apt-get))
comma := ,
REQUIRE := $(if $(shell command -v npm),page)$(if $(ROOT),$(comma)browser$(comma)postgresql)

# Two more than there are processors, for tests that mostly wait for a browser: see tests/workers.py.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 2)

PYTEST := $(BIN)/python -m pytest --workers $(WORKERS)

# Everything that does not wait for something else goes on at the same time; the tests' own summary comes last.
test:
	@$(MAKE) --no-print-directory -j3 style types tests

style: setup
	@echo "Style …"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .

types: setup $(if $(shell command -v npm),$(INSTALLED))
	@echo "Types …"
	@$(BIN)/mypy
	@test ! -f $(INSTALLED) || (cd web && npm run --silent check)

tests: setup page services browser
	@echo "Tests …"
	@PARLOR_REQUIRE=$(REQUIRE) $(PYTEST) $(ONLY)

# For the loop of daily work: what is not marked slow takes a second or less once kernels are compiled.
test-fast: setup
	@$(PYTEST) -m 'not slow'

# `make test` runs them too, and plants mistakes that they must notice: tests/page/test_logic.py.
test-page: $(INSTALLED)
	@cd web && npm run --silent test

# Only for daily work: see tests/changed.py. What passed is remembered in .pytest_cache.
test-changed:
	@$(MAKE) --no-print-directory -j3 style types tests ONLY=--changed

mutants: setup
	@$(BIN)/python -m tests.mutants $(ONLY)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format .
	@$(BIN)/mypy

bench: setup services
	@for file in benchmarks/*.py; do echo; echo "== $$file"; $(BIN)/python $$file || exit 1; done

schema: setup
	@$(BIN)/python -m parlor.study.api.openapi > web/openapi.json

goldens: setup
	@$(BIN)/python -m tests.goldens

clean:
	rm -rf $(VENV) web/node_modules parlor/server/static runs .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
