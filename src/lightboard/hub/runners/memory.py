"""A fake runner for tests and trials. Nothing runs; programs are scripted."""

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import LOST, START_FAILED, STOPPED, ReplicaPhase, ReplicaState
from lightboard.hub.resources.usage_history import UsageSample
from lightboard.hub.runners.base import (
    MAX_LOG_READ_BYTES,
    SERVER_SOCKET,
    RunnerCapabilities,
    WorkloadObservation,
    WorkloadSpec,
)
from lightboard.hub.runners.exec_session import (
    REPLICA_ENDED,
    Ended,
    Event,
    ExecSession,
    Started,
    TerminalSize,
    open_pipes,
    open_terminal,
    send_event,
)
from lightboard.hub.runners.log_part import LogLine, LogPart
from lightboard.hub.runners.port_connection import PortConnection, listening_address
from lightboard.types import UNREACHABLE


@dataclass(frozen=True)
class Program:
    """What a command of the fake does: prints lines and exits with a code, or with None runs until it is stopped.

    One that `ignores_requests` only SIGKILL ends.
    """

    lines: tuple[str, ...] = ()
    exit_code: int | None = None
    ignores_requests: bool = False


@dataclass
class FakeReplica:
    """A replica of the fake, as a test may set it."""

    state: ReplicaState
    lines: list[LogLine] = field(default_factory=list)
    samples: list[UsageSample] = field(default_factory=list)
    execs: list["FakeExec"] = field(default_factory=list)


class FakeExec:
    """The other side of a further command: it writes lines, and ends at once with an exit code or is ended later."""

    def __init__(self, program: Program, terminal: TerminalSize | None) -> None:
        self._connection, connection = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own, self._fds = open_terminal(terminal) if terminal else open_pipes()
        self.session = ExecSession(connection, *own)
        os.write(self._fds[-2 if len(self._fds) > 1 else 0], "".join(f"{line}\n" for line in program.lines).encode())
        send_event(self._connection, Started())
        if program.exit_code is not None:
            self.end(Ended(program.exit_code))

    def end(self, event: Event = REPLICA_ENDED) -> None:
        """Ends it, if it has not ended."""
        if self._connection.fileno() < 0:
            return
        with contextlib.suppress(OSError):  # the session was closed
            send_event(self._connection, event)
        self._connection.close()
        for fd in self._fds:
            os.close(fd)


