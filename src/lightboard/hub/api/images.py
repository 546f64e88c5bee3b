"""Images of jobs: what they have, and for administrators how they were built."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.errors import Conflict, LaunchError, NotFound
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Jobs, JobsDep
from lightboard.hub.container_image import ContainerImage
from lightboard.hub.db import audit
from lightboard.hub.images import Image
from lightboard.hub.notebook_server import PROGRAM
from lightboard.hub.resources.images import ImageState
from lightboard.hub.virtual_environment import VirtualEnvironment
from lightboard.schema.job_images import (
    ImageDetail,
    ImageLog,
    ImageLogRequest,
    ImageResponse,
    Images,
)
from lightboard.schema.jobs import JobLogLine
from lightboard.schema.packages import PackageResponse

PATH = "/api/v1/images"
ONE = f"{PATH}/{{name:path}}"
"""Names may have slashes, as those of container images."""

routes = Routes("images")


@routes.get(PATH, right="jobs.list", response=Images, operation_id="places_images")
def find(context: ContextDep, jobs: JobsDep) -> Response:
    """List the images that jobs can have, with the state of each."""
    chosen = jobs.images.chosen() if context.principal.administrator else []
    names = sorted({*jobs.images.by_name, *chosen})
    return json_response(
        Images(
            items=names,
            images=[to_response(context, jobs, name) for name in names],
            container_images=[pattern.text for pattern in jobs.images.patterns],
        )
    )


@routes.get(f"{ONE}/log", right="images.manage", response=ImageLog)
def log(jobs: JobsDep, name: str, query: Annotated[ImageLogRequest, Query()]) -> Response:
    """Get a part of what the last build of an image has printed."""
    image = built_by_hub(jobs, name)
    # Before reading: nothing is written after the end.
    complete = jobs.images.state(name) is not ImageState.BUILDING
    part = jobs.images.builder.folder(image.digest).read_log(query.cursor, query.max_bytes)
    lines = [JobLogLine(at=line.at, text=line.text, transient=line.transient) for line in part.lines]
    return json_response(
        ImageLog(lines=lines, cursor=part.cursor, lost_bytes=part.lost_bytes, complete=complete and not lines)
    )


@routes.put(f"{ONE}/rebuild", right="images.manage", response=ImageResponse)
def rebuild(context: ContextDep, jobs: JobsDep, name: str) -> Response:
    """Build an image again whose build has failed."""
    image = built_by_hub(jobs, name)
    if not jobs.images.builder.rebuild(image.digest):
        raise Conflict(
            f"the image {name} is {jobs.images.state(name)}",
            hint="only one whose build has failed is built again; change its list, and restart the hub",
        )
    with context.write() as session:
        audit.add(session, context.principal, "image.rebuild", kind="image", target=name, at=context.at)
    return json_response(to_response(context, jobs, name))


@routes.get(ONE, right="jobs.list", response=ImageDetail)
def get(context: ContextDep, jobs: JobsDep, name: str) -> Response:
    """Get an image with its packages."""
    existing(jobs, name)
    environment = environment_of(jobs, name)
    installed = environment.read().packages if environment else ()
    return json_response(
        ImageDetail(
            **to_response(context, jobs, name).model_dump(),
            installed=[PackageResponse(name=package, version=version) for package, version in installed],
        )
    )


def existing(jobs: Jobs, name: str) -> Image:
    """An image that is there. Raises NotFound."""
    try:
        image = jobs.images.get(name)
    except LaunchError as error:
        raise NotFound(error.message, hint=error.hint) from None
    if not jobs.images.is_known(image):
        raise NotFound(f"nobody has used the image {name} yet", hint="a job or notebook may name it")
    return image


def built_by_hub(jobs: Jobs, name: str) -> Image:
    """An image that the hub builds. Raises NotFound, and Conflict for another."""
    image = existing(jobs, name)
    if image.built_from is None:
        raise Conflict(
            f"the image {name} is not built by the hub", hint="it is an environment that an administrator has named"
        )
    return image


def environment_of(jobs: Jobs, name: str) -> VirtualEnvironment | ContainerImage | None:
    """The environment of an image that exists; None until it is built."""
    try:
        return jobs.images.environment(name)
    except LaunchError:
        return None


def to_response(context: RequestContext, jobs: Jobs, name: str) -> ImageResponse:
    """An image that exists."""
    images = jobs.images
    image, built, environment = images.get(name), images.built(name), environment_of(jobs, name)
    return ImageResponse(
        name=name,
        state=images.state(name).value,
        message=images.builder.failure(image.digest),
        digest=image.digest,
        python=images.python(name),
        packages=images.packages(name),
        size_bytes=built.size_bytes if built else None,
        built_at=built.built_at if built else None,
        notebooks=environment is not None and environment.has(PROGRAM),
        source=image.source if context.principal.administrator else "",
    )
