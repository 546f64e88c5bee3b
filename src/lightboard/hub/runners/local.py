"""Runs workloads as processes of this machine, each replica under a supervisor that outlives the hub. Linux only."""

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import LOST, START_FAILED, Isolation, ReplicaPhase, ReplicaState
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.base import (
    MAX_LOG_READ_BYTES,
    SERVER_SOCKET,
    LogPart,
    RunnerCapabilities,
    WorkloadObservation,
    WorkloadSpec,
)
from lightboard.hub.runners.exec_session import ExecSession, TerminalSize, connect
from lightboard.hub.runners.gpus import gpu_variables
from lightboard.hub.runners.line_log import read_lines
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.rendezvous import rendezvous_variables
from lightboard.hub.runners.replica_folder import MARK, SIGNAL_EXIT, ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.sandbox import Sandbox
from lightboard.storage.real_folder import open_socket
from lightboard.types import UNREACHABLE

SUPERVISOR = (sys.executable, "-P", "-m", "lightboard.hub.runners.supervisor")
MAX_START_ATTEMPTS = 5
START_SECS = 60.0
"""A start takes a tenth of a second; a loaded machine may need a hundred times as long."""
END_SECS = 10.0
"""How long a deleted workload may take to end."""
POLL_SECS = 0.02
MAX_REPLICAS = 64
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
INHERITED = ("PATH", "LANG", "LC_ALL", "TZ", "HOME")
"""The variables of the hub that workloads get too, unless their own environment has others."""
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class LocalHandle:
    """Which workload a handle is of."""

    id: str
    attempt: int
    replicas: int

    def text(self) -> str:
        """The handle as stored text."""
        return json.dumps({"runner": LocalRunner.name, **asdict(self)}, separators=(",", ":"))


def parse(text: str) -> LocalHandle | None:
    """Parses a handle; None if it is invalid."""
    try:
        fields = json.loads(text)
        handle = LocalHandle(str(fields["id"]), int(fields["attempt"]), int(fields["replicas"]))
    except (ValueError, TypeError, KeyError):
        return None
    valid = ID.fullmatch(handle.id) and handle.attempt > 0 and 0 < handle.replicas <= MAX_REPLICAS
    return handle if valid else None


