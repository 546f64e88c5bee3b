"""Jobs and notebooks at DCE's routes, in DCE's format: the same ones, with the same rights.

It follows `/apis/baize.io/v1alpha1/workspaces/{workspace}` of DaoCloud's API documents. A workspace is a project; a
cluster and a namespace are any words, which are returned.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Query
from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import Invalid, NotFound
from lightboard.hub import dce_format, job_lifecycle
from lightboard.hub.api import jobs as job_routes
from lightboard.hub.api.job_creation import check_possible, check_volumes
from lightboard.hub.api.job_responses import PHASES, environment_of, inputs_of, sources_of, volumes_of
from lightboard.hub.api.job_tensorboards import disable, enable
from lightboard.hub.api.notebooks import new_notebook
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Boards, BoardsDep, Jobs, JobsDep, Monitoring, MonitoringDep
from lightboard.hub.db import datasets, job_access, tensorboards
from lightboard.hub.resources.jobs import Job, JobKind
from lightboard.hub.resources.tensorboards import Origin, Tensorboard
from lightboard.schema.analysis import AnalysisConfig
from lightboard.schema.dce import DcePage, DcePageRequest, KubeVolume
from lightboard.schema.dce_jobs import (
    CreateDceJob,
    CreateDceNotebook,
    DceDelete,
    DceEventPage,
    DceJob,
    DceJobAction,
    DceJobPage,
    DceNotebook,
    DceNotebookAction,
    DceNotebookPage,
    DceNotebookStatus,
)
from lightboard.schema.jobs import JobRequest

WORKSPACE = "/apis/baize.io/v1alpha1/workspaces/{workspace}"
NAMESPACE = f"{WORKSPACE}/clusters/{{cluster}}/namespaces/{{namespace}}"
JOBS, NOTEBOOKS = f"{NAMESPACE}/jobs", f"{NAMESPACE}/notebooks"
Word = Annotated[str, Path(max_length=200)]
PageQuery = Annotated[DcePageRequest, Query()]


@dataclass(frozen=True)
class Place:
    """Where DCE says that something is. `workspace` is a project; the others are "" in lists of a workspace."""

    workspace: str
    cluster: str = ""
    namespace: str = ""


async def place_of(workspace: Word, cluster: Word, namespace: Word) -> Place:
    """The place in an address."""
    return Place(workspace, cluster, namespace)


PlaceDep = Annotated[Place, Depends(place_of)]

routes = Routes("dce")


# Jobs


@routes.get(f"{WORKSPACE}/jobs", right="jobs.list", response=DceJobPage)
def find_jobs(context: ContextDep, workspace: Word, query: PageQuery) -> Response:
    """List the jobs of a project in DCE's format."""
    return page_response(context, Place(workspace), JobKind.JOB, query)


@routes.get(JOBS, right="jobs.list", response=DceJobPage)
def find_jobs_in_namespace(context: ContextDep, place: PlaceDep, query: PageQuery) -> Response:
    """List the jobs of a project in DCE's format, at the route of a namespace."""
    return page_response(context, place, JobKind.JOB, query)


@routes.post(JOBS, right="jobs.create", response=DceJob)
def create_job(
    context: ContextDep,
    jobs: JobsDep,
    boards: BoardsDep,
    monitoring: MonitoringDep,
    place: PlaceDep,
    body: CreateDceJob,
) -> Response:
    """Create a job, with its TensorBoard if `analysis` is enabled, by a request in DCE's format."""
    new = job_routes.new_job(dce_format.job_request(body, place.workspace, jobs.presets), jobs)
    return respond_with_new(context, jobs, boards, monitoring, place, new, body.analysis)


@routes.get(f"{JOBS}/{{name}}", right="jobs.get", response=DceJob)
def get_job(context: ContextDep, place: PlaceDep, name: Word) -> Response:
    """Get a job by name in DCE's format."""
    return one_response(context, place, JobKind.JOB, name, "jobs.get")


@routes.delete(f"{JOBS}/{{name}}", right="jobs.delete", response=DceJob)
def delete_job(
    context: ContextDep, jobs: JobsDep, place: PlaceDep, name: Word, body: DceDelete | None = None
) -> Response:
    """End and delete a job, and with `deleteAnalysis` its TensorBoard; outputs and logs are kept."""
    return deleted_response(context, jobs, place, JobKind.JOB, name, body)


