# Everything a developer or a first-time user needs. Only python3 (>= 3.11, with venv) and make have to be there.
#
#   make run           install what is missing and start the gateway; ARGS="--http" is passed on
#   make test          the quick suite: lint, types, layers, tests
#   make test-long     the long tests: real clients, kill -9, load, the built package
#   make lint          ruff, mypy, import-linter
#   make format        let ruff rewrite what it can
#   make bench         the benchmark against a direct connection and a naive proxy; needs gcc
#   make dist          wheel and sdist in dist/
#   make constraints   newest allowed versions of everything into constraints.txt
#   make clean         remove .venv and what was built

PYTHON ?= python3
EXTRAS ?= ner
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

PINNED := --constraint constraints.txt --build-constraint constraints.txt
ALL_EXTRAS := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"], sep=",")

# Stamps: an install is repeated only when one of its inputs changed.
INPUTS := pyproject.toml constraints.txt
RUN    := $(VENV)/.installed-run
DEV    := $(VENV)/.installed-dev

.DEFAULT_GOAL := help
.PHONY: help run test test-long lint format bench dist constraints clean

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | sed '/^Stamps/,$$d'

run: $(RUN)
	@exec $(BIN)/eluvix serve $(ARGS)

test: $(DEV) lint
	$(BIN)/python -m pytest -m "not long"

test-long: $(DEV)
	$(BIN)/python -m pytest -m long

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV)
	$(BIN)/python bench/run.py $(ARGS)

dist: $(DEV)
	rm -rf dist
	$(BIN)/python -m build --outdir dist

constraints:
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet --upgrade pip
	build/constraints/bin/python -m pip install --quiet --group dev hatchling editables \
	  ".[$$(build/constraints/bin/python -c '$(ALL_EXTRAS)')]"
	echo '# Exact versions of all that runtime, extras and development install. Made by `make constraints`.' > constraints.txt
	build/constraints/bin/python -m pip freeze --all --exclude eluvix --exclude setuptools >> constraints.txt

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis tests/e2e/node/node_modules

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Eluvix needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing)." >&2; \
	  echo "Install a newer one, then name it if it is not called python3: make run PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
	  echo "The venv could not be made. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(PIP) install --quiet --constraint constraints.txt pip

$(RUN): $(INPUTS) | $(BIN)/python
	@echo "Installing into $(VENV): about a minute, and only when $(INPUTS) changed."
	@$(PIP) install --quiet $(PINNED) --editable '.$(if $(EXTRAS),[$(EXTRAS)])'
	@touch $@

$(DEV): $(INPUTS) $(RUN) | $(BIN)/python
	@$(PIP) install --quiet $(PINNED) --group dev
	@touch $@
