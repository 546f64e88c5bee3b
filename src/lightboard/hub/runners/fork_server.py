"""A process that has loaded all that supervisors need, and forks for each: loading is most of the time of a start.

Its input is a Unix socket, and it ends when the hub has closed the other end, however that happens. Each message is the
folder of a replica, with three descriptors: the file with its variables, a pipe for what the start writes to stderr,
and one for the exit code of `supervisor.start`. Only the forked process reads the variables, so this one never has
those of any job. It has one thread, and passes on no descriptor of its own.
"""

import contextlib
import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from lightboard.hub.runners import supervisor

MAX_MESSAGE_BYTES = 64 << 10
DESCRIPTORS = 3
STDIN, STDERR = 0, 2


def serve() -> None:
    """Forks for each request. Returns when the hub has closed the socket."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel forgets children when they end
    os.chdir("/")
    gc.freeze()  # what has been loaded stays in memory that all supervisors share
    with socket.socket(fileno=STDIN) as requests:
        while True:
            message, fds, _, _ = socket.recv_fds(requests, MAX_MESSAGE_BYTES, DESCRIPTORS)
            if not message:
                return
            try:
                handle(requests, message, fds)
            finally:
                for fd in fds:
                    os.close(fd)


def handle(requests: socket.socket, message: bytes, fds: Sequence[int]) -> None:
    """Forks a process that starts a supervisor. The hub is told if that fails."""
    _, errors, report = fds
    try:
        child = os.fork()
    except OSError as error:
        with contextlib.suppress(BrokenPipeError):
            os.write(errors, f"{error.strerror}\n".encode())
            os.write(report, b"1")
        return
    if child == 0:
        code = 1
        try:
            requests.close()
            code = start(Path(os.fsdecode(message)), fds)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with contextlib.suppress(BrokenPipeError):
                os.write(report, str(code).encode())
            os._exit(0)


def start(path: Path, fds: Sequence[int]) -> int:
    """Starts a supervisor: see `supervisor.start`."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    variables, errors, report = fds
    os.dup2(variables, STDIN)
    os.dup2(errors, STDERR)
    os.close(variables)
    os.close(errors)
    return supervisor.start(path, unused=(report,))


if __name__ == "__main__":
    serve()
