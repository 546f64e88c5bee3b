"""The runner protocol: a runner starts workloads somewhere, reports their state and stores their logs.

A workload is one attempt of a job, or one start of a notebook: the same command in one or more replicas. Which
workloads should run, and what their results mean, is up to the caller. A handle contains everything that is needed to
find a workload again, and is known before anything is started.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lightboard.hub.resources.replicas import Isolation, Limits, ReplicaState
from lightboard.hub.resources.usage_history import UsageSample
from lightboard.hub.runners.exec_session import ExecSession, TerminalSize
from lightboard.hub.runners.log_part import LogPart
from lightboard.hub.runners.port_connection import PortConnection


@dataclass(frozen=True)
class VolumeMount:
    """The folder with the real path `source`, which a workload finds at the absolute path `target`."""

    source: str
    target: str
    writable: bool = False


@dataclass(frozen=True)
class SystemIdentity:
    """The system user as whom a workload runs without a sandbox: its `id`, and its `group`, which is that of its
    project.
    """

    id: int
    group: int


@dataclass(frozen=True, kw_only=True)
class WorkloadSpec:
    """The desired state of a workload. It never changes: another attempt is another workload.

    `id` has letters, digits and hyphens; with `attempt` (from 1) it identifies the workload. `command` is a program and
    its arguments, `working_dir` an absolute folder. `environment` may contain secrets: it is never logged, shown, put
    on a command line, or stored where that can be avoided. `replica_environments` adds to it for each of the
    `replicas`, by rank, unless it is empty. Each
    also gets the variables of `rendezvous`. `memory_bytes` is the limit for the processes of one replica together, None
    for no limit. `cpu_ids` are the processors of each replica, by rank, and `gpu_ids` its GPUs. Without them, it may
    use all of the machine; with `gpu_ids` of none, it has no GPU.

    In a sandbox, a workload sees the absolute paths in `readable`, `writable` and `appendable`, of which the latter may
    be below the former, but nothing of `hidden`, except for what is writable. It owns all that is in `writable`, and
    may add to what is `appendable`, where others may have files, and to writable `volumes`. `home` is its home folder
    there. `temporary` has an empty folder for each rank, which a replica sees as /tmp; if it is "", that is in memory.
    `root` is a folder with the file system of a container image, which it sees instead of the programs of the machine;
    "" for these. Without a sandbox, the variable TMPDIR has the path of `temporary`, and the arguments of the command
    have the real paths of volumes, unless the command is `fixed`; and where the runner isolates by system users, `user`
    is that of the workload, who owns what is `writable`.
    """

    id: str
    attempt: int
    command: tuple[str, ...]
    working_dir: str
    environment: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    replica_environments: tuple[Mapping[str, str], ...] = field(default=(), repr=False, hash=False)
    replicas: int = 1
    memory_bytes: int | None = None
    cpu_ids: tuple[tuple[int, ...], ...] = ()
    gpu_ids: tuple[tuple[int, ...], ...] | None = None
    cpus: int = 1
    gpus: int | None = None
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    appendable: tuple[str, ...] = ()
    volumes: tuple[VolumeMount, ...] = ()
    hidden: tuple[str, ...] = ()
    home: str = "/tmp"  # noqa: S108  # that of the sandbox
    root: str = ""
    temporary: str = ""
    user: SystemIdentity | None = None
    fixed: bool = False

    def environment_of(self, rank: int) -> dict[str, str]:
        """The variables of one replica."""
        return {**self.environment, **(self.replica_environments[rank] if self.replica_environments else {})}

    def cpu_ids_of(self, rank: int) -> tuple[int, ...]:
        """The processors of one replica, none for all of the machine."""
        return self.cpu_ids[rank] if self.cpu_ids else ()

    def gpu_ids_of(self, rank: int) -> tuple[int, ...] | None:
        """The GPUs of one replica, None for all of the machine."""
        return None if self.gpu_ids is None else self.gpu_ids[rank]


@dataclass(frozen=True, kw_only=True)
class WorkloadObservation:
    """The observed states of the replicas of one workload, by rank; none if the handle is invalid."""

    handle: str
    replicas: tuple[ReplicaState, ...]


@dataclass(frozen=True, kw_only=True)
class RunnerCapabilities:
    """What workloads of this runner support. Pages disable the rest.

    `isolation` is what every workload has from now on (with PROCESS, each needs a `user`), and `isolation_problem` why
    there is not more, "" if there is.
    `limits` says what enforces those of memory, unless that turns out to fail for a replica.
    `other_user`: workloads run as another user than the hub, who must be able to read their folders. `servers`: whether
    what listens at SERVER_SOCKET, as notebooks do, or at a port can be reached, and `servers_problem` why not.
    `commands`: whether further commands can be run in replicas, and `commands_problem` why not. `volumes`: whether they
    can have any, and `volumes_problem` why not. `place` is where workloads run, for people, "" for the machine of the
    hub.
    """

    isolation: Isolation = Isolation.NONE
    isolation_problem: str = ""
    limits: Limits = Limits.WATCHING
    other_user: bool = False
    servers: bool = True
    servers_problem: str = ""
    commands: bool = True
    commands_problem: str = ""
    volumes: bool = True
    volumes_problem: str = ""
    place: str = ""


INHERITED = ("PATH", "LANG", "LC_ALL", "TZ", "HOME")
"""The variables of their machine that workloads get too, unless their own environment has others."""
SERVER_SOCKET = "server.sock"
"""The name of the socket of a server, in the temporary folder of its replica: $TMPDIR, or /tmp without that."""
MAX_LOG_READ_BYTES = 256 << 10
"""The default size of a part of a log."""


class Runner(Protocol):
    """Runs workloads. Every method may be called from any thread and returns within seconds.

    `name` appears in settings and on pages. `on_change` is set by the caller, and called from any thread when a
    workload may have changed; a runner that cannot notify never calls it.
    """

    name: str
    on_change: Callable[[], None]

    def capabilities(self) -> RunnerCapabilities:
        """What workloads of this runner support."""

    def validate(self, spec: WorkloadSpec) -> str:
        """Checks a workload and returns the handle it will have: printable JSON without secrets. Touches no disk.

        Raises:
            LaunchError: it cannot run here.
        """

    def submit(self, spec: WorkloadSpec) -> None:
        """Starts a workload, unless it has been submitted before.

        The handle must be stored before, so that the workload is found after a crash. A workload never runs twice,
        whoever submits it and however often: after it has ended, submitting it again does nothing.

        Raises:
            LaunchError: it could not be started. It may be submitted again.
        """

    def observe(self, handles: Sequence[str]) -> list[WorkloadObservation]:
        """The observations of workloads, one per handle and in the same order. Never raises for a dead workload.

        A replica is reported as ENDED only when none of its processes is left.
        """

    def stop(self, handle: str, grace_secs: float = 30.0) -> None:
        """Requests the end of all replicas: SIGTERM, and SIGKILL after `grace_secs`. Returns at once.

        A second call can shorten the time, never extend it. A workload that has ended, or an invalid handle, is not an
        error. One that has not been submitted will end at once when it is.
        """

    def delete(self, handle: str) -> None:
        """Ends a workload without grace and deletes its log and state. Deleting twice is not an error.

        It never runs after that, even if it is submitted.

        Raises:
            LaunchError: it has not ended in time. It may be deleted again.
        """

    def delete_expired(self, now: float) -> None:
        """Deletes what only keeps workloads that were deleted some time ago from being started by a late submission.

        `now` is in seconds since the epoch.
        """

    def read_log(self, handle: str, rank: int, cursor: int = 0, max_bytes: int = MAX_LOG_READ_BYTES) -> LogPart:
        """The complete lines of a replica from `cursor` on, about `max_bytes` of them; to follow, continue at its
        cursor.

        A cursor is 0 or from an earlier part; -n starts with the first whole line in the last n bytes. Empty if there
        is nothing new, or for an invalid handle.
        """

    def read_usage(self, handle: str, rank: int) -> list[UsageSample]:
        """What a replica has used over time, also after its end; none if nothing was measured."""

    def server_socket(self, handle: str, rank: int) -> int:
        """A descriptor (O_PATH) of the Unix socket SERVER_SOCKET that a replica has created and listens at.

        The caller closes it; until then, /proc/self/fd/N can be connected to. No other workload can be behind it.

        Raises:
            LaunchError: there is none, or none yet.
        """

    def check_port(self, handle: str, rank: int, port: int) -> None:
        """Returns if a replica listens at a port of its loopback interface.

        Raises:
            LaunchError: it does not; PORT_TAKEN if another program does.
        """

    def connect(self, handle: str, rank: int, port: int) -> PortConnection:
        """A new connection to a port at which a replica listens, see `check_port`. The caller closes it.

        Another program may take the port at any time: nothing may be sent before the connection `is_accepted`.

        Raises:
            LaunchError: as `check_port`.
        """

    def exec(self, handle: str, rank: int, command: Sequence[str], terminal: TerminalSize | None) -> ExecSession:
        """Runs a further command in a replica that runs: where its command runs, as the same user, with its variables.

        It has a terminal of its own of the size `terminal`, or pipes without one. It counts as a part of the replica
        and ends with it, or when the session is closed. Whether it was started is the first event of the session.

        Raises:
            LaunchError: the replica does not run, or accepts no commands.
        """

    def close(self) -> None:
        """Releases what the runner holds. Workloads keep running."""
