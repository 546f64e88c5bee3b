"""The TensorBoard of the hub: what was asked for, and how it stands."""

from dataclasses import dataclass, field
from enum import StrEnum

from lightboard.hub.resources.sources import Source

PREFIX = "tb"
LIFE_SPAN_SECS = 86_400
IDLE_TIMEOUT_SECS = 3_600
LIMIT = 5
"""Boards that one account may have in use, as PAI's users know it; administrators may set another number."""
MOST_TAGS = 16
MOST_LABELS = 64
RETURN_SECS = 120.0
"""How long after a restart a board waits for the pages that were open before, however long it was idle."""
LONGEST_SECS = 30 * 86_400.0
"""Life span that is left, and idle time, of boards whose owners may not have them run without end."""


class Status(StrEnum):
    """PAI's words, to the letter: programs compare them. `Failed` (died while serving) is ours."""

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
"""Statuses in which the hub has something to do."""
RESTING = frozenset({Status.STOPPED, Status.CREATING_FAILED, Status.FAILED})
"""Statuses from which a board can be started."""


class Origin(StrEnum):
    """Who made it; never changes."""

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
    """How far reading has come; sizes in bytes, the time in seconds since the epoch."""

    runs: int = 0
    bytes_read: int = 0
    bytes_total: int = 0
    last_event_at: float | None = None
    loading: bool = False


@dataclass(frozen=True, kw_only=True)
class Transition:
    """One step of its history. `actor` is an account's id, or "" for the hub itself.

    A change of its life span is one as well: then `life_span_secs` is the new one, and `expires_at` when it ends from
    now on, None while the board does not run or has no end. Other steps have neither.
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
    """One instance. Times are seconds since the epoch; `ran_secs` is running time before the present stretch.

    `version` rises with every change and is what concurrent writers compare. `executor_ref` is the launcher's handle.
    `spec_version` rises with every change of what the launcher is told, `placed_version` is the one it was told last: 0
    before the first time, and set before it is asked, so that a start which nobody lived to hear of can be found.
    `project_chosen` says that its owner named the project, and did not just get their first one.
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
        """How long it has been Running in all."""
        return self.ran_secs + (max(0.0, now - self.running_since) if self.running_since is not None else 0.0)

    def expires_at(self, now: float) -> float | None:
        """When its life span ends if it goes on running; None without a span or while it does not run."""
        if not self.life_span_secs or self.running_since is None:
            return None
        return now + max(0.0, self.life_span_secs - self.running_secs(now))

    def is_endless(self, now: float) -> bool:
        """Whether it may run, or wait for somebody to come, longer than LONGEST_SECS from now on."""
        left = self.life_span_secs - self.running_secs(now) if self.running_since is not None else self.life_span_secs
        return not 0 < self.idle_timeout_secs <= LONGEST_SECS or not self.life_span_secs > 0 or left > LONGEST_SECS

    def idle_at(self) -> float | None:
        """When it is stopped if nobody comes; None without such a rule or while it does not run.

        Counted from the last visit, whatever restarted the board since; open pages get RETURN_SECS to reconnect.
        """
        if not self.idle_timeout_secs or self.running_since is None:
            return None
        visited_at = self.running_since if self.last_active_at is None else self.last_active_at
        return max(visited_at + self.idle_timeout_secs, self.running_since + min(self.idle_timeout_secs, RETURN_SECS))
