"""A further command in a running replica, as the hub holds it: descriptors, and messages about its start and end.

The other side of `connection`, a Unix socket of packets, is whoever runs the command. It sends `Started` or an error
once, and `Ended` at the end. Both sides of the protocol are here. Only the standard library is imported, because a
supervisor must start fast.
"""

import array
import contextlib
import json
import os
import pty
import socket
import termios
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SOCKET = "exec.sock"
"""The name of a supervisor's socket, in the folder of its replica, which jobs cannot reach."""
MAX_REQUEST_BYTES = 128 << 10
"""Packets must fit into the buffer of a socket."""
MAX_FDS = 3
SEND_SECS = 5.0


@dataclass(frozen=True)
class TerminalSize:
    """The size of a terminal in characters."""

    rows: int
    columns: int


@dataclass(frozen=True)
class ExecRequest:
    """A command to run. With a `terminal` it has one descriptor for all, else three for input, output and errors."""

    command: tuple[str, ...]
    terminal: bool


@dataclass(frozen=True)
class Started:
    """The command is being executed."""


@dataclass(frozen=True)
class NotStarted:
    """The command was not started: why, and what to do."""

    message: str
    hint: str = ""


@dataclass(frozen=True)
class Ended:
    """How the command ended: with an exit code, by a signal, or with neither because of what `message` says."""

    exit_code: int | None = None
    signal: int | None = None
    message: str = ""


Event = Started | NotStarted | Ended
EVENTS: dict[str, type[Event]] = {each.__name__: each for each in (Started, NotStarted, Ended)}
REPLICA_ENDED = Ended(message="the job has ended")


class ExecSession:
    """A command that runs. All descriptors are non-blocking; with a terminal, `stderr` is None and the others are one.

    `events` is readable when `read_event` returns something. The command is ended when this is closed.
    """

    def __init__(self, connection: socket.socket, stdin: int, stdout: int, stderr: int | None) -> None:
        self._connection = connection
        self.stdin: int | None = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.events = connection.fileno()
        connection.setblocking(False)
        for fd in {stdin, stdout} | ({stderr} if stderr is not None else set()):
            os.set_blocking(fd, False)

    @property
    def has_terminal(self) -> bool:
        """Whether it runs in a terminal."""
        return self.stderr is None

    def read_event(self) -> Event | None:
        """What has happened, None if there is nothing new. At the end of the other side, it is `REPLICA_ENDED`."""
        try:
            packet = self._connection.recv(MAX_REQUEST_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return REPLICA_ENDED
        return parse_event(packet) if packet else REPLICA_ENDED

    def resize(self, size: TerminalSize) -> None:
        """Tells the programs in its terminal a new size. Does nothing without a terminal."""
        if self.has_terminal:
            with contextlib.suppress(OSError):  # it has ended
                termios.tcsetwinsize(self.stdout, (size.rows, size.columns))

    def close_stdin(self) -> None:
        """Ends its input. With a terminal, that is what Ctrl-D does."""
        if self.stdin is None:
            return
        if self.has_terminal:
            with contextlib.suppress(OSError):  # it has ended, or does not read
                os.write(self.stdin, b"\x04")
        else:
            os.close(self.stdin)
        self.stdin = None

    def close(self) -> None:
        """Closes all descriptors. The command gets SIGHUP if it runs, as when a terminal is closed."""
        for fd in {self.stdin, self.stdout, self.stderr} - {None}:
            assert fd is not None
            os.close(fd)
        self._connection.close()


def connect(folder: Path, command: Sequence[str], size: TerminalSize | None) -> ExecSession:
    """Requests a command from the supervisor of a replica. Raises OSError if there is none that accepts requests."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.settimeout(SEND_SECS)
        with folder_descriptor(folder) as fd:  # a path may be longer than an address
            connection.connect(f"/proc/self/fd/{fd}/{SOCKET}")
        own, others = open_terminal(size) if size else open_pipes()
        try:
            send_request(connection, ExecRequest(tuple(command), size is not None), others)
            return ExecSession(connection, *own)
        except OSError:
            for fd in {fd for fd in own if fd is not None}:
                os.close(fd)
            raise
        finally:
            for fd in others:
                os.close(fd)
    except BaseException:
        connection.close()
        raise


Own = tuple[int, int, int | None]
"""The hub's descriptors of standard input, output and error."""


def open_terminal(size: TerminalSize) -> tuple[Own, list[int]]:
    """The descriptors of a new terminal: the hub's, and that of the command."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (size.rows, size.columns))
    return (master, master, None), [slave]


def open_pipes() -> tuple[Own, list[int]]:
    """The descriptors of pipes: the hub's, and those of the command."""
    (stdin_end, stdin), (stdout, stdout_end), (stderr, stderr_end) = os.pipe(), os.pipe(), os.pipe()
    return (stdin, stdout, stderr), [stdin_end, stdout_end, stderr_end]


@contextlib.contextmanager
def folder_descriptor(folder: Path) -> Any:
    """A descriptor of a folder."""
    fd = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


def send_request(connection: socket.socket, request: ExecRequest, fds: Sequence[int]) -> None:
    """Sends a request with the descriptors of the command. Raises OSError, also if it is too long."""
    socket.send_fds(connection, [json.dumps(asdict(request)).encode()], fds)


def receive_request(connection: socket.socket) -> tuple[ExecRequest, list[int]] | None:
    """The request of a new connection, None if there is none yet.

    The caller closes the descriptors. Raises ValueError if it is not one, also if the connection was closed; OSError.
    """
    size = socket.CMSG_LEN(MAX_FDS * array.array("i").itemsize)
    try:
        packet, messages, flags, _ = connection.recvmsg(MAX_REQUEST_BYTES, size, socket.MSG_CMSG_CLOEXEC)
    except BlockingIOError:
        return None
    fds = array.array("i")
    for level, kind, data in messages:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    try:
        if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
            raise ValueError("the request is too long")
        return parse_request(packet, len(fds)), list(fds)
    except ValueError:
        for fd in fds:
            os.close(fd)
        raise


def parse_request(packet: bytes, fds: int) -> ExecRequest:
    """The request in a packet that came with a number of descriptors. Raises ValueError."""
    try:
        fields = json.loads(packet)
        command, terminal = tuple(map(str, fields["command"])), bool(fields["terminal"])
    except (KeyError, TypeError) as error:
        raise ValueError("the request is not one") from error
    if not command or fds != (1 if terminal else MAX_FDS):
        raise ValueError("the request has no command, or not its descriptors")
    return ExecRequest(command, terminal)


def send_event(connection: socket.socket, event: Event) -> None:
    """Tells the hub what has happened. Raises OSError if it is gone."""
    connection.send(json.dumps({"event": type(event).__name__, **asdict(event)}).encode())


def parse_event(packet: bytes) -> Event:
    """The event in a packet."""
    fields = json.loads(packet)
    return EVENTS[fields.pop("event")](**fields)
