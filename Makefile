# AptBoard: `make demo` shows it, `make test` proves it.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=

.PHONY: help setup demo demo-endpoint up test bench chaos lint types conformance requirements browser clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

setup: $(VENV)/.ready ## make the virtual environment (done by every other target when needed)

$(VENV)/.ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if v >= (3, 11) else "AptBoard needs Python 3.11 or newer, $(PYTHON) is %d.%d: make PYTHON=python3.12 …" % v)'
	@echo "Setting up the virtual environment in $(VENV) (about a minute, once) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt 2> >(grep -v "is ignored: it is neither" >&2)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## set up, evaluate the sample submissions, show the board (SERVE=0: do not keep serving)
	@$(BIN)/python manage.py demo $(if $(filter 0,$(SERVE)),--no-serve)

demo-endpoint: setup ## ask a practice model for every item of the sample benchmark, with faults and a killed worker
	@$(BIN)/python manage.py demo_endpoint $(DEMO_ARGS)

up: setup ## run the whole site for development until Ctrl-C
	@$(BIN)/python manage.py up

test: setup browser ## run every test, in parallel and in random order
	@$(BIN)/python -m pytest -n 2 --dist loadgroup $(PYTEST_ARGS)

bench: setup $(if $(filter 0,$(SCORERS)),,.local/scorers/.ready) ## measure speed and memory against their targets, side by side (table, and JSON in .local/bench.json)
	@$(BIN)/python -m tests.bench $(BENCH_ARGS)

.local/scorers/.ready: | setup
	@echo "Installing public scorers to compare with (about 900 MB, once; make bench SCORERS=0 leaves them out) …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --target .local/scorers datacompy deepdiff nl2sql360 nltk unitxt 2>/dev/null
	@touch $@

conformance: setup ## check the document database against MongoDB's documented behaviour
	@$(BIN)/python -m tests.conformance $(CONFORMANCE_ARGS)

chaos: setup ## score 200 runs while workers and servers are killed and paused at random, compare with undisturbed ones (CHAOS_ARGS="--runs 50 --seed 7")
	@$(BIN)/python -m tests.chaos $(CHAOS_ARGS)

lint: setup ## format, lint, import contracts, types, templates
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@APTBOARD_LOCAL=1 $(BIN)/mypy
	@$(BIN)/djlint templates --lint --quiet
	@$(BIN)/djlint templates --check --quiet

format: setup ## format Python and templates
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/djlint templates --reformat --quiet

requirements: setup ## compile the pinned requirements again, without addresses
	@$(BIN)/python -m pip install --quiet uv
	@for spec in "base:" "embedded:--extra embedded" "server:--extra server --extra llm" "dev:--extra server --extra llm --extra embedded --extra dev"; do \
	  $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 $${spec#*:} --no-emit-index-url --no-emit-find-links \
	    --no-annotate --custom-compile-command "make requirements" --quiet $(UPGRADE) -o requirements/$${spec%%:*}.txt; done

browser:
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests …"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	  else echo "No Chromium found: the browser tests will be skipped (install the package chromium to run them)."; fi; }

clean: ## remove the virtual environment, local data and caches
	@if [ -x $(BIN)/python ]; then $(BIN)/python -m leaderboard.embedded remove; fi
	rm -rf $(VENV) .local .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis staticfiles build *.egg-info
