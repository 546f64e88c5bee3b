#!/bin/sh
# Sets up on a fresh machine, then runs every check and every test, browser ones included.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh develop
sh scripts/check.sh
echo "== unit tests of the pages"
(cd web && npm test --silent)
exec .venv/bin/python scripts/run_tests.py "$@"
