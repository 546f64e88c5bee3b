"""Control groups of version 1: a folder in the hierarchy of each controller. Linux only."""

import contextlib
import errno
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

CONTROLLERS = ("memory", "cpu", "cpuacct", "pids")
MEMORY_LIMIT, MEMORY_AND_SWAP_LIMIT = "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"


class ControlGroupV1:
    """See `control_group.ControlGroup`. `folders` has one of each of CONTROLLERS; several may be the same."""

    kind = Limits.CGROUP

    def __init__(self, folders: dict[str, str]) -> None:
        self._memory, self._cpu, self._cpuacct, self._pids = (Path(folders[name]) for name in CONTROLLERS)
        self._folders = tuple(dict.fromkeys((self._memory, self._cpu, self._cpuacct, self._pids)))

    def create(self, limits: GroupLimits) -> None:
        """See ControlGroup."""
        try:
            for folder in self._folders:
                folder.mkdir()
            self._limit(limits)
        except OSError:
            with contextlib.suppress(OSError):
                self.remove()
            raise

    def _limit(self, limits: GroupLimits) -> None:
        if limits.memory_bytes is not None:
            write(self._memory / MEMORY_LIMIT, limits.memory_bytes)
            with contextlib.suppress(FileNotFoundError):  # a kernel that does not count swap
                write(self._memory / MEMORY_AND_SWAP_LIMIT, limits.memory_bytes)
        if limits.cpus is not None:
            write(self._cpu / "cpu.cfs_period_us", CPU_PERIOD_MICROSECS)
            try:
                write(self._cpu / "cpu.cfs_quota_us", cpu_quota_microsecs(limits.cpus))
            except OSError as error:
                if error.errno != errno.EINVAL:  # more than the group of the hub has, whose limit holds anyway
                    raise
        if limits.pids is not None:
            write(self._pids / "pids.max", limits.pids)

    def enter(self) -> None:
        """See ControlGroup."""
        for folder in self._folders:
            write(folder / PROCESSES, OWN_PROCESS)

    def usage(self) -> ResourceUsage:
        """See ControlGroup. Memory is without the part of the file cache that can be had back at once."""
        cached = keyed_numbers((self._memory / "memory.stat").read_text())["total_inactive_file"]
        used = int((self._memory / "memory.usage_in_bytes").read_text())
        return ResourceUsage(
            cpu_secs=int((self._cpuacct / "cpuacct.usage").read_text()) / 1e9,
            memory_bytes=max(0, used - cached),
            processes=len(processes_below(self._pids)),
        )

    def is_out_of_memory(self, _usage: ResourceUsage) -> bool:
        """See ControlGroup."""
        return keyed_numbers((self._memory / "memory.oom_control").read_text()).get("oom_kill", 0) > 0

    def pids(self) -> set[int]:
        """See ControlGroup."""
        return set().union(*map(processes_below, self._folders))

    def kill(self) -> None:
        """See ControlGroup."""
        kill_each(self, [self._pids / "pids.max"])

    def remove(self) -> None:
        """See ControlGroup."""
        for folder in self._folders:
            remove_below(folder)
