"""Control groups of the kernel: all processes of a replica, with limits that the kernel enforces (cgroups(7)).

`ControlGroup` is the protocol. Its implementations are `control_group_v1`, `control_group_v2`, and `watched_tree` for
machines that let the hub have none. Only the standard library is imported, because a supervisor must start fast.
"""

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lightboard.hub.resources.replicas import Limits, ResourceUsage
from lightboard.hub.runners import process_tree

PREFIX = "lightboard-"
"""What the names of all groups begin with."""
CPU_PERIOD_MICROSECS = 100_000
"""In each such period, the processes may run for so many microseconds on each of their processors."""
PROCESSES = "cgroup.procs"
OWN_PROCESS = "0"
"""Written to PROCESSES, it means the process that writes."""


@dataclass(frozen=True, kw_only=True)
class GroupLimits:
    """What all processes of a group may use together, None for no limit. `pids` are processes and their threads.

    Memory includes files in memory, such as those in /dev/shm, and swap.
    """

    memory_bytes: int | None = None
    cpus: int | None = None
    pids: int | None = None


@dataclass(frozen=True, kw_only=True)
class GroupSpec:
    """A group to create: of version 1 or 2 of the kernel's interface, in `folders`, by controller (one, "", for 2).

    If it is `required`, nothing runs without it.
    """

    version: int
    folders: dict[str, str]
    limits: GroupLimits
    required: bool = False


class ControlGroup(Protocol):
    """The processes of a replica. `kind` says what enforces their limits.

    A group that does not exist has no processes, and removing it is no error.
    """

    kind: Limits

    def create(self, limits: GroupLimits) -> None:
        """Creates it with its limits. Raises OSError; then nothing of it is left."""

    def enter(self) -> None:
        """Puts this process, and all that it starts from now on, into the group. Raises OSError."""

    def usage(self) -> ResourceUsage:
        """What its processes use together. Raises OSError."""

    def is_out_of_memory(self, usage: ResourceUsage) -> bool:
        """Whether its processes have needed more memory than there is for them. Raises OSError."""

    def pids(self) -> set[int]:
        """The ids of its processes."""

    def kill(self) -> None:
        """Kills all its processes, and lets it have no others."""

    def remove(self) -> None:
        """Removes it. Raises OSError as long as there are processes in it."""


def keyed_numbers(text: str) -> dict[str, int]:
    """The numbers in a file with a name and a number in each line, such as `memory.stat`."""
    return {name: int(number) for name, number in (line.split() for line in text.splitlines())}


def cpu_quota_microsecs(cpus: int) -> int:
    """How long processes with so many processors may run in a period, all together."""
    return cpus * CPU_PERIOD_MICROSECS


def write(path: Path, value: object) -> None:
    """Writes to a file of the kernel, which must exist. Raises OSError."""
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, str(value).encode())
    finally:
        os.close(fd)


def processes_below(folder: Path) -> set[int]:
    """The ids of the processes in a group and in those that its processes have created in it."""
    found: set[int] = set()
    for path, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):  # removed meanwhile
            found.update(map(int, Path(path, PROCESSES).read_text().split()))
    return found


def remove_below(folder: Path) -> None:
    """Removes a group, and those that its processes have created in it. Raises OSError."""
    for path, _, _ in os.walk(folder, topdown=False):
        with contextlib.suppress(FileNotFoundError):
            os.rmdir(path)


def kill_each(group: ControlGroup, limit_files: Iterable[Path]) -> None:
    """Kills the processes of a group, which cannot have new ones because of a limit of 0 in `limit_files`."""
    for path in limit_files:
        with contextlib.suppress(OSError):  # it has been removed
            write(path, 0)
    process_tree.kill(group.pids())
