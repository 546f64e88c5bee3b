"""What the machine of the hub has, for jobs to share."""

import contextlib
import os
import re
from pathlib import Path

from lightboard.errors import UsageError
from lightboard.hub.resources.presets import Capacity

DETECT = "auto"
UNCOUNTED_SLOTS = 1 << 30
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""That of a container."""


def plain_capacity(slots: int) -> Capacity:
    """What jobs share on a hub without presets: slots alone. `slots` is 0 for as many as there are processors."""
    return Capacity(slots=slots or os.cpu_count() or 1)


def machine_capacity(slots: int, gpus: str) -> Capacity:
    """All that jobs share on a hub with presets. `gpus` is that of `--job-gpus`. Raises UsageError."""
    cpu_ids = tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()
    return Capacity(
        slots=slots or len(cpu_ids) or os.cpu_count() or 1,
        memory_bytes=total_memory_bytes(),
        cpu_ids=cpu_ids,
        gpu_ids=find_gpus() if gpus == DETECT else parse_gpus(gpus),
    )


def cluster_capacity(slots: int) -> Capacity:
    """What jobs share on a cluster that counts by itself what it has. `slots` is 0 for as many as jobs ask for."""
    return Capacity(slots=slots or UNCOUNTED_SLOTS, gpu_ids=None)


def total_memory_bytes(cgroup_limit: Path = CGROUP_LIMIT) -> int:
    """The memory of the machine, or of the container that the hub runs in."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):  # the file has "max" for no limit
        return min(total, int(cgroup_limit.read_text()))
    return total


def find_gpus(devices: Path = Path("/dev")) -> tuple[int, ...]:
    """The numbers of NVIDIA's graphics cards: those of their device files."""
    found = (re.fullmatch(r"nvidia(\d+)", path.name) for path in devices.glob("nvidia*"))
    return tuple(sorted(int(match[1]) for match in found if match))


def parse_gpus(text: str) -> tuple[int, ...]:
    """The numbers in `--job-gpus 0,1,3`; none in "none". Raises UsageError."""
    words = [] if text == "none" else [word.strip() for word in text.split(",")]
    gpus = {int(word) for word in words if word.isascii() and word.isdecimal()}
    if len(gpus) < len(words):
        raise UsageError(
            f"--job-gpus {text} is no list of GPUs", hint="their numbers, for example 0,1,3, or none, or auto"
        )
    return tuple(sorted(gpus))
