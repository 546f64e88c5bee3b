"""The environment variables by which a job finds its folders and settings, as pure functions.

`PAI_*` are those of PAI's training jobs, `TENSORBOARD_LOGGING_DIR` is what Hugging Face's Trainer writes to, and
`AIP_TENSORBOARD_LOG_DIR` is Vertex AI's.
"""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from lightboard.hub.resources.jobs import Hyperparameter, Job, JobKind
from lightboard.hub.resources.volumes import output_channel

CHANNELS = ("model", "checkpoints")
"""Folders of outputs that all replicas and attempts share. That of TensorBoard logs has one for each."""
LOG_VARIABLES = (
    "PAI_OUTPUT_TENSORBOARD",
    "TENSORBOARD_LOGGING_DIR",
    "AIP_TENSORBOARD_LOG_DIR",
    "LIGHTBOARD_LOG_DIR",
)
_FOREIGN = re.compile(r"[^A-Z0-9]")


@dataclass(frozen=True)
class JobFolders:
    """The absolute paths of a job: `output` is the folder of its outputs, `logs` that of its TensorBoard logs.

    `inputs` are by name.
    """

    output: PurePosixPath
    logs: PurePosixPath
    inputs: Mapping[str, str]
    code: str
    config: str


def job_variables(job: Job, folders: JobFolders, project: str) -> dict[str, str]:
    """The variables that all replicas get, without those that the job sets itself.

    `project` is the name of its project.
    """
    return {
        "LIGHTBOARD_JOB_ID": job.id,
        "LIGHTBOARD_JOB_NAME": job.name,
        "LIGHTBOARD_JOB_ATTEMPT": str(job.attempt),
        "LIGHTBOARD_PROJECT": project,
        **({"OMP_NUM_THREADS": str(job.cpus)} if job.preset else {}),
        "PAI_TRAINING_JOB_ID": job.id,
        "PAI_WORKING_DIR": folders.code,
        "PAI_CONFIG_DIR": folders.config,
        "PAI_HPS": hyperparameters_json(job),
        "PAI_USER_ARGS": shlex.join(user_arguments(job)),
        **{f"PAI_HPS_{variable_name(name)}": text_of(value) for name, value in job.hyperparameters.items()},
        **{f"PAI_INPUT_{variable_name(name)}": path for name, path in folders.inputs.items()},
        **{output_variable(channel): str(folders.output / channel) for channel in channels_of(job)},
        **job.environment,
    }


def replica_variables(job: Job, logs: PurePosixPath, rank: int) -> dict[str, str]:
    """The variables that differ between replicas, without those that the job sets itself."""
    folder = str(logs / replica_logs(job, rank))
    return {name: folder for name in LOG_VARIABLES if name not in job.environment}


def http_variables(job: Job, path: str, rank: int) -> dict[str, str]:
    """The variables of the replica that serves a web page, without those that the job sets itself.

    `path` is the one that browsers request; PORT is what many programs look for.
    """
    if job.http_port is None or rank:
        return {}
    port = str(job.http_port)
    found = {"PORT": port, "LIGHTBOARD_HTTP_PORT": port, "LIGHTBOARD_HTTP_PATH": path.rstrip("/")}
    return {name: value for name, value in found.items() if name not in job.environment}


def logs_below(job: Job, folder: str) -> str:
    """The folder of the TensorBoard logs of a job, if they are in `folder`, which others may log to as well.

    A notebook logs to `folder` itself, since whoever uses it names the runs.
    """
    return folder if job.kind is JobKind.NOTEBOOK else f"{folder}/{PurePosixPath(job.output).name}"


def replica_logs(job: Job, rank: int) -> str:
    """The folder of one replica in the current attempt, below that of the TensorBoard logs; "" for that itself."""
    return "" if job.kind is JobKind.NOTEBOOK else f"attempt-{job.attempt}/rank-{rank}"


def channels_of(job: Job) -> tuple[str, ...]:
    """The kinds of outputs in the folder of the job: besides TensorBoard logs, and those for which it has volumes."""
    elsewhere = {volume.channel for volume in job.volumes}
    return () if job.kind is JobKind.NOTEBOOK else tuple(each for each in CHANNELS if each not in elsewhere)


def hyperparameters_json(job: Job) -> str:
    """All hyper-parameters as a JSON object."""
    return json.dumps(job.hyperparameters, ensure_ascii=False)


def user_arguments(job: Job) -> list[str]:
    """The hyper-parameters as arguments of a command."""
    return [word for name, value in job.hyperparameters.items() for word in (f"--{name}", text_of(value))]


def text_of(value: Hyperparameter) -> str:
    """A hyper-parameter as in JSON; text without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def output_variables(paths: Mapping[str, str]) -> dict[str, str]:
    """The variables of outputs that are writable volumes, from the `paths` at which a job finds these, by target."""
    channels = {target: output_channel(target) for target in paths}
    return {output_variable(channel): paths[target] for target, channel in channels.items() if channel in CHANNELS}


def output_variable(channel: str) -> str:
    """The variable that has the folder of one kind of outputs."""
    return f"PAI_OUTPUT_{variable_name(channel)}"


def variable_name(text: str) -> str:
    """A name in capitals, with other characters replaced."""
    return _FOREIGN.sub("_", text.upper())
