"""What the answers of a Jupyter server mean."""

import os
import pathlib
import socket
import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.notebook_activity import NotebookActivity, activity_of, read_activity
from lightboard.hub.notebook_server import NotebookServers
from lightboard.hub.resources.jobs import Job, JobKind
from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.runners.base import Runner

TEN, ELEVEN, NOON = ("2026-11-28T10:00:00.000000Z", "2026-11-28T11:00:00Z", "2026-11-28T12:00:00+00:00")
AT_TEN, AT_ELEVEN, AT_NOON = 1_795_860_000.0, 1_795_863_600.0, 1_795_867_200.0


def told(kernels: list[Any], terminals: list[Any]) -> NotebookActivity:
    """What these answers mean, of a server that was active at noon."""
    answers = {"api/kernels": kernels, "api/terminals": terminals, "api/status": {"last_activity": NOON}}
    return activity_of(answers.__getitem__)


def kernel(state: str, at: str) -> dict[str, str]:
    """A kernel as Jupyter tells of it."""
    return {"execution_state": state, "last_activity": at}


BUSY = kernel("busy", TEN)


@pytest.mark.parametrize(
    ("kernels", "terminals", "expected"),
    [
        ([], [], NotebookActivity(busy=False, used_at=0.0, active_at=AT_NOON)),
        ([kernel("idle", TEN)], [], NotebookActivity(busy=False, used_at=AT_TEN, active_at=AT_NOON)),
        ([kernel("idle", TEN), BUSY], [], NotebookActivity(busy=True, used_at=AT_TEN, active_at=AT_NOON)),
        (
            [kernel("starting", TEN)], [{"name": "1", "last_activity": ELEVEN}],
            NotebookActivity(busy=False, used_at=AT_ELEVEN, active_at=AT_NOON),
        ),
    ],
)  # fmt: skip
def test_kernels_and_terminals_count(kernels: list[Any], terminals: list[Any], expected: NotebookActivity) -> None:
    """The last use of any of them."""
    assert told(kernels, terminals) == expected


@pytest.mark.parametrize("time", ["", "yesterday", "2026-11-28T10:00:00", None, 3])
def test_a_time_without_a_meaning_is_refused(time: Any) -> None:
    """The caller then knows nothing."""
    with pytest.raises((ValueError, TypeError)):
        told([kernel("idle", time)], [])


SERVERS = NotebookServers(
    base_path=lambda job: f"/notebooks/{job.id}/", isolation=Isolation.KERNEL, token=lambda _job: "secret"
)
NOTEBOOK = Job(
    id="job-1", name="lab", display_name="lab", project="prj-1", owner="acc-1", command=("jupyter-lab",),
    kind=JobKind.NOTEBOOK,
)  # fmt: skip


class SlowServer:
    """A server, and the part of a runner that leads to it. It sends one byte of a head after the other, without end."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def server_socket(self, _handle: str, _rank: int) -> int:
        """See Runner."""
        return os.open(self.path, os.O_PATH)

    def _serve(self) -> None:
        connection, _address = self._listening.accept()
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while not self._closed.wait(0.01):
                    connection.sendall(b"x")
            except OSError:
                pass

    def close(self) -> None:
        """End it."""
        self._closed.set()
        self._thread.join()
        self._listening.close()


@pytest.fixture
def slow(tmp_path: pathlib.Path) -> Iterator[SlowServer]:
    """A server that never answers, and never stops to."""
    server = SlowServer(tmp_path / "s")
    yield server
    server.close()


def test_a_server_that_sends_byte_after_byte_holds_nobody(slow: SlowServer) -> None:
    """Neither the questions to others, nor the end of the hub."""
    with pytest.raises(LaunchError, match="does not say whether it is used"):
        read_activity(cast(Runner, slow), SERVERS, NOTEBOOK, timeout_secs=0.2)
