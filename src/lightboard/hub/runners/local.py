"""Runs workloads as processes of this machine, each replica under a supervisor that outlives the hub. Linux only."""

import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from lightboard.errors import LaunchError
from lightboard.hub.job_environment import output_variables
from lightboard.hub.path_mapping import mapped_command, volume_variables
from lightboard.hub.resources.replicas import START_FAILED, Isolation, Limits, ReplicaPhase
from lightboard.hub.resources.usage_history import UsageSample
from lightboard.hub.runners.base import (
    INHERITED,
    MAX_LOG_READ_BYTES,
    SERVER_SOCKET,
    RunnerCapabilities,
    WorkloadObservation,
    WorkloadSpec,
)
from lightboard.hub.runners.control_groups import ControlGroups
from lightboard.hub.runners.exec_session import ExecSession, TerminalSize, connect
from lightboard.hub.runners.gpus import gpu_variables
from lightboard.hub.runners.line_log import read_lines
from lightboard.hub.runners.log_part import LogPart
from lightboard.hub.runners.port_connection import PortConnection, listening_address
from lightboard.hub.runners.process_tree import descendants
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.rendezvous import rendezvous_variables
from lightboard.hub.runners.replica_folder import MARK, ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.replica_observation import is_alive, observe_replica
from lightboard.hub.runners.sandbox import Sandbox
from lightboard.hub.runners.supervisor_starter import FORK_SERVER, SupervisorStarter
from lightboard.hub.runners.system_users import SystemUsers
from lightboard.hub.runners.usage_log import read_usage_log
from lightboard.hub.runners.workload_folders import KEEP_SECS, WorkloadFolders
from lightboard.hub.runners.workload_handle import checked_handle, handle_of, parse_handle
from lightboard.storage.real_folder import open_socket
from lightboard.types import UNREACHABLE

END_SECS = 10.0
"""How long a deleted workload may take to end."""
POLL_SECS = 0.02
LOOPBACK = "127.0.0.1"
SANDBOX_HINT = "install bubblewrap on the machine of the hub, and start it again; /readyz says what is missing"


