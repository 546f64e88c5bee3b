"""The job of the hub: a command that runs on a runner, its settings and its status.

A notebook is a job whose command is a JupyterLab server.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from lightboard.hub.resources.presets import Preset
from lightboard.hub.resources.replicas import Isolation, Limits
from lightboard.hub.resources.volumes import Volume

PREFIX = "job"
STORAGE = "storage:"
OUTPUT_FOLDER = "jobs"
"""The folder in the storage of a project that has the outputs of its jobs."""
NOTEBOOK_FOLDER = "notebooks"
"""The folder there that has the files of its notebooks, by name."""
RESERVED = frozenset({OUTPUT_FOLDER, NOTEBOOK_FOLDER})
"""Where each job has a folder of its own, which no other may write to."""
TENSORBOARD_CHANNEL, NOTEBOOK_LOGS = "tensorboard", "logs"
"""The folder of TensorBoard logs, below the outputs of a job and the files of a notebook."""
MAX_REPLICAS = 64
MAX_RETRIES = 100
GRACE_SECS = 30.0
"""How long a stopped command may take to clean up."""
PRIORITIES = (1, 9)
"""The lowest and highest priority, as in PAI."""
PRIORITY = 5


class JobKind(StrEnum):
    """What a job is for."""

    JOB = "job"
    NOTEBOOK = "notebook"


SERVER_PATHS = {JobKind.NOTEBOOK: "/notebooks/", JobKind.JOB: "/http/"}
"""Where the servers in jobs are below the path of the hub, by kind."""


class JobStatus(StrEnum):
    """What happens to a job. `Queued` waits for a slot, `Restarting` for a slot and the end of its back-off.

    `Pausing` is being ended, and `Paused` waits until a user resumes it.
    """

    QUEUED = "Queued"
    STARTING = "Starting"
    RUNNING = "Running"
    RESTARTING = "Restarting"
    PAUSING = "Pausing"
    PAUSED = "Paused"
    STOPPING = "Stopping"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"
    STOPPED = "Stopped"
    DELETING = "Deleting"
    DELETED = "Deleted"


WAITING = frozenset({JobStatus.QUEUED, JobStatus.RESTARTING})
"""Statuses in which a job waits for a slot."""
ON_RUNNER = frozenset(
    {JobStatus.STARTING, JobStatus.RUNNING, JobStatus.PAUSING, JobStatus.STOPPING, JobStatus.DELETING}
)
"""Statuses in which processes of a job may exist, so that it has a slot."""
ENDED = frozenset({JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.STOPPED})
"""Statuses from which a job can be restarted."""
RESTING = ENDED | {JobStatus.PAUSED}
"""Statuses that a job leaves only when a user asks."""
NOT_ENDED = WAITING | ON_RUNNER | {JobStatus.PAUSED}
"""Statuses in which a job has its name for itself, and counts for its owner."""


Hyperparameter = bool | int | float | str


@dataclass(frozen=True, kw_only=True)
class JobTransition:
    """One entry of the history. `actor` is an account's id, or "" for the hub itself."""

    at: float
    status: JobStatus
    reason: str = ""
    message: str = ""
    actor: str = ""
    attempt: int = 0


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job of the hub. Times are seconds since the epoch, durations in seconds; 0 is no limit.

    `attempt` is the number of the last attempt, 0 before the first; each attempt is a workload of the runner, with
    `runner_ref` as its handle. `image` is the name of the environment of its programs, "" for that of the hub, and
    `image_digest` that of the environment which it got when a user last started it, "" if the hub has not built it.
    `environment` are the values of its variables, and `secrets` the names of secrets of its project, by those variables
    that get their values. `inputs` are sources of data by name, and `volumes` folders at paths of its own, with the ids
    of datasets. `output` is the folder of its outputs in the storage of the project. `retries` have been used since a
    user started the job.
    `started_at` is when its command started in the last attempt, and `exit_code` and `signal` are how it ended;
    `isolation` is what kept that attempt from the rest of the machine, and `limits` what enforced its limits, None if
    that is not known. `source_code` is the digest of its source code, "" if it has none. A notebook ends when it was
    not used for `idle_secs`; `output` is the folder of its files. `log_dir` is the source where it writes TensorBoard
    logs, below the storage of the project; "" for a folder of its outputs. `max_run_secs` limits one attempt, and
    `life_span_secs` the running time of all of them since a user started the job, of which `ran_secs` are those of the
    attempts that have ended. `repeat_of` is the id of the job that was
    run again as this one, "" for none. `http_port` is the port at which its first replica serves a web page, None for
    none.

    `preset` is the name of what each replica gets of the machine, "" for none: `cpus`, `preset_memory_bytes` (None for
    no limit) and `gpus`, as they were when a user last started the job. `memory_bytes` is a lower limit of its own.
    `cpu_ids` and `gpu_ids` are the processors and GPUs of the last attempt, those of replica 0 first; without
    `cpu_ids`, it may use all processors.
    """

    id: str
    name: str
    display_name: str
    project: str
    owner: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict, repr=False)
    secrets: dict[str, str] = field(default_factory=dict)
    hyperparameters: dict[str, Hyperparameter] = field(default_factory=dict)
    replicas: int = 1
    memory_bytes: int | None = None
    priority: int = PRIORITY
    max_retries: int = 0
    max_run_secs: float = 0.0
    life_span_secs: float = 0.0
    queue_timeout_secs: float = 0.0
    grace_secs: float = GRACE_SECS
    labels: dict[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    status: JobStatus = JobStatus.QUEUED
    reason: str = ""
    message: str = ""
    version: int = 1
    created_at: float = 0.0
    updated_at: float = 0.0
    status_since: float = 0.0
    queued_at: float = 0.0
    attempt: int = 0
    retries: int = 0
    ran_secs: float = 0.0
    started_at: float | None = None
    ended_at: float | None = None
    exit_code: int | None = None
    signal: int | None = None
    runner: str = ""
    runner_ref: str = ""
    image: str = ""
    image_digest: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    output: str = ""
    source_code: str = ""
    isolation: Isolation | None = None
    limits: Limits | None = None
    preset: str = ""
    cpus: int = 1
    preset_memory_bytes: int | None = None
    gpus: int = 0
    cpu_ids: tuple[int, ...] = ()
    gpu_ids: tuple[int, ...] = ()
    kind: JobKind = JobKind.JOB
    idle_secs: float = 0.0
    log_dir: str = ""
    repeat_of: str = ""
    volumes: tuple[Volume, ...] = ()
    http_port: int | None = None

    @property
    def has_server(self) -> bool:
        """Whether its owner can open it: a notebook, or a job with a web page."""
        return self.kind is JobKind.NOTEBOOK or self.http_port is not None

    def running_secs(self, now: float) -> float:
        """How long its commands have run since a user started it, in all attempts."""
        running = self.started_at is not None and self.ended_at is None
        return self.ran_secs + (max(0.0, now - (self.started_at or 0.0)) if running else 0.0)

    def expires_at(self, now: float) -> float | None:
        """When its life span ends if it keeps running; None without a life span or while it is not running."""
        if not self.life_span_secs or self.status is not JobStatus.RUNNING:
            return None
        return now + max(0.0, self.life_span_secs - self.running_secs(now))

    @property
    def has_idle_stop(self) -> bool:
        """Whether it is stopped when it is not used for some time, as it is now."""
        return self.status is JobStatus.RUNNING and self.kind is JobKind.NOTEBOOK and self.idle_secs > 0

    @property
    def memory_limit_bytes(self) -> int | None:
        """The limit of memory of each replica, None for none."""
        return self.preset_memory_bytes if self.memory_bytes is None else self.memory_bytes

    def cpu_ids_of(self, rank: int) -> tuple[int, ...]:
        """The processors of one replica; none if it may use all."""
        return self.cpu_ids[rank * self.cpus : (rank + 1) * self.cpus]

    def gpu_ids_of(self, rank: int) -> tuple[int, ...]:
        """The GPUs of one replica."""
        return self.gpu_ids[rank * self.gpus : (rank + 1) * self.gpus]

    def with_preset(self, preset: Preset) -> Self:
        """The job with what a preset has."""
        return replace(
            self, preset=preset.name, cpus=preset.cpus, preset_memory_bytes=preset.memory_bytes, gpus=preset.gpus
        )

    @property
    def output_uri(self) -> str:
        """The folder of its outputs, as a source of a TensorBoard is written."""
        return f"{STORAGE}{self.output}"

    @property
    def tensorboard_uri(self) -> str:
        """The folder of its TensorBoard logs: of a job, with a folder for each attempt and replica."""
        return self.log_dir or f"{self.output_uri}/{self.log_channel}"

    @property
    def log_channel(self) -> str:
        """The name of that folder, if it is one of its outputs."""
        return NOTEBOOK_LOGS if self.kind is JobKind.NOTEBOOK else TENSORBOARD_CHANNEL


def server_path(kind: JobKind, id: str) -> str:
    """The path of the server in a job below that of the hub, if it has no host of its own."""
    return f"{SERVER_PATHS[kind]}{id}/"
