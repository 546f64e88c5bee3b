"""Jobs of the hub. Times are seconds since the epoch, durations in seconds (0 is no limit), sizes in bytes."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.job_metrics import JobMetricSummary, MetricCount
from lightboard.schema.life_spans import Span
from lightboard.schema.model import HubRequestModel, ResponseModel, Whole
from lightboard.schema.page import Page, PageRequest, Short
from lightboard.schema.project_secrets import SecretReference
from lightboard.schema.source_code import DIGEST_PATTERN, SourceCodeResponse
from lightboard.schema.tensorboards import Labels, Tags, TensorboardResponse

JobKindWord = Literal["job", "notebook"]
JobStatusWord = Literal[
    "Queued",
    "Starting",
    "Running",
    "Restarting",
    "Pausing",
    "Paused",
    "Stopping",
    "Succeeded",
    "Failed",
    "Stopped",
    "Deleting",
    "Deleted",
]
Argument = Annotated[str, Field(max_length=65_536)]
InputName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
InputSource = Annotated[str, Field(min_length=1, max_length=4096)]
Port = Annotated[int, Field(ge=1, le=65_535)]
LogDir = Annotated[str, Field(max_length=4096)]
VariableName = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^=\x00]+$")]
VariableText = Annotated[str, Field(max_length=65_536, pattern=r"^[^\x00]*$")]
Variables = Annotated[dict[VariableName, VariableText | SecretReference], Field(max_length=200)]
"""Variables by name. Each has a value, or `{"secret": NAME}` for that of a secret of the project."""
HyperparameterValue = bool | int | float | Annotated[str, Field(max_length=4096)]


class NewVolume(HubRequestModel):
    """A folder that a job finds at the absolute path `target`, whose leading slashes may be two.

    `source` is written as an input. With `read_only` null, a folder in the storage of the project (`storage:PATH`) can
    be written to, and others only be read.
    """

    source: InputSource
    target: Annotated[str, Field(min_length=1, max_length=1024)]
    read_only: bool | None = None


class JobVolume(ResponseModel):
    """A volume of a job. `enforcement` is how the last attempt found it; null before its command has started.

    `kernel`: it is mounted at its target, and a read-only one cannot be written to. `process`: the arguments of the
    command have its real path. `none`: only a variable has its path. Nothing keeps these two from writing.
    """

    source: str
    target: str
    read_only: bool
    enforcement: Literal["kernel", "process", "none"] | None


class CreateJob(HubRequestModel):
    """A new job. `command` is a program and its arguments, without a shell.

    If `name` is "", it is derived from the display name or the command. `memory_bytes` is the limit of one replica,
    null for none. `queue_timeout_secs` is how long it may wait for a slot each time, `max_run_secs` how long an attempt
    may run, `life_span_secs` how long all attempts together may, `grace_secs` how long the command may take to clean up
    when it is ended. Jobs of a higher `priority` start first.
    `preset` is the name of what each replica gets of the machine; "" is the first one of the hub, if it has any.
    `memory_bytes` may not be more than the memory of the preset.
    `image` is the name of an environment of programs that the administrator has set up; "" is that of the hub itself.
    `environment` has variables by name, each with a value, or with `{"secret": NAME}` for that which a secret of the
    project has when an attempt starts.
    `inputs` are folders or files by name, as the sources of a TensorBoard are written: `storage:mnist`,
    `dataset:NAME/train`, or an absolute path that the project may show. `source_code` is the digest of an archive that
    was uploaded to the project, and that is unpacked where the command starts; "" for none. `log_dir` is where the
    variables for TensorBoard logs point to, written as an input; it must be in the storage of the project, and is
    created there. "" is a folder of the outputs. `volumes` are folders at paths that the command knows; one that can be
    written to is in the storage of the project, and is created if it is missing. With `tensorboard`, it has a
    TensorBoard of these logs from the beginning; if that cannot be created, nothing is. `http_port` is the
    port at which the first replica serves a web page for the owner of the job, null for none; its program finds it in
    the variable PORT.
    """

    command: Annotated[list[Argument], Field(min_length=1, max_length=1000)]
    project: Short = ""
    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    environment: Variables = Field(default_factory=dict)
    hyperparameters: Annotated[
        dict[Annotated[str, Field(min_length=1, max_length=200)], HyperparameterValue], Field(max_length=200)
    ] = Field(default_factory=dict)
    image: Annotated[str, Field(max_length=500)] = ""
    inputs: Annotated[dict[InputName, InputSource], Field(max_length=50)] = Field(default_factory=dict)
    replicas: Annotated[int, Field(ge=1, le=64)] = 1
    preset: Annotated[str, Field(max_length=100)] = ""
    memory_bytes: Annotated[int, Field(ge=1 << 20, le=1 << 50)] | None = None
    priority: Annotated[int, Field(ge=1, le=9)] = 5
    max_retries: Annotated[int, Field(ge=0, le=100)] = 0
    max_run_secs: Span = 0.0
    life_span_secs: Span = 0.0
    queue_timeout_secs: Span = 0.0
    grace_secs: Annotated[float, Field(ge=0, le=3600)] = 30.0
    source_code: Annotated[str, Field(pattern=DIGEST_PATTERN)] = ""
    log_dir: LogDir = ""
    volumes: Annotated[list[NewVolume], Field(max_length=50)] = Field(default_factory=list)
    tensorboard: bool = False
    http_port: Port | None = None
    labels: Labels = Field(default_factory=dict)
    tags: Tags = Field(default_factory=list)


class ChangePriority(HubRequestModel):
    """A new priority of a job, from 1 to 9; those with higher ones start first."""

    priority: Annotated[int, Field(ge=1, le=9)]


class ChangeJob(HubRequestModel):
    """Whether a job or notebook has a TensorBoard, also after its end.

    `log_dir` is what the TensorBoard shows, written as an input; "" is what it shows already, or if it is new, the
    folder where the job writes its logs.
    """

    tensorboard: bool
    log_dir: LogDir = ""


class JobTransitionResponse(ResponseModel):
    """A history entry; `actor` is the name of an account, "" for the hub itself."""

    at: float
    status: JobStatusWord
    reason: str
    message: str
    actor: str
    attempt: int


class JobResponse(ResponseModel):
    """A job. `rights` are those of the account.

    `phase` is DCE's status, `pai_status` PAI's, and `neuro_status` with `reason` Neu.ro's. `attempt` is the number of
    the last attempt, 0 before the first; `exit_code` and `signal` are how it ended. `output_uri` is the folder of its
    outputs, and `tensorboard_uri` the one in it for TensorBoard logs, with a folder for each attempt and replica.
    `isolation` is what keeps the last attempt from the rest of the hub's machine; null before its command has started.
    So is `limits`, which says what enforces those of the last attempt: a control group, or watching its processes.
    `image_digest` is that of the environment which it got when it was last started, "" if the hub has not built it.
    `preset` is the name of what each replica gets: `cpus`, `memory_limit_bytes` (null for no limit) and `gpus`.
    `memory_bytes` is a limit of the job's own. `cpu_ids` and `gpu_ids` are the processors and GPUs of the last attempt,
    those of the first replica first; without `cpu_ids` it may use all processors.
    Values of `environment` are null for everybody but its owner, and for tokens that may only read. A secret is told by
    its name, to everybody. `url` is where its owner opens a notebook, or the web page that a job serves at `http_port`;
    "" for other jobs. `metrics` are those that a list was asked for, empty elsewhere.
    `repeat_of` is the id of the job that was run again as this one.
    `expires_at` is when a running job is stopped because of its life span; null without one, and in other statuses.
    `idle_at` is when a notebook is stopped if nothing runs in it; null while something does, before its server has said
    so, without an idle stop, and for other jobs.
    """

    id: str
    kind: JobKindWord
    name: str
    display_name: str
    project: str
    project_name: str
    owner: str
    owner_name: str
    command: list[str]
    environment: dict[str, str | SecretReference | None]
    hyperparameters: dict[str, bool | int | float | str]
    image: str
    image_digest: str
    inputs: dict[str, str]
    volumes: list[JobVolume]
    replicas: int
    preset: str
    cpus: int
    gpus: int
    memory_bytes: int | None
    memory_limit_bytes: int | None
    cpu_ids: list[int]
    gpu_ids: list[int]
    priority: int
    max_retries: int
    max_run_secs: float
    life_span_secs: float
    queue_timeout_secs: float
    grace_secs: float
    source_code: SourceCodeResponse | None
    isolation: Literal["none", "process", "kernel"] | None
    limits: Literal["watching", "cgroup"] | None
    labels: dict[str, str]
    tags: list[str]
    status: JobStatusWord
    reason: str
    message: str
    phase: Literal["CREATED", "RUNNING", "SUCCEEDED", "FAILED", ""]
    pai_status: Literal["Created", "Initializing", "Running", "Succeed", "Failed", "Terminated"]
    neuro_status: Literal["pending", "suspended", "running", "succeeded", "failed", "cancelled"]
    version: int
    created_at: float
    updated_at: float
    status_since: float
    queued_at: float
    attempt: int
    retries: int
    started_at: float | None
    ended_at: float | None
    expires_at: float | None
    exit_code: int | None
    signal: int | None
    runner: str
    output_uri: str
    tensorboard_uri: str
    log_dir: str
    repeat_of: str
    http_port: int | None
    idle_secs: float
    idle_at: float | None
    url: str
    metrics: list[JobMetricSummary] = Field(default_factory=list)
    rights: list[str]


class JobDetail(JobResponse):
    """A job with its history, oldest first, and its TensorBoard: null if it has none that the account sees."""

    transitions: list[JobTransitionResponse]
    tensorboard: TensorboardResponse | None


class JobHttp(ResponseModel):
    """Whether a job serves its web page now: `listens`, or a `message` that says why it cannot be opened.

    `taken` is whether another program has the port, so that waiting does not help.
    """

    port: int
    listens: bool
    taken: bool
    message: str


class JobPage(Page[JobResponse]):
    """A page of jobs. With `metrics` in the request, `metrics` are the names of those that were chosen, and
    `offered_metrics` those that the jobs of the page have, most common first.
    """

    metrics: list[str] = Field(default_factory=list)
    offered_metrics: list[MetricCount] = Field(default_factory=list)


class JobRequest(PageRequest):
    """Filters for jobs: separate several values with commas; `owner` is a name, an id, or `me`.

    `metrics` are the names of up to eight metrics to list with each job; `*` is the few that most of the listed jobs
    have.
    """

    kind: JobKindWord = "job"
    project: Short = ""
    owner: Short = ""
    status: Short = ""
    search: Annotated[str, Field(max_length=1000)] = ""
    sort: Literal["created", "name", "-created", "-name"] = "-created"
    metrics: Annotated[str, Field(max_length=4096)] = ""


MAX_ATTEMPT = 10**6
MAX_CURSOR = 2**53
"""Every number up to it is one in JavaScript."""


class JobLogRequest(HubRequestModel):
    """Which part of a log to read.

    `attempt` 0 is the last one. A `cursor` is 0 for the beginning, or from an earlier response; -n starts with the
    first whole line in the last n bytes.
    """

    attempt: Annotated[int, Field(ge=0, le=MAX_ATTEMPT)] = 0
    rank: Annotated[int, Field(ge=0, le=63)] = 0
    cursor: Annotated[int, Field(ge=-MAX_CURSOR, le=MAX_CURSOR)] = 0
    max_bytes: Annotated[int, Field(ge=1, le=1 << 20)] = 256 << 10
    project: Short = ""


class JobLogLine(ResponseModel):
    """A line and when it was written. A `transient` one is replaced by the next, as progress bars do."""

    at: float
    text: str
    transient: bool


class JobLog(ResponseModel):
    """Consecutive lines of the log of one replica in one attempt. `cursor` is where to continue.

    `lost_bytes` before the first line have been deleted because the log became too long. With `complete` nothing more
    will be written: the attempt has ended, and this is its last part.
    """

    attempt: int
    lines: list[JobLogLine]
    cursor: Whole
    lost_bytes: Whole
    complete: bool


class GpuUsage(ResponseModel):
    """What a replica uses of a GPU.

    `utilization` is the share of the last moments, from 0 to 1, in which the GPU computed, for anyone.
    `memory_bytes` is that of the processes of the replica, of `total_memory_bytes`.
    """

    id: int
    utilization: float
    memory_bytes: int
    total_memory_bytes: int


class ReplicaUsage(ResponseModel):
    """What all processes of a replica use together; `cpu_secs` is the total since the start of the attempt."""

    rank: int
    cpu_secs: float
    memory_bytes: int
    processes: int
    gpus: list[GpuUsage]


class GpuHistory(ResponseModel):
    """What a replica has used of a GPU, by sample; 0 where it did not use it."""

    id: int
    total_memory_bytes: int
    utilization: list[float]
    memory_bytes: list[int]


class ReplicaHistory(ResponseModel):
    """What a replica has used, by sample. A sample is of `secs` seconds, until `at`.

    `cpus` is the processor time per second. It and the utilization of GPUs are means; memory and processes are the most
    that were measured.
    """

    rank: int
    at: list[float]
    secs: list[float]
    cpus: list[float]
    memory_bytes: list[int]
    processes: list[int]
    gpus: list[GpuHistory]


class JobUsageHistory(ResponseModel):
    """What the replicas of an attempt have used, of those that were measured."""

    attempt: int
    replicas: list[ReplicaHistory]


class JobUsageRequest(HubRequestModel):
    """Of which attempt to get the usage. `attempt` 0 is the last one."""

    attempt: Annotated[int, Field(ge=0, le=10**6)] = 0
    project: Short = ""


class JobUsage(ResponseModel):
    """Current resource usage, of those replicas that run and have been measured."""

    replicas: list[ReplicaUsage]
    at: float
