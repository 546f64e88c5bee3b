"""One worker of this machine as a process: started, watched, ended. Knows no boards."""

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
"""It takes half a second; a machine under load may need a hundred times as long."""

COMMAND = (sys.executable, "-m", "lightboard.board.worker")


class WorkerProcess:
    """A worker that answers. `url` is where; `ended` is set when the process is gone, whatever ended it."""

    def __init__(self, body: WorkerBody, folder: Path, on_end: Callable[["WorkerProcess"], None]) -> None:
        """Starts it and waits until it answers. Its words go to a file in `folder`.

        Raises:
            LaunchError: it did not come up; nothing is left of it.
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
                start_new_session=True,  # Ctrl-C is for the hub, which ends its workers itself
                env=environment(),
            )
        except BaseException:
            self.log.close()
            raise
        try:
            self.ready = self._greet(body)
        except BaseException:
            self._reap()
            raise
        self.url = f"http://{authority(body.host)}:{self.ready.port}"
        threading.Thread(target=self._watch, args=(on_end,), name="lightboard-worker", daemon=True).start()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self.process.pid

    def _greet(self, body: WorkerBody) -> WorkerReady:
        """Tells it who it is and hears that it can be asked."""
        overdue = threading.Timer(START_SECS, self.process.kill)
        overdue.start()
        stdin, stdout = pipes(self.process)
        try:
            stdin.write(body.model_dump_json().encode() + b"\n")
            stdin.flush()
            return WorkerReady.model_validate_json(stdout.readline())
        except (OSError, ValidationError):
            raise LaunchError(
                "a board worker did not start", reason=START_TIMEOUT, hint=self.last_words() or f"see {self.log.path}"
            ) from None
        finally:
            overdue.cancel()
            stdout.close()

    def last_words(self) -> str:
        """The last line it said before it ended."""
        return self.log.last_line()

    def _watch(self, on_end: Callable[["WorkerProcess"], None]) -> None:
        self.process.wait()
        self._close_stdin()
        self.log.close()
        self.ended.set()
        on_end(self)

    def close(self, grace_secs: float) -> None:
        """Ends it: by the end of its input, then politely, then at once."""
        self._close_stdin()
        for end in (self.process.terminate, self.process.kill):
            if self.ended.wait(grace_secs):
                return
            end()
        self.ended.wait(grace_secs)

    def kill(self) -> None:
        """Ends it at once."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)

    def _reap(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close_stdin()
        self.log.close()

    def _close_stdin(self) -> None:
        with contextlib.suppress(OSError):  # it may have gone with something unread
            pipes(self.process)[0].close()


def log_in(folder: Path) -> WorkerLog:
    """A log for one worker. Raises LaunchError."""
    try:
        return WorkerLog(folder)
    except OSError as error:
        raise LaunchError(
            f"a board worker did not start: its log in {folder} cannot be written: {error.strerror}",
            reason=START_TIMEOUT,
            hint="see that there is room, and that the folder may be written",
        ) from None


def pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output of a process that was started with both."""
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def environment() -> dict[str, str]:
    """What a worker gets of our environment: everything but settings of the hub, which may be secret."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}


def authority(host: str) -> str:
    """The host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host
