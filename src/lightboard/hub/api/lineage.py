"""Where runs come from: from a run to its job, and from a job to what it ran with. And running it again."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, NamedTuple

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from lightboard.errors import Invalid, LaunchError, LightboardError, NotFound
from lightboard.hub.access import Principal
from lightboard.hub.api.job_creation import PATH as JOBS
from lightboard.hub.api.job_creation import respond_with_new, split_variables, with_preset
from lightboard.hub.api.job_responses import environment_of, inputs_of, source_code_response, sources_of, volumes_of
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Boards, BoardsDep, Jobs, JobsDep
from lightboard.hub.api.tensorboards import PATH as TENSORBOARDS
from lightboard.hub.db import accounts, attempts, datasets, job_access, jobs, projects, source_code, tensorboards
from lightboard.hub.db.access_checks import has_right
from lightboard.hub.images import Images
from lightboard.hub.input_contents import LIMITS, contents_of
from lightboard.hub.installed_packages import package_changes
from lightboard.hub.job_environment import logs_below
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.lineage import JobPlaces, LogTree, Maker, makers_of, possible_outputs, prefix_of, run_places
from lightboard.hub.real_paths import disk_of, mount_points
from lightboard.hub.resources.attempts import Attempt, Contents, RecordedInput, has_changed
from lightboard.hub.resources.jobs import Job, JobKind
from lightboard.hub.resources.sources import source_of
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.source_resolver import SourceResolver
from lightboard.schema.jobs import JobDetail
from lightboard.schema.lineage import (
    AttemptLineage,
    DatasetLineage,
    InputComparison,
    InputContents,
    InputLineage,
    JobInputs,
    JobLineage,
    JobReference,
    JobTensorboard,
    PackageComparison,
    RunAgain,
    RunJob,
    RunLineage,
)
from lightboard.schema.packages import PackageResponse
from lightboard.schema.project_secrets import SecretReference

MAX_BOARDS = 1_000
"""The newest TensorBoards of a project among which those of a job are found."""
COMPARE_SECS = 4.0
"""How long the inputs of a job are listed in all: less than a call on a disk may take."""
RECORDED_AT_START = "it is written when the job starts"
AttemptNumber = Annotated[int, Query(ge=0, le=1_000_000)]
RunName = Annotated[str, Query(min_length=1, max_length=8_000)]

routes = Routes("lineage")


@routes.get(f"{JOBS}/{{id}}/lineage", right="jobs.get", response=JobLineage)
def of_job(context: ContextDep, boards: BoardsDep, jobs: JobsDep, id: str, project: str = "") -> Response:
    """Get what a job ran with: programs, packages, data and source code of each attempt, and its TensorBoards."""
    with context.read() as session:
        image = job_access.get(session, context.principal, id, project=project).image
    now = image_now(jobs.images, image)  # reads files, which may take a while
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
        return json_response(job_lineage(session, context, boards, job, now))


@dataclass(frozen=True)
class ImageNow:
    """What a job with an image gets now: the `digest` of an environment that the hub has built, "" for another one.

    `packages` is None if they are not known, and for the programs of the hub itself. `keeps` tells whether an
    environment with another digest is still there.
    """

    digest: str
    packages: tuple[tuple[str, str], ...] | None
    keeps: Callable[[str], bool]


def image_now(images: Images, name: str) -> ImageNow:
    """What a job with the image `name` gets now."""
    try:
        packages = images.environment(name).read().packages if name else None
    except LaunchError:  # it is not built, or not there any more
        packages = None
    return ImageNow(images.digest(name), packages, images.keeps)


@routes.get(f"{JOBS}/{{id}}/inputs", right="jobs.get", response=JobInputs)
async def inputs_now(
    context: ContextDep, boards: BoardsDep, jobs: JobsDep, id: str, attempt: AttemptNumber = 0, project: str = ""
) -> Response:
    """Compare what was in the inputs of a job with what is there now."""
    found = await run_in_threadpool(recorded_inputs, context, jobs, id, attempt, project)
    now = {}
    end = time.monotonic() + COMPARE_SECS
    for name, place in found.places.items():
        work = partial(contents_of, place, replace(LIMITS, secs=end - time.monotonic()))
        disk = disk_of(place.url, mount_points())
        now[name] = await boards.disks.call(work, disk=disk, account=context.principal.account)
    return json_response(
        JobInputs(
            attempt=found.attempt, inputs=[compared(name, was, now.get(name)) for name, was in found.inputs.items()]
        )
    )


class RecordedInputs(NamedTuple):
    """The inputs of an attempt (0 for none), and where those are now whose contents can be compared."""

    attempt: int
    inputs: dict[str, Contents | None]
    places: dict[str, SourceSpec]


def recorded_inputs(context: RequestContext, jobs: Jobs, id: str, number: int, project: str) -> RecordedInputs:
    """The inputs of an attempt of a job, of its last one for 0. Raises NotFound."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
        stored = [each for each in attempts.of_job(session, job.id) if number in (0, each.attempt)]
        if number and not stored:
            raise NotFound(f"there is no record of attempt {number} of {job.name}", hint=RECORDED_AT_START)
        recorded = stored[-1].inputs if stored else {}
        names = [*job.inputs, *(volume.target for volume in job.volumes)]
        try:
            places = jobs.workloads.input_places(session, job)
        except LightboardError:  # the project has lost its folder
            places = {}
        return RecordedInputs(
            stored[-1].attempt if stored else 0,
            {name: recorded[name].contents if name in recorded else None for name in names},
            places,
        )


