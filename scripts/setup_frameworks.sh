#!/bin/sh
# Makes .venv-frameworks, with TensorFlow, PyTorch and Transformers for the tests in tests/frameworks. Does nothing if it is
# there and its pins are those of the requirements. LIGHTBOARD_SKIP_FRAMEWORKS=1 leaves it out, and skips these tests.
#
# PyTorch has wheels for GPUs, which would bring several GB, and wheels for CPUs. Where pip finds one for GPUs,
# LIGHTBOARD_TORCH_INDEX is asked as well: PyTorch's own index of wheels for CPUs, unless it names another.
set -eu
cd "$(dirname "$0")/.."
environment=.venv-frameworks
requirements=tests/frameworks/requirements.txt
python=${PYTHON:-python3}
torch_index=${LIGHTBOARD_TORCH_INDEX:-https://download.pytorch.org/whl/cpu}
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
torch=$(grep '^torch==' "$requirements")

# Whether the wheel of torch that pip finds with these options is for GPUs; it is not downloaded for that.
is_for_gpus() {
    $pip install -q --dry-run --no-deps --only-binary :all: --report "$environment/torch.json" "$@" "$torch" ||
        refuse "pip does not find $torch"
    grep -qE '"(nvidia|cuda)-' "$environment/torch.json"
}

if is_for_gpus; then
    is_for_gpus --extra-index-url "$torch_index" &&
        refuse "the wheel of $torch that pip finds is for GPUs, also in $torch_index; LIGHTBOARD_TORCH_INDEX=URL names another index"
    $pip install -q --no-compile --no-deps --only-binary :all: --extra-index-url "$torch_index" "$torch" ||
        refuse "pip could not install $torch"
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
