"""Responses about jobs: the statuses of three platforms, and names for the ids."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from lightboard.hub.api import tensorboard_responses
from lightboard.hub.api.request_context import RequestContext
from lightboard.hub.db import accounts, datasets, job_access, jobs, projects, source_code, tensorboards
from lightboard.hub.db.records import field_names
from lightboard.hub.path_mapping import enforcement_of
from lightboard.hub.resources.jobs import Job, JobStatus, JobTransition
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.source_code import SourceCode
from lightboard.hub.resources.sources import Source, source_of
from lightboard.hub.resources.tensorboards import Origin
from lightboard.schema.jobs import JobDetail, JobResponse, JobTransitionResponse, JobVolume
from lightboard.schema.project_secrets import SecretReference
from lightboard.schema.source_code import SourceCodeResponse
from lightboard.schema.tensorboards import TensorboardResponse

PHASES = {
    JobStatus.QUEUED: "CREATED",
    JobStatus.STARTING: "CREATED",
    JobStatus.RUNNING: "RUNNING",
    JobStatus.RESTARTING: "RUNNING",
    JobStatus.PAUSING: "RUNNING",
    JobStatus.PAUSED: "CREATED",
    JobStatus.STOPPING: "RUNNING",
    JobStatus.SUCCEEDED: "SUCCEEDED",
    JobStatus.FAILED: "FAILED",
    JobStatus.STOPPED: "FAILED",
}
"""DCE's statuses. Deleted jobs have none."""

PAI = {
    JobStatus.QUEUED: "Created",
    JobStatus.STARTING: "Initializing",
    JobStatus.RUNNING: "Running",
    JobStatus.RESTARTING: "Running",
    JobStatus.PAUSING: "Running",
    JobStatus.PAUSED: "Created",
    JobStatus.STOPPING: "Running",
    JobStatus.SUCCEEDED: "Succeed",
    JobStatus.FAILED: "Failed",
    JobStatus.STOPPED: "Terminated",
    JobStatus.DELETING: "Terminated",
    JobStatus.DELETED: "Terminated",
}
"""PAI's statuses of training jobs."""

NEURO = {
    JobStatus.QUEUED: "pending",
    JobStatus.STARTING: "pending",
    JobStatus.RUNNING: "running",
    JobStatus.RESTARTING: "pending",
    JobStatus.PAUSING: "running",
    JobStatus.PAUSED: "suspended",
    JobStatus.STOPPING: "running",
    JobStatus.SUCCEEDED: "succeeded",
    JobStatus.FAILED: "failed",
    JobStatus.STOPPED: "cancelled",
    JobStatus.DELETING: "cancelled",
    JobStatus.DELETED: "cancelled",
}
"""Neu.ro's statuses."""

CONVERTED_FIELDS = ("kind", "log_dir", "status", "environment", "inputs", "source_code", "volumes")
COPIED_FIELDS = tuple(
    name for name in field_names(Job) if name in JobResponse.model_fields and name not in CONVERTED_FIELDS
)
"""Fields that are copied unchanged."""


def to_responses(session: Session, context: RequestContext, found: Sequence[Job]) -> list[JobResponse]:
    """Jobs that the principal may see. Names are looked up for all at once."""
    owners = accounts.names(session, {job.owner for job in found})
    project_names = projects.names(session, {job.project for job in found})
    dataset_names = datasets.names(session, {each.ref for job in found for each in sources_of(job)})
    archives = {key: source_code_response(each) for key, each in source_code.of_jobs(session, found).items()}
    rights = job_access.rights_of_jobs(session, context.principal, found)
    return [
        JobResponse(
            log_dir=named(source_of(job.log_dir), dataset_names) if job.log_dir else "",
            **{name: getattr(job, name) for name in COPIED_FIELDS},
            environment=environment_of(job, context),
            inputs=inputs_of(job, dataset_names),
            volumes=volumes_of(job, dataset_names),
            source_code=archives.get((job.project, job.source_code)),
            kind=job.kind.value,
            idle_at=context.idle_at(job),
            expires_at=job.expires_at(context.at),
            url=context.server_url(job) if job.has_server else "",
            status=job.status.value,
            phase=PHASES.get(job.status, ""),  # type: ignore[arg-type]
            pai_status=PAI[job.status],  # type: ignore[arg-type]
            neuro_status=NEURO[job.status],  # type: ignore[arg-type]
            owner_name=owners.get(job.owner, ""),
            project_name=project_names.get(job.project, ""),
            memory_limit_bytes=job.memory_limit_bytes,
            output_uri=job.output_uri,
            tensorboard_uri=named(source_of(job.tensorboard_uri), dataset_names),
            rights=rights[job.id],
        )
        for job in found
    ]


