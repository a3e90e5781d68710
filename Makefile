# Parlor. `make demo` shows it at work, `make test` checks everything; both set up what they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup wheel release page services browser demo test style types tests test-fast test-page test-changed mutants lint bench goldens schema docs clean

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
	@echo "make wheel    build wheel and sdist into dist/; make release also checks them"
	@echo "make docs     build the documentation as a site, with the API reference and the notebooks, in build/site"
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

# All of it is `parlor demo`: here the opponents are made first, and their training can be watched.
demo: setup page
	@$(BIN)/parlor demo --first

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

# Three more than there are processors: two for tests that mostly wait for a browser (see tests/workers.py), and one
# because the others wait now and then, for a server or for a kernel that somebody else is compiling.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 3)

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

# For the loop of daily work: what is not marked slow takes a third of a second or less once kernels are compiled.
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
	@$(BIN)/python -m parlor.study.api.app > web/openapi.json

goldens: setup
	@$(BIN)/python -m tests.goldens

# Wheel and sdist, with the page; what they lack is said by the build.
wheel: setup page
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	@rm -rf dist build && $(BIN)/python -m build --outdir dist . >dist.log 2>&1 || { tail -n 5 dist.log; exit 1; }
	@rm -f dist.log && rm -rf build && ls -l dist

# Everything short of uploading: that is done by the workflow that a tag starts, .github/workflows/release.yml.
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' parlor/__init__.py)
release: wheel
	@grep -q '^## $(VERSION)' CHANGELOG.md || { echo "CHANGELOG.md has no section ## $(VERSION)."; exit 1; }
	@git diff --quiet HEAD || { echo "There are changes that are not committed."; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check check-wheel-contents twine
	@$(BIN)/twine check --strict dist/*
	@$(BIN)/check-wheel-contents dist/*.whl
	@$(BIN)/python benchmarks/install.py dist/*.whl
	@echo "dist/ is version $(VERSION). To publish it: git tag v$(VERSION) && git push origin v$(VERSION)"

# The documentation as a site in build/site: pages, reference, notebooks, reports. Every link must lead somewhere.
docs: setup
	@$(BIN)/python -c 'import mkdocs, mkdocstrings, material' 2>/dev/null || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt 'mkdocs-material>=9.5' 'mkdocstrings[python]>=0.27'
	@$(BIN)/python -m docs.site build/pages
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "The site is in build/site: $(BIN)/python -m http.server --directory build/site"

clean:
	rm -rf $(VENV) web/node_modules parlor/server/static runs .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
