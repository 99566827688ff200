# Two commands matter: `make demo` and `make test`. Both set up all they need under .venv.
.PHONY: demo test night check format lint types borders laws mutants bench-quick wheel clean
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(READY): pyproject.toml
	@sh tools/set_up.sh "$(PYTHON)"
	@touch $(READY)

demo: $(READY) ## a small shop, built and maintained over three days of changes (four minutes)
	@$(BIN)/python integration_tests/demo.py $(ARGS)

test: $(READY) format lint types borders ## style, types, borders, laws, DuckDB ring, a sample of the Spark + Delta ring
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not night"

night: $(READY) ## what is too long for every day: every case file on Spark, dbt's suites, crashes, the whole demo
	@TRICKLE_SAMPLE= $(BIN)/python -m pytest -q -n 2 --dist worksteal -m night

check: $(READY) format lint types borders ## the two-minute part of `make test`: no Spark, fewer examples
	@TRICKLE_SAMPLE= TRICKLE_LAWS=200 $(BIN)/python -m pytest -q -n 2 -m "not spark and not conformance and not night"

format: $(READY)
	@$(BIN)/ruff format --check -q .

lint: $(READY)
	@$(BIN)/ruff check -q .

types: $(READY)
	@$(BIN)/mypy

borders: $(READY)
	@PYTHONPATH=.:engine $(BIN)/python tools/borders.py

laws: $(READY) ## laws on N random plans each: make laws N=100000
	@TRICKLE_LAWS=$(or $(N),2000) $(BIN)/python -m pytest -q -n 2 tests/laws

mutants: $(READY) ## small mistakes planted in the rules, one by one: how many do laws and snapshots find?
	@$(BIN)/python -m tests.mutants $(ARGS)

bench-quick: $(READY) ## full, incremental and auto side by side (ten minutes at most)
	@$(BIN)/python benchmarks/quick.py

wheel: $(READY) ## build the wheel into dist/
	@$(BIN)/python -m build --wheel --outdir dist .

clean: ## remove what the targets above left behind
	rm -rf .venv dist integration_tests/warehouse integration_tests/target integration_tests/logs