def source_code_response(archive: SourceCode) -> SourceCodeResponse:
    """Source code in a response."""
    return SourceCodeResponse(digest=archive.digest, files=archive.files, size_bytes=archive.size_bytes)


def sources_of(job: Job) -> list[Source]:
    """The sources of the inputs and volumes of a job, and of its logs."""
    volumes = (volume.source for volume in job.volumes)
    return [source_of(text) for text in (*job.inputs.values(), *volumes, job.tensorboard_uri)]


def inputs_of(job: Job, names: Mapping[str, str]) -> dict[str, str]:
    """The inputs of a job with the `names` of datasets, which are by id."""
    return {name: named(source_of(text), names) for name, text in job.inputs.items()}


def volumes_of(job: Job, names: Mapping[str, str]) -> list[JobVolume]:
    """The volumes of a job, as `inputs_of`."""
    return [
        JobVolume(
            source=named(source_of(volume.source), names),
            target=volume.target,
            read_only=volume.read_only,
            enforcement=enforcement_of(volume.target, job.command, job.isolation),  # type: ignore[arg-type]
        )
        for volume in job.volumes
    ]


def named(source: Source, names: Mapping[str, str]) -> str:
    """A source as text, with the name of its dataset."""
    return replace(source, ref=names.get(source.ref, source.ref)).text


def environment_of(job: Job, context: RequestContext) -> dict[str, str | SecretReference | None]:
    """The variables of a job. Their values may be secret: its owner sees them, with a token that may write.

    Of secrets of the project, everybody sees which, and nobody the value.
    """
    own = job.owner == context.principal.account and Scope.WRITE in context.principal.scopes
    values = {name: value if own else None for name, value in job.environment.items()}
    return {**values, **{name: SecretReference(secret=secret) for name, secret in job.secrets.items()}}


def to_response(session: Session, context: RequestContext, job: Job) -> JobResponse:
    """One job."""
    return to_responses(session, context, [job])[0]


def detail_of(session: Session, context: RequestContext, job: Job) -> JobDetail:
    """One job with its history and its TensorBoard."""
    steps = transitions_of(session, jobs.history(session, job.id))
    told = to_response(session, context, job).model_dump()
    return JobDetail(**told, transitions=steps, tensorboard=tensorboard_of(session, context, job))


def tensorboard_of(session: Session, context: RequestContext, job: Job) -> TensorboardResponse | None:
    """The TensorBoard of a job, None if it has none that the account sees."""
    found = tensorboards.of_origin(session, context.principal, job.project, Origin(job.kind.value), job.id)
    return tensorboard_responses.to_response(session, context, found[0]) if found else None


def transitions_of(session: Session, history: Sequence[JobTransition]) -> list[JobTransitionResponse]:
    """History entries with the names of their actors."""
    names = accounts.names(session, {step.actor for step in history})
    return [
        JobTransitionResponse(
            at=step.at,
            status=step.status.value,
            reason=step.reason,
            message=step.message,
            actor=names.get(step.actor, ""),
            attempt=step.attempt,
        )
        for step in history
    ]
