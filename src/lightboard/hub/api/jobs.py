"""Jobs: commands that run on the hub's machine."""

import json
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import Conflict, Invalid, LaunchError, NotFound
from lightboard.hub import job_lifecycle
from lightboard.hub.api.job_creation import (
    PATH,
    check_policy,
    check_servers,
    requested_volumes,
    respond_with_new,
    split_variables,
    with_preset,
    without_values,
)
from lightboard.hub.api.job_metrics import metric_columns
from lightboard.hub.api.job_responses import detail_of, environment_of, to_response, to_responses
from lightboard.hub.api.job_tensorboards import disable, enable
from lightboard.hub.api.life_spans import respond_with_extended
from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep, Jobs, JobsDep, MonitoringDep
from lightboard.hub.db import accounts, job_access
from lightboard.hub.resources.jobs import ENDED, Job, JobKind, JobStatus
from lightboard.hub.resources.presets import Preset
from lightboard.hub.runners.port_connection import PORT_TAKEN
from lightboard.schema.jobs import (
    ChangePriority,
    CreateJob,
    JobDetail,
    JobHttp,
    JobPage,
    JobRequest,
    JobResponse,
)
from lightboard.schema.life_spans import ExtendLifeSpan

SHELLS = ("sh", "bash")
MAX_BYTES = 100_000
"""Of command, variables and hyper-parameters together. Linux allows 128 KiB for one argument or variable."""

routes = Routes("jobs")


@routes.post(PATH, right="jobs.create", response=JobDetail, status=201)
def create(
    context: ContextDep, jobs: JobsDep, boards: BoardsDep, monitoring: MonitoringDep, body: CreateJob
) -> Response:
    """Create a job, which starts as soon as it has a slot."""
    also = partial(enable, context, boards, monitoring) if body.tensorboard else None
    return respond_with_new(context, jobs, body, new_job(body, jobs), also)


def new_job(body: CreateJob, jobs: Jobs) -> Job:
    """The job that a request describes. Raises Invalid for a command that cannot be run, and as `with_preset`."""
    if not body.command[0].strip() or any("\0" in word for word in body.command):
        raise Invalid("the command is not one", hint="the first word is a program; no word has a null character")
    values, secrets = split_variables(body.environment)
    words = [*body.command, *body.environment, *values.values(), *secrets.values(), json.dumps(body.hyperparameters)]
    words += body.inputs.values()
    volumes = requested_volumes(body.volumes)
    words += [text for volume in volumes for text in (volume.source, volume.target)]
    if sum(len(word.encode("utf-8", "surrogatepass")) for word in words) > MAX_BYTES:
        raise Invalid(f"the command and its settings have more than {MAX_BYTES:,} bytes", hint="put them into files")
    fields = body.model_dump(exclude={"command", "environment", "tags", "display_name", "tensorboard", "volumes"})
    job = Job(
        id="",
        owner="",
        command=tuple(body.command),
        environment=values,
        secrets=secrets,
        tags=tuple(body.tags),
        volumes=volumes,
        display_name=body.display_name or body.name or title_of(body.command),
        runner=jobs.runner.name,
        **fields,
    )
    return with_preset(job, jobs)


def title_of(command: Sequence[str]) -> str:
    """A command as a display name: of a line for a shell, the line itself."""
    is_line = len(command) == 3 and command[0].rpartition("/")[2] in SHELLS and command[1] == "-c"
    return (command[2] if is_line else shlex.join(command)).strip()[:200]


@routes.get(PATH, right="jobs.list", response=JobPage)
def find(context: ContextDep, query: Annotated[JobRequest, Query()]) -> Response:
    """List the visible jobs, one page at a time."""
    with context.read() as session:
        found, total = job_access.find(session, context.principal, query)
        items = to_responses(session, context, found)
        columns = metric_columns(session, items, query.metrics)
    return json_response(JobPage(items=items, page=query.page, page_size=query.page_size, total=total, **columns))


@routes.get(f"{PATH}/{{id}}", right="jobs.get", response=JobDetail)
def get(context: ContextDep, id: str, project: str = "") -> Response:
    """Get a job with its history, by id or name: of one name, one that has not ended, or an own one, or the newest."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
        return json_response(detail_of(session, context, job), version=job.version)


@routes.put(f"{PATH}/{{id}}/stop", right="jobs.stop", response=JobResponse)
def stop(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Stop a job that waits or runs; an ended one is not changed."""
    return event_response(context, jobs, id, "jobs.stop", job_lifecycle.StopRequested(), project)


