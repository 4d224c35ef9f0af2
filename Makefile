# Every command of this repository. The two that a newcomer needs: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE_TESTS := tests/page
APPS := tests/system/apps
FRAMEWORKS := tests/page/frameworks
# Hundreds of tests start a daemon or a command: each would compile the package anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help venv chromium node postgresql apps frameworks demo demo-work lint types format reference unit unit-inside unit-outside page page-jsdom page-chromium accuracy matrix \
    conformance system clients wheel bench examples bench-regressions stages test full clean

help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 19

venv: $(VENV)/.installed  ## .venv with the package and everything the tests need

# An environment of an older Python, left by a first try, is made anew: venv alone would keep its interpreter.
RECENT := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
$(VENV)/.installed: setup.cfg pyproject.toml
	@$(PYTHON) $(RECENT) || { echo "reticle needs Python 3.11 or newer, and $(PYTHON) is" \
	    "$$($(PYTHON) --version 2>/dev/null || echo missing). Name another: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@echo "installing into $(VENV), about a minute"
	@$(PYTHON) -m venv $$($(BIN)/python $(RECENT) 2>/dev/null || echo --clear) $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	@touch $@

chromium:
	@development/need.sh chromium >/dev/null

node:
	@development/need.sh node >/dev/null

postgresql:
	@development/need.sh postgresql >/dev/null || echo "the tests that need PostgreSQL are skipped" >&2

$(PAGE_TESTS)/node_modules/.installed: $(PAGE_TESTS)/package-lock.json | node
	cd $(PAGE_TESTS) && npm ci --silent --no-audit --no-fund
	@touch $@

$(APPS)/node_modules/.installed: $(APPS)/package-lock.json | node
	cd $(APPS) && npm ci --silent --no-audit --no-fund
	@touch $@

APP_SOURCES := $(wildcard $(APPS)/*.mjs $(addprefix $(APPS)/,$(foreach app,react vue plain,$(app)/*)))
$(APPS)/dist/.built: $(APPS)/node_modules/.installed $(APP_SOURCES)
	cd $(APPS) && npm run --silent build

apps: $(APPS)/dist/.built  ## the three npm apps that the system tests drive

$(FRAMEWORKS)/node_modules/.installed: $(FRAMEWORKS)/package-lock.json | node
	cd $(FRAMEWORKS) && npm ci --silent --no-audit --no-fund
	@touch $@

FRAMEWORK_SOURCES := $(wildcard $(FRAMEWORKS)/*.mjs $(FRAMEWORKS)/[!dn]*/* $(FRAMEWORKS)/[!dn]*/*/*)
$(FRAMEWORKS)/dist/.built: $(FRAMEWORKS)/node_modules/.installed $(FRAMEWORK_SOURCES)
	cd $(FRAMEWORKS) && npm run --silent build
	@mkdir -p $(@D) && touch $@

frameworks: $(FRAMEWORKS)/dist/.built  ## pages in each framework from npm, for the page tests

demo: venv chromium  ## the main job, from nothing: daemon, shop, browser, verdicts
	$(BIN)/python examples/demo.py

demo-work: venv chromium node  ## three agents mend three bugs under proof; a liar is refused, one is killed
	$(BIN)/python examples/work/demo.py

lint: venv  ## ruff, mypy --strict, import contracts, changelog fragments
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(ASIDE) $(BIN)/mypy
	$(ASIDE) $(BIN)/lint-imports --no-cache

format: venv  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# In two processes with about half of the time each; neither collects what the other runs, as workers of
# pytest-xdist would.
HALF_OF_UNIT := $(addprefix tests/unit/,domain mcp storage)
unit: venv  ## no socket, no sleep
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target unit-inside unit-outside

unit-inside: venv
	$(BIN)/python -m pytest -q -m "not postgres" $(HALF_OF_UNIT)

unit-outside: venv
	$(BIN)/python -m pytest -q -m "not postgres" tests/unit tests/architecture $(addprefix --ignore=,$(HALF_OF_UNIT))

page: page-jsdom page-chromium  ## the page script in Node and in Chromium

PAGE_IN_CHROMIUM := $(wildcard $(PAGE_TESTS)/chromium*.test.mjs)
page-jsdom: $(PAGE_TESTS)/node_modules/.installed  ## of these the part in Node
	$(ASIDE) node --test $(filter-out $(PAGE_IN_CHROMIUM),$(wildcard $(PAGE_TESTS)/*.test.mjs))

page-chromium: chromium $(PAGE_TESTS)/node_modules/.installed frameworks  ## and the part in Chromium
	node --test $(PAGE_IN_CHROMIUM)

accuracy: chromium $(PAGE_TESTS)/node_modules/.installed  ## roles, names and states beside Chromium's own
	node $(PAGE_TESTS)/accuracy/run.mjs

matrix: venv chromium $(PAGE_TESTS)/node_modules/.installed frameworks  ## actions, kinds of element and frameworks, by the app's own state
	node $(PAGE_TESTS)/matrix/run.mjs
	$(BIN)/python -m pytest -q tests/system/test_driven_matrix.py

conformance: venv node  ## raw-byte dialogues, and the suite of the protocol's authors
	$(BIN)/python -m pytest -q tests/conformance

system: venv chromium postgresql $(PAGE_TESTS)/node_modules/.installed apps  ## the real daemon, a real browser, real clients
	$(BIN)/python -m pytest -q -m "not full" tests/system

clients: venv chromium node  ## every MCP client that people run, installed from its registry
	$(BIN)/python -m pytest -q tests/clients

wheel: venv  ## build from git archive, install in a clean environment, look for the plugin
	PYTHON=$(BIN)/python $(ASIDE) development/wheel_check.sh

bench: venv chromium node postgresql $(FRAMEWORKS)/node_modules/.installed  ## our speed beside the peers', about 35 minutes on an idle machine
	$(BIN)/python bench/mcp/run.py
	$(BIN)/python bench/bridge/run.py
	$(BIN)/python bench/browser/run.py
	$(BIN)/python bench/verdict/run.py
	$(BIN)/python bench/page/run.py
	$(BIN)/python bench/page_cost/run.py
	$(BIN)/python bench/probe/run.py
	$(BIN)/python bench/work/run.py

examples: venv chromium  ## the order desk in five frameworks, clean and with faults that only the server shows
	$(BIN)/python bench/regressions/run.py --root examples/servers --alone --jobs 2

bench-regressions: venv chromium node  ## planted faults and traps, graded on the daemon's own verdicts
	$(BIN)/python bench/regressions/run.py

# Four processes that share the tests: tests/conftest.py says which stay together. More than there are cores,
# because tests with a daemon or a browser mostly wait.
SPREAD := --numprocesses=4 --dist=loadgroup --no-loadscope-reorder

# Three at a time, each begun as soon as what it needs is there, and shown whole when it has ended. Of the three
# at most two with a browser, and those go first: what a page did is judged by when it did it. The others are
# only a little nicer, or beside other people's programs they would never be done.
stages: export ASIDE = nice -n 3
stages: chromium node postgresql
	@echo "installing what the tests need; page, lint, wheel and demo"
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target \
	    frameworks page-chromium demo lint wheel page-jsdom apps

test: stages  ## all that must be green at every commit; at most 12 minutes
	$(BIN)/python -m pytest -q $(SPREAD) -m "not full" tests

full: export PAGE_SEEDS = 200
full: export MATRIX = all
full: stages  ## everything; at most 80 minutes
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -q $(SPREAD) tests
	$(BIN)/python bench/mcp/run.py --quick
	$(BIN)/python bench/bridge/run.py --quick
	$(BIN)/python bench/page_cost/run.py --quick
	$(BIN)/python bench/probe/run.py --quick
	$(BIN)/python bench/page/run.py --quick
	$(BIN)/python bench/work/run.py --quick

reference: venv  ## write from the code: docs/reference, and what the stdio front says offline
	$(BIN)/python development/reference_pages.py
	$(BIN)/python development/offline_answers.py

clean:  ## remove what these commands installed and built
	rm -rf $(VENV) .clients build dist *.egg-info
	find tests -name node_modules -prune -exec rm -rf {} +
	rm -rf $(APPS)/dist $(FRAMEWORKS)/dist
