#!/bin/sh
# Makes .venv-frameworks, with TensorFlow, PyTorch and Transformers for the tests in tests/frameworks, and .venv-transformers4,
# which has Transformers 4 and takes the rest from there. Does nothing if they are there and their pins are those of the
# requirements. LIGHTBOARD_SKIP_FRAMEWORKS=1 leaves them out, and skips these tests.
#
# PyTorch has wheels for GPUs, which would bring several GB, and wheels for CPUs. Where pip finds one for GPUs,
# LIGHTBOARD_TORCH_INDEX is asked as well: PyTorch's own index of wheels for CPUs, unless it names another.
set -eu
cd "$(dirname "$0")/.."
environment=.venv-frameworks
requirements=tests/frameworks/requirements.txt
older=.venv-transformers4
older_requirements=tests/frameworks/requirements-transformers4.txt
python=${PYTHON:-python3}
torch_index=${LIGHTBOARD_TORCH_INDEX:-https://download.pytorch.org/whl/cpu}
unset PIP_CONSTRAINT PYTHONDONTWRITEBYTECODE || true
export PIP_DISABLE_PIP_VERSION_CHECK=1

[ -z "${LIGHTBOARD_SKIP_FRAMEWORKS:-}" ] || { echo "setup: LIGHTBOARD_SKIP_FRAMEWORKS is set; tests of TensorFlow, PyTorch and Transformers are skipped"; exit 0; }
# The mark is written last: an environment that is not complete has none.
is_made() { cmp -s "$2" "$1/requirements.txt" && "$1/bin/python" -c '' 2>/dev/null; }

refuse() {
    echo "setup: $1" >&2
    echo "hint: LIGHTBOARD_SKIP_FRAMEWORKS=1 leaves TensorFlow, PyTorch and Transformers out, and skips their tests" >&2
    exit 1
}

# Byte code of what the tests import, and of nothing else: compiling everything takes four times as long.
import_all() {
    "$1/bin/python" -W ignore tests/frameworks/programs/imports.py >/dev/null 2>"$1/imports.log" || {
        cat "$1/imports.log" >&2
        refuse "$1 does not work"
    }
}

# Whether the wheel of torch that pip finds with these options is for GPUs; it is not downloaded for that.
is_for_gpus() {
    $pip install -q --dry-run --no-deps --only-binary :all: --report "$environment/torch.json" "$@" "$torch" ||
        refuse "pip does not find $torch"
    grep -qE '"(nvidia|cuda)-' "$environment/torch.json"
}

make_frameworks() {
    began=$(date +%s)
    rm -rf "$environment"
    "$python" -m venv "$environment"

    torch=$(grep '^torch==' "$requirements")
    if is_for_gpus; then
        is_for_gpus --extra-index-url "$torch_index" &&
            refuse "the wheel of $torch that pip finds is for GPUs, also in $torch_index; LIGHTBOARD_TORCH_INDEX=URL names another index"
        $pip install -q --no-compile --no-deps --only-binary :all: --extra-index-url "$torch_index" "$torch" ||
            refuse "pip could not install $torch"
    fi
    $pip install -q --no-compile --no-deps --only-binary :all: -r "$requirements" ||
        refuse "pip could not install $requirements"
    import_all "$environment"
    cp "$requirements" "$environment/requirements.txt"
    echo "setup: made $environment in $(($(date +%s) - began)) s, $(du -sm "$environment" | cut -f1) MB"
}

make_older() {
    began=$(date +%s)
    rm -rf "$older"
    "$environment/bin/python" -m venv --without-pip "$older"
    own=$("$older/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    shared=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    $pip install -q --no-compile --no-deps --only-binary :all: --target "$own" -r "$older_requirements" ||
        refuse "pip could not install $older_requirements"
    # Transformers 4 cannot be imported beside Keras 3, unless it is told to leave TensorFlow alone.
    printf '%s\n' "$shared" 'import os; os.environ.setdefault("USE_TF", "0")' >"$own/shared.pth"
    import_all "$older"
    cp "$older_requirements" "$older/requirements.txt"
    echo "setup: made $older in $(($(date +%s) - began)) s, $(du -sm "$older" | cut -f1) MB"
}

pip="$environment/bin/python -m pip"
if ! is_made "$environment" "$requirements"; then make_frameworks; fi
if ! is_made "$older" "$older_requirements"; then make_older; fi
