"""The file with what a replica has used over time: a line of JSON for each sample. The supervisor writes it."""

import json
import os
from pathlib import Path
from typing import Any

from lightboard.hub.resources.replicas import GpuUsage, ResourceUsage
from lightboard.hub.resources.usage_history import UsageHistory, UsageSample

MAX_BYTES = 4 << 20
"""Of a file that is read. Those that a supervisor writes are smaller, also with many GPUs."""


class UsageLogWriter:
    """Appends to the file at `path`, whose size is bounded. Methods raise OSError, and can be called again then.

    `secs` is the length of a sample at first.
    """

    def __init__(self, path: Path, secs: float) -> None:
        self._path = path
        self._history = UsageHistory(secs)

    def add(self, at: float, secs: float, usage: ResourceUsage) -> None:
        """Adds a measurement at `at` (in seconds since the epoch), `secs` after the one before."""
        self._write(self._history.add(at, secs, usage))

    def close(self) -> None:
        """Writes the last measurements."""
        self._write(self._history.finish())

    def _write(self, sample: UsageSample | None) -> None:
        if sample is None:
            return
        if not self._history.is_full():
            with open(self._path, "a", opener=private) as file:
                file.write(line_of(sample))
            return
        self._history.halve()
        name = self._path.with_name(f".{self._path.name}")
        with open(name, "w", opener=private) as file:
            file.writelines(map(line_of, self._history.samples))
        os.replace(name, self._path)


def private(path: str, flags: int) -> int:
    """Opens a file that only this user can read."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def line_of(sample: UsageSample) -> str:
    """The line of a sample."""
    gpus = [[each.id, round(each.utilization, 4), each.memory_bytes, each.total_memory_bytes] for each in sample.gpus]
    numbers = [round(sample.at, 3), round(sample.secs, 3), round(sample.cpus, 4), sample.memory_bytes, sample.processes]
    return json.dumps([*numbers, gpus], separators=(",", ":")) + "\n"


def read_usage_log(path: Path) -> list[UsageSample]:
    """The samples in a file; none if there is none. A line that was not written to its end is left out."""
    try:
        with open(path, "rb") as file:
            lines = file.read(MAX_BYTES).splitlines(keepends=True)
    except FileNotFoundError:
        return []
    return [sample for sample in map(sample_of, lines) if sample is not None]


def sample_of(line: bytes) -> UsageSample | None:
    """The sample in a line, None if it is damaged."""
    try:
        at, secs, cpus, memory, processes, gpus = json.loads(line)
        return UsageSample(
            at=float(at),
            secs=float(secs),
            cpus=float(cpus),
            memory_bytes=int(memory),
            processes=int(processes),
            gpus=tuple(map(gpu_of, gpus)),
        )
    except (ValueError, TypeError):
        return None


def gpu_of(fields: list[Any]) -> GpuUsage:
    """A GPU in a line. Raises ValueError or TypeError."""
    id, utilization, memory, total = fields
    return GpuUsage(id=int(id), utilization=float(utilization), memory_bytes=int(memory), total_memory_bytes=int(total))
