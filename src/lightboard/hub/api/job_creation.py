"""Creation of jobs of every kind: whether this hub can run one, and the response that is stored for repeats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import Invalid, LaunchError, NotReady, PermissionDenied
from lightboard.hub.api.job_responses import detail_of
from lightboard.hub.api.request_context import RequestContext, StorableResponse
from lightboard.hub.api.services import Jobs
from lightboard.hub.db import job_access
from lightboard.hub.job_queue import excess_message
from lightboard.hub.resources.jobs import STORAGE, Job
from lightboard.hub.resources.volumes import Volume, check_targets, clean_target
from lightboard.schema.jobs import CreateJob, JobResponse, NewVolume
from lightboard.schema.lineage import RunAgain
from lightboard.schema.notebooks import CreateNotebook
from lightboard.schema.project_secrets import SecretReference
from lightboard.types import UNREACHABLE

PATH = "/api/v1/jobs"


def respond_with_new(
    context: RequestContext,
    jobs: Jobs,
    body: CreateJob | CreateNotebook | RunAgain,
    new: Job,
    also: Callable[[Session, Job], object] | None = None,
) -> Response:
    """Creates a job and returns it. With an Idempotency-Key, a repeated request creates nothing.

    `also` is done in the same transaction: if it raises, there is no job either.
    """
    check_volumes(jobs, new)
    check_possible(context, jobs, new)
    created = []

    def run(session: Session) -> StorableResponse:
        job = job_access.create(session, context.principal, new, context.at)
        if also is not None:
            also(session, job)
        created.append(job)
        result = without_values(detail_of(session, context, job))
        return StorableResponse(result, 201, version=job.version, location=context.url(f"{PATH}/{job.id}"))

    def reveal(shown: dict[str, Any]) -> dict[str, Any]:
        return {**shown, "environment": {**shown["environment"], **new.environment}}

    response = context.run_idempotent(body, run, reveal)
    for job in created:
        jobs.workloads.prepare(job)
    jobs.wake()
    return response


def check_possible(context: RequestContext, jobs: Jobs, new: Job) -> None:
    """Raises PermissionDenied if no job may start on this hub, Invalid if it has no place for outputs, no inputs, or
    a port that cannot be reached.

    Runs before the transaction that creates the job, so that a hanging disk does not block other writers.
    """
    check_port(new, jobs)
    with context.read() as session:
        home = job_access.project_for(session, context.principal, new.project)
        check_policy(session, jobs)
        inputs = job_access.known_inputs(session, context.principal, home.id, new.inputs)
        log_dir = job_access.known_log_dir(session, context.principal, home.id, new.log_dir)
        volumes = job_access.known_volumes(session, context.principal, home.id, new.volumes)
        try:
            jobs.workloads.check(session, home, replace(new, inputs=inputs, log_dir=log_dir, volumes=volumes))
        except LaunchError as error:
            raised = NotReady if error.reason == UNREACHABLE else Invalid
            raise raised(error.message, hint=error.hint) from None


def with_preset(job: Job, jobs: Jobs) -> Job:
    """The job with what its preset has by now. Raises Invalid if it cannot have that on this hub.

    Without presets, one that needs more slots than there are can wait, since a hub may be started again with more; its
    message says so.
    """
    preset = jobs.presets.check(job.preset, job.memory_bytes)
    found = job if preset is None else job.with_preset(preset)
    message = excess_message(found, jobs.capacity)
    if message and preset is not None:
        of_each = f" with {job.replicas:,} replicas" if job.replicas > 1 else ""
        raise Invalid(
            f"a job of the preset {preset.name}{of_each} {message}", hint="choose a smaller preset, or fewer replicas"
        )
    return replace(found, message=message)


def check_port(job: Job, jobs: Jobs) -> None:
    """Raises Invalid if a job has a port, but this hub reaches none."""
    able = jobs.runner.capabilities()
    if job.http_port is not None and not able.servers:
        raise Invalid(able.servers_problem, hint="leave out http_port; a hub whose jobs run on its own machine has it")


def check_servers(jobs: Jobs) -> None:
    """Raises Invalid if this hub reaches no notebook."""
    able = jobs.runner.capabilities()
    if not able.servers:
        raise Invalid(able.servers_problem, hint="use a hub whose jobs run on its own machine")


def check_volumes(jobs: Jobs, new: Job) -> None:
    """Raises Invalid if a job has volumes, and the runner of this hub cannot give it any."""
    able = jobs.runner.capabilities()
    if new.volumes and not able.volumes:
        raise Invalid(able.volumes_problem, hint="use inputs, whose paths are in variables")


def requested_volumes(wanted: Sequence[NewVolume]) -> tuple[Volume, ...]:
    """The volumes that a request describes. Raises Invalid for paths that they cannot have, and for secrets."""
    if secret := next((each for each in wanted if each.source.startswith("secret:")), None):
        raise Invalid(f"the volume {secret.target}: a secret cannot be mounted as a file", hint="give it in a variable")
    volumes = tuple(
        Volume(
            source=each.source,
            target=clean_target(each.target),
            read_only=is_read_only(each.source) if each.read_only is None else each.read_only,
        )
        for each in wanted
    )
    check_targets(volume.target for volume in volumes)
    return volumes


def is_read_only(source: str) -> bool:
    """Whether a volume is read-only if nobody says so."""
    return not source.strip().startswith(STORAGE)


def check_policy(session: Session, jobs: Jobs) -> None:
    """Raises PermissionDenied if no job may start on this hub."""
    if refusal := jobs.policy.refusal(session):
        raise PermissionDenied(refusal.message, hint=refusal.hint)


def without_values(job: JobResponse) -> JobResponse:
    """A response that can be stored: values of environment variables may be secret."""
    shown = {name: None if isinstance(value, str) else value for name, value in job.environment.items()}
    return job.model_copy(update={"environment": shown})


def split_variables(environment: Mapping[str, str | SecretReference]) -> tuple[dict[str, str], dict[str, str]]:
    """The values of variables, and the names of secrets for others."""
    values = {name: value for name, value in environment.items() if isinstance(value, str)}
    return values, {name: value.secret for name, value in environment.items() if isinstance(value, SecretReference)}
