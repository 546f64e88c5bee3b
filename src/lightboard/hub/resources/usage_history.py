"""What a replica has used over time. Only the standard library is imported, as supervisors start fast."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lightboard.hub.resources.replicas import GpuUsage, ResourceUsage

MAX_SAMPLES = 512
"""Even, so that all samples are as long after they were halved."""


@dataclass(frozen=True, kw_only=True)
class UsageSample:
    """Of `secs` seconds, until `at` (in seconds since the epoch).

    `cpus` is the processor time per second, a mean, as the utilization of GPUs is. Memory and processes are the most
    that were measured.
    """

    at: float
    secs: float
    cpus: float
    memory_bytes: int
    processes: int
    gpus: tuple[GpuUsage, ...] = ()


class UsageHistory:
    """The samples of a replica, at most MAX_SAMPLES: when there are as many, two neighbors become one.

    `secs` is the length of a sample at first.
    """

    def __init__(self, secs: float) -> None:
        self.samples: list[UsageSample] = []
        self._secs = secs
        self._unfinished: UsageSample | None = None
        self._cpu_secs = 0.0

    def add(self, at: float, secs: float, usage: ResourceUsage) -> UsageSample | None:
        """Adds a measurement, `secs` after the one before. Returns the sample that it has finished, None for none."""
        if secs <= 0:
            return None
        cpus = max(0.0, usage.cpu_secs - self._cpu_secs) / secs
        self._cpu_secs = usage.cpu_secs
        sample = UsageSample(
            at=at,
            secs=secs,
            cpus=cpus,
            memory_bytes=usage.memory_bytes,
            processes=usage.processes,
            gpus=usage.gpus,
        )
        self._unfinished = merge(self._unfinished, sample) if self._unfinished else sample
        return self.finish() if self._unfinished.secs >= self._secs else None

    def finish(self) -> UsageSample | None:
        """Ends the sample of the last measurements, and returns it; None if there were none."""
        sample, self._unfinished = self._unfinished, None
        if sample is not None:
            self.samples.append(sample)
        return sample

    def is_full(self) -> bool:
        """Whether it has to be halved."""
        return len(self.samples) >= MAX_SAMPLES

    def halve(self) -> None:
        """Makes one sample of two, and those to come twice as long."""
        self.samples = merge_neighbors(self.samples, 2)
        self._secs *= 2


def merge(first: UsageSample, second: UsageSample) -> UsageSample:
    """The sample of two that follow each other."""
    secs = first.secs + second.secs
    return UsageSample(
        at=second.at,
        secs=secs,
        cpus=(first.cpus * first.secs + second.cpus * second.secs) / secs,
        memory_bytes=max(first.memory_bytes, second.memory_bytes),
        processes=max(first.processes, second.processes),
        gpus=merge_gpus(first, second),
    )


def merge_gpus(first: UsageSample, second: UsageSample) -> tuple[GpuUsage, ...]:
    """The GPUs of two samples. One that a sample does not have was not used then."""
    secs = first.secs + second.secs
    found: dict[int, GpuUsage] = {}
    for sample in (first, second):
        for gpu in sample.gpus:
            before = found.get(gpu.id)
            found[gpu.id] = GpuUsage(
                id=gpu.id,
                utilization=(before.utilization if before else 0.0) + gpu.utilization * sample.secs / secs,
                memory_bytes=max(before.memory_bytes if before else 0, gpu.memory_bytes),
                total_memory_bytes=gpu.total_memory_bytes,
            )
    return tuple(found[id] for id in sorted(found))


def merge_neighbors(samples: Sequence[UsageSample], count: int) -> list[UsageSample]:
    """Samples of which each is `count` of these, the last one maybe of fewer."""
    return [merge_all(samples[at : at + count]) for at in range(0, len(samples), count)]


def merge_all(samples: Iterable[UsageSample]) -> UsageSample:
    """The sample of several that follow each other, at least one."""
    rest = iter(samples)
    result = next(rest)
    for each in rest:
        result = merge(result, each)
    return result


def thinned(samples: Sequence[UsageSample], most: int) -> list[UsageSample]:
    """At most `most` samples for these."""
    return merge_neighbors(samples, -(-len(samples) // most) or 1)