class LocalRunner:
    """See `hub.runners.base.Runner`. States and logs are in `root`, which only the user of the hub can read.

    Workloads run in `sandbox`, if there is one; `sandbox_problem` is why there is none. `supervisor` is the command
    that starts a supervisor; the folder of the replica is added to it.
    """

    name = "local"

    def __init__(
        self,
        root: Path,
        supervisor: Sequence[str] = SUPERVISOR,
        sandbox: Sandbox | None = None,
        sandbox_problem: str = "",
    ) -> None:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._root = root
        self._sandbox = sandbox
        self._sandbox_problem = sandbox_problem
        self._supervisor = supervisor
        self.on_change: Callable[[], None] = lambda: None

    def capabilities(self) -> RunnerCapabilities:
        """See Runner."""
        return RunnerCapabilities(
            isolation=Isolation.KERNEL if self._sandbox else Isolation.NONE,
            isolation_problem=self._sandbox_problem,
            other_user=self._sandbox is not None and self._sandbox.user is not None,
        )

    def validate(self, spec: WorkloadSpec) -> str:
        """See Runner."""
        handle = handle_of(spec)
        if parse(handle) is None:
            raise LaunchError(
                f"{spec.id} cannot run here with {spec.replicas} replicas",
                reason=START_FAILED,
                hint=f"one machine runs 1 to {MAX_REPLICAS} replicas",
            )
        if not spec.command or not spec.command[0]:
            raise LaunchError("there is no command", reason=START_FAILED, hint="give a program and its arguments")
        environments = [spec.environment_of(rank) for rank in range(spec.replicas)]
        names = [name for each in environments for name in each]
        texts = [*spec.command, spec.working_dir, *names, *(text for each in environments for text in each.values())]
        if any("\0" in text for text in texts) or any(not name or "=" in name for name in names):
            raise LaunchError(
                "the command or a variable cannot be passed to a process",
                reason=START_FAILED,
                hint="names of variables are not empty and contain no '='; nothing contains a null character",
            )
        return handle

    def submit(self, spec: WorkloadSpec) -> None:
        """See Runner."""
        self.validate(spec)
        if not Path(spec.working_dir).is_dir():
            raise LaunchError(
                f"the working folder {spec.working_dir} does not exist", reason=START_FAILED, hint="create it first"
            )
        try:
            self._prepare(spec)
            for folder in self._folders(handle_of(spec)):
                if folder.read_state() is None:
                    self._check_isolation(folder)
                    start_supervisor(folder, self._supervisor)
        except OSError as error:
            raise LaunchError(
                f"{spec.id} was not started: {error.strerror or error}",
                reason=START_FAILED,
                hint="check that the disk is not full and more processes can be started",
            ) from None

    def _check_isolation(self, folder: ReplicaFolder) -> None:
        """Raises LaunchError for a replica that was prepared by a hub without a sandbox, if this one has a sandbox."""
        if self._sandbox is not None and folder.read_spec().sandbox is None:
            raise LaunchError(
                "a replica was prepared when jobs were not isolated", reason=START_FAILED, hint="start the job again"
            )

    def _prepare(self, spec: WorkloadSpec) -> None:
        """Creates the folders of all replicas in one step, unless they exist."""
        attempt = self._attempt(spec.id, spec.attempt)
        if attempt.exists():
            return
        attempt.parent.mkdir(exist_ok=True, mode=0o700)
        new = Path(tempfile.mkdtemp(dir=attempt.parent, prefix=".new-"))
        try:
            for rank, replica in enumerate(replica_specs(spec, self._sandbox)):
                ReplicaFolder(new / str(rank)).write_spec(replica)
            with suppress(FileExistsError):
                new.rename(attempt)
        except OSError:
            if not attempt.exists():  # prepared by another thread or hub
                raise
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def observe(self, handles: Sequence[str]) -> list[WorkloadObservation]:
        """See Runner."""
        return [
            WorkloadObservation(handle=handle, replicas=tuple(map(observe_replica, self._folders(handle))))
            for handle in handles
        ]

    def stop(self, handle: str, grace_secs: float = 30.0) -> None:
        """See Runner."""
        folders = list(self._folders(handle))
        if folders:
            folders[0].request_stop(time.time() + grace_secs)
        for folder in folders:
            notify_supervisor(folder)

    def delete(self, handle: str) -> None:
        """See Runner."""
        parsed = parse(handle)
        if parsed is None:
            return
        self.stop(handle, 0.0)
        deadline = time.monotonic() + END_SECS
        while any(is_alive(folder) for folder in self._folders(handle)):
            if time.monotonic() > deadline:
                raise LaunchError(f"{parsed.id} has not ended yet", reason=START_FAILED, hint="delete it again later")
            time.sleep(POLL_SECS)
        # The request to stop stays, so that a submission that comes too late does not start it.
        remove_tree(self._attempt(parsed.id, parsed.attempt))

    def read_log(self, handle: str, rank: int, cursor: int = 0, max_bytes: int = MAX_LOG_READ_BYTES) -> LogPart:
        """See Runner."""
        folders = list(self._folders(handle))
        if not 0 <= rank < len(folders):
            return LogPart(lines=(), cursor=max(cursor, 0))
        ended = not is_alive(folders[rank])  # before reading: nothing is written after the end
        return read_lines(folders[rank].log, cursor, max_bytes, ended=ended)

    def server_socket(self, handle: str, rank: int) -> int:
        """See Runner."""
        folders = list(self._folders(handle))
        try:
            replica = folders[rank].read_spec()
            user = replica.sandbox.user if replica.sandbox else None
            return open_socket(replica.temporary, SERVER_SOCKET, os.getuid() if user is None else user)
        except (IndexError, OSError, ValueError) as error:
            raise LaunchError("the server does not listen", reason=UNREACHABLE, hint="try again soon") from error

    def exec(self, handle: str, rank: int, command: Sequence[str], terminal: TerminalSize | None) -> ExecSession:
        """See Runner."""
        folders = list(self._folders(handle))
        phase = observe_replica(folders[rank]).phase if 0 <= rank < len(folders) else ReplicaPhase.ABSENT
        if phase is not ReplicaPhase.RUNNING:
            raise LaunchError("no command runs in this replica", reason=UNREACHABLE, hint="try again when it runs")
        try:
            return connect(folders[rank].path, command, terminal)
        except FileNotFoundError:
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

    def _attempt(self, id: str, attempt: int) -> Path:
        return self._root / id / str(attempt)

    def _folders(self, handle: str) -> Iterator[ReplicaFolder]:
        """The folders of all replicas, which may not exist; none if the handle is invalid."""
        parsed = parse(handle)
        if parsed is not None:
            attempt = self._attempt(parsed.id, parsed.attempt)
            yield from (ReplicaFolder(attempt / str(rank)) for rank in range(parsed.replicas))