class LocalRunner:
    """See `hub.runners.base.Runner`. States and logs are in `root`, which only the user of the hub can read.

    Workloads run in `sandbox`, if there is one; `sandbox_problem` is why there is none. Else they run as one of
    `users`, if there are any, and otherwise as the user of the hub. `fork_server` is the command of
    the process that forks supervisors. Each replica gets one of `control_groups`, if there are any; else its processes
    are watched.
    """

    name = "local"

    def __init__(
        self,
        root: Path,
        fork_server: Sequence[str] = FORK_SERVER,
        sandbox: Sandbox | None = None,
        sandbox_problem: str = "",
        control_groups: ControlGroups | None = None,
        users: SystemUsers | None = None,
    ) -> None:
        self._users = users if sandbox is None else None
        self._folders = WorkloadFolders(root)
        self._sandbox = sandbox
        self._sandbox_problem = sandbox_problem
        self._control_groups = control_groups
        self._starter = SupervisorStarter(fork_server)
        self.on_change: Callable[[], None] = lambda: None

    def capabilities(self) -> RunnerCapabilities:
        """See Runner."""
        return RunnerCapabilities(
            isolation=self._isolation,
            isolation_problem=self._sandbox_problem,
            limits=Limits.CGROUP if self._control_groups else Limits.WATCHING,
            other_user=self._users is not None or (self._sandbox is not None and self._sandbox.user is not None),
        )

    @property
    def _isolation(self) -> Isolation:
        if self._sandbox is not None:
            return Isolation.KERNEL
        return Isolation.NONE if self._users is None else Isolation.PROCESS

    def validate(self, spec: WorkloadSpec) -> str:
        """See Runner."""
        if spec.root and self._sandbox is None:
            raise LaunchError("container images need the sandbox of jobs", reason=START_FAILED, hint=SANDBOX_HINT)
        return checked_handle(self.name, spec)

    def submit(self, spec: WorkloadSpec) -> None:
        """See Runner."""
        self.validate(spec)
        if not Path(spec.working_dir).is_dir():
            raise LaunchError(
                f"the working folder {spec.working_dir} does not exist", reason=START_FAILED, hint="create it first"
            )
        try:
            self._folders.prepare(
                spec.id, spec.attempt, lambda: replica_specs(spec, self._sandbox, self._control_groups, self._users)
            )
            for rank, folder in enumerate(self._folders.of(handle_of(self.name, spec))):
                if folder.read_state() is None:
                    self._check_isolation(folder)
                    self._starter.start(folder.path, own_variables(spec, rank, self._sandbox))
        except OSError as error:
            raise LaunchError(
                f"{spec.id} was not started: {error.strerror or error}",
                reason=START_FAILED,
                hint="check that the disk is not full and more processes can be started",
            ) from None

    def _check_isolation(self, folder: ReplicaFolder) -> None:
        """Raises LaunchError for a replica that was prepared by a hub that had less for it than this one requires."""
        replica = folder.read_spec()
        strengths = list(Isolation)
        if strengths.index(replica.isolation) < strengths.index(self._isolation):
            raise LaunchError(
                "a replica was prepared when jobs were less isolated", reason=START_FAILED, hint="start the job again"
            )
        if self._control_groups is not None and self._control_groups.required and replica.group is None:
            raise LaunchError(
                "a replica was prepared when jobs had no control groups",
                reason=START_FAILED,
                hint="start the job again",
            )

    def observe(self, handles: Sequence[str]) -> list[WorkloadObservation]:
        """See Runner."""
        return [
            WorkloadObservation(handle=handle, replicas=tuple(map(observe_replica, self._folders.of(handle))))
            for handle in handles
        ]

    def stop(self, handle: str, grace_secs: float = 30.0) -> None:
        """See Runner."""
        folders = self._folders.of(handle)
        if folders:
            folders[0].request_stop(time.time() + grace_secs)
        for folder in folders:
            notify_supervisor(folder)

    def delete(self, handle: str) -> None:
        """See Runner."""
        parsed = parse_handle(handle)
        if parsed is None:
            return
        self.stop(handle, 0.0)
        deadline = time.monotonic() + END_SECS
        while any(is_alive(folder) for folder in self._folders.of(handle)):
            if time.monotonic() > deadline:
                raise LaunchError(f"{parsed.id} has not ended yet", reason=START_FAILED, hint="delete it again later")
            time.sleep(POLL_SECS)
        # The request to stop stays, so that a submission that comes too late does not start it.
        remove_tree(self._folders.attempt(parsed.id, parsed.attempt))

    def delete_expired(self, now: float) -> None:
        """See Runner."""
        self._folders.delete_empty(now - KEEP_SECS)

    def read_log(self, handle: str, rank: int, cursor: int = 0, max_bytes: int = MAX_LOG_READ_BYTES) -> LogPart:
        """See Runner."""
        folders = self._folders.of(handle)
        if not 0 <= rank < len(folders):
            return LogPart(lines=(), cursor=max(cursor, 0))
        ended = not is_alive(folders[rank])  # before reading: nothing is written after the end
        return read_lines(folders[rank].log, cursor, max_bytes, ended=ended)

    def read_usage(self, handle: str, rank: int) -> list[UsageSample]:
        """See Runner."""
        folders = self._folders.of(handle)
        return read_usage_log(folders[rank].usage_log) if 0 <= rank < len(folders) else []

    def server_socket(self, handle: str, rank: int) -> int:
        """See Runner."""
        folders = self._folders.of(handle)
        try:
            replica = folders[rank].read_spec()
            user = replica.user_id
            return open_socket(replica.temporary, SERVER_SOCKET, os.getuid() if user is None else user)
        except (IndexError, OSError, ValueError) as error:
            raise LaunchError("the server does not listen", reason=UNREACHABLE, hint="try again soon") from error

    def check_port(self, handle: str, rank: int, port: int) -> None:
        """See Runner."""
        listening_address(port, partial(self._processes, handle, rank))

    def connect(self, handle: str, rank: int, port: int) -> PortConnection:
        """See Runner."""
        processes = partial(self._processes, handle, rank)
        return PortConnection(listening_address(port, processes), processes)

    def _processes(self, handle: str, rank: int) -> list[int]:
        """The processes of a replica. Raises LaunchError if it does not run."""
        folders = self._folders.of(handle)
        supervisor = folders[rank].supervisor() if 0 <= rank < len(folders) else None
        if supervisor is None:
            raise LaunchError("nothing runs in this replica", reason=UNREACHABLE, hint="try again when it runs")
        return [stat.pid for stat in descendants(supervisor)]

    def exec(self, handle: str, rank: int, command: Sequence[str], terminal: TerminalSize | None) -> ExecSession:
        """See Runner."""
        folders = self._folders.of(handle)
        phase = observe_replica(folders[rank]).phase if 0 <= rank < len(folders) else ReplicaPhase.ABSENT
        if phase is not ReplicaPhase.RUNNING:
            raise LaunchError("no command runs in this replica", reason=UNREACHABLE, hint="try again when it runs")
        try:
            return connect(folders[rank].path, command, terminal)
        except FileNotFoundError:
            if not folders[rank].path.exists():
                raise LaunchError("the job is being deleted", reason=UNREACHABLE) from None
            raise LaunchError(
                "this job was started by an earlier version of the hub, which ran no commands in jobs",
                reason=UNREACHABLE,
                hint="restart the job",
            ) from None
        except OSError as error:
            raise LaunchError(
                f"the job does not accept a command: {error.strerror or error}",
                reason=UNREACHABLE,
                hint="it may be ending; or too many commands run in it",
            ) from None

    def close(self) -> None:
        """See Runner."""
        self._starter.close()
        if self._users is not None:
            self._users.close()


