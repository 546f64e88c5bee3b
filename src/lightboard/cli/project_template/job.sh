#!/bin/sh
# What jobs of this project run. `sh job.sh setup` installs requirements.txt into a folder of the project's storage, unless
# the Python of the job has all of it. `sh job.sh run COMMAND...` runs a command with that; what it writes to `results`
# goes to the log folder of the job.
set -eu
environment=${LIGHTBOARD_VOLUME_1:-}
export PYTHONPATH="$environment" PIP_DISABLE_PIP_VERSION_CHECK=1

is_complete() {
    missing=$(python -m pip install --no-index --no-deps --dry-run -r requirements.txt 2>/dev/null) || return 1
    case $missing in *"Would install"*) return 1 ;; esac
}

refuse() {
    echo "$1; \`make setup train IMAGE=NAME\` uses an environment of the hub that has these packages" >&2
    exit 1
}

case $1 in
setup)
    if is_complete; then
        echo "requirements.txt is installed"
    elif [ -z "$environment" ]; then
        refuse "requirements.txt is not installed here"
    else
        echo "installing requirements.txt"
        python -m pip install -q --upgrade --target "$environment" -r requirements.txt 2>pip.log || {
            reason=$(sed -n 's/^ERROR: //p' pip.log | tail -n 1)
            refuse "requirements.txt cannot be installed here (${reason:-$(tail -n 1 pip.log)})"
        }
        echo "requirements.txt is installed"
    fi
    ;;
run)
    is_complete || refuse "requirements.txt is not installed, which \`make setup\` does"
    if [ -n "${PAI_INPUT_DATASETS:-}" ]; then
        # Keras takes no folder that it cannot write to.
        export KERAS_HOME="$PWD/.keras"
        mkdir -p .keras
        ln -sfn "$PAI_INPUT_DATASETS" .keras/datasets
    fi
    rm -rf results
    ln -s "$LIGHTBOARD_LOG_DIR" results
    shift
    exec "$@"
    ;;
esac
