"""Control groups of version 2: one folder for all controllers. Linux only.

The limits are those of a group in which there is another, INNER, with the processes. It is the highest that they could
see: a process of the hub's user that mounts the file system of its group cannot change the limits.
"""

import contextlib
from pathlib import Path

from lightboard.hub.resources.replicas import Limits, ResourceUsage
from lightboard.hub.runners.control_group import (
    CPU_PERIOD_MICROSECS,
    OWN_PROCESS,
    PROCESSES,
    GroupLimits,
    cpu_quota_microsecs,
    keyed_numbers,
    kill_each,
    processes_below,
    remove_below,
    write,
)

CONTROLLERS = ("memory", "cpu", "pids")
INNER = "processes"
OPTIONAL = ("memory.swap.max", "memory.oom.group")
"""Files that not every kernel has: some count no swap, older ones do not end all processes of a group together."""


class ControlGroupV2:
    """See `control_group.ControlGroup`. `folder` is that of the group."""

    kind = Limits.CGROUP

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def create(self, limits: GroupLimits) -> None:
        """See ControlGroup."""
        self._folder.mkdir()
        try:
            for name, value in limit_files(limits).items():
                if name not in OPTIONAL or (self._folder / name).exists():
                    write(self._folder / name, value)
            (self._folder / INNER).mkdir()
        except OSError:
            with contextlib.suppress(OSError):
                self.remove()
            raise

    def enter(self) -> None:
        """See ControlGroup."""
        write(self._folder / INNER / PROCESSES, OWN_PROCESS)

    def usage(self) -> ResourceUsage:
        """See ControlGroup. Memory is without the part of the file cache that can be had back at once."""
        return usage_of(
            cpu_stat=(self._folder / "cpu.stat").read_text(),
            memory_current=(self._folder / "memory.current").read_text(),
            memory_stat=(self._folder / "memory.stat").read_text(),
            processes=len(self.pids()),
        )

    def is_out_of_memory(self, _usage: ResourceUsage) -> bool:
        """See ControlGroup."""
        return oom_kills((self._folder / "memory.events").read_text()) > 0

    def pids(self) -> set[int]:
        """See ControlGroup."""
        return processes_below(self._folder)

    def kill(self) -> None:
        """See ControlGroup."""
        try:
            write(self._folder / "cgroup.kill", 1)
        except OSError:  # a kernel before 5.14, or it has been removed
            kill_each(self, [self._folder / "pids.max"])

    def remove(self) -> None:
        """See ControlGroup."""
        remove_below(self._folder)


def limit_files(limits: GroupLimits) -> dict[str, str]:
    """What to write to which files of a group, in this order."""
    files: dict[str, str] = {}
    if limits.memory_bytes is not None:
        files |= {"memory.max": str(limits.memory_bytes), "memory.swap.max": "0", "memory.oom.group": "1"}
    if limits.cpus is not None:
        files["cpu.max"] = f"{cpu_quota_microsecs(limits.cpus)} {CPU_PERIOD_MICROSECS}"
    if limits.pids is not None:
        files["pids.max"] = str(limits.pids)
    return files


def usage_of(*, cpu_stat: str, memory_current: str, memory_stat: str, processes: int) -> ResourceUsage:
    """What the files of a group say that its processes use."""
    cached = keyed_numbers(memory_stat).get("inactive_file", 0)
    return ResourceUsage(
        cpu_secs=keyed_numbers(cpu_stat)["usage_usec"] / 1e6,
        memory_bytes=max(0, int(memory_current) - cached),
        processes=processes,
    )


def oom_kills(memory_events: str) -> int:
    """How many processes of a group the kernel has killed for lack of memory."""
    return keyed_numbers(memory_events).get("oom_kill", 0)
