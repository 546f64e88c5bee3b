"""Chooses which waiting jobs start next, with which processors and GPUs, and in which order, as pure functions.

Priority comes first. Among jobs of one priority, the account that uses the smallest share of the machine is next, so
that nobody waits behind a long queue of somebody else. Then the oldest job is next.
"""

import heapq
import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from lightboard.counts import counted
from lightboard.hub import job_lifecycle
from lightboard.hub.resources.jobs import ON_RUNNER, WAITING, Job, JobStatus
from lightboard.hub.resources.presets import Capacity
from lightboard.memory_sizes import memory_text


@dataclass(frozen=True)
class Amounts:
    """Amounts of what jobs share."""

    slots: int = 0
    memory_bytes: float = 0
    gpus: float = 0

    def __add__(self, other: "Amounts") -> "Amounts":
        return Amounts(self.slots + other.slots, self.memory_bytes + other.memory_bytes, self.gpus + other.gpus)

    def without(self, other: "Amounts") -> "Amounts":
        """What is left of these after others are taken, at least nothing."""
        return Amounts(
            max(0, self.slots - other.slots),
            max(0, self.memory_bytes - other.memory_bytes),
            max(0, self.gpus - other.gpus),
        )

    def fit(self, other: "Amounts") -> bool:
        """Whether there is enough of everything in others."""
        return self.slots <= other.slots and self.memory_bytes <= other.memory_bytes and self.gpus <= other.gpus

    def share_of(self, total: "Amounts") -> float:
        """The part of the total that these are, of what they take most of."""
        pairs = (
            (self.slots, total.slots), (self.memory_bytes, total.memory_bytes), (self.gpus, total.gpus)
        )  # fmt: skip
        return max(mine / most if most else 0.0 for mine, most in pairs)


def needs(job: Job) -> Amounts:
    """What all replicas of a job need together."""
    memory = job.memory_limit_bytes or 0
    return Amounts(job.cpus * job.replicas, memory * job.replicas, job.gpus * job.replicas)


def total(capacity: Capacity) -> Amounts:
    """All that there is."""
    memory = math.inf if capacity.memory_bytes is None else capacity.memory_bytes
    return Amounts(capacity.slots, memory, math.inf if capacity.gpu_ids is None else len(capacity.gpu_ids))


NOTHING: frozenset[str] = frozenset()


def next_jobs(jobs: Iterable[Job], capacity: Capacity, now: float, building: Set[str] = NOTHING) -> list[Job]:
    """The waiting jobs of `jobs` that start now, in order, each with the processors and GPUs that it gets.

    Those of images that are `building` (their names) do not start, and keep nobody waiting.

    The first job for which not enough is free keeps later ones from taking what it needs, so that it is not overtaken
    for ever: while it waits for a GPU, jobs without GPUs start on processors that it does not need. One that needs more
    than there is never starts, and keeps nobody waiting.
    """
    all_jobs = list(jobs)
    everything = total(capacity)
    used = used_by_owner(all_jobs)
    devices = Devices(all_jobs, capacity)
    free = devices.free
    queues = queues_by_owner([job for job in all_jobs if is_ready(job, everything, now, building)])
    shares = {owner: used[owner].share_of(everything) for owner in queues}
    chosen, is_any_kept = [], False
    while queues and free.slots:
        first = min(
            (queue[0] for queue in queues.values()),
            key=lambda job: turn(job, shares[job.owner]),
        )
        fits = needs(first).fit(free)
        if fits:
            chosen.append(devices.give(first))
            used[first.owner] += needs(first)
            shares[first.owner] = used[first.owner].share_of(everything)
        if fits or not is_any_kept:
            free = free.without(needs(first))  # given to it, or kept for it
            is_any_kept |= not fits
        queues[first.owner].popleft()
        if not queues[first.owner]:
            del queues[first.owner]
    return chosen


def used_by_owner(jobs: Iterable[Job]) -> defaultdict[str, Amounts]:
    """What the jobs of each account use that have something of the machine."""
    used: defaultdict[str, Amounts] = defaultdict(Amounts)
    for job in jobs:
        if job.status in ON_RUNNER:
            used[job.owner] += needs(job)
    return used


def turn(job: Job, share: float) -> tuple[int, float, float, str]:
    """What decides between the first jobs of all accounts: the smallest is next. `share` is that of its account."""
    return -job.priority, share, job.queued_at, job.id


def start_order(jobs: Iterable[Job], capacity: Capacity) -> tuple[list[Job], list[Job]]:
    """The waiting jobs of `jobs` in the order in which it is their turn, if no others come and none ends meanwhile.

    And those that need more than there is, and so never start.
    """
    all_jobs = list(jobs)
    everything = total(capacity)
    used = used_by_owner(all_jobs)
    waiting = [job for job in all_jobs if job.status in WAITING]
    queues = queues_by_owner([job for job in waiting if needs(job).fit(everything)])
    firsts = [(turn(queue[0], used[owner].share_of(everything)), owner) for owner, queue in queues.items()]
    heapq.heapify(firsts)
    ordered = []
    while firsts:
        _, owner = heapq.heappop(firsts)
        job = queues[owner].popleft()
        ordered.append(job)
        used[owner] += needs(job)
        if queues[owner]:
            heapq.heappush(firsts, (turn(queues[owner][0], used[owner].share_of(everything)), owner))
    return ordered, [job for job in waiting if not needs(job).fit(everything)]


