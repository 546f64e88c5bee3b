#!/bin/sh
# Makes .venv-ray, with Ray for the tests of jobs on a Ray cluster, which `make test-long` runs. Does nothing if it is there.
set -eu
cd "$(dirname "$0")/.."
environment=.venv-ray
ray='ray[default]==2.60.0'
python=${PYTHON:-python3}
unset PIP_CONSTRAINT || true

# The mark is written last: an environment that is not complete has none.
[ "$(cat "$environment/made" 2>/dev/null)" = "$ray" ] && exit 0
began=$(date +%s)
rm -rf "$environment"
"$python" -m venv "$environment"
"$environment/bin/pip" install -q --disable-pip-version-check "$ray"
echo "$ray" >"$environment/made"
echo "setup: made $environment in $(($(date +%s) - began)) s, $(du -sm "$environment" | cut -f1) MB"
