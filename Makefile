.PHONY: help setup check test quick test-long stress flaky fmt build serve docs bench fuzz
PY = .venv/bin/python

help: ## print these verbs
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: ## virtual environment, native core, pages
	sh scripts/setup.sh develop

check: ## style, types, layers; changes nothing
	sh scripts/check.sh

test: ## set up, check, and run every test, browser ones included
	sh scripts/test.sh

quick: ## the tests without browser, other interpreters, PostgreSQL and fuzz
	$(PY) scripts/run_tests.py quick

test-long: ## what takes too long for every change: more examples, longer sessions
	sh scripts/setup_ray.sh
	$(PY) scripts/run_tests.py long

stress: ## browser and hub in random order, three times, with all cores busy
	$(PY) scripts/run_tests.py stress

flaky: ## TEST=... fifty times, half of them with all cores busy
	$(PY) scripts/run_tests.py flaky "$(TEST)"

fmt: ## format Python and TypeScript
	.venv/bin/ruff format . && .venv/bin/ruff check --fix .
	cd web && npm run fmt --silent

build: ## native core in place, pages and documentation into the package
	sh scripts/build_native.sh
	cd web && npm run build --silent

serve: ## the demo from the source tree
	$(PY) -m lightboard demo

docs: ## regenerate what docs/ and the web types take from the code, and build the documentation site
	$(PY) scripts/openapi.py
	$(PY) scripts/access_table.py
	$(PY) scripts/reference.py
	$(PY) scripts/web_types.py
	cd web && npm run build:docs --silent

bench: ## measure beside TensorBoard; prints the table of docs/performance.md
	$(PY) bench/run.py

fuzz: ## fuzz the native core for a minute
	sh scripts/fuzz.sh 60
