"""What the server of a notebook says about its use.

Only kernels and terminals count: pages of JupyterLab that are merely open ask for something all the time, which
Jupyter's own time of the last activity includes.
"""

import contextlib
import http.client
import json
import math
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lightboard.errors import LaunchError
from lightboard.hub.notebook_server import NotebookServers
from lightboard.hub.resources.jobs import Job
from lightboard.hub.runners.base import Runner
from lightboard.types import UNREACHABLE

TIMEOUT_SECS = 10.0
MAX_BYTES = 1 << 20
KERNELS, TERMINALS, STATUS = "api/kernels", "api/terminals", "api/status"
UNUSABLE = (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""What is raised for answers that say nothing: a server runs programs of its owner, and may answer anything."""
UNTRACKED = "?no_track_activity=1"
"""The question itself is no use."""


@dataclass(frozen=True)
class NotebookActivity:
    """`busy`: a kernel computes. `used_at` is when a kernel or terminal that exists was last used, 0.0 without any.

    `active_at` is the same with those that have ended, and with requests of pages, so it may be later than the use.
    Times are seconds since the epoch.
    """

    busy: bool
    used_at: float
    active_at: float


def read_activity(
    runner: Runner, servers: NotebookServers, job: Job, timeout_secs: float = TIMEOUT_SECS
) -> NotebookActivity:
    """What the server of the current attempt of a notebook says within this time.

    Raises LaunchError if it says nothing usable.
    """
    descriptor = runner.server_socket(job.runner_ref, 0)
    try:
        token, base = servers.token(job), servers.base_path(job)
        connection = ServerConnection(descriptor, timeout_secs)
        # The time of a socket begins anew with each byte, and a server that sends few would hold the thread.
        timer = threading.Timer(timeout_secs, connection.abort)
        timer.start()
        try:
            return activity_of(lambda path: connection.ask(f"{base}{path}{UNTRACKED}", token))
        finally:
            timer.cancel()
            connection.close()
    except UNUSABLE as error:
        raise LaunchError("the notebook does not say whether it is used", reason=UNREACHABLE) from error
    finally:
        os.close(descriptor)


def activity_of(ask: Callable[[str], Any]) -> NotebookActivity:
    """The activity of a server that `ask` asks for the JSON of a path."""
    kernels, terminals, status = ask(KERNELS), ask(TERMINALS), ask(STATUS)
    times = [time_of(each["last_activity"]) for each in (*kernels, *terminals)]
    return NotebookActivity(
        busy=any(each["execution_state"] == "busy" for each in kernels),
        used_at=max(times, default=0.0),
        active_at=time_of(status["last_activity"]),
    )


def time_of(text: str) -> float:
    """A time in ISO 8601, with its zone, in seconds since the epoch. Raises ValueError."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None or not math.isfinite(found.timestamp()):
        raise ValueError(f"no time: {text[:40]}")
    return found.timestamp()


class ServerConnection(http.client.HTTPConnection):
    """A connection to the Unix socket of this descriptor, which is open for several questions."""

    def __init__(self, descriptor: int, timeout_secs: float) -> None:
        super().__init__("server", timeout=timeout_secs)
        self._descriptor = descriptor
        self._timeout_secs = timeout_secs
        self._aborted = False

    def connect(self) -> None:
        """Connects. The path is that of the descriptor, because those of sockets may be too long."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self._timeout_secs)
        self.sock.connect(f"/proc/self/fd/{self._descriptor}")
        if self._aborted:
            raise TimeoutError

    def abort(self) -> None:
        """Ends what is going on. For another thread."""
        self._aborted = True
        with contextlib.suppress(OSError, AttributeError):  # it is not connected, or not any more
            self.sock.shutdown(socket.SHUT_RDWR)

    def ask(self, path: str, token: str) -> Any:
        """The JSON of a path. Raises OSError, HTTPException, ValueError."""
        self.request("GET", path, headers={"Authorization": f"token {token}"})
        response = self.getresponse()
        body = response.read(MAX_BYTES + 1)
        if response.status != http.HTTPStatus.OK or len(body) > MAX_BYTES:
            raise ValueError(f"{path.partition('?')[0]}: {response.status}")
        return json.loads(body)
