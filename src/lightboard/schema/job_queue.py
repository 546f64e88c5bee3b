"""The queue of jobs: what they share, who uses how much of it, and which jobs wait."""

from typing import Literal

from lightboard.schema.jobs import JobKindWord, JobStatusWord
from lightboard.schema.model import ResponseModel
from lightboard.schema.page import Page


class QueuedJob(ResponseModel):
    """A waiting job. `position` is its place among all that wait, from 1; null if it needs more than there is.

    It needs `slots`, `memory_bytes` and `gpus` for all replicas together. `message` says what a Queued job waits for,
    "" for slots; that of a Restarting one is how its last attempt has ended. `waits_since` is when its wait began.
    `rights` are those of the account.
    """

    id: str
    kind: JobKindWord
    name: str
    project: str
    project_name: str
    owner: str
    owner_name: str
    position: int | None
    priority: int
    status: JobStatusWord
    reason: str
    message: str
    preset: str
    replicas: int
    slots: int
    memory_bytes: int
    gpus: int
    queued_at: float
    waits_since: float
    rights: list[str]


class QueueCapacity(ResponseModel):
    """What jobs share: `slots`, memory and GPUs, null for what is not counted here, and how much of it is used."""

    slots: int | None
    memory_bytes: int | None
    gpu_ids: list[int] | None
    used_slots: int
    used_memory_bytes: int
    used_gpu_ids: list[int]


class QueueShare(ResponseModel):
    """What the jobs of an account have, and how many run and wait.

    Those jobs that one may not see are one share, without an account. `share` is the largest part, from 0 to 1, that
    they have of slots, memory or GPUs.
    """

    account: str
    account_name: str
    own: bool
    running: int
    waiting: int
    slots: int
    memory_bytes: int
    gpus: int
    share: float


class JobCapabilities(ResponseModel):
    """What new jobs can have where this hub runs them, which is `place`, "" for its own machine.

    `isolation` and `limits` are those of a job, and `isolation_problem` says why there is no more isolation. `commands`
    are terminals and `exec` in running jobs, `servers` are notebooks, web pages and forwarded ports. Whatever they
    cannot have has a problem, which says why; others are "".
    """

    place: str
    isolation: Literal["kernel", "process", "none"]
    isolation_problem: str
    limits: Literal["cgroup", "watching"]
    commands: bool
    commands_problem: str
    servers: bool
    servers_problem: str
    volumes: bool
    volumes_problem: str


class JobQueue(Page[QueuedJob]):
    """The waiting jobs that one may see, in the order in which they start; last those that never do.

    `waiting` is the number of all that wait. `active_jobs` of the `max_active_jobs` that the account may have wait, run
    or are paused.
    """

    capacity: QueueCapacity
    capabilities: JobCapabilities
    shares: list[QueueShare]
    waiting: int
    active_jobs: int
    max_active_jobs: int
