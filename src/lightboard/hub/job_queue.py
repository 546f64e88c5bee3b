"""Chooses which waiting jobs start next, as a pure function.

Priority comes first. Among jobs of one priority, the account with fewer slots in use is next, so that nobody waits
behind a long queue of somebody else. Then the oldest job is next.
"""

from collections import Counter
from collections.abc import Iterable

from lightboard.hub import job_lifecycle
from lightboard.hub.resources.jobs import ON_RUNNER, WAITING, Job


def next_jobs(jobs: Iterable[Job], slots: int, now: float) -> list[Job]:
    """The waiting jobs of `jobs` that start now, in order. A job takes one slot for each replica.

    A job for which not enough slots are free keeps later ones waiting, so that it is not overtaken for ever. One that
    needs more slots than there are never starts, and keeps nobody waiting.
    """
    all_jobs = list(jobs)
    used = Counter[str]()
    for job in all_jobs:
        if job.status in ON_RUNNER:
            used[job.owner] += job.replicas
    free = slots - used.total()
    waiting = [
        job
        for job in all_jobs
        if job.status in WAITING and job.replicas <= slots and job_lifecycle.start_at(job) <= now
    ]
    chosen = []
    while waiting:
        first = min(waiting, key=lambda job: (-job.priority, used[job.owner], job.queued_at, job.id))
        if first.replicas > free:
            break
        waiting.remove(first)
        chosen.append(first)
        used[first.owner] += first.replicas
        free -= first.replicas
    return chosen
