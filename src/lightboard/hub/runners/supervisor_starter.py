"""Starts supervisors by a process that forks them (`fork_server`), which is started when it is first needed."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import lightboard
from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.runners.command_process import file_of
from lightboard.hub.runners.replica_folder import SIGNAL_EXIT

FORK_SERVER = (
    sys.executable,
    "-I",
    "-S",  # a search for installed packages would take a third of the start of Python, and none is needed
    "-c",
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from lightboard.hub.runners.fork_server import serve; sys.exit(serve())",
    str(Path(lightboard.__file__).parents[1]),
)
MAX_ATTEMPTS = 5
START_SECS = 60.0
"""A start takes a hundredth of a second; a loaded machine may need a thousand times as long."""
END_SECS = 10.0
"""How long the process may take to end when its socket has been closed."""
MAX_ERROR_BYTES = 64 << 10


class SupervisorStarter:
    """`command` starts the process that forks. Methods may be called by several threads."""

    def __init__(self, command: Sequence[str] = FORK_SERVER) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._requests: socket.socket | None = None

    def start(self, folder: Path, variables: Mapping[str, str]) -> None:
        """Starts the supervisor of a replica with more variables, unless it has one. Raises OSError or LaunchError."""
        for _ in range(MAX_ATTEMPTS):
            code, output = self._start_once(folder, variables)
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

    def close(self) -> None:
        """Ends the process that forks. Supervisors go on."""
        with self._lock:
            self._end()

    def _start_once(self, folder: Path, variables: Mapping[str, str]) -> tuple[int, str]:
        """The exit code of `supervisor.start`, negative if it was killed, and what was written to stderr."""
        with ExitStack() as opened:
            file = file_of(opened, json.dumps(variables).encode())
            (errors, errors_end), (report, report_end) = os.pipe(), os.pipe()
            for fd in (errors, report):
                opened.callback(os.close, fd)
            try:
                self._request(folder, (file, errors_end, report_end))
            finally:
                os.close(errors_end)
                os.close(report_end)
            if not is_readable(report, START_SECS):
                with self._lock:
                    self._end(signal.SIGKILL)
                raise LaunchError("a supervisor did not start in time", reason=START_FAILED, hint="try again")
            code = int(os.read(report, MAX_ERROR_BYTES) or -signal.SIGKILL)
            output = os.read(errors, MAX_ERROR_BYTES) if code and is_readable(errors, 0) else b""
        return code, output.decode(errors="replace").strip()

    def _request(self, folder: Path, fds: Sequence[int]) -> None:
        """Sends a request to the process, which is started if there is none, or replaced if it has ended.

        Raises OSError.
        """
        with self._lock:
            if self._server is not None and self._server.poll() is not None:
                self._end()
            requests = self._requests or self._start_server()
            try:
                socket.send_fds(requests, [os.fsencode(folder)], fds)
            except OSError as error:
                self._end(signal.SIGKILL)
                if not isinstance(error, (BrokenPipeError, ConnectionResetError)):
                    raise  # else nobody will answer, and it is tried again

    def _start_server(self) -> socket.socket:
        """Starts the process that forks, without variables that are secrets of the hub. Raises OSError."""
        requests, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            requests.settimeout(START_SECS)
            self._server = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                self._command,
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                env={name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")},
            )
        self._requests = requests
        return requests

    def _end(self, number: int = 0) -> None:
        """Ends the process, by a signal if it does not do that by itself."""
        if self._requests is not None:
            self._requests.close()
        if self._server is not None:
            if number:
                self._server.send_signal(number)
            try:
                self._server.wait(END_SECS)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
        self._requests = self._server = None


def is_readable(fd: int, secs: float) -> bool:
    """Whether there is something to read within a time, or the end."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(secs * 1000))


def is_killed(code: int) -> bool:
    """Whether what started a supervisor (negative), or the supervisor (see `supervisor.start`), was killed."""
    return code < 0 or code > SIGNAL_EXIT