@routes.post(f"{JOBS}/{{name}}/actions", right="jobs.restart", response=DceJob)
def act_on_job(
    context: ContextDep,
    jobs: JobsDep,
    place: PlaceDep,
    name: Word,
    body: DceJobAction,
) -> Response:
    """Run an ended job again, or change the priority of one, as the actions `RESTART` and `CHANGE_PRIORITY`."""
    if body.action == "RESTART":
        job_routes.restart(context, jobs, found(context, place, JobKind.JOB, name, "jobs.restart").id)
    else:
        priority = dce_format.PRIORITIES[body.priority_class]
        job = found(context, place, JobKind.JOB, name, "jobs.prioritize")
        job_routes.set_priority(context, job.id, priority, "")
        jobs.wake()
    return one_response(context, place, JobKind.JOB, name, "jobs.get")


@routes.get(f"{JOBS}/{{name}}/events", right="jobs.get", response=DceEventPage)
def find_job_events(context: ContextDep, place: PlaceDep, name: Word, query: PageQuery) -> Response:
    """List the changes of status of a job as events in DCE's format, newest first."""
    return events_response(context, place, JobKind.JOB, name, query)


# Notebooks


@routes.get(f"{WORKSPACE}/notebooks", right="jobs.list", response=DceNotebookPage)
def find_notebooks(context: ContextDep, workspace: Word, query: PageQuery) -> Response:
    """List the notebooks of a project in DCE's format."""
    return page_response(context, Place(workspace), JobKind.NOTEBOOK, query)


@routes.get(NOTEBOOKS, right="jobs.list", response=DceNotebookPage)
def find_notebooks_in_namespace(context: ContextDep, place: PlaceDep, query: PageQuery) -> Response:
    """List the notebooks of a project in DCE's format, at the route of a namespace."""
    return page_response(context, place, JobKind.NOTEBOOK, query)


@routes.post(NOTEBOOKS, right="notebooks.create", response=DceNotebook)
def create_notebook(
    context: ContextDep,
    jobs: JobsDep,
    boards: BoardsDep,
    monitoring: MonitoringDep,
    place: PlaceDep,
    body: CreateDceNotebook,
) -> Response:
    """Create a notebook, with its TensorBoard if `analysis` is enabled, by a request in DCE's format."""
    new = new_notebook(dce_format.notebook_request(body, place.workspace, jobs.presets), jobs)
    return respond_with_new(context, jobs, boards, monitoring, place, new, body.analysis)


@routes.get(f"{NOTEBOOKS}/{{name}}", right="jobs.get", response=DceNotebook)
def get_notebook(context: ContextDep, place: PlaceDep, name: Word) -> Response:
    """Get a notebook by name in DCE's format."""
    return one_response(context, place, JobKind.NOTEBOOK, name, "jobs.get")


@routes.put(f"{NOTEBOOKS}/{{name}}", right="jobs.update", response=DceNotebook)
def change_notebook(
    context: ContextDep,
    jobs: JobsDep,
    boards: BoardsDep,
    monitoring: MonitoringDep,
    place: PlaceDep,
    name: Word,
    body: CreateDceNotebook,
) -> Response:
    """Change a notebook that has ended, for its next start, and enable or delete its TensorBoard; by its owner alone.

    Without `analysis`, the TensorBoard stays as it is.
    """
    before = found(context, place, JobKind.NOTEBOOK, name, "jobs.update")
    if body.name != before.name:
        raise Invalid(f"name: the notebook {before.name} keeps its name", hint="create another one")
    with context.read() as session:
        analysis = analysis_of(session, context, before)
    keeps_board = "analysis" not in body.model_fields_set or body.analysis == analysis
    if keeps_board:
        body = body.model_copy(update={"analysis": AnalysisConfig()})
    request = dce_format.notebook_request(body, place.workspace, jobs.presets)
    if body.config.resources == dce_format.resources_of(before):  # several presets may have as much
        request = request.model_copy(update={"preset": before.preset, "memory_bytes": before.memory_bytes})
    wanted = dce_format.changed_notebook(
        before, body, new_notebook(request, jobs), keeps_logs=not body.analysis.enabled
    )
    check_volumes(jobs, wanted)
    check_possible(context, jobs, wanted)
    with context.write() as session:
        job = job_access.change(session, context.principal, before.id, wanted, context.at, before.version)
        if not keeps_board and body.analysis.enabled:
            enable(context, boards, monitoring, session, job, job.tensorboard_uri)
        elif not keeps_board:
            disable(context, session, job)
        result = told(session, context, place, [job])[0]
    jobs.workloads.prepare(job)
    boards.wake()
    return json_response(result)


