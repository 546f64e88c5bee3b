"""What the runner gets to run a job: its command, its folders, and the variables that say where they are."""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from sqlalchemy.orm import Session

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub.data_directory import JOBS
from lightboard.hub.db import projects, source_code
from lightboard.hub.db.engine import Database
from lightboard.hub.disk_threads import DiskThreads
from lightboard.hub.images import Images
from lightboard.hub.job_environment import (
    JobFolders,
    hyperparameters_json,
    job_variables,
    output_folders,
    replica_variables,
)
from lightboard.hub.real_paths import disk_of, mount_points, unreachable
from lightboard.hub.resources.jobs import OUTPUT_FOLDER, TENSORBOARD_CHANNEL, Job
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.resources.sources import source_of
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.source_archives import SourceArchives
from lightboard.hub.source_resolver import SourceResolver
from lightboard.storage.new_folder import create_folder, new_file, new_folder
from lightboard.types import SOURCE_NOT_FOUND

T = TypeVar("T")
EACH_DISK, MAX_THREADS = 2, 8
PATIENCE_SECS = 2.0
CODE, CONFIG, HOME, TEMPORARY, HYPERPARAMETERS = "code", "config", "home", "tmp", "hyperparameters.json"
PREPARED = "prepared"
"""A file with the number of the attempt for which the folders are complete."""


