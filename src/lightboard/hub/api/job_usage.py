"""What jobs use of the machine: now, and over time."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.errors import NotFound
from lightboard.hub.api.job_creation import PATH
from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Jobs, JobsDep
from lightboard.hub.db import job_access
from lightboard.hub.resources.jobs import ON_RUNNER, Job
from lightboard.hub.resources.replicas import ReplicaPhase
from lightboard.hub.resources.usage_history import UsageSample, thinned
from lightboard.schema.jobs import (
    GpuHistory,
    JobUsage,
    JobUsageHistory,
    JobUsageRequest,
    ReplicaHistory,
    ReplicaUsage,
)

MAX_SAMPLES = 4_096
"""Of all replicas of a job in a response."""
MIN_SAMPLES = 128
"""Of a replica, however many there are."""

routes = Routes("jobs")


@routes.get(f"{PATH}/{{id}}/top", right="jobs.get", response=JobUsage)
def top(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Get the current resource usage of a job."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
    replicas = jobs.runner.observe([job.runner_ref])[0].replicas if job.status in ON_RUNNER else ()
    used = [
        ReplicaUsage.model_validate({"rank": rank, **asdict(replica.usage)})
        for rank, replica in enumerate(replicas)
        if replica.usage is not None and replica.phase is ReplicaPhase.RUNNING
    ]
    return json_response(JobUsage(replicas=used, at=context.at))


@routes.get(f"{PATH}/{{id}}/usage", right="jobs.get", response=JobUsageHistory)
def usage(context: ContextDep, jobs: JobsDep, id: str, query: Annotated[JobUsageRequest, Query()]) -> Response:
    """Get what the replicas of a job have used over time."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=query.project)
    attempt = query.attempt or job.attempt
    if attempt > job.attempt:
        raise NotFound(f"the job {job.name} has no attempt {attempt}", hint=f"attempts so far: {job.attempt}")
    return json_response(JobUsageHistory(attempt=attempt, replicas=list(read_histories(jobs, job, attempt))))


def read_histories(jobs: Jobs, job: Job, attempt: int) -> Iterator[ReplicaHistory]:
    """What each replica of an attempt has used. The more replicas, the fewer samples of each."""
    if not attempt or not job.runner_ref:
        return
    handle = jobs.runner.validate(jobs.workloads.outline(replace(job, attempt=attempt)))
    for rank in range(job.replicas):
        samples = thinned(jobs.runner.read_usage(handle, rank), max(MIN_SAMPLES, MAX_SAMPLES // job.replicas))
        if samples:
            yield replica_history(rank, samples)


def replica_history(rank: int, samples: Sequence[UsageSample]) -> ReplicaHistory:
    """The response for the samples of a replica."""
    totals = {gpu.id: gpu.total_memory_bytes for sample in samples for gpu in sample.gpus}
    return ReplicaHistory(
        rank=rank,
        at=[each.at for each in samples],
        secs=[each.secs for each in samples],
        cpus=[each.cpus for each in samples],
        memory_bytes=[each.memory_bytes for each in samples],
        processes=[each.processes for each in samples],
        gpus=[gpu_history(id, totals[id], samples) for id in sorted(totals)],
    )


def gpu_history(id: int, total: int, samples: Sequence[UsageSample]) -> GpuHistory:
    """The response for a GPU of a replica."""
    found = [next((gpu for gpu in sample.gpus if gpu.id == id), None) for sample in samples]
    return GpuHistory(
        id=id,
        total_memory_bytes=total,
        utilization=[gpu.utilization if gpu else 0.0 for gpu in found],
        memory_bytes=[gpu.memory_bytes if gpu else 0 for gpu in found],
    )
