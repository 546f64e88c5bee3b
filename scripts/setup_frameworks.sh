#!/bin/sh
# Makes .venv-frameworks, with TensorFlow, PyTorch and Transformers for the tests in tests/frameworks. Does nothing if it is
# there and its pins are those of the requirements. LIGHTBOARD_SKIP_FRAMEWORKS=1 leaves it out, and skips these tests. So it
# is where pip finds only a wheel of PyTorch for GPUs, which would bring several GB; that is tried again by every set-up.
set -eu
cd "$(dirname "$0")/.."
environment=.venv-frameworks
requirements=tests/frameworks/requirements.txt
python=${PYTHON:-python3}
unset PIP_CONSTRAINT PYTHONDONTWRITEBYTECODE || true
export PIP_DISABLE_PIP_VERSION_CHECK=1

[ -z "${LIGHTBOARD_SKIP_FRAMEWORKS:-}" ] || { echo "setup: LIGHTBOARD_SKIP_FRAMEWORKS is set; tests of TensorFlow, PyTorch and Transformers are skipped"; exit 0; }
# The mark is written last: an environment that is not complete has none.
cmp -s "$requirements" "$environment/requirements.txt" && "$environment/bin/python" -c '' 2>/dev/null && exit 0

refuse() {
    echo "setup: $1" >&2
    echo "hint: LIGHTBOARD_SKIP_FRAMEWORKS=1 leaves TensorFlow, PyTorch and Transformers out, and skips their tests" >&2
    exit 1
}

began=$(date +%s)
rm -rf "$environment"
"$python" -m venv "$environment"
pip="$environment/bin/python -m pip"

# A wheel for GPUs would be found out before it is downloaded.
torch=$(grep '^torch==' "$requirements")
$pip install -q --dry-run --no-deps --only-binary :all: --report "$environment/torch.json" "$torch" ||
    refuse "pip does not find $torch"
if grep -qE '"(nvidia|cuda)-' "$environment/torch.json"; then
    reason="the wheel of $torch that pip finds is for GPUs; $requirements says how to get one for CPUs"
    echo "$reason" >"$environment/skipped"
    echo "setup: tests of TensorFlow, PyTorch and Transformers are skipped: $reason"
    exit 0
fi

$pip install -q --no-compile --no-deps --only-binary :all: -r "$requirements" ||
    refuse "pip could not install $requirements"
# Byte code of what the tests import, and of nothing else: compiling everything takes four times as long.
$environment/bin/python -W ignore tests/frameworks/programs/imports.py >/dev/null 2>"$environment/imports.log" || {
    cat "$environment/imports.log" >&2
    refuse "$environment does not work"
}
cp "$requirements" "$environment/requirements.txt"
echo "setup: made $environment in $(($(date +%s) - began)) s, $(du -sm "$environment" | cut -f1) MB"
