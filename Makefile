# make demo   cast the example and show what came out
# make test   everything that is checked before a change lands, on one Python
# Both create .venv first. PYTHON=… chooses the interpreter (3.11 to 3.13).

SHELL := /bin/sh
PYTHON ?= $(shell scripts/pythons | tail -n 1)
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types unit wheel bench clean

demo: $(VENV)/.installed
	$(BIN)/schemacast demo

test: lint types unit wheel

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev $(if $(MODEL),$(VENV)/.model)
	$(BIN)/pytest -q -n 2 $(PYTEST_EXTRA)

wheel: $(VENV)/.dev
	$(BIN)/python scripts/check_wheel.py

bench: $(VENV)/.dev
	$(BIN)/pytest -q benchmarks --benchmark-columns=min,median --benchmark-sort=name

$(VENV)/.installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "schemacast needs Python 3.11, 3.12 or 3.13; none was found"; exit 2; }
	@echo "creating $(VENV) with $(PYTHON) and installing the package; this takes a minute the first time"
	@"$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet -e '.[all]' --group dev
	@touch $@

$(VENV)/.model: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --group model
	@touch $@

clean:
	rm -rf .venv build dist out .cache .mypy_cache .pytest_cache .ruff_cache
