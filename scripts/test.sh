#!/bin/sh
# Sets up on a fresh machine, then runs every check and every test, browser ones included.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh develop
sh scripts/check.sh
echo "== unit tests of the pages"
(cd web && npm test --silent)
echo "== fuzz the native core, briefly"
sh scripts/fuzz.sh 20
echo "== tests"
exec .venv/bin/python -m pytest -n 2 --dist worksteal "$@"