@routes.delete(f"{NOTEBOOKS}/{{name}}", right="jobs.delete", response=DceNotebook)
def delete_notebook(
    context: ContextDep, jobs: JobsDep, place: PlaceDep, name: Word, body: DceDelete | None = None
) -> Response:
    """End and delete a notebook, and with `deleteAnalysis` its TensorBoard; its files are kept."""
    return deleted_response(context, jobs, place, JobKind.NOTEBOOK, name, body)


@routes.post(f"{NOTEBOOKS}/{{name}}/actions", right="jobs.stop", response=DceNotebook)
def act_on_notebook(
    context: ContextDep, jobs: JobsDep, place: PlaceDep, name: Word, body: DceNotebookAction
) -> Response:
    """Start or stop a notebook, as the actions `START` and `STOP`."""
    right, act = {"START": ("jobs.restart", job_routes.restart), "STOP": ("jobs.stop", job_routes.stop)}[body.action]
    act(context, jobs, found(context, place, JobKind.NOTEBOOK, name, right).id)
    return one_response(context, place, JobKind.NOTEBOOK, name, "jobs.get")


@routes.get(f"{NOTEBOOKS}/{{name}}/events", right="jobs.get", response=DceEventPage)
def find_notebook_events(context: ContextDep, place: PlaceDep, name: Word, query: PageQuery) -> Response:
    """List the changes of status of a notebook as events in DCE's format, newest first."""
    return events_response(context, place, JobKind.NOTEBOOK, name, query)


# What both have in common


def respond_with_new(
    context: RequestContext,
    jobs: Jobs,
    boards: Boards,
    monitoring: Monitoring,
    place: Place,
    new: Job,
    analysis: AnalysisConfig,
) -> Response:
    """Creates a job or notebook and returns it. If its TensorBoard cannot be created, nothing is."""
    check_volumes(jobs, new)
    check_possible(context, jobs, new)
    with context.write() as session:
        job = job_access.create(session, context.principal, new, context.at)
        if analysis.enabled:
            enable(context, boards, monitoring, session, job)
        result = told(session, context, place, [job])[0]
    jobs.workloads.prepare(job)
    jobs.wake()
    return json_response(result)


def page_response(context: RequestContext, place: Place, kind: JobKind, query: DcePageRequest) -> Response:
    """One page of a list."""
    request = JobRequest(
        kind=kind.value,
        project=place.workspace,
        page=query.number,
        page_size=query.size,
        search=query.search,
        sort=query.order,
    )
    with context.read() as session:
        some, total = job_access.find(session, context.principal, request)
        items = told(session, context, place, some)
    page = DcePage(page=query.number, page_size=query.page_size, total=total)
    return json_response(PAGES[kind](items=items, page=page))


def one_response(context: RequestContext, place: Place, kind: JobKind, name: str, right: str) -> Response:
    """One job or notebook."""
    job = found(context, place, kind, name, right)
    with context.read() as session:
        return json_response(told(session, context, place, [job])[0])


def events_response(context: RequestContext, place: Place, kind: JobKind, name: str, query: DcePageRequest) -> Response:
    """A page of the history of a job or notebook."""
    job = found(context, place, kind, name, "jobs.get")
    with context.read() as session:
        history = job_access.history(session, context.principal, job.id)
    events = [dce_format.event_of(job, step, place.namespace) for step in history]
    needle = query.search.casefold()
    events = [each for each in events if needle in f"{each.reason} {each.message}".casefold()]
    if query.order != "created":
        events.reverse()
    start = (query.number - 1) * query.size
    page = DcePage(page=query.number, page_size=query.page_size, total=len(events))
    return json_response(DceEventPage(items=events[start : start + query.size], page=page))


