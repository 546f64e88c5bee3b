#!/usr/bin/env bash
# Regenerate the corpus: scripts/corpus/make.sh LAB [writer ...]
#
# LAB is a folder outside the repository for one virtual environment per writer (several GB). Logs are
# written under CORPUS_ROOT (default /srv/runs), so that no path of the machine gets into them, and copied to
# tests/data/logs. The logs of TensorFlow 2.3 and 2.15 are kept as they are: those versions need old Pythons.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lab=${1:?folder for the virtual environments}
shift
export CORPUS_ROOT=${CORPUS_ROOT:-/srv/runs}
export PYTHONHASHSEED=0

declare -A needs=(
  [torch]="torch==2.13.0 tensorboard==2.21.0 pillow"
  [tensorboardx]="tensorboardX==2.6.5 soundfile pillow"
  [tensorflow]="tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [keras]="tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [lightning]="torch==2.13.0 tensorboard==2.21.0 lightning==2.6.6"
  [transformers]="torch==2.13.0 tensorboard==2.21.0 transformers==5.23.0 accelerate==1.15.0"
  [jax]="jax==0.10.2 flax==0.12.8 clu==0.0.12 tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [torch_kinds]="torch==2.13.0 tensorboard==2.21.0 pillow matplotlib moviepy==1.0.3"
  [tensorboardx_kinds]="tensorboardX==2.6.5 soundfile pillow matplotlib moviepy==1.0.3"
  [tensorflow_kinds]="tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [tensorflow_v1]="tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [hparams_api]="tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [keras_kinds]="tensorflow-cpu==2.21.0 tensorboard==2.21.0"
  [by_hand]="tensorboard==2.21.0"
)

everyone="torch tensorboardx tensorflow keras lightning transformers jax by_hand
  torch_kinds tensorboardx_kinds tensorflow_kinds tensorflow_v1 hparams_api keras_kinds"
for writer in "${@:-$everyone}"; do
  for one in $writer; do
    venv=$lab/v_$one
    if [ ! -x "$venv/bin/python" ]; then
      python3 -m venv "$venv"
      # shellcheck disable=SC2086
      "$venv/bin/pip" install --quiet ${needs[$one]}
    fi
    folder=$CORPUS_ROOT/${one/by_hand/hand}
    rm -rf "$folder"
    "$venv/bin/python" "$here/write_$one.py"
  done
done
python3 "$here/finish.py" "$CORPUS_ROOT" "$here/../../tests/data/logs"
