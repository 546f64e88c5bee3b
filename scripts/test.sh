#!/bin/sh
# Sets up on a fresh machine, then runs every check and every test, browser ones included.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh develop

# These two take about as long as the checks, with which they share the processors.
logs=$(mktemp -d)
(cd web && npm test --silent) >"$logs/pages" 2>&1 &
pages=$!
sh scripts/fuzz.sh 20 >"$logs/fuzz" 2>&1 &
fuzz=$!
trap 'kill "$pages" "$fuzz" 2>/dev/null || true; rm -rf "$logs"' EXIT

finish() {
    status=0
    wait "$1" || status=$?
    cat "$2"
    [ "$status" = 0 ] || exit "$status"
}
sh scripts/check.sh
echo "== unit tests of the pages"
finish "$pages" "$logs/pages"
echo "== fuzz the native core, briefly"
finish "$fuzz" "$logs/fuzz"

trap - EXIT
rm -rf "$logs"
exec .venv/bin/python scripts/run_tests.py "$@"
