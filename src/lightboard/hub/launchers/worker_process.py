"""A worker process on this machine: starts, watches and stops it. Knows nothing of boards."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import START_TIMEOUT
from lightboard.hub.launchers.worker_log import WorkerLog
from lightboard.schema.worker import WorkerBody, WorkerReady

START_SECS = 60.0
"""A start takes half a second; a loaded machine may need a hundred times as long."""

COMMAND = (sys.executable, "-m", "lightboard.board.worker")


class WorkerProcess:
    """A running worker. `ended` is set when the process has exited for any reason."""

    def __init__(self, body: WorkerBody, folder: Path, on_end: Callable[["WorkerProcess"], None]) -> None:
        """Starts a worker and waits until it responds. Its stderr goes to a file in `folder`.

        Raises:
            LaunchError: it did not start; nothing is left of it.
        """
        self.id = body.id
        self.ended = threading.Event()
        self.log = log_in(folder)
        try:
            self.process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log.fd,
                start_new_session=True,  # Ctrl-C must only reach the hub, which stops its workers
                env=environment(),
            )
        except BaseException:
            self.log.close()
            raise
        try:
            self.ready = self._handshake(body)
        except BaseException:
            self._reap()
            raise
        self.url = f"http://{authority(body.host)}:{self.ready.port}"
        threading.Thread(target=self._watch, args=(on_end,), name="lightboard-worker", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    def _handshake(self, body: WorkerBody) -> WorkerReady:
        """Sends the worker its configuration and waits until it is ready."""
        overdue = threading.Timer(START_SECS, self.process.kill)
        overdue.start()
        stdin, stdout = pipes(self.process)
        try:
            stdin.write(body.model_dump_json().encode() + b"\n")
            stdin.flush()
            return WorkerReady.model_validate_json(stdout.readline())
        except (OSError, ValidationError):
            raise LaunchError(
                "a board worker did not start", reason=START_TIMEOUT, hint=self.last_line() or f"see {self.log.path}"
            ) from None
        finally:
            overdue.cancel()
            stdout.close()

    def last_line(self) -> str:
        """The last line of its log."""
        return self.log.last_line()

    def _watch(self, on_end: Callable[["WorkerProcess"], None]) -> None:
        self.process.wait()
        self._close_stdin()
        self.log.close()
        self.ended.set()
        on_end(self)

    def close(self, grace_secs: float) -> None:
        """Stops the process: closes its stdin, then sends SIGTERM, then SIGKILL."""
        self._close_stdin()
        for end in (self.process.terminate, self.process.kill):
            if self.ended.wait(grace_secs):
                return
            end()
        self.ended.wait(grace_secs)

    def kill(self) -> None:
        """Kills the process."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)

    def _reap(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close_stdin()
        self.log.close()

    def _close_stdin(self) -> None:
        with contextlib.suppress(OSError):  # it may have exited with unread input
            pipes(self.process)[0].close()


def log_in(folder: Path) -> WorkerLog:
    """A log file for one worker. Raises LaunchError."""
    try:
        return WorkerLog(folder)
    except OSError as error:
        raise LaunchError(
            f"a board worker did not start: its log in {folder} is not writable: {error.strerror}",
            reason=START_TIMEOUT,
            hint="check that the disk is not full and the folder is writable",
        ) from None


def pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """The stdin and stdout of a process that was started with both."""
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def environment() -> dict[str, str]:
    """The environment of a worker: without the settings of the hub, which may be secret."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}


def authority(host: str) -> str:
    """The host as written in a URL."""
    return f"[{host}]" if ":" in host else host
