#!/bin/sh
# Sets up .venv on a fresh machine. `setup.sh use` installs Lightboard as a user would; `setup.sh develop` installs it
# from the source tree with everything the checks and tests need.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-develop}

say() { printf '\n== %s\n' "$*"; }

as_root_install() {
    # Install only missing packages, and only if this user may.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"
    else
        return 1
    fi
}

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: $python is older than 3.11; point PYTHON at a newer one" >&2
    exit 1
}
can_compile() {
    command -v "${CXX:-c++}" >/dev/null 2>&1 &&
        "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}
can_compile || as_root_install g++ python3-dev || true
can_compile || echo "setup: no C++ compiler, or no Python headers; Lightboard will read logs with its slower Python decoder" >&2

if ! command -v npm >/dev/null 2>&1 || ! node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)'; then
    echo "setup: no npm, or no Node 20.19, 22.12 or later; the web pages cannot be built" >&2
    [ "$mode" = use ] || exit 1
fi

if [ ! -x .venv/bin/python ]; then
    say "virtual environment .venv"
    "$python" -m venv .venv 2>/dev/null || { rm -rf .venv; as_root_install python3-venv && "$python" -m venv .venv; }
fi
export PIP_CONSTRAINT="$PWD/constraints.txt" PIP_DISABLE_PIP_VERSION_CHECK=1

case $mode in
use)
    say "Lightboard, its native core and its pages; this takes about a minute"
    .venv/bin/pip install -q '.[hub]'
    ;;
develop)
    # A test asks it which files are committed.
    command -v git >/dev/null 2>&1 || as_root_install git || true
    # Jobs of the hub run in its sandboxes. Without it, tests of them are skipped.
    command -v bwrap >/dev/null 2>&1 || as_root_install bubblewrap || true
    # Container images of jobs come from podman. Without it, tests of them are skipped.
    command -v podman >/dev/null 2>&1 || as_root_install podman crun || true
    # Most of its time is spent waiting for downloads.
    mkdir -p build
    sh scripts/setup_frameworks.sh >build/setup_frameworks.log 2>&1 &
    frameworks=$!
    say "Python packages"
    LIGHTBOARD_SKIP_PAGES=1 .venv/bin/pip install -q \
        --config-settings=editable.mode=inplace --config-settings=wheel.cmake=false --config-settings=wheel.py-api=py3 -e '.[test,check]'
    say "native core"
    sh scripts/build_native.sh
    say "web pages"
    (cd web && npm install --no-save --ignore-scripts --no-progress && npm run build --silent)
    say "TensorFlow, PyTorch and Transformers; the first time this takes some minutes"
    wait "$frameworks" || { cat build/setup_frameworks.log >&2; exit 1; }
    cat build/setup_frameworks.log
    ;;
*)
    echo "setup: unknown mode '$mode'; use 'use' or 'develop'" >&2
    exit 2
    ;;
esac
