# Everything here works on a fresh clone with only Python 3.11-3.14, make and git: the first
# target that needs it makes .venv and installs the versions pinned in constraints.txt.

# The first Python that will do; or say which: make PYTHON=/path/to/python3.12
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	2>/dev/null && echo $$python && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PACKAGES := adapters apps beliefs data front models planners shelf training
INPUTS := setup.cfg pyproject.toml constraints.txt

# Processes of the test run; 0 runs it in one.
WORKERS ?= 2
# Tests of the games and the search that are quick without compiling. A test that starts plain
# Python itself says nothing new there, and the contract of larger games is looked at in plain
# Python as well when they are compiled.
CONTRACT := tests/planners/checking/test_conformance.py::test_every_shipped_game_keeps_the_contract
PLAIN := tests/models/test_play.py tests/models/small/test_small_games.py \
	tests/planners/search/kernels/test_selection.py tests/planners/checking/test_conformance.py \
	tests/planners/search/test_golden_trees.py tests/models/scotland_yard/test_rules.py \
	tests/models/cheat/test_rules.py --deselect '$(CONTRACT)[saboteur]' \
	--deselect '$(CONTRACT)[scotland_yard]' \
	-k 'not phantom and not clue and not leduc and not broken and not written_out and not same_bytes'
# Plain Python checks every index. Left are thousands of simulations, and games of which it plays
# only some.
CHECKED := tests/planners/search/runs/test_running.py '$(CONTRACT)[leduc_poker]' \
	'$(CONTRACT)[phantom_tic_tac_toe]' \
	-k 'not same_trees and not seconds and not stopped and not ctrl_c and not progress'
# Mutated records, predictors, results and saved games of the fuzz run.
FUZZ ?= 50000

RECORD := data/clue/games/neller_main.json
REPORT := reports/neller_main.html

PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_OPTIONS) \
	-c constraints.txt

.PHONY: help run test test-browser judges slices test-all check format bench fuzz docs notebooks site venv clean
.DEFAULT_GOAL := help

help:
	@printf '%s\n' \
	'make run           analyse a recorded six-player game of Clue; the last line names the report' \
	'make test          the whole test suite' \
	'make test-browser  the pages of sleuth table, in a browser of this system' \
	'make judges        other libraries'"'"' own tests, on every game' \
	'make slices        part of it as plain Python, and with every index checked' \
	'make test-all      the same on each of Python 3.11 to 3.14 that is installed' \
	'make check         lint, formatting and types, also of the examples in the pages' \
	'make format        put the formatting right' \
	'make bench         speed beside other libraries (takes minutes)' \
	'make fuzz          $(FUZZ) mutated records, predictors and files of results (takes long)' \
	'make notebooks     execute the lessons of docs/notebooks, and make pages of them, in build/notebooks' \
	'make docs          the reference of all modules, in build/docs' \
	'make site          the site: all pages, the reference of what is public, reports; in build/site' \
	'make venv          only install what development needs, in $(VENV)' \
	'make clean         remove what the other targets made'

run: $(VENV)/.run
	@mkdir -p $(dir $(REPORT))
	@$(BIN)/sleuth analyse $(RECORD) --html $(REPORT)

# What Python compiles is kept, whatever the shell says: tests start many processes.
unexport PYTHONDONTWRITEBYTECODE
# There is a process for every core already: threads of BLAS would only wait for each other.
test slices: export OPENBLAS_NUM_THREADS = 1
# What is tested and measured is compiled, whoever starts it.
test judges slices bench fuzz: export SLEUTH_COMPILE = wait

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) $(PYTEST_ARGS)

# No browser is downloaded: tests that find none are passed over, with the names that they know.
test-browser: export OPENBLAS_NUM_THREADS = 1
test-browser: export SLEUTH_COMPILE = wait
test-browser: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) -m browser tests/apps/table $(PYTEST_ARGS)

# The tests of PettingZoo, Gymnasium and OpenSpiel, as they come with them, on every game.
judges: export OPENBLAS_NUM_THREADS = 1
judges: $(VENV)/.dev
	@$(BIN)/python -m pip list --format=freeze | grep -iE '^(pettingzoo|gymnasium|open.spiel)='
	SLEUTH_JUDGES=1 SLEUTH_OPENSPIEL_ROUNDS=1 $(BIN)/python -m pytest -n $(WORKERS) tests/adapters $(PYTEST_ARGS)