@routes.put(f"{PATH}/{{id}}/pause", right="jobs.pause", response=JobResponse)
def pause(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Hold a job that waits, or end the attempt of one that runs and hold it; a paused one is not changed."""
    account = context.principal.account
    with context.read() as session:
        name = accounts.names(session, {account}).get(account, account)
    return event_response(context, jobs, id, "jobs.pause", job_lifecycle.PauseRequested(f"paused by {name}"), project)


@routes.put(f"{PATH}/{{id}}/resume", right="jobs.resume", response=JobResponse)
def resume(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Let a paused job wait for a slot again; one that waits or runs is not changed."""
    with context.read() as session:
        check_policy(session, jobs)
    return event_response(context, jobs, id, "jobs.resume", job_lifecycle.ResumeRequested(), project)


@routes.put(f"{PATH}/{{id}}/restart", right="jobs.restart", response=JobResponse)
def restart(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Run an ended job again; one that waits or runs is not changed."""
    with context.read() as session:
        check_policy(session, jobs)
        job = job_access.get(session, context.principal, id, "jobs.restart", project)
    if job.kind is JobKind.NOTEBOOK and job.status in ENDED:
        check_servers(jobs)
    event = job_lifecycle.RestartRequested(preset_for_restart(job, jobs))
    return event_response(context, jobs, id, "jobs.restart", event, project)


def preset_for_restart(job: Job, jobs: Jobs) -> Preset | None:
    """What the preset of a job has by now. Raises Conflict if the job cannot have it on this hub any more."""
    if job.status not in ENDED:
        return None  # nothing is restarted
    try:
        with_preset(job, jobs)
    except Invalid as error:
        raise Conflict(error.message, hint=f"{error.hint}; clone the job to change its preset") from None
    return jobs.presets.get(job.preset)


@routes.put(f"{PATH}/{{id}}/priority", right="jobs.prioritize", response=JobResponse)
def prioritize(context: ContextDep, jobs: JobsDep, id: str, body: ChangePriority, project: str = "") -> Response:
    """Change the priority of a job or notebook, which counts whenever it waits for a slot."""
    job, response = set_priority(context, id, body.priority, project)
    jobs.wake()
    return json_response(response, version=job.version)


def set_priority(context: RequestContext, id: str, priority: int, project: str) -> tuple[Job, JobResponse]:
    """The job with another priority, and the response about it."""
    version = context.if_match_version()
    with context.write() as session:
        job = job_access.set_priority(session, context.principal, id, priority, context.at, version, project)
        return job, to_response(session, context, job)


@routes.post(f"{PATH}/{{id}}/extend", right="jobs.extend", response=JobResponse)
def extend(context: ContextDep, id: str, body: ExtendLifeSpan, project: str = "") -> Response:
    """Extend the life span of a job."""

    def describe(session: Session, context: RequestContext, job: Job) -> JobResponse:
        return without_values(to_response(session, context, job))

    return respond_with_extended(context, id, body, project, job_access.extend, describe, partial(with_values, context))


@routes.delete(f"{PATH}/{{id}}", right="jobs.delete", response=JobResponse)
def delete(
    context: ContextDep, jobs: JobsDep, id: str, project: str = "", delete_tensorboard: bool = False
) -> Response:
    """End and delete a job and its log, and if asked for its TensorBoard; its outputs are kept."""
    also = partial(disable, context) if delete_tensorboard else None
    return event_response(context, jobs, id, "jobs.delete", job_lifecycle.DeleteRequested(), project, also)


def event_response(
    context: RequestContext,
    jobs: Jobs,
    id: str,
    right: str,
    event: job_lifecycle.Event,
    project: str,
    also: Callable[[Session, Job], object] | None = None,
) -> Response:
    """Applies an event to a job and returns the job. With an Idempotency-Key, a repeated request changes nothing.

    `also` is done in the same transaction: if it raises, the job stays as it is.
    """

    def run(session: Session) -> StorableResponse:
        job = job_access.apply_event(
            session,
            context.principal,
            id,
            right,
            event,
            context.at,
            version=context.if_match_version(),
            project=project,
            runner=jobs.runner.name,
        )
        if also is not None:
            also(session, job)
        return StorableResponse(without_values(to_response(session, context, job)), 200, version=job.version)

    response = context.run_idempotent(None, run, partial(with_values, context))
    jobs.wake()
    return response


def with_values(context: RequestContext, shown: dict[str, Any]) -> dict[str, Any]:
    """A stored response with the values of variables, which are not stored."""
    with context.read() as session:
        job = job_access.get(session, context.principal, shown["id"])
        values = {name: value for name, value in environment_of(job, context).items() if isinstance(value, str)}
        return {**shown, "environment": {**shown["environment"], **values}}


@routes.get(f"{PATH}/{{id}}/http", right="jobs.get", response=JobHttp)
def http(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Get whether a job serves its web page now."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
    if job.http_port is None:
        raise NotFound(f"the {job.kind} {job.name} has no web page", hint="run it again with a port: --http PORT")
    message, taken = "", False
    try:
        if job.status is JobStatus.RUNNING:
            jobs.runner.check_port(job.runner_ref, 0, job.http_port)
        else:
            message = f"the job is {job.status}"
    except LaunchError as error:
        message, taken = error.message, error.reason == PORT_TAKEN
    return json_response(JobHttp(port=job.http_port, listens=not message, taken=taken, message=message))
