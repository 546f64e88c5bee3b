"""Where the jobs of an estimator write their outputs, as PAI's programs say it. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lightboard.client.analysis import log_folder
from lightboard.client.volumes import output_target
from lightboard.errors import UsageError

MODEL, CHECKPOINTS, TENSORBOARD = CHANNELS = ("model", "checkpoints", "tensorboard")
"""The kinds of outputs."""
STORAGE = "storage:"
HINT = (
    "outputs are written to the storage of the project, for example storage:results; copy them to a bucket from there"
)
_FOREIGN = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class OutputFolders:
    """The `volumes` of a job that are folders of outputs, and the folder of its TensorBoard logs.

    `log_dir` is "" for a folder of the job itself.
    """

    volumes: tuple[str, ...]
    log_dir: str


def output_folders(
    outputs: Mapping[str, str], output_path: str, checkpoints_path: str, analysis: Mapping[str, Any] | None, job: str
) -> OutputFolders:
    """Where a job writes each kind of outputs: to its folder in `outputs`, or to a folder named `job` in `output_path`.

    Checkpoints go to `checkpoints_path` itself, so that another job finds them there. What has no folder is written to
    the folder of the job. Raises UsageError for other kinds, and for folders in other places.
    """
    if other := sorted(outputs.keys() - {*CHANNELS}):
        raise UsageError(f"a job has no output {other[0]}", hint=f"it has {', '.join(CHANNELS)}")
    own = {each: below(output_path, job, each) for each in CHANNELS} if output_path else {}
    own |= {CHECKPOINTS: checkpoints_path} if checkpoints_path else {}
    named = {each: folder for each, folder in outputs.items() if folder}
    found = {**own, **named}
    for folder in (output_path, *(found.get(each, "") for each in (MODEL, CHECKPOINTS))):
        if folder and not folder.startswith(STORAGE):
            raise UsageError(f"{folder!r} is not a folder that a job can write to", hint=HINT)
    logs = {named.get(TENSORBOARD, ""), log_folder(analysis)} - {""}
    if len(logs) > 1:
        raise UsageError("outputs and analysis name two folders for TensorBoard logs", hint="give one of them")
    volumes = tuple(f"{found[each]}:{output_target(each)}:rw" for each in (MODEL, CHECKPOINTS) if each in found)
    return OutputFolders(volumes, logs.pop() if logs else own.get(TENSORBOARD, ""))


def below(folder: str, *names: str) -> str:
    """A folder below one in the storage of the project."""
    return "/".join(filter(None, (folder.rstrip("/"), *names))).replace(f"{STORAGE}/", STORAGE)


def folder_name(display_name: str, suffix: str) -> str:
    """The name of a folder for the outputs of one job, such as `mnist_c6c30d`."""
    return f"{_FOREIGN.sub('-', display_name).strip('-.') or 'job'}_{suffix}"