def is_ready(job: Job, everything: Amounts, now: float, building: Set[str]) -> bool:
    """Whether a job may start as soon as enough is free."""
    if job.status not in WAITING or waits_for_image(job, building):
        return False
    return needs(job).fit(everything) and job_lifecycle.may_start(job, now)


def waits_for_image(job: Job, building: Set[str]) -> bool:
    """Whether the environment of a job is not there yet. A retry has the one that the job had before."""
    return job.image in building and not job.image_digest


def queues_by_owner(jobs: Sequence[Job]) -> dict[str, deque[Job]]:
    """The jobs of each account, in the order in which they start."""
    queues: dict[str, deque[Job]] = defaultdict(deque)
    for job in sorted(jobs, key=lambda job: (-job.priority, job.queued_at, job.id)):
        queues[job.owner].append(job)
    return queues


class Devices:
    """Which processors and GPUs are in use by the jobs that have them."""

    def __init__(self, jobs: Sequence[Job], capacity: Capacity) -> None:
        running = [job for job in jobs if job.status in ON_RUNNER]
        self._cpu_users = Counter(dict.fromkeys(capacity.cpu_ids, 0))
        self._cpu_users.update(id for job in running for id in job.cpu_ids if id in self._cpu_users)
        taken = {id for job in running for id in job.gpu_ids}
        self._free_gpus = [id for id in capacity.gpu_ids or () if id not in taken]
        used = sum((needs(job) for job in running), Amounts())
        gpus = math.inf if capacity.gpu_ids is None else len(self._free_gpus)
        self.free = replace(total(capacity).without(used), gpus=gpus)

    def give(self, job: Job) -> Job:
        """The job with what it gets: GPUs of its own, and if it has a preset, the processors with the fewest users."""
        number = job.gpus * job.replicas
        gpu_ids, self._free_gpus = tuple(self._free_gpus[:number]), self._free_gpus[number:]
        cpu_ids = [id for _ in range(job.replicas if job.preset else 0) for id in self._give_cpus(job.cpus)]
        return replace(job, cpu_ids=tuple(cpu_ids), gpu_ids=gpu_ids)

    def _give_cpus(self, number: int) -> list[int]:
        """The processors of one replica; none if it may use all of them."""
        if number >= len(self._cpu_users):
            return []
        ids = sorted(sorted(self._cpu_users), key=self._cpu_users.__getitem__)[:number]
        self._cpu_users.update(ids)
        return ids


def queue_messages(jobs: Iterable[Job], capacity: Capacity, building: Set[str] = NOTHING) -> dict[str, str]:
    """What each queued job of `jobs` waits for, by its id. `building` are the names of images that are built."""
    all_jobs = list(jobs)
    free = Devices(all_jobs, capacity).free
    queued = [job for job in all_jobs if job.status is JobStatus.QUEUED]
    return {job.id: queue_message(job, capacity, free, building) for job in queued}


def queue_message(job: Job, capacity: Capacity, free: Amounts, building: Set[str]) -> str:
    """What a queued job waits for if this much is free, for people. "" for one without a preset: it waits for slots."""
    message = excess_message(job, capacity)
    if not message and waits_for_image(job, building):
        return f"waiting for the image {job.image}, which is being built"
    if message or not job.preset:
        return message
    missing = [text for text, _ in missing_texts(job, free)]
    return f"waiting for {' and '.join(missing)}" if missing else "waiting for jobs that are before it in the queue"


def excess_message(job: Job, capacity: Capacity) -> str:
    """Why a job can never start: it needs more than there is. "" if it can."""
    missing = missing_texts(job, total(capacity))
    if not missing:
        return ""
    return (
        f"needs {' and '.join(text for text, _ in missing)}, and this hub has {' and '.join(has for _, has in missing)}"
    )


def missing_texts(job: Job, available: Amounts) -> list[tuple[str, str]]:
    """What a job needs and how much there is, where that is too little."""
    need, texts = needs(job), []
    if need.slots > available.slots:
        texts.append((counted(need.slots, "CPU" if job.preset else "slot"), f"{available.slots:,}"))
    if need.memory_bytes > available.memory_bytes:
        texts.append((f"{memory_text(int(need.memory_bytes))} of memory", memory_text(int(available.memory_bytes))))
    if need.gpus > available.gpus:
        texts.append((counted(int(need.gpus), "GPU"), f"{available.gpus:,}"))
    return texts
