"""Presets: what a job can get of the machine, under a name. And all that there is, which jobs share."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Preset:
    """What each replica of a job gets. `memory_bytes` is None for no limit."""

    name: str
    cpus: int = 1
    memory_bytes: int | None = None
    gpus: int = 0


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """What all jobs have together.

    `slots` are the CPUs that they may use at once, `memory_bytes` is None if it is not counted. `cpu_ids` and `gpu_ids`
    are the numbers by which the machine knows its processors and graphics cards; slots may be more or fewer than these.
    `gpu_ids` is None if GPUs are not counted here.
    """

    slots: int
    memory_bytes: int | None = None
    cpu_ids: tuple[int, ...] = ()
    gpu_ids: tuple[int, ...] | None = ()
