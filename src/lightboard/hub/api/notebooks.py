"""Notebooks: jobs that serve JupyterLab. Everything but their creation is a route of jobs."""

from functools import partial

from starlette.responses import Response

from lightboard.hub.api.job_creation import (
    check_servers,
    requested_volumes,
    respond_with_new,
    split_variables,
    with_preset,
)
from lightboard.hub.api.job_tensorboards import enable
from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep, Jobs, JobsDep, MonitoringDep
from lightboard.hub.notebook_server import COMMAND
from lightboard.hub.resources.jobs import Job, JobKind
from lightboard.schema.jobs import JobDetail
from lightboard.schema.notebooks import CreateNotebook

routes = Routes("notebooks")


@routes.post("/api/v1/notebooks", right="notebooks.create", response=JobDetail, status=201)
def create(
    context: ContextDep, jobs: JobsDep, boards: BoardsDep, monitoring: MonitoringDep, body: CreateNotebook
) -> Response:
    """Create a notebook: a job that serves JupyterLab. It is started, stopped and deleted as other jobs are."""
    also = partial(enable, context, boards, monitoring) if body.tensorboard else None
    return respond_with_new(context, jobs, body, new_notebook(body, jobs), also)


def new_notebook(body: CreateNotebook, jobs: Jobs) -> Job:
    """The job that a request for a notebook describes.

    Raises as `check_servers`, `requested_volumes` and `with_preset`.
    """
    check_servers(jobs)
    values, secrets = split_variables(body.environment)
    fields = body.model_dump(exclude={"environment", "tags", "display_name", "tensorboard", "volumes"})
    job = Job(
        id="",
        owner="",
        kind=JobKind.NOTEBOOK,
        command=COMMAND,
        environment=values,
        secrets=secrets,
        tags=tuple(body.tags),
        volumes=requested_volumes(body.volumes),
        display_name=body.display_name or body.name or JobKind.NOTEBOOK,
        runner=jobs.runner.name,
        **fields,
    )
    return with_preset(job, jobs)
