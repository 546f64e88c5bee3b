"""Further commands in a replica: its supervisor accepts requests at a socket, and tells how each command ended.

Part of the supervisor's one thread: it calls `ready` for the descriptors that `selector` reports, `reaped` for
processes that have ended, and nothing here waits.
"""

import contextlib
import os
import selectors
import signal
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

from lightboard.hub.runners.command_process import CommandProcess, start_beside
from lightboard.hub.runners.exec_session import (
    REPLICA_ENDED,
    SOCKET,
    Ended,
    Event,
    NotStarted,
    Started,
    folder_descriptor,
    receive_request,
    send_event,
)
from lightboard.hub.runners.replica_folder import ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.sandbox_entry import READY, parse_error_report

MAX_COMMANDS = 16
"""Of a replica, at once."""
MAX_WAITING = 32
"""Connections without a command."""
HANGUP_SECS = 5.0
"""How long a command may take to end after its user has gone."""
MAX_REPORT_BYTES = 4096
PEER_FORMAT = "3i"
"""`struct ucred`: process, user, group (unix(7))."""


@dataclass
class Exec:
    """A connection, and its command once it was requested. `report` tells how it started in a sandbox, until then."""

    connection: socket.socket | None
    process: CommandProcess | None = None
    report: int | None = None
    reported: bytes = b""
    started: bool = False
    kill_at: float | None = None


class ExecServer:
    """The commands of one replica beside `main`, that of its workload. `explain` words why one was not started."""

    def __init__(
        self,
        spec: ReplicaSpec,
        main: CommandProcess,
        selector: selectors.BaseSelector,
        explain: Callable[[str, OSError, ReplicaSpec], str],
    ) -> None:
        self._spec = spec
        self._main = main
        self._selector = selector
        self._explain = explain
        self._listening: socket.socket | None = None
        self._execs: list[Exec] = []

    def listen(self, folder: ReplicaFolder) -> None:
        """Accepts requests from now on. Raises OSError."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.setblocking(False)
        try:
            with folder_descriptor(folder.path) as fd:  # a path may be longer than an address
                listening.bind(f"/proc/self/fd/{fd}/{SOCKET}")
            listening.listen(MAX_WAITING)
        except OSError:
            listening.close()
            raise
        self._listening = listening
        self._selector.register(listening, selectors.EVENT_READ, self._accept)

    @property
    def own_processes(self) -> int:
        """The number of processes that only make up the sandboxes of its commands."""
        return sum(each.process.own_processes for each in self._execs if each.process)

    def reaped(self, pid: int, wait_status: int) -> None:
        """A process of the supervisor has ended, which may be a command."""
        for each in self._execs:
            if each.process is not None and each.process.pid == pid:
                self._end(each, wait_status)
                return

    def enforce(self) -> None:
        """Kills commands whose users are gone and that have not ended since."""
        for each in self._execs:
            if each.process is not None and each.kill_at is not None and time.monotonic() >= each.kill_at:
                each.kill_at = None
                each.process.kill()

    def close(self) -> None:
        """Accepts no more requests: the workload is ending."""
        if self._listening is not None:
            self._selector.unregister(self._listening)
            self._listening.close()
            self._listening = None
        for each in list(self._execs):
            if each.process is None:
                self._drop(each)

    # Connections

    def _accept(self) -> None:
        assert self._listening is not None
        try:
            connection, _ = self._listening.accept()
        except OSError:  # it has gone, or there are too many open files
            return
        connection.setblocking(False)
        if len(self._execs) >= MAX_WAITING or peer_user(connection) != os.getuid():
            connection.close()
            return
        new = Exec(connection)
        self._execs.append(new)
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._receive(new))

    def _receive(self, each: Exec) -> None:
        """Takes a request; or what comes after it, which is only that the hub has closed the connection."""
        assert each.connection is not None
        if each.process is not None:
            self._hang_up(each)
            return
        try:
            found = receive_request(each.connection)
        except (OSError, ValueError):
            self._drop(each)
            return
        if found is None:
            return
        request, fds = found
        try:
            self._start(each, request.command, fds)
        finally:
            for fd in fds:
                os.close(fd)

    def _start(self, each: Exec, command: tuple[str, ...], fds: list[int]) -> None:
        if sum(other.process is not None for other in self._execs) >= MAX_COMMANDS:
            self._tell_last(each, NotStarted(f"{MAX_COMMANDS} commands run in this job already", "end one of them"))
            return
        try:
            each.process, each.report = start_beside(self._main, self._spec, command, fds)
        except OSError as error:
            message = self._explain(str(error.filename or command[0]), error, self._spec)
            self._tell_last(each, NotStarted(message))
            return
        if each.report is None:
            self._tell_start(each)
        else:
            self._selector.register(each.report, selectors.EVENT_READ, lambda: self._read_report(each))

    def _tell_start(self, each: Exec) -> None:
        each.started = True
        self._send(each, Started())

    def _read_report(self, each: Exec) -> None:
        """Reads what the first program in the sandbox reports. It is closed when the command is executed."""
        assert each.report is not None
        chunk = os.read(each.report, MAX_REPORT_BYTES)
        each.reported += chunk
        if not chunk or len(each.reported) > MAX_REPORT_BYTES:
            self._close_report(each)
            if each.reported == READY:
                self._tell_start(each)

    def _end(self, each: Exec, wait_status: int) -> None:
        assert each.process is not None
        with contextlib.suppress(BlockingIOError):
            while each.report is not None:  # what it has reported before it ended
                self._read_report(each)
        result = each.process.result(wait_status)
        each.process.release(wait_status)
        if each.started:
            message = REPLICA_ENDED.message if self._listening is None else ""
            self._tell_last(each, Ended(result.exit_code, result.signal, message))
        else:
            self._tell_last(each, self._failure(each.reported))

    def _failure(self, report: bytes) -> NotStarted:
        try:
            code, reason, what = parse_error_report(report.removeprefix(READY))
            return NotStarted(self._explain(str(what), OSError(code, reason), self._spec))
        except (ValueError, TypeError, RecursionError):  # another process of the job may have written it
            return NotStarted("the sandbox of the job could not be entered")

    def _hang_up(self, each: Exec) -> None:
        """The hub has closed the connection: the command ends as if its terminal had been closed."""
        assert each.process is not None
        self._close_connection(each)
        each.kill_at = time.monotonic() + HANGUP_SECS
        each.process.terminate(signal.SIGHUP)

    def _tell_last(self, each: Exec, event: Event) -> None:
        self._send(each, event)
        self._drop(each)

    def _send(self, each: Exec, event: Event) -> None:
        if each.connection is not None:
            with contextlib.suppress(OSError):  # the hub is gone
                send_event(each.connection, event)

    def _drop(self, each: Exec) -> None:
        self._close_report(each)
        self._close_connection(each)
        self._execs.remove(each)

    def _close_report(self, each: Exec) -> None:
        if each.report is not None:
            self._selector.unregister(each.report)
            os.close(each.report)
            each.report = None

    def _close_connection(self, each: Exec) -> None:
        if each.connection is not None:
            self._selector.unregister(each.connection)
            each.connection.close()
            each.connection = None


def peer_user(connection: socket.socket) -> int:
    """The user at the other side of a connection."""
    size = struct.calcsize(PEER_FORMAT)
    _, user, _ = struct.unpack(PEER_FORMAT, connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return int(user)
