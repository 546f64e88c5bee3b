"""Source code of jobs: uploaded before a job is created, stored once, and downloaded from the job."""

import asyncio
from pathlib import Path

from fastapi import Request
from fastapi.concurrency import contextmanager_in_threadpool
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from lightboard.errors import BadRequest, NotFound, NotReady
from lightboard.hub.api.job_creation import PATH as JOBS
from lightboard.hub.api.job_creation import check_policy
from lightboard.hub.api.job_responses import source_code_response
from lightboard.hub.api.open_file_response import OpenFileResponse
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Jobs, JobsDep
from lightboard.hub.db import job_access, source_code
from lightboard.hub.resources.source_code import SourceCode
from lightboard.hub.source_tar import contents_of
from lightboard.schema.source_code import SourceCodeResponse

PATH = "/api/v1/source-code"
MEDIA_TYPE = "application/gzip"
WRITE_BYTES = 1 << 20
UPLOAD_SECS = 600.0
"""How long one upload may take."""

routes = Routes("source code")


@routes.post(PATH, right="jobs.create", response=SourceCodeResponse, status=201, body_type=MEDIA_TYPE)
async def upload(context: ContextDep, jobs: JobsDep, project: str = "") -> Response:
    """Upload source code to a project, as a tar file compressed with gzip."""
    home = await run_in_threadpool(check_upload, context, jobs, project)
    try:
        async with contextmanager_in_threadpool(jobs.source_archives.new_upload(context.principal.account)) as path:
            await receive(context.request, path)
            stored = await run_in_threadpool(store, context, jobs, home, path)
    except OSError as error:
        raise NotReady(
            f"the hub cannot store the source code: {error.strerror}",
            hint="its disk may be full: tell an administrator",
        ) from None
    return json_response(source_code_response(stored), 201)


@routes.get(f"{PATH}/{{digest}}", right="jobs.create", response=SourceCodeResponse)
def get(context: ContextDep, jobs: JobsDep, digest: str, project: str = "") -> Response:
    """Get the size of source code that a project has, by digest. It is then kept for another day."""
    with context.write() as session:
        home = job_access.project_for(session, context.principal, project)
        known = source_code.use(session, home, digest, context.at)
        if not jobs.source_archives.path_of(digest).exists():
            raise NotFound(f"the hub has lost the source code {digest[:12]}", hint="upload it again")
    return json_response(source_code_response(known))


@routes.get(f"{JOBS}/{{id}}/source-code", right="jobs.source_code")
def download(context: ContextDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Download the source code of a job, as a tar file compressed with gzip."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, "jobs.source_code", project)
    if not job.source_code:
        raise NotFound(f"the job {job.name} has no source code", hint="it was created without")
    try:
        path = jobs.source_archives.path_of(job.source_code)
        return OpenFileResponse(path, media_type=MEDIA_TYPE, filename=f"{job.name}-source-code.tar.gz")
    except FileNotFoundError:
        raise NotFound(
            f"the hub has the source code of the job {job.name} no longer",
            hint="it was deleted with the job, or is lost",
        ) from None


def check_upload(context: RequestContext, jobs: Jobs, project: str) -> str:
    """The id of the project to upload to. Checks all that can be checked before the body is read."""
    with context.read() as session:
        home = job_access.project_for(session, context.principal, project)
        check_policy(session, jobs)
        source_code.check_limit(session, context.principal.account)
    return home.id


async def receive(request: Request, path: Path) -> None:
    """Writes the body of a request to a file. Raises BadRequest if it takes too long, OSError if the disk is full."""
    pending = bytearray()
    try:
        async with contextmanager_in_threadpool(path.open("wb")) as file:
            async with asyncio.timeout(UPLOAD_SECS):
                async for chunk in request.stream():
                    pending += chunk
                    if len(pending) >= WRITE_BYTES:
                        await run_in_threadpool(file.write, bytes(pending))
                        pending.clear()
            await run_in_threadpool(file.write, bytes(pending))
    except ClientDisconnect:
        raise BadRequest("the upload was cut off") from None
    except TimeoutError:
        raise BadRequest(f"the upload has taken more than {UPLOAD_SECS:.0f} seconds") from None


def store(context: RequestContext, jobs: Jobs, project: str, path: Path) -> SourceCode:
    """Checks a complete upload and stores it. Raises Invalid, Conflict beyond the limit of the account."""
    with path.open("rb") as file:
        contents = contents_of(file)
    account = context.principal.account
    with jobs.source_archives.adding(path, contents.digest) as packed_bytes, context.write() as session:
        new = SourceCode(
            project=project,
            digest=contents.digest,
            owner=account,
            files=contents.files,
            size_bytes=contents.size_bytes,
            packed_bytes=packed_bytes,
            uploaded_at=context.at,
        )
        source_code.put(session, new)
    return new
