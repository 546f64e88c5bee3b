"""What is handed out of a capture while it is read: whole files of it, or the beginning of the first one."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from lightboard.profiles.capture import HostCapture
from lightboard.query.capture_files import Capture, ProfileFile

FIRST_SLICES, FIRST_SECS = 250_000, 1.0
"""So much is read before anything is handed out: so many slices, or what is there after so long."""

GROWTH = 4
"""How many times as many slices the next thing that is handed out has, so that all of them together cost little."""

HostFile: TypeAlias = tuple[ProfileFile, HostCapture]

Publish: TypeAlias = Callable[[list[HostFile], list[str], float], None]
"""Gets hosts, sentences about what could not be read, and which part of all bytes that is, from 0 to 1."""


class CaptureProgress:
    """Decides when something is handed out, and hands it to `publish`: a `prefix.PrefixTaker` for the files it is told.

    The beginning of a file is handed out only while no other file has been read: its times may not be absolute yet.
    Nothing is handed out unless `is_wanted`.
    """

    def __init__(
        self,
        capture: Capture,
        publish: Publish,
        is_wanted: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capture = capture
        self._publish = publish
        self._is_wanted = is_wanted
        self._clock = clock
        self._began = clock()
        self._told = self._read_bytes = 0
        self._file: ProfileFile | None = None

    def begin(self, file: ProfileFile) -> None:
        """A file is read from here on."""
        self._file = file

    def is_due(self, slices: int) -> bool:
        """See PrefixTaker."""
        return not self._read_bytes and self._is_due(slices)

    def take(self, host: HostCapture, part: float) -> None:
        """See PrefixTaker."""
        assert self._file is not None
        self._told = len(host.slices)
        named = replace(host, host=host.host or self._file.host)
        self._publish([(self._file, named)], [], part * self._file.info.size / self._capture.size_bytes)

    def end(self, hosts: list[HostFile], problems: list[str]) -> None:
        """The file has been read, and these hosts have been found so far, with this to say."""
        assert self._file is not None
        self._read_bytes += self._file.info.size
        slices = sum(len(host.slices) for _, host in hosts)
        if self._file is not self._capture.files[-1] and self._is_due(slices):
            self._told = slices
            self._publish(in_order(hosts), list(problems), self._read_bytes / self._capture.size_bytes)

    def _is_due(self, slices: int) -> bool:
        if not slices or not self._is_wanted():
            return False
        if self._told:
            return slices >= self._told * GROWTH
        return slices >= FIRST_SLICES or self._clock() - self._began >= FIRST_SECS


def in_order(hosts: list[HostFile]) -> list[HostFile]:
    """Hosts in the order of their ranks and names."""
    return sorted(hosts, key=lambda each: (-1 if each[1].rank is None else each[1].rank, each[1].host))
