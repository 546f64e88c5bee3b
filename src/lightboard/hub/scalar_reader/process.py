"""Starts the process that reads the scalars of jobs, and talks to it.

It may be killed by what it reads, hang on a disk, or respond with anything: every call has a timeout and a size limit,
and what it responds is checked.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from lightboard.errors import LaunchError
from lightboard.hub.resources.job_scalars import (
    MAX_NAME_CHARS,
    MAX_SAMPLES,
    MAX_SCALARS,
    Reading,
    SavedFile,
    SavedLog,
    ScalarSeries,
    storable,
)
from lightboard.hub.scalar_reader.worker import packed, unpacked
from lightboard.types import UNREACHABLE

COMMAND = (sys.executable, "-m", "lightboard.hub.scalar_reader.worker")
CALL_SECS = 15.0
"""A visit takes a second, unless a listing takes longer."""
MAX_RESPONSE_BYTES = 32 << 20
MAX_HANGING = 3
"""Processes that were killed and have not ended, because they hang on a disk, before no other is started."""
PART_BYTES = 1 << 16


class ScalarReader:
    """The process, started with the first call. Not thread-safe. `command` is what it runs."""

    def __init__(self, command: Sequence[str] = COMMAND, *, call_secs: float = CALL_SECS) -> None:
        self._command = tuple(command)
        self._call_secs = call_secs
        self._process: subprocess.Popen[bytes] | None = None
        self._hanging: list[subprocess.Popen[bytes]] = []

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def read(self, job: str, folder: str, refused: Sequence[str], load: Callable[[], SavedLog]) -> Reading:
        """Reads on in the folder of a job. `load` is called for its saved state if the process does not know it.

        Raises LaunchError if the folder cannot be read, or the process does not respond.
        """
        request = {"job": job, "folder": folder, "refused": [*refused]}
        response = self._call(request)
        if response.get("unknown"):
            response = self._call({**request, "saved": saved_as_json(load())})
        if message := response.get("error"):
            raise LaunchError(f"the logs cannot be read: {str(message)[:MAX_NAME_CHARS]}", reason=UNREACHABLE)
        try:
            return reading_of(response)
        except (KeyError, TypeError, ValueError, AttributeError):
            self._abandon()
            raise LaunchError("the reader of logs does not work as expected") from None

    def forget(self, job: str) -> None:
        """Frees what the process knows of a job."""
        if self._process is not None:
            with suppress(LaunchError):
                self._call({"job": job, "forget": True})

    def kill(self) -> None:
        """Kills the process, so that a call in another thread ends."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Ends the process."""
        self._abandon()
        for process in self._hanging:
            with suppress(subprocess.TimeoutExpired):
                process.wait(1.0)
        self._hanging = [process for process in self._hanging if process.poll() is None]

    # The process

    def _call(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._started()
        try:
            line = exchange(process, json.dumps(request).encode() + b"\n", time.monotonic() + self._call_secs)
            response = json.loads(line)
        except (OSError, ValueError, RecursionError):
            self._abandon()
            raise LaunchError(
                "the logs could not be read in time, or the process that reads them ended", reason=UNREACHABLE
            ) from None
        if not isinstance(response, dict):
            self._abandon()
            raise LaunchError("the reader of logs does not work as expected")
        return response

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        self._hanging = [process for process in self._hanging if process.poll() is None]
        if len(self._hanging) >= MAX_HANGING:
            raise LaunchError("the disks of logs do not respond", reason=UNREACHABLE)
        try:
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C must only reach the hub
                env={name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")},
            )
        except OSError as error:
            raise LaunchError(f"no process can be started to read logs: {error.strerror}") from None
        for fd in descriptors(self._process):
            os.set_blocking(fd, False)
        return self._process

    def _abandon(self) -> None:
        """Kills the process, without waiting for its end, which a disk may delay."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._hanging.append(process)


def descriptors(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The descriptors of its standard input and output."""
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin.fileno(), process.stdout.fileno()


def exchange(process: subprocess.Popen[bytes], request: bytes, until: float) -> bytes:
    """Sends a line and returns the next one. Raises OSError if that takes longer or too much, or the process ends."""
    source, target = descriptors(process)
    rest = memoryview(request)
    while rest:
        wait_for(source, select.POLLOUT, until)
        rest = rest[os.write(source, rest[:PART_BYTES]) :]
    parts, size = list[bytes](), 0
    while not parts or not parts[-1].endswith(b"\n"):
        wait_for(target, select.POLLIN, until)
        part = os.read(target, PART_BYTES)
        size += len(part)
        if not part or size > MAX_RESPONSE_BYTES:
            raise OSError("the process has ended, or its response is too long")
        parts.append(part)
    return b"".join(parts)


def wait_for(fd: int, what: int, until: float) -> None:
    """Waits until a descriptor is ready. Raises TimeoutError."""
    poll = select.poll()
    poll.register(fd, what)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise TimeoutError


def saved_as_json(saved: SavedLog) -> dict[str, Any]:
    """A saved state as the process expects it."""
    return {
        "files": {path: list(state) for path, state in saved.files.items()},
        "series": [packed(each) for each in saved.series],
        "limited": saved.limited,
        "total": saved.total,
    }


def reading_of(response: dict[str, Any]) -> Reading:
    """The reading in a response. Raises KeyError, TypeError, ValueError or AttributeError if it has none."""
    changed = [unpacked(each) for each in response["changed"]]
    if len(changed) > MAX_SCALARS or not all(map(is_plausible, changed)):
        raise ValueError("too much")
    files = response["files"]
    return Reading(
        changed=changed,
        removed=[int(position) for position in response["removed"]],
        files=None if files is None else files_of(files),
        total=int(response["total"]),
        more=bool(response["more"]),
        limited=bool(response["limited"]),
    )


def files_of(saved: Mapping[str, Sequence[Any]]) -> dict[str, SavedFile]:
    """The saved files in JSON. Raises TypeError or ValueError."""
    return {path: SavedFile(str(one), int(two), int(three)) for path, (one, two, three) in saved.items()}


def is_plausible(series: ScalarSeries) -> bool:
    """Whether a scalar is within the limits."""
    names = (series.run, series.tag)
    return len(series.samples) <= MAX_SAMPLES and all(
        isinstance(name, str) and len(name) <= MAX_NAME_CHARS and storable(name) == name for name in names
    )
