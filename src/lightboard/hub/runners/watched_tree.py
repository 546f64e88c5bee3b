"""The processes that this one has started, watched where there can be no control group for them. Linux only."""

import os
import resource

from lightboard.hub.resources.replicas import Limits, ResourceUsage
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.control_group import GroupLimits


class WatchedTree:
    """See `control_group.ControlGroup`. Its members are all descendants of this process.

    Memory is that of the processes, without files in memory; its limit can be exceeded for a moment. There are no
    limits of processes and processors.
    """

    kind = Limits.WATCHING

    def __init__(self, memory_bytes: int | None) -> None:
        self._memory_bytes = memory_bytes

    def create(self, limits: GroupLimits) -> None:
        """See ControlGroup."""

    def enter(self) -> None:
        """See ControlGroup."""

    def usage(self) -> ResourceUsage:
        """See ControlGroup."""
        stats = process_tree.descendants(os.getpid())
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ResourceUsage(
            cpu_secs=ended.ru_utime + ended.ru_stime + sum(stat.cpu_secs for stat in stats),
            memory_bytes=sum(stat.memory_bytes for stat in stats),
            processes=len(stats),
        )

    def is_out_of_memory(self, usage: ResourceUsage) -> bool:
        """See ControlGroup."""
        return self._memory_bytes is not None and usage.memory_bytes > self._memory_bytes

    def pids(self) -> set[int]:
        """See ControlGroup."""
        return {stat.pid for stat in process_tree.descendants(os.getpid())}

    def kill(self) -> None:
        """See ControlGroup."""
        process_tree.kill_descendants()

    def remove(self) -> None:
        """See ControlGroup."""
