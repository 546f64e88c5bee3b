"""The TensorBoard of the hub: its settings and its status."""

from dataclasses import dataclass, field
from enum import StrEnum

from lightboard.hub.resources.sources import Source

PREFIX = "tb"
LIFE_SPAN_SECS = 86_400
IDLE_TIMEOUT_SECS = 3_600
LIMIT = 5
"""How many boards an account may have in use, as in PAI. Administrators may set another number."""
MAX_TAGS = 16
MAX_LABELS = 64
RETURN_SECS = 120.0
"""How long a restarted board waits for pages that were open before, however long it was idle."""
LONGEST_SECS = 30 * 86_400.0
"""The maximum life span and idle time for owners without the permission to run boards without end."""


class Status(StrEnum):
    """PAI's statuses, spelled exactly as there because programs compare them. `Failed` (died while serving) is an
    addition.
    """

    PENDING = "Pending"
    CREATING = "Creating"
    RUNNING = "Running"
    CREATING_FAILED = "Creating_Failed"
    STOPPING = "Stopping"
    STOPPED = "Stopped"
    DELETING = "Deleting"
    DELETED = "Deleted"
    FAILED = "Failed"


COUNTED = frozenset({Status.PENDING, Status.CREATING, Status.RUNNING, Status.STOPPING})
"""Statuses that count towards the limit of an account."""
AT_WORK = COUNTED | {Status.DELETING}
"""Statuses in which the hub has work to do."""
RESTING = frozenset({Status.STOPPED, Status.CREATING_FAILED, Status.FAILED})
"""Statuses from which a board can be started."""


class Origin(StrEnum):
    """How a board was created; never changes. The hub and its clients create none of PATH, but requests may have it."""

    UI = "ui"
    SDK = "sdk"
    CLI = "cli"
    NOTEBOOK = "notebook"
    JOB = "job"
    PATH = "path"


class Access(StrEnum):
    """Who besides its owner may open it; see `hub.access.visibility_of`."""

    PRIVATE = "private"
    PROJECT = "project"
    LINK = "public_link"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How much of its logs a board has read. The time is in seconds since the epoch."""

    runs: int = 0
    bytes_read: int = 0
    bytes_total: int = 0
    last_event_at: float | None = None
    loading: bool = False


@dataclass(frozen=True, kw_only=True)
class Transition:
    """One entry of the history. `actor` is an account's id, or "" for the hub itself.

    A changed life span is an entry too. It has the new `life_span_secs`, and `expires_at` unless the board is not
    running or has no end. Other entries have neither.
    """

    at: float
    status: Status
    reason: str = ""
    message: str = ""
    actor: str = ""
    life_span_secs: float | None = None
    expires_at: float | None = None


@dataclass(frozen=True, kw_only=True)
class Tensorboard:
    """A board of the hub. Times are seconds since the epoch; `ran_secs` is the running time before `running_since`.

    `version` increases with every change; concurrent writers compare it. `executor_ref` is the launcher's handle.
    `spec_version` increases with every change of the launcher's spec. `placed_version` is the version that was last
    sent to the launcher, 0 for none. It is stored before the launcher is called, so that a start can be recovered after
    a crash. `project_chosen`: the owner named the project and did not get the default one.
    """

    id: str
    name: str
    display_name: str
    project: str
    owner: str
    sources: tuple[Source, ...]
    source_key: str
    project_chosen: bool = True
    origin: Origin = Origin.UI
    origin_id: str = ""
    status: Status = Status.PENDING
    reason: str = "Creating"
    message: str = ""
    version: int = 1
    access: Access = Access.PRIVATE
    http_auth: bool = True
    life_span_secs: float = LIFE_SPAN_SECS
    idle_timeout_secs: float = IDLE_TIMEOUT_SECS
    reload_secs: float = 5.0
    labels: dict[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    created_at: float = 0.0
    updated_at: float = 0.0
    status_since: float = 0.0
    running_since: float | None = None
    ran_secs: float = 0.0
    last_active_at: float | None = None
    restarts: int = 0
    executor: str = "local"
    executor_ref: str = ""
    spec_version: int = 1
    placed_version: int = 0
    progress: Progress = Progress()
    memory_bytes: int | None = None
    cpu_secs: float | None = None

    @property
    def counted(self) -> bool:
        """Whether it counts towards its owner's limit."""
        return self.status in COUNTED

    def running_secs(self, now: float) -> float:
        """The total time it has been Running."""
        return self.ran_secs + (max(0.0, now - self.running_since) if self.running_since is not None else 0.0)

    def expires_at(self, now: float) -> float | None:
        """When its life span ends if it keeps running; None without a life span or while it is not running."""
        if not self.life_span_secs or self.running_since is None:
            return None
        return now + max(0.0, self.life_span_secs - self.running_secs(now))

    def is_endless(self, now: float) -> bool:
        """Whether it may run, or wait for a visitor, longer than LONGEST_SECS from now on."""
        left = self.life_span_secs - self.running_secs(now) if self.running_since is not None else self.life_span_secs
        return not 0 < self.idle_timeout_secs <= LONGEST_SECS or not self.life_span_secs > 0 or left > LONGEST_SECS

    def idle_at(self) -> float | None:
        """When it is stopped if nobody visits; None without an idle timeout or while it is not running.

        Counted from the last visit, even if the board was restarted since; open pages get RETURN_SECS to reconnect.
        """
        if not self.idle_timeout_secs or self.running_since is None:
            return None
        visited_at = self.running_since if self.last_active_at is None else self.last_active_at
        return max(visited_at + self.idle_timeout_secs, self.running_since + min(self.idle_timeout_secs, RETURN_SECS))
