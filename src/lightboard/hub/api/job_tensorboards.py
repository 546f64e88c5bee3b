"""The TensorBoard of a job or notebook: enabled with it or later, also after its end, and deleted again."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import Conflict
from lightboard.hub import lifecycle
from lightboard.hub.api.job_creation import PATH
from lightboard.hub.api.job_responses import detail_of
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Boards, BoardsDep, Monitoring, MonitoringDep
from lightboard.hub.api.tensorboards import check_sources, counting_refusals, find_reusable, new_board
from lightboard.hub.db import job_access, tensorboards
from lightboard.hub.job_lifecycle import GONE
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.tensorboards import Origin
from lightboard.schema.jobs import ChangeJob, JobDetail
from lightboard.schema.tensorboards import CreateTensorboard, SourceRequest

routes = Routes("jobs")


@routes.patch(f"{PATH}/{{id}}", right="jobs.update", response=JobDetail)
def change(
    context: ContextDep, boards: BoardsDep, monitoring: MonitoringDep, id: str, body: ChangeJob, project: str = ""
) -> Response:
    """Enable the TensorBoard of a job or notebook, also after its end, or delete it; its logs are kept."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, "jobs.update", project)
    if job.status in GONE:
        raise Conflict(f"the {job.kind} {job.name} is deleted", hint="create a TensorBoard of the folder of its logs")
    if body.tensorboard:
        # Not in a write transaction, because the disk may hang.
        check_sources(context, boards.source_resolver, request_for(job, body.log_dir))
    with context.write() as session:
        if body.tensorboard:
            enable(context, boards, monitoring, session, job, body.log_dir)
        else:
            disable(context, session, job)
        result = detail_of(session, context, job)
    boards.wake()
    return json_response(result, version=job.version)


def enable(
    context: RequestContext, boards: Boards, monitoring: Monitoring, session: Session, job: Job, log_dir: str = ""
) -> None:
    """Gives a job a TensorBoard, which is started if it has one already.

    `log_dir` is what it shows; "" is what it shows already, or if it is new, the logs of the job. Raises the errors of
    `tensorboards.create`.
    """
    new = new_board(context, request_for(job, log_dir), executor=boards.launcher.name)
    with counting_refusals(monitoring.metrics):
        found = find_reusable(session, context, new)
        if found is None:
            tensorboards.create(session, context.principal, new, context.at)
            monitoring.metrics.created.inc()
        elif log_dir:
            tensorboards.change(session, context.principal, found.id, {"sources": new.sources}, context.at)


def disable(context: RequestContext, session: Session, job: Job) -> None:
    """Deletes every visible TensorBoard of a job. Raises PermissionDenied if one of them is not to be deleted."""
    for board in tensorboards.of_origin(session, context.principal, job.project, Origin(job.kind.value), job.id):
        gone = lifecycle.DeleteRequested()
        tensorboards.apply_event(session, context.principal, board.id, "tensorboards.delete", gone, context.at)


def request_for(job: Job, log_dir: str) -> CreateTensorboard:
    """The request for the TensorBoard of a job."""
    return CreateTensorboard(
        sources=[SourceRequest(uri=log_dir or job.tensorboard_uri)],
        project=job.project,
        display_name=job.display_name,
        origin=job.kind.value,
        origin_id=job.id,
        reuse=True,
    )