def deleted_response(
    context: RequestContext, jobs: Jobs, place: Place, kind: JobKind, name: str, body: DceDelete | None
) -> Response:
    """Deletes a job or notebook and returns it. If its TensorBoard is not to be deleted with it, nothing is."""
    job = found(context, place, kind, name, "jobs.delete")
    with context.write() as session:
        if body is not None and body.delete_analysis:
            disable(context, session, job)
        event = job_lifecycle.DeleteRequested()
        job = job_access.apply_event(
            session, context.principal, job.id, "jobs.delete", event, context.at, runner=jobs.runner.name
        )
        result = told(session, context, place, [job])[0]
    jobs.wake()
    return json_response(result)


def found(context: RequestContext, place: Place, kind: JobKind, name: str, right: str) -> Job:
    """The job or notebook of a name. Raises NotFound, PermissionDenied."""
    with context.read() as session:
        job = job_access.get(session, context.principal, name, right, place.workspace)
    if job.kind is not kind:
        raise NotFound(f"there is no {kind} {name}", hint=f"it is a {job.kind}")
    return job


def analysis_of(session: Session, context: RequestContext, job: Job) -> AnalysisConfig:
    """The TensorBoard of a job or notebook in DCE's format."""
    board = tensorboards.by_origin(session, context.principal, Origin(job.kind.value), [job.id]).get(job.id)
    sources = () if board is None else board.sources
    return dce_format.analysis_of(sources, datasets.names(session, {source.ref for source in sources}))


def told(session: Session, context: RequestContext, place: Place, some: Sequence[Job]) -> list[BaseModel]:
    """Jobs or notebooks in DCE's format."""
    boards: dict[str, Tensorboard] = {}
    for origin in {job.kind for job in some}:
        ids = [job.id for job in some if job.kind is origin]
        boards |= tensorboards.by_origin(session, context.principal, Origin(origin.value), ids)
    sources = [source for board in boards.values() for source in board.sources]
    refs = {each.ref for job in some for each in sources_of(job)} | {source.ref for source in sources}
    names = datasets.names(session, refs)
    format_one: dict[JobKind, Callable[..., BaseModel]] = {JobKind.JOB: job_of, JobKind.NOTEBOOK: notebook_of}
    return [
        format_one[job.kind](
            context,
            place,
            job,
            dce_format.kube_volumes_of(inputs_of(job, names).values(), volumes_of(job, names)),
            dce_format.analysis_of(boards[job.id].sources if job.id in boards else (), names),
        )
        for job in some
    ]


def job_of(
    context: RequestContext, place: Place, job: Job, volumes: list[KubeVolume], analysis: AnalysisConfig
) -> DceJob:
    """A job in DCE's format."""
    ended = job.ended_at or context.at
    return DceJob(
        name=job.name,
        cluster=place.cluster,
        namespace=place.namespace,
        creation_timestamp=dce_format.timestamp(job.created_at),
        description=job.display_name,
        phase=PHASES.get(job.status, ""),
        type=job.labels.get(dce_format.TYPE, "JOB_TYPE_UNSPECIFIED"),
        training_mode="DISTRIBUTED" if job.replicas > 1 else "SINGLE",
        base_config=dce_format.base_config_of(job, volumes, environment_of(job, context)),
        role_config=dce_format.roles_of(job),
        training_config=dce_format.training_of(job),
        analysis=analysis,
        running_duration=0 if job.started_at is None else round(ended - job.started_at),
    )


def notebook_of(
    context: RequestContext, place: Place, job: Job, volumes: list[KubeVolume], analysis: AnalysisConfig
) -> DceNotebook:
    """A notebook in DCE's format."""
    status = DceNotebookStatus(
        phase=dce_format.NOTEBOOK_PHASES.get(job.status, ""),
        access_url=context.server_url(job),
        message=job.message or job.reason,
    )
    return DceNotebook(
        name=job.name,
        cluster=place.cluster,
        namespace=place.namespace,
        creation_timestamp=dce_format.timestamp(job.created_at),
        description=job.display_name,
        type="JUPYTER",
        priority_class=dce_format.priority_class_of(job.priority),
        config=dce_format.notebook_config_of(job, volumes, environment_of(job, context)),
        status=status,
        analysis=analysis,
    )


PAGES: dict[JobKind, Callable[..., BaseModel]] = {JobKind.JOB: DceJobPage, JobKind.NOTEBOOK: DceNotebookPage}
