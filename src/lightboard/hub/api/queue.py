"""The queue: what jobs share, who uses how much of it, and which jobs wait."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import JobsDep
from lightboard.hub.db import accounts, job_access, projects
from lightboard.hub.job_queue import Amounts, needs, start_order, total, used_by_owner
from lightboard.hub.machine import UNCOUNTED_SLOTS
from lightboard.hub.resources.jobs import ON_RUNNER, WAITING, Job
from lightboard.hub.resources.presets import Capacity
from lightboard.hub.runners.base import RunnerCapabilities
from lightboard.schema.job_queue import JobCapabilities, JobQueue, QueueCapacity, QueuedJob, QueueShare
from lightboard.schema.page import PageRequest

OTHERS = ""
"""The account of jobs that one may not see."""

routes = Routes("jobs")


@routes.get("/api/v1/queue", right="jobs.list", response=JobQueue)
def queue(context: ContextDep, jobs: JobsDep, query: Annotated[PageRequest, Query()]) -> Response:
    """Get what jobs share, who uses how much of it, and the waiting jobs in the order in which they start."""
    first = (query.page - 1) * query.page_size
    with context.read() as session:
        found, seen = job_access.queue(session, context.principal, jobs.runner.name)
        ordered, never = start_order(found, jobs.capacity)
        places: list[tuple[int | None, Job]] = [*enumerate(ordered, start=1), *((None, job) for job in never)]
        shown = [(position, job) for position, job in places if job.id in seen]
        page = shown[first : first + query.page_size]
        names = accounts.names(session, {job.owner for job in found if job.id in seen})
        project_names = projects.names(session, {job.project for _, job in page})
        rights = job_access.rights_of_jobs(session, context.principal, [job for _, job in page])
        active = job_access.count_active(session, context.principal.account)
    return json_response(
        JobQueue(
            items=[queued_job(job, position, names, project_names, rights[job.id]) for position, job in page],
            page=query.page,
            page_size=query.page_size,
            total=len(shown),
            capacity=capacity_of(found, jobs.capacity),
            capabilities=capabilities_of(jobs.runner.capabilities()),
            shares=shares_of(found, seen, jobs.capacity, context.principal.account, names),
            waiting=len(places),
            active_jobs=active,
            max_active_jobs=job_access.MAX_ACTIVE,
        )
    )


def queued_job(
    job: Job, position: int | None, names: Mapping[str, str], project_names: Mapping[str, str], rights: list[str]
) -> QueuedJob:
    """A waiting job in a response."""
    need = needs(job)
    return QueuedJob(
        id=job.id,
        kind=job.kind.value,
        name=job.name,
        project=job.project,
        project_name=project_names.get(job.project, ""),
        owner=job.owner,
        owner_name=names.get(job.owner, ""),
        position=position,
        priority=job.priority,
        status=job.status.value,
        reason=job.reason,
        message=job.message,
        preset=job.preset,
        replicas=job.replicas,
        slots=need.slots,
        memory_bytes=int(need.memory_bytes),
        gpus=int(need.gpus),
        queued_at=job.queued_at,
        waits_since=job.status_since,
        rights=rights,
    )


def capacity_of(found: Iterable[Job], capacity: Capacity) -> QueueCapacity:
    """What there is, and what jobs have of it."""
    running = [job for job in found if job.status in ON_RUNNER]
    used = sum(used_by_owner(running).values(), Amounts())
    return QueueCapacity(
        slots=None if capacity.slots == UNCOUNTED_SLOTS else capacity.slots,
        memory_bytes=capacity.memory_bytes,
        gpu_ids=None if capacity.gpu_ids is None else list(capacity.gpu_ids),
        used_slots=used.slots,
        used_memory_bytes=int(used.memory_bytes),
        used_gpu_ids=sorted({id for job in running for id in job.gpu_ids}),
    )


def capabilities_of(able: RunnerCapabilities) -> JobCapabilities:
    """What jobs can have, in a response."""
    return JobCapabilities(**{name: getattr(able, name) for name in JobCapabilities.model_fields})


def shares_of(
    found: Iterable[Job], seen: Collection[str], capacity: Capacity, account: str, names: Mapping[str, str]
) -> list[QueueShare]:
    """What each account has: first one's own, `account`, then the largest; jobs that are not `seen` come last."""
    groups: defaultdict[str, list[Job]] = defaultdict(list)
    for job in found:
        groups[job.owner if job.id in seen else OTHERS].append(job)
    shares = [share_of(group, capacity, owner, owner == account, names) for owner, group in groups.items()]
    return sorted(shares, key=lambda each: (not each.account, not each.own, -each.share, each.account_name))


def share_of(group: list[Job], capacity: Capacity, owner: str, own: bool, names: Mapping[str, str]) -> QueueShare:
    """What a group of jobs has."""
    used = sum(used_by_owner(group).values(), Amounts())
    return QueueShare(
        account=owner,
        account_name=names.get(owner, ""),
        own=own,
        running=sum(job.status in ON_RUNNER for job in group),
        waiting=sum(job.status in WAITING for job in group),
        slots=used.slots,
        memory_bytes=int(used.memory_bytes),
        gpus=int(used.gpus),
        share=used.share_of(total(capacity)),
    )