def replica_specs(
    spec: WorkloadSpec,
    sandbox: Sandbox | None,
    control_groups: ControlGroups | None = None,
    users: SystemUsers | None = None,
) -> Iterator[ReplicaSpec]:
    """What each supervisor runs. The variables of the workload are not stored: see `own_variables`."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    if isolating := sandbox or users:
        isolating.prepare(spec)
        inherited |= {"HOME": spec.home, **isolating.variables()}
    real_paths = {volume.target: volume.source for volume in spec.volumes}
    found_at = {target: target for target in real_paths} if sandbox else real_paths
    writable = {volume.target for volume in spec.volumes if volume.writable}
    addresses = [(LOOPBACK, port) for port in free_ports(spec.replicas if spec.replicas > 1 else 0)]
    for rank in range(spec.replicas):
        mark = f"{spec.id}/{spec.attempt}/{rank}/{secrets.token_hex(8)}"  # other hubs may have the same id
        temporary = f"{spec.temporary}/{rank}" if spec.temporary else ""
        yield ReplicaSpec(
            command=spec.command if sandbox or spec.fixed else mapped_command(spec.command, real_paths),
            working_dir=spec.working_dir,
            environment={
                **inherited,
                "PYTHONUNBUFFERED": "1",  # so that logs are live
                **({"TMPDIR": temporary} if temporary and not sandbox else {}),
                **rendezvous_variables(rank, addresses),
                **volume_variables([*found_at.values()]),
                **output_variables({target: path for target, path in found_at.items() if target in writable}),
                **hub_variables(spec, rank, sandbox),
                MARK: mark,
            },
            memory_bytes=spec.memory_bytes,
            mark=mark,
            sandbox=sandbox.spec_of(spec, temporary, spec.gpu_ids_of(rank)) if sandbox else None,
            user=users.spec_of(spec) if users and not sandbox else None,
            temporary=temporary,
            cpu_ids=spec.cpu_ids_of(rank),
            gpu_ids=spec.gpu_ids_of(rank),
            group=control_groups.spec(mark, spec.memory_bytes, spec.cpus if spec.cpu_ids else None)
            if control_groups
            else None,
        )


def hub_variables(spec: WorkloadSpec, rank: int, sandbox: Sandbox | None) -> dict[str, str]:
    """The variables that a workload cannot set itself, besides MARK."""
    return gpu_variables(spec.gpu_ids_of(rank), only_own_devices=sandbox is not None)


def own_variables(spec: WorkloadSpec, rank: int, sandbox: Sandbox | None) -> dict[str, str]:
    """The variables of a replica that its supervisor gets in memory when it starts.

    They may be secret. The rest of its variables, which must be the same however often it is started, are stored.
    """
    fixed = {*hub_variables(spec, rank, sandbox), MARK}
    return {name: value for name, value in spec.environment_of(rank).items() if name not in fixed}


def free_ports(count: int) -> list[int]:
    """Different ports of the loopback interface that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind((LOOPBACK, 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def notify_supervisor(folder: ReplicaFolder) -> None:
    """Lets the supervisor of a replica look for a request to stop."""
    pid = folder.supervisor()
    if pid is None:
        return
    with suppress(ProcessLookupError):
        fd = os.pidfd_open(pid)
        try:
            if folder.supervisor() == pid:  # the process id has not been given to another process
                signal.pidfd_send_signal(fd, signal.SIGTERM)
        finally:
            os.close(fd)