def compared(name: str, recorded: Contents | None, now: Contents | None) -> InputComparison:
    """An input in a response."""
    return InputComparison(
        name=name,
        recorded=contents_response(recorded),
        now=contents_response(now),
        changed=has_changed(recorded, now),
    )


def contents_response(contents: Contents | None) -> InputContents | None:
    """What is in an input, in a response."""
    if contents is None:
        return None
    return InputContents(
        files=contents.files,
        size_bytes=contents.size_bytes,
        digest=contents.digest,
        links_skipped=contents.links_skipped,
        problem=contents.problem.value if contents.problem else None,
    )


@routes.get(f"{TENSORBOARDS}/{{id}}/lineage", right="tensorboards.open", response=RunLineage)
def of_run(context: ContextDep, boards: BoardsDep, id: str, run: RunName, project: str = "") -> Response:
    """Get the jobs that have made a run of a TensorBoard."""
    with context.read() as session:
        board = tensorboards.get(session, context.principal, id, "tensorboards.open", project)
        return json_response(
            run_lineage(session, boards.source_resolver, context.principal, board, run, context.url("/jobs/"))
        )


@routes.post(f"{JOBS}/{{id}}/run-again", right="jobs.create", response=JobDetail, status=201)
def run_again(context: ContextDep, jobs: JobsDep, body: RunAgain, id: str, project: str = "") -> Response:
    """Run a job again as a new job: same command, source code, inputs, image, preset, parameters and variables."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
        name = body.name or job_access.next_name(session, job)
        environment = known_variables(session, context, job, body)
        check_kept(session, jobs.images, job, body.image_digest)
    again = replace(repeated(job, name, environment, jobs.runner.name), image_digest=body.image_digest)
    return respond_with_new(context, jobs, body, with_preset(again, jobs))


def check_kept(session: Session, images: Images, job: Job, digest: str) -> None:
    """Raises Invalid for the digest of an environment that no attempt of a job had, or that is not kept any more."""
    if not digest:
        return
    if digest not in {each.image_digest for each in attempts.of_job(session, job.id)}:
        raise Invalid(f"no attempt of {job.name} had the environment {digest}", hint="its lineage has their digests")
    if not images.keeps(digest):
        raise Invalid(
            f"the environment {digest} is not kept any more", hint="leave out image_digest to run with what it has now"
        )


def known_variables(
    session: Session, context: RequestContext, job: Job, body: RunAgain
) -> dict[str, str | SecretReference]:
    """The variables of a job, run again by somebody who may not see all values. Raises Invalid."""
    shown = {name: value for name, value in environment_of(job, context).items() if value is not None}
    values = {**shown, **body.environment}
    if missing := [name for name in job.environment if name not in values]:
        owner = accounts.names(session, {job.owner}).get(job.owner, job.owner)
        raise Invalid(
            f"only {owner}, who owns this job, knows the values of {', '.join(missing)}",
            hint="give them in `environment`, or clone the job and enter them",
        )
    return values


def repeated(job: Job, name: str, environment: Mapping[str, str | SecretReference], runner: str) -> Job:
    """A new job on a runner (a name) that asks for the same as another one. Raises Invalid for a notebook."""
    if job.kind is JobKind.NOTEBOOK:
        raise Invalid(f"{job.name} is a notebook, which can only be started", hint="start it again, or create another")
    wanted = {field: getattr(job, field) for field in REPEATED_FIELDS}
    shown = name if job.display_name == job.name else job.display_name
    values, secrets = split_variables(environment)
    return Job(
        id="",
        owner="",
        name=name,
        display_name=shown,
        environment=values,
        secrets=secrets,
        repeat_of=job.id,
        runner=runner,
        **wanted,
    )


REPEATED_FIELDS = (
    "project",
    "command",
    "hyperparameters",
    "replicas",
    "memory_bytes",
    "priority",
    "max_retries",
    "max_run_secs",
    "life_span_secs",
    "queue_timeout_secs",
    "grace_secs",
    "labels",
    "tags",
    "image",
    "inputs",
    "source_code",
    "preset",
    "log_dir",
    "http_port",
    "volumes",
)
"""What a job asks for, besides names and variables."""


def job_lineage(session: Session, context: RequestContext, boards: Boards, job: Job, image: ImageNow) -> JobLineage:
    """All that is known of how a job can be reproduced, as the principal may see it.

    `image` is what a job with its image gets now.
    """
    found = attempts.of_job(session, job.id)
    archive = source_code.of_jobs(session, [job]).get((job.project, job.source_code))
    lists = attempts.package_lists(session, {each.packages for each in found if each.packages})
    origin = jobs.get_unchecked(session, job.repeat_of) if job.repeat_of else None
    return JobLineage(
        id=job.id,
        kind=job.kind.value,
        name=job.name,
        command=list(job.command),
        hyperparameters=job.hyperparameters,
        environment=[*job.environment, *job.secrets],
        image=job.image,
        preset=job.preset,
        replicas=job.replicas,
        source_code=source_code_response(archive) if archive else None,
        attempts=[attempt_lineage(session, job, each, image, lists.get(each.packages)) for each in found],
        packages={
            digest: [PackageResponse(name=name, version=version) for name, version in packages]
            for digest, packages in lists.items()
        },
        tensorboards=boards_of(session, context, boards.source_resolver, job),
        repeat_of=reference(origin) if origin else None,
        repeats=[reference(each) for each in jobs.repeats(session, job.id)],
    )


def reference(job: Job) -> JobReference:
    """A job as another one names it. Both are in one project."""
    return JobReference(id=job.id, name=job.name, status=job.status.value)


def attempt_lineage(
    session: Session, job: Job, attempt: Attempt, image: ImageNow, packages: Sequence[tuple[str, str]] | None
) -> AttemptLineage:
    """An attempt in a response. Its `packages` are None if they are not known."""
    # With a PATH of its own, a job may have had the packages of another Python.
    is_known = packages is not None and image.packages is not None and "PATH" not in job.environment
    changes = package_changes(packages or (), image.packages or ()) if is_known else None
    return AttemptLineage(
        attempt=attempt.attempt,
        at=attempt.at,
        program=attempt.program,
        python=attempt.python,
        packages=attempt.packages,
        image_digest=attempt.image_digest,
        image_changed=attempt.image_digest not in ("", image.digest),
        image_kept=attempt.image_digest != "" and image.keeps(attempt.image_digest),
        package_changes=None if changes is None else [PackageComparison(**asdict(change)) for change in changes],
        inputs=input_lineage(session, job, attempt),
        preset=attempt.preset,
        cpus=attempt.cpus,
        memory_bytes=attempt.memory_bytes,
        gpus=attempt.gpus,
        hub_version=attempt.hub_version,
    )


def input_lineage(session: Session, job: Job, attempt: Attempt | None) -> list[InputLineage]:
    """The inputs and volumes of a job, with what its datasets were in an attempt, if that is known."""
    names = datasets.names(session, {each.ref for each in sources_of(job)})
    recorded = attempt.inputs if attempt else {}
    return [
        InputLineage(
            name=name,
            source=text,
            dataset=dataset_lineage(session, recorded.get(name)),
            contents=contents_response(recorded[name].contents if name in recorded else None),
        )
        for name, text in read_by(job, names).items()
    ]


def read_by(job: Job, names: Mapping[str, str]) -> dict[str, str]:
    """The sources of inputs by name, and of volumes by path, with the `names` of datasets, which are by id."""
    return {**inputs_of(job, names), **{volume.target: volume.source for volume in volumes_of(job, names)}}


def dataset_lineage(session: Session, recorded: RecordedInput | None) -> DatasetLineage | None:
    """A dataset as it was recorded."""
    if recorded is None or not recorded.dataset:
        return None
    now = datasets.get_unchecked(session, recorded.dataset)
    return DatasetLineage(
        id=recorded.dataset,
        name=recorded.name,
        version=recorded.version,
        uri=recorded.uri,
        current_version=now.version if now else None,
    )


def boards_of(session: Session, context: RequestContext, resolver: SourceResolver, job: Job) -> list[JobTensorboard]:
    """The TensorBoards of the project of a job that show its runs, newest first, of those that the principal sees."""
    places = places_of(session, resolver, job)
    if places is None:
        return []
    found = []
    for board in tensorboards.visible_in(session, context.principal, job.project, MAX_BOARDS):
        prefixes = [prefix_of(tree, places.logs) for tree in log_trees(session, resolver, board)]
        otherwise = "" if board.origin_id == job.id else None
        prefix = next((each for each in prefixes if each is not None), otherwise)
        if prefix is not None:
            found.append((board, prefix))
    owners = accounts.names(session, {board.owner for board, _ in found})
    return [
        JobTensorboard(
            id=board.id,
            name=board.name,
            display_name=board.display_name,
            status=board.status.value,
            app_uri=context.board_url(board, owners.get(board.owner, "")),
            run_prefix=prefix,
        )
        for board, prefix in found
    ]


def run_lineage(
    session: Session, resolver: SourceResolver, principal: Principal | None, board: Tensorboard, run: str, jobs_url: str
) -> RunLineage:
    """The jobs that have made a run, of those that the principal sees; none for a guest.

    `jobs_url` precedes the ids of jobs in the addresses of their pages.
    """
    if principal is None:
        return RunLineage(run=run, jobs=[])
    places = run_places(log_trees(session, resolver, board), run)
    candidates = [
        job
        for job in jobs.with_outputs(session, possible_outputs(places))
        if has_right(session, principal, "jobs.get", job_access.resource_of(job))
    ]
    written = [found for job in candidates if (found := places_of(session, resolver, job))]
    by_id = {job.id: job for job in candidates}
    return RunLineage(
        run=run,
        jobs=[
            run_job(session, by_id[maker.job], maker, f"{jobs_url}{maker.job}") for maker in makers_of(places, written)
        ],
    )


def run_job(session: Session, job: Job, maker: Maker, url: str) -> RunJob:
    """The job that has made a run, with what is known of the attempt."""
    attempt = attempt_of(attempts.of_job(session, job.id), maker)
    return RunJob(
        id=job.id,
        kind=job.kind.value,
        name=job.name,
        display_name=job.display_name,
        status=job.status.value,
        attempt=maker.attempt,
        rank=maker.rank,
        command=list(job.command),
        image=job.image,
        python=attempt.python if attempt else "",
        inputs=input_lineage(session, job, attempt),
        source_code=job.source_code,
        url=url,
    )


def attempt_of(found: Sequence[Attempt], maker: Maker) -> Attempt | None:
    """The record of the attempt that has made a run, of the last one if it is not known which."""
    if maker.attempt is None:
        return found[-1] if found else None
    return next((each for each in found if each.attempt == maker.attempt), None)


def log_trees(session: Session, resolver: SourceResolver, board: Tensorboard) -> Iterable[LogTree]:
    """The sources of a TensorBoard with their places, without those that its project may not use any more."""
    project = projects.get_unchecked(session, board.project)
    if project is None:
        return
    for source in board.sources:
        try:
            yield LogTree(resolver.place(session, project, source), source.alias)
        except LightboardError:
            continue


def places_of(session: Session, resolver: SourceResolver, job: Job) -> JobPlaces | None:
    """Where a job writes; None if that is not known any more."""
    project = projects.get_unchecked(session, job.project)
    if project is None:
        return None
    try:
        output = resolver.place(session, project, source_of(job.output_uri))
        if not job.log_dir:
            return JobPlaces(job.id, output, f"{output}/{job.log_channel}")
        folder = resolver.place(session, project, source_of(job.log_dir))
    except LightboardError:
        return None
    # Others may log to the folder that a notebook logs to.
    return JobPlaces(job.id, output, output if job.kind is JobKind.NOTEBOOK else logs_below(job, folder))