class Workloads:
    """Builds the workload of the current attempt of a job. `folder` is the hub's data directory."""

    def __init__(
        self,
        database: Database,
        source_resolver: SourceResolver,
        source_archives: SourceArchives,
        images: Images,
        folder: Path,
    ) -> None:
        self._database = database
        self._source_resolver = source_resolver
        self._source_archives = source_archives
        self._images = images
        self._folder = folder
        self._threads = DiskThreads(EACH_DISK, MAX_THREADS)

    def outline(self, job: Job) -> WorkloadSpec:
        """A workload that has the handle and the needs of the complete one. Touches no disk."""
        return WorkloadSpec(
            id=job.id,
            attempt=job.attempt,
            command=job.command,
            working_dir=str(self._job_folder(job) / CODE),
            environment=job.environment,
            replicas=job.replicas,
            memory_bytes=job.memory_limit_bytes,
            cpu_ids=tuple(job.cpu_ids_of(rank) for rank in range(job.replicas)),
            gpu_ids=tuple(job.gpu_ids_of(rank) for rank in range(job.replicas)) if job.preset else None,
        )

    def complete(self, job: Job) -> WorkloadSpec:
        """The workload to submit, with folders and source code in place.

        Raises LaunchError if they cannot be created, Unreachable if their disk does not respond in time.
        """
        self._images.check(job.image)
        with self._database.read() as session:
            project, storage = self._storage(session, job)
            roots = self._source_resolver.roots_of(session, job.project)
            inputs = self._inputs(session, project, job.inputs)
        outline, own = self.outline(job), self._job_folder(job)
        folders = JobFolders(PurePosixPath(storage, job.output), inputs, outline.working_dir, str(own / CONFIG))
        home = str(own / HOME)
        self._check_present(storage, job, inputs)
        try:
            self._prepare_own(job)
            self._create_folders(storage, [f"{job.output}/{path}" for path in output_folders(job)])
        except OSError as error:
            raise LaunchError(
                f"the folder {error.filename or ''} of the job cannot be created: {error.strerror or error}",
                reason=START_FAILED,
                hint="a link in its place is not followed: remove it, or check the storage of the project",
            ) from None
        return replace(
            outline,
            environment={
                **self._images.variables(job.image, os.environ.get("PATH", os.defpath)),
                **job_variables(job, folders, project.name),
            },
            replica_environments=tuple(replica_variables(job, folders.output, rank) for rank in range(job.replicas)),
            readable=(storage, *roots, *self._images.readable(job.image)),
            writable=(str(folders.output), folders.code, folders.config, home),
            hidden=self._source_resolver.hidden_paths,
            home=home,
            temporary=str(own / TEMPORARY),
        )

    def _inputs(self, session: Session, project: Project, inputs: Mapping[str, str]) -> dict[str, str]:
        """The paths of inputs by name. Raises LaunchError."""
        found = {}
        for name, text in inputs.items():
            try:
                found[name] = self._source_resolver.input_path(session, project, source_of(text))
            except LaunchError as error:
                raise LaunchError(f"the input {name}: {error.message}", reason=error.reason, hint=error.hint) from None
        return found

    def _check_present(self, storage: str, job: Job, inputs: Mapping[str, str]) -> None:
        """Raises LaunchError if data that a job reads does not exist."""
        missing = self._on_disk(storage, lambda: [name for name, path in inputs.items() if not os.path.exists(path)])
        if missing:
            name = missing[0]
            raise LaunchError(
                f"the input {name}, {job.inputs[name]}, does not exist",
                reason=SOURCE_NOT_FOUND,
                hint="put the data there, and restart the job",
            )

    def _unpack(self, job: Job) -> None:
        """Writes the source code of a job to where its command starts. Raises LaunchError."""
        if not job.source_code:
            return
        try:
            self._source_archives.unpack(job.source_code, os.path.realpath(self._folder), f"{JOBS}/{job.id}/{CODE}")
        except LightboardError as error:
            raise LaunchError(
                f"the source code of the job is lost: {error.message}",
                reason=START_FAILED,
                hint="create the job again from its folder, which uploads it again",
            ) from None
        except OSError as error:
            raise LaunchError(
                f"the source code cannot be unpacked: {error.filename or ''}: {error.strerror or error}",
                reason=START_FAILED,
                hint="an earlier attempt of the job may have put something else in its place",
            ) from None

    def _prepare_own(self, job: Job) -> None:
        """Creates the folders below the hub's own with what is in them, unless that has been done for this attempt.

        A start that was interrupted is repeated, when some replicas may run already. Links that an earlier attempt has
        put there are not followed. Raises OSError and LaunchError.
        """
        own = self._job_folder(job)
        if read_number(own / PREPARED) == job.attempt:
            return
        if not own.is_symlink():
            remove_tree(own / CONFIG)
            remove_tree(own / TEMPORARY)
        for name in (CODE, CONFIG, HOME, *(f"{TEMPORARY}/{rank}" for rank in range(job.replicas))):
            create_folder(os.path.realpath(self._folder), f"{JOBS}/{job.id}/{name}")
        with open(own / CONFIG / HYPERPARAMETERS, "x", encoding="utf-8") as file:
            file.write(hyperparameters_json(job))
        self._unpack(job)
        with (
            new_folder(os.path.realpath(self._folder), f"{JOBS}/{job.id}") as folder,
            new_file(folder, PREPARED) as mark,
        ):
            mark.write(str(job.attempt).encode())

    def check(self, session: Session, project: Project, inputs: Mapping[str, str], image: str) -> None:
        """Raises LaunchError if jobs of a project would have no place for their outputs, may not read `inputs`, or have
        no such image.
        """
        self._images.check(image)
        self._source_resolver.storage_folder(session, project)
        self._inputs(session, project, inputs)

    def prepare(self, job: Job) -> None:
        """Creates the folder of TensorBoard logs, so that a TensorBoard can show it before the job has started.

        A disk that does not respond in time is not waited for, since the folder is created again at the start.
        """
        with contextlib.suppress(LightboardError, OSError):
            with self._database.read() as session:
                storage = self._storage(session, job)[1]
            self._create_folders(storage, [f"{job.output}/{TENSORBOARD_CHANNEL}"])

    def _create_folders(self, storage: str, paths: Sequence[str]) -> None:
        """Creates folders below a storage. Raises OSError, and LaunchError if its disk does not respond."""

        def create() -> None:
            for path in paths:
                create_folder(storage, path)
            let_others_pass(storage, self._folder)

        self._on_disk(storage, create)

    def _on_disk(self, path: str, work: Callable[[], T]) -> T:
        """The result of work on a disk. Raises LaunchError if the disk does not respond in time."""
        future = self._threads.submit(disk_of(path, mount_points()), work)
        try:
            return future.result(PATIENCE_SECS)
        except TimeoutError:
            future.cancel()
            raise unreachable(path) from None

    def _storage(self, session: Session, job: Job) -> tuple[Project, str]:
        """The project of a job, and the folder that has its outputs. Raises LaunchError."""
        project = projects.peek(session, job.project)
        if project is None:
            raise LaunchError("the project was deleted", reason=SOURCE_NOT_FOUND)
        return project, self._source_resolver.storage_folder(session, project)

    def delete_expired(self, now: float) -> None:
        """Deletes source code that was uploaded some time ago and no job uses."""
        with self._database.write() as session:
            source_code.delete_unused(session, now)
        self._source_archives.remove_unused(self._digests, now - source_code.KEEP_UNUSED_SECS)

    def _digests(self) -> set[str]:
        with self._database.read() as session:
            return set(source_code.digests(session))

    def remove(self, job: Job) -> None:
        """Deletes what the hub itself has stored for a job; its outputs are kept."""
        remove_tree(self._job_folder(job))

    def _job_folder(self, job: Job) -> Path:
        return self._folder / JOBS / job.id


def read_number(path: Path) -> int | None:
    """The number in a file, None if there is none."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def let_others_pass(storage: str, data_directory: Path) -> None:
    """Lets other users read the names in a storage, and the outputs that they own, if the hub runs as root.

    Its jobs are such users then. Of the hub's own storages only they see anything, because the folder above is private.
    Raises OSError.
    """
    if os.getuid():
        return
    own = Path(storage).is_relative_to(os.path.realpath(data_directory))
    for path in ("", OUTPUT_FOLDER) if own else (OUTPUT_FOLDER,):
        with new_folder(storage, path) as folder:
            os.fchmod(folder, 0o755)