# What compiling could hide: plain Python instead, and every index of an array checked.
slices: $(VENV)/.dev
	@mkdir -p build
	@# Each of them uses one core.
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 0 $(CHECKED) > build/checked.log 2>&1 & checked=$$!; \
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 0 $(PLAIN); plain=$$?; \
	wait $$checked; checked=$$?; cat build/checked.log; exit $$((plain || checked))

check: $(VENV)/.dev .links
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/documented.py build/examples
	@# Each of them uses one core. Together they look at what pyproject.toml includes, and the examples of pages.
	$(BIN)/pyright --pythonpath $(BIN)/python $(PACKAGES) & packages=$$!; \
	$(BIN)/pyright --pythonpath $(BIN)/python tests benchmarks examples build/examples; others=$$?; \
	$(BIN)/mypy || others=1; \
	wait $$packages && exit $$others

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks.clue.inference $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.search.speed $(SPEED_ARGS)

fuzz: $(VENV)/.dev
	SLEUTH_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/models/clue/record/test_fuzz.py tests/apps/cheat/test_fuzz.py \
		tests/planners/matches/test_fuzz.py tests/apps/play/test_fuzz.py tests/apps/kit/test_journal.py tests/apps/kit/advising \
		tests/apps/scotland_yard/test_fuzz.py tests/models/kernels/test_compiling.py \
		tests/apps/table/test_hostile.py tests/apps/table/test_leaks.py tests/apps/serving/test_hostile.py \
		tests/beliefs/predictors/test_fuzz.py tests/beliefs/test_strong_evidence.py \
		tests/beliefs/test_random_declarations.py \
		tests/beliefs/games/clue/test_oracles.py \
		tests/beliefs/language/test_counting.py \
		tests/models/scotland_yard/test_games.py tests/models/cheat/test_games.py $(PYTEST_ARGS)

docs: $(VENV)/.docs
	$(BIN)/pdoc --docformat google --output-directory build/docs sleuth
	@printf '%s\n' build/docs/index.html

notebooks: export OPENBLAS_NUM_THREADS = 1
notebooks: $(VENV)/.dev
	@$(BIN)/python docs/tools/make_notebooks.py

# Its links are looked at, too; whatever is wrong with one of them ends it with an error.
site: export OPENBLAS_NUM_THREADS = 1
site: export SLEUTH_COMPILE = wait
site: $(VENV)/.dev
	$(BIN)/python docs/tools/make_site.py

# One environment per version; versions that are not installed are named and passed over.
test-all:
	@for version in 3.11 3.12 3.13 3.14; do \
		if python$$version -c '' 2>/dev/null; then python=python$$version; \
		else python=$$(ls -d $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$version.*/bin/python 2>/dev/null \
			| tail -n 1); fi; \
		if [ -z "$$python" ]; then printf 'Python %s is not installed\n' $$version; continue; fi; \
		printf 'Python %s\n' $$version; \
		$(MAKE) --no-print-directory test PYTHON=$$python VENV=build/venv-$$version || exit 1; \
	done

venv: $(VENV)/.dev .links

# The stamps say which extras are installed; they are older than their inputs when those change.
$(VENV)/.run: $(INPUTS) | $(BIN)/python
	@printf 'Installing sleuth and its dependencies in %s (once; a minute or two)\n' '$(VENV)'
	@$(PIP_INSTALL) -e .
	@touch $@

# What an extra needs comes with what is always needed, in one installation.
$(VENV)/.dev $(VENV)/.bench $(VENV)/.docs: $(VENV)/.%: $(INPUTS) | $(BIN)/python
	@printf 'Installing sleuth and what %s needs in %s (once; a minute or two)\n' '$*' '$(VENV)'
	@$(PIP_INSTALL) -e '.[$*]'
	@touch $(VENV)/.run $@

$(BIN)/python:
	@if [ -z '$(PYTHON)' ]; then \
		echo 'sleuth is developed on Python 3.11 to 3.14; name one: make PYTHON=...' >&2; exit 1; fi
	@printf 'Making the environment %s\n' '$(VENV)'
	@$(PYTHON) -m venv $(VENV)

# Type checkers find sleuth.* in tests, benchmarks and examples through these links.
.links: Makefile
	@mkdir -p .links/sleuth
	@for folder in $(filter-out front,$(PACKAGES)); do ln -sfn ../../$$folder .links/sleuth/$$folder; done
	@for file in front/*; do ln -sfn ../../$$file .links/sleuth/$$(basename $$file); done
	@touch .links

clean:
	rm -rf .venv .links .cache build dist reports *.egg-info .pytest_cache .ruff_cache .hypothesis
	find $(PACKAGES) tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} +
