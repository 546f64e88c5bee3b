"""The observed state of one replica of a workload. Only the standard library is imported, as supervisors start fast."""

from dataclasses import dataclass
from enum import StrEnum

OUT_OF_MEMORY = "OOMKilled"
START_FAILED = "ContainerCannotRun"
LOST = "NodeLost"
CLUSTER_LOST = "ClusterLost"
STOPPED = "Stopped"
"""Machine-readable reasons why a replica ended; "" if its command ended by itself."""
WORKER_ENDED = "the worker that it belonged to has ended"
"""The message of a replica that its supervisor has ended on a cluster. It does not know why: the hub finds out."""


class ReplicaPhase(StrEnum):
    """The observed phase of a replica.

    ABSENT: it was never started, or has been deleted. UNKNOWN: its state cannot be determined now, so assume no change.
    """

    UNKNOWN = "unknown"
    ABSENT = "absent"
    STARTING = "starting"
    RUNNING = "running"
    ENDED = "ended"


class Isolation(StrEnum):
    """What keeps a workload from the rest of the machine, the weakest first.

    NONE: it can do what the user of the hub can. PROCESS: it can do what a system user can that its account has alone.
    KERNEL: namespaces, in which it sees its own folders and processes.
    """

    NONE = "none"
    PROCESS = "process"
    KERNEL = "kernel"


class Limits(StrEnum):
    """What enforces the limits of a workload, the weakest first.

    WATCHING: its processes are looked at once a second. CGROUP: the kernel does, by a control group.
    """

    WATCHING = "watching"
    CGROUP = "cgroup"


@dataclass(frozen=True, kw_only=True)
class GpuUsage:
    """What a replica uses of a GPU, whose `id` is the number of its device file.

    `utilization` is the share of the last moments, from 0 to 1, in which the GPU computed, for whomever. `memory_bytes`
    is that of the processes of the replica, of `total_memory_bytes`.
    """

    id: int
    utilization: float
    memory_bytes: int
    total_memory_bytes: int


@dataclass(frozen=True, kw_only=True)
class ResourceUsage:
    """What all processes of a replica use together. `cpu_secs` is the total since the start."""

    cpu_secs: float
    memory_bytes: int
    processes: int
    gpus: tuple[GpuUsage, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReplicaState:
    """The observed state of one replica. Times are in seconds since the epoch.

    `exit_code` is set if the command exited, `signal` if a signal ended it. Both are None if that is not known. `usage`
    is the last measurement. `isolation` and `limits` are None until the command has been started.
    """

    phase: ReplicaPhase
    started_at: float | None = None
    ended_at: float | None = None
    exit_code: int | None = None
    signal: int | None = None
    reason: str = ""
    message: str = ""
    usage: ResourceUsage | None = None
    isolation: Isolation | None = None
    limits: Limits | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the command ended by itself with exit code 0."""
        return self.phase is ReplicaPhase.ENDED and self.exit_code == 0 and not self.reason

    @property
    def failed(self) -> bool:
        """Whether it ended in any other way."""
        return self.phase is ReplicaPhase.ENDED and not self.succeeded
