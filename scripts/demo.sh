#!/bin/sh
# Sets up on a fresh machine and opens the board on real sample logs and one run that trains while you watch.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh use
exec .venv/bin/lightboard demo "$@"