class MemoryRunner:
    """See `hub.runners.base.Runner`. A command runs at once, as `programs` says; an unknown one runs until it is
    stopped.

    `replicas` are the current ones by workload handle, `submitted` the handles that were started, in order. With
    `slow`, replicas stay STARTING until `begin`. Servers of a workload are those of the process of the fake.
    """

    name = "memory"

    def __init__(
        self, programs: Mapping[tuple[str, ...], Program] | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.programs = dict(programs or {})
        self.slow = False
        self.submitted: list[str] = []
        self.replicas: dict[str, list[FakeReplica]] = {}
        self._specs: dict[str, WorkloadSpec] = {}
        self._stopped: set[str] = set()
        self._failures: list[LaunchError] = []
        self._clock = clock
        self._lock = threading.RLock()

    # For tests

    def spec(self, handle: str) -> WorkloadSpec:
        """The workload that was submitted."""
        with self._lock:
            return self._specs[handle]

    def fail_next(self, error: LaunchError) -> None:
        """The next submission raises this."""
        self._failures.append(error)

    def begin(self, handle: str) -> None:
        """Starts the replicas of a workload that was submitted while the runner was slow."""
        with self._lock:
            for replica in self.replicas[handle]:
                self._begin(replica, self.programs.get(self._specs[handle].command, Program()))
        self.on_change()

    def write(self, handle: str, text: str, rank: int = 0) -> None:
        """Appends a line to the log of a replica."""
        with self._lock:
            self.replicas[handle][rank].lines.append(LogLine(self._clock(), text))

    def end(self, handle: str, exit_code: int = 0, *, rank: int | None = None) -> None:
        """Ends one replica, or all."""
        self._end_all(handle, rank, exit_code=exit_code)

    def lose(self, handle: str) -> None:
        """Ends all replicas as if the machine had been restarted."""
        self._end_all(handle, None, reason=LOST, message="its supervisor was killed, or the machine was restarted")

    # The protocol

    def capabilities(self) -> RunnerCapabilities:
        """See Runner."""
        return RunnerCapabilities()

    def validate(self, spec: WorkloadSpec) -> str:
        """See Runner."""
        if not spec.command or not spec.command[0]:
            raise LaunchError("there is no command", reason=START_FAILED)
        return json.dumps({"runner": self.name, "id": spec.id, "attempt": spec.attempt})

    def submit(self, spec: WorkloadSpec) -> None:
        """See Runner."""
        handle = self.validate(spec)
        with self._lock:
            if handle in self.replicas:
                return
            if self._failures:
                raise self._failures.pop(0)
            self._specs[handle] = spec
            starting = ReplicaState(phase=ReplicaPhase.STARTING)
            self.replicas[handle] = [FakeReplica(starting) for _ in range(spec.replicas)]
            if handle in self._stopped:
                self._end_all(handle, None, reason=STOPPED)
                return
            self.submitted.append(handle)
            if not self.slow:
                self.begin(handle)

    def observe(self, handles: Sequence[str]) -> list[WorkloadObservation]:
        """See Runner."""
        with self._lock:
            return [
                WorkloadObservation(handle=handle, replicas=tuple(replica.state for replica in self._found(handle)))
                for handle in handles
            ]

    def stop(self, handle: str, grace_secs: float = 30.0) -> None:  # noqa: ARG002  # it ends at once
        """See Runner."""
        with self._lock:
            self._stopped.add(handle)
            if handle in self.replicas:
                program = self.programs.get(self._specs[handle].command, Program())
                number = signal.SIGKILL if program.ignores_requests else signal.SIGTERM
                self._end_all(handle, None, signal=int(number), reason=STOPPED)

    def delete(self, handle: str) -> None:
        """See Runner."""
        with self._lock:
            self.stop(handle)
            self.replicas.pop(handle, None)

    def server_socket(self, handle: str, rank: int) -> int:
        """See Runner."""
        self._processes(handle, rank)
        try:
            return os.open(f"{self._specs[handle].temporary}/{rank}/{SERVER_SOCKET}", os.O_PATH | os.O_NOFOLLOW)
        except OSError as error:
            raise LaunchError(f"{handle} has no server in replica {rank}", reason=UNREACHABLE) from error

    def check_port(self, handle: str, rank: int, port: int) -> None:
        """See Runner."""
        listening_address(port, partial(self._processes, handle, rank))

    def connect(self, handle: str, rank: int, port: int) -> PortConnection:
        """See Runner."""
        processes = partial(self._processes, handle, rank)
        return PortConnection(listening_address(port, processes), processes)

    def _processes(self, handle: str, rank: int) -> list[int]:
        """The process of the fake, if a replica runs."""
        with self._lock:
            replicas = self._found(handle)
            if not 0 <= rank < len(replicas) or replicas[rank].state.phase is not ReplicaPhase.RUNNING:
                raise LaunchError("nothing runs in this replica", reason=UNREACHABLE)
            return [os.getpid()]

    def exec(self, handle: str, rank: int, command: Sequence[str], terminal: TerminalSize | None) -> ExecSession:
        """See Runner. What `programs` does not know runs until the replica ends."""
        with self._lock:
            replicas = self._found(handle)
            if not 0 <= rank < len(replicas) or replicas[rank].state.phase is not ReplicaPhase.RUNNING:
                raise LaunchError("no command runs in this replica", reason=UNREACHABLE)
            made = FakeExec(self.programs.get(tuple(command), Program()), terminal)
            replicas[rank].execs.append(made)
            return made.session

    def delete_expired(self, now: float) -> None:
        """See Runner."""

    def read_log(self, handle: str, rank: int, cursor: int = 0, max_bytes: int = MAX_LOG_READ_BYTES) -> LogPart:
        """See Runner. A cursor is a number of bytes, of which each line has one more than its text."""
        with self._lock:
            replicas = self._found(handle)
            lines = list(replicas[rank].lines) if 0 <= rank < len(replicas) else []
        ends = []
        end = 0
        for line in lines:
            end += len(line.text.encode()) + 1
            ends.append(end)
        start = max(0, end + cursor) if cursor < 0 else cursor
        chosen = [
            (line, line_end)
            for line, line_end in zip(lines, ends, strict=True)
            if line_end - len(line.text.encode()) - 1 >= start and line_end <= start + max_bytes
        ]
        return LogPart(lines=tuple(line for line, _ in chosen), cursor=chosen[-1][1] if chosen else start)

    def read_usage(self, handle: str, rank: int) -> list[UsageSample]:
        """See Runner."""
        with self._lock:
            replicas = self._found(handle)
            return list(replicas[rank].samples) if 0 <= rank < len(replicas) else []

    def close(self) -> None:
        """See Runner."""

    def _found(self, handle: str) -> list[FakeReplica]:
        if handle in self.replicas:
            return self.replicas[handle]
        try:
            known = json.loads(handle)["runner"] == self.name
        except (ValueError, TypeError, KeyError):
            known = False
        return [FakeReplica(ReplicaState(phase=ReplicaPhase.ABSENT))] if known else []

    def _begin(self, replica: FakeReplica, program: Program) -> None:
        now = self._clock()
        replica.state = replace(replica.state, phase=ReplicaPhase.RUNNING, started_at=now)
        replica.lines += [LogLine(now, line) for line in program.lines]
        if program.exit_code is not None:
            replica.state = replace(replica.state, phase=ReplicaPhase.ENDED, ended_at=now, exit_code=program.exit_code)

    def _end_all(self, handle: str, rank: int | None, **fields: object) -> None:
        with self._lock:
            for number, replica in enumerate(self.replicas[handle]):
                if replica.state.phase is not ReplicaPhase.ENDED and rank in (None, number):
                    for each in replica.execs:
                        each.end()
                    replica.state = replace(
                        replica.state,
                        phase=ReplicaPhase.ENDED,
                        ended_at=self._clock(),
                        **fields,  # type: ignore[arg-type]
                    )
        self.on_change()