def handle_of(spec: WorkloadSpec) -> str:
    """The handle of a workload."""
    return LocalHandle(spec.id, spec.attempt, spec.replicas).text()


def replica_specs(spec: WorkloadSpec, sandbox: Sandbox | None) -> Iterator[ReplicaSpec]:
    """What each supervisor runs."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    if sandbox:
        sandbox.prepare(spec)
        inherited |= {"HOME": spec.home, **sandbox.variables()}
    addresses = [(LOOPBACK, port) for port in free_ports(spec.replicas if spec.replicas > 1 else 0)]
    for rank in range(spec.replicas):
        mark = f"{spec.id}/{spec.attempt}/{rank}/{secrets.token_hex(8)}"  # other hubs may have the same id
        temporary = f"{spec.temporary}/{rank}" if spec.temporary else ""
        yield ReplicaSpec(
            command=spec.command,
            working_dir=spec.working_dir,
            environment={
                **inherited,
                "PYTHONUNBUFFERED": "1",  # so that logs are live
                **({"TMPDIR": temporary} if temporary and not sandbox else {}),
                **rendezvous_variables(rank, addresses),
                **spec.environment_of(rank),
                **gpu_variables(spec.gpu_ids_of(rank), only_own_devices=sandbox is not None),
                MARK: mark,
            },
            memory_bytes=spec.memory_bytes,
            mark=mark,
            sandbox=sandbox.spec_of(spec, temporary, spec.gpu_ids_of(rank)) if sandbox else None,
            temporary=temporary,
            cpu_ids=spec.cpu_ids_of(rank),
        )


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


def start_supervisor(folder: ReplicaFolder, command: Sequence[str]) -> None:
    """Starts the supervisor of a replica, unless it has one. Raises OSError or LaunchError."""
    for _ in range(MAX_START_ATTEMPTS):
        code, output = run_launcher([*command, str(folder.path)])
        if not code:
            return
        if not is_killed(code):
            last_line = output.rpartition("\n")[2]
            raise LaunchError(f"a supervisor did not start: {last_line}", reason=START_FAILED)
    raise LaunchError(
        "a supervisor was killed each time it started",
        reason=START_FAILED,
        hint="check that the machine has enough free memory",
    )


def run_launcher(command: Sequence[str]) -> tuple[int, str]:
    """Runs the process that starts a supervisor: its exit code as of `subprocess`, and what it wrote to stderr."""
    process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")},
    )
    assert process.stderr is not None
    with closing(process.stderr):
        try:
            code = process.wait(START_SECS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise LaunchError("a supervisor did not start in time", reason=START_FAILED, hint="try again") from None
        return code, process.stderr.read().decode(errors="replace").strip() if code else ""


def is_killed(code: int) -> bool:
    """Whether the launcher (negative) or the supervisor that it waited for (see `supervisor.main`) was killed."""
    return code < 0 or code > SIGNAL_EXIT


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


def is_alive(folder: ReplicaFolder) -> bool:
    """Whether processes of a replica, or its supervisor, may be left."""
    return observe_replica(folder).phase not in (ReplicaPhase.ENDED, ReplicaPhase.ABSENT)


def observe_replica(folder: ReplicaFolder) -> ReplicaState:
    """The state of a replica. Kills what is left of it if its supervisor was killed."""
    supervisor = folder.supervisor()  # before the state, which it may complete meanwhile
    state = folder.read_state()
    if state is None:
        return ReplicaState(phase=ReplicaPhase.STARTING if supervisor else ReplicaPhase.ABSENT)
    if state.phase is ReplicaPhase.ENDED or supervisor is not None:
        return state
    mark = folder.read_spec().mark
    if remaining := process_tree.with_variable(f"{MARK}={mark}"):
        process_tree.kill(remaining)
        return replace(state, phase=ReplicaPhase.UNKNOWN)
    return replace(
        state,
        phase=ReplicaPhase.ENDED,
        ended_at=folder.last_seen_at(),
        reason=LOST,
        message="its supervisor was killed, or the machine was restarted",
    )
