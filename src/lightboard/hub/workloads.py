"""What the runner gets to run a job: its command, its folders, and the variables that say where they are."""

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from sqlalchemy.orm import Session

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub.attempt_recorder import AttemptRecorder, SearchPath
from lightboard.hub.container_image import ContainerImage
from lightboard.hub.data_directory import JOBS
from lightboard.hub.db import access_checks, accounts, jobs, project_secrets, projects, source_code
from lightboard.hub.db.engine import Database
from lightboard.hub.disk_threads import DiskThreads
from lightboard.hub.images import NOT_FOUND, Images
from lightboard.hub.job_environment import (
    JobFolders,
    channels_of,
    http_variables,
    hyperparameters_json,
    job_variables,
    logs_below,
    replica_logs,
    replica_variables,
)
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.notebook_server import BOARD_PROGRAMS, CONFIGURATION, EXTRA, NAMES, PROGRAM, NotebookServers
from lightboard.hub.project_sharing import share_for_writing, share_output, share_reserved
from lightboard.hub.real_paths import disk_of, mount_points, unreachable
from lightboard.hub.resources.images import ImageState
from lightboard.hub.resources.jobs import RESERVED, Job, JobKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.resources.sources import source_of
from lightboard.hub.resources.volumes import HINT as TARGET_HINT
from lightboard.hub.resources.volumes import Volume, overlaps
from lightboard.hub.runners.base import SystemIdentity, VolumeMount, WorkloadSpec
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.secret_box import SecretBox
from lightboard.hub.source_archives import SourceArchives
from lightboard.hub.source_resolver import SourceResolver, is_inside
from lightboard.hub.virtual_environment import VirtualEnvironment
from lightboard.storage.new_folder import create_folder, create_public_way, new_file, new_folder
from lightboard.types import ACCESS_DENIED, SOURCE_NOT_FOUND

T = TypeVar("T")
EACH_DISK, MAX_THREADS = 2, 8
TIMEOUT_SECS = 2.0
CODE, CONFIG, HOME, TEMPORARY, HYPERPARAMETERS = "code", "config", "home", "tmp", "hyperparameters.json"
NOT_WRITABLE = "jobs cannot write there, only read it"
MAX_SECRET_BYTES = 1 << 20
"""Of all secrets of a job. Linux allows about twice as much for variables and arguments."""
NOTEBOOK_FOLDERS = (CONFIGURATION, NAMES)
"""Folders of the hub's own package that the server of a notebook reads, also in a container image."""
PREPARED = "prepared"
"""A file with the number of the attempt for which the folders are complete."""


class Workloads:
    """Builds the workload of the current attempt of a job. `folder` is the hub's data directory.

    `other_user`: jobs run as another user than the hub, as `RunnerCapabilities`. `job_user` gives that of a job, if its
    account has one of its own.
    """

    def __init__(
        self,
        database: Database,
        source_resolver: SourceResolver,
        source_archives: SourceArchives,
        images: Images,
        notebooks: NotebookServers,
        recorder: AttemptRecorder,
        own_access: Callable[[Job], dict[str, str]],
        secret_box: SecretBox,
        folder: Path,
        *,
        other_user: bool,
        job_user: Callable[[Job], SystemIdentity] | None = None,
    ) -> None:
        self._database = database
        self._source_resolver = source_resolver
        self._source_archives = source_archives
        self._images = images
        self._notebooks = notebooks
        self._recorder = recorder
        self._own_access = own_access
        self._secret_box = secret_box
        self._folder = folder
        self._other_user = other_user
        self._job_user = job_user
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
            cpus=job.cpus,
            gpus=job.gpus if job.preset else None,
        )

    def complete(self, job: Job) -> WorkloadSpec:
        """The workload to submit, with folders and source code in place. Records what it starts with.

        Raises LaunchError if they cannot be created, Unreachable if their disk does not respond in time.
        """
        environment = self._images.environment(job.image, job.image_digest)
        is_notebook = job.kind is JobKind.NOTEBOOK
        if is_notebook:
            check_notebook(job.image, environment)
        with self._database.read() as session:
            project, storage = self._storage(session, job)
            roots = self._source_resolver.roots_of(session, job.project)
            inputs = self._inputs(session, project, job.inputs)
            logs = self._logs(session, project, job)
            volumes = self._volumes(session, project, job.volumes)
            complete = replace(job, environment={**job.environment, **self.secret_values(session, job)})
        outline, own = self.outline(job), self._job_folder(job)
        folders = JobFolders(
            PurePosixPath(storage, job.output),
            PurePosixPath(storage, logs),
            inputs,
            outline.working_dir,
            str(own / CONFIG),
        )
        home = str(own / HOME)
        user = self._job_user(job) if self._job_user else None
        shared = [*([logs] if are_shared(job, logs) else []), *writable_folders(volumes, storage)]
        self._check_present(storage, job, inputs, volumes)
        try:
            self._prepare_own(job, user)
            self._create_folders(storage, folders_of(job, logs), shared, user)
        except OSError as error:
            raise LaunchError(
                f"the folder {error.filename or ''} of the job cannot be created: {error.strerror or error}",
                reason=START_FAILED,
                hint="a link in its place is not followed: remove it, or check the storage of the project",
            ) from None
        search_path = os.environ.get("PATH", os.defpath)
        variables = {
            **environment.variables(search_path),
            **self._own_access(job),
            **job_variables(complete, folders, project.name),
        }
        server, for_boards = self._notebooks.base_path(job), board_programs(environment)
        spec = replace(
            outline,
            command=self._notebooks.command(job, environment.python, str(folders.output), for_boards)
            if is_notebook
            else job.command,
            environment={
                **variables,
                **(self._notebooks.variables(job, home, for_boards, variables) if is_notebook else {}),
            },
            replica_environments=tuple(
                {**replica_variables(complete, folders.logs, rank), **http_variables(complete, server, rank)}
                for rank in range(job.replicas)
            ),
            readable=(storage, *roots, *environment.readable, *(NOTEBOOK_FOLDERS if is_notebook else ())),
            writable=(
                str(folders.output),
                *([] if is_notebook else [str(folders.logs)]),
                folders.code,
                folders.config,
                home,
            ),
            appendable=(str(folders.logs),) if is_notebook else (),
            volumes=tuple(volumes),
            fixed=is_notebook,  # the paths in its command are those of the hub
            hidden=self._source_resolver.hidden_paths,
            home=home,
            root=environment.root,
            temporary=str(own / TEMPORARY),
            user=user,
        )
        own_path = spec.environment.get("PATH", search_path)
        programs = (
            environment
            if isinstance(environment, ContainerImage)
            else SearchPath.of(own_path, search_path, environment.folder)
        )
        self._recorder.record(job, spec.command, programs, self._places((storage, *roots), inputs, volumes))
        return spec

    def input_places(self, session: Session, job: Job) -> dict[str, SourceSpec]:
        """Where the inputs of a job are now whose contents are recorded, by name, and its volumes by path.

        Without those that it may not read any more. May take as long as their disks do. Raises LaunchError.
        """
        project, storage = self._storage(session, job)
        inputs: dict[str, str] = {}
        volumes: list[VolumeMount] = []
        for name, text in job.inputs.items():
            with contextlib.suppress(LaunchError):
                inputs |= self._inputs(session, project, {name: text})
        for volume in job.volumes:
            with contextlib.suppress(LaunchError):
                volumes += self._volumes(session, project, [volume])
        return self._places((storage, *self._source_resolver.roots_of(session, job.project)), inputs, volumes)

    def _places(
        self, roots: tuple[str, ...], inputs: Mapping[str, str], volumes: Iterable[VolumeMount]
    ) -> dict[str, SourceSpec]:
        """Inputs and volumes as the job sees them, except for volumes that it changes itself."""
        paths = {**inputs, **{volume.target: volume.source for volume in volumes if not volume.writable}}
        refused = self._source_resolver.hidden_paths
        return {name: SourceSpec(url=path, roots=roots, refused=refused) for name, path in paths.items()}

    def secret_values(self, session: Session, job: Job) -> dict[str, str]:
        """The values of the secrets of a job, by variable.

        Raises LaunchError if a secret is gone or unreadable, or the owner of the job may not use it any more: whoever
        has left the project must not get values that it has had since.
        """
        if not job.secrets:
            return {}
        owner = accounts.get_unchecked(session, job.owner)
        place = access_checks.Resource(job.project)
        if owner is None or not access_checks.has_right(
            session, accounts.principal_of(session, owner), "jobs.create", place
        ):
            raise LaunchError(
                "the owner of this job may not use the secrets of the project any more",
                reason=ACCESS_DENIED,
                hint="somebody who may run jobs in the project can run it again as their own",
            )
        values = {}
        for variable, name in job.secrets.items():
            try:
                values[variable] = project_secrets.value_of(session, self._secret_box, job.project, name)
            except LaunchError as error:
                raise LaunchError(
                    f"the variable {variable}: {error.message}", reason=error.reason, hint=error.hint
                ) from None
        if sum(len(value.encode()) for value in values.values()) > MAX_SECRET_BYTES:
            raise LaunchError(
                f"the secrets of the job have together more than {MAX_SECRET_BYTES:,} bytes",
                reason=START_FAILED,
                hint="the variables of a program are limited; put large data into the storage of the project",
            )
        return values

    def _inputs(self, session: Session, project: Project, inputs: Mapping[str, str]) -> dict[str, str]:
        """The paths of inputs by name. Raises LaunchError."""
        found = {}
        for name, text in inputs.items():
            try:
                found[name] = self._source_resolver.input_path(session, project, source_of(text))
            except LaunchError as error:
                raise LaunchError(f"the input {name}: {error.message}", reason=error.reason, hint=error.hint) from None
        return found

    def _volumes(self, session: Session, project: Project, volumes: Iterable[Volume]) -> list[VolumeMount]:
        """The volumes with their real paths. Raises LaunchError."""
        found = []
        for volume in volumes:
            try:
                found.append(self._volume(session, project, volume))
            except LaunchError as error:
                message = f"the volume {volume.target}: {error.message}"
                raise LaunchError(message, reason=error.reason, hint=error.hint) from None
        return found

    def _volume(self, session: Session, project: Project, volume: Volume) -> VolumeMount:
        """A volume with its real path. Raises LaunchError for one that may not be read or written, or that would show a
        file of the hub which is hidden elsewhere, and for a target that the job sees already.
        """
        resolver, source = self._source_resolver, source_of(volume.source)
        storage = resolver.storage_folder(session, project)
        if volume.read_only:
            real = resolver.input_path(session, project, source)
        else:
            real = os.path.join(storage, resolver.writable_path(session, project, source, NOT_WRITABLE))
        seen = (storage, *resolver.roots_of(session, project.id))
        check_target(volume.target, seen)
        check_hidden(real, resolver.hidden_paths, storage)
        return VolumeMount(real, volume.target, writable=not volume.read_only)

    def _logs(self, session: Session, project: Project, job: Job) -> str:
        """The path of the TensorBoard logs, relative to the storage of the project. Raises LaunchError."""
        if not job.log_dir:
            return f"{job.output}/{job.log_channel}"
        try:
            return logs_below(job, self._source_resolver.log_path(session, project, source_of(job.log_dir)))
        except LaunchError as error:
            raise LaunchError(f"the log path: {error.message}", reason=error.reason, hint=error.hint) from None

    def _check_present(self, storage: str, job: Job, inputs: Mapping[str, str], volumes: Sequence[VolumeMount]) -> None:
        """Raises LaunchError if data that a job reads does not exist."""
        read = [volume for volume in volumes if not volume.writable]
        absent = self._on_disk(storage, lambda: [each.target for each in read if not os.path.isdir(each.source)])
        if absent:
            source = next(volume.source for volume in job.volumes if volume.target == absent[0])
            raise LaunchError(
                f"the volume {absent[0]}: there is no folder {source}",
                reason=SOURCE_NOT_FOUND,
                hint="put the data there, and restart the job",
            )
        missing = self._on_disk(storage, lambda: [name for name, path in inputs.items() if not os.path.exists(path)])
        if missing:
            name = missing[0]
            raise LaunchError(
                f"the input {name}, {job.inputs[name]}, does not exist",
                reason=SOURCE_NOT_FOUND,
                hint="put the data there, and restart the job",
            )

    def _unpack(self, job: Job, user: SystemIdentity | None) -> None:
        """Writes the source code of a job to where its command starts, for its user. Raises LaunchError."""
        if not job.source_code:
            return
        try:
            owner = None if user is None else (user.id, user.group)
            self._source_archives.unpack(
                job.source_code, os.path.realpath(self._folder), f"{JOBS}/{job.id}/{CODE}", owner
            )
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

    def _prepare_own(self, job: Job, user: SystemIdentity | None) -> None:
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
        self._unpack(job, user)
        with (
            new_folder(os.path.realpath(self._folder), f"{JOBS}/{job.id}") as folder,
            new_file(folder, PREPARED) as mark,
        ):
            mark.write(str(job.attempt).encode())

    def check(self, session: Session, project: Project, job: Job) -> None:
        """Raises LaunchError if a new job of a project would have no place for its outputs, may not read its inputs, or
        cannot have its image. Whether an image that is being built has JupyterLab turns out at the start.
        """
        self._images.check(job.image)
        is_there = not job.image or self._images.state(job.image) is ImageState.READY
        if job.kind is JobKind.NOTEBOOK and is_there:
            check_notebook(job.image, self._images.environment(job.image))
        self._source_resolver.storage_folder(session, project)
        self._inputs(session, project, job.inputs)
        self._logs(session, project, job)
        self._volumes(session, project, job.volumes)

    def prepare(self, job: Job) -> None:
        """Creates the folder of TensorBoard logs, so that a TensorBoard can show it before the job has started.

        A disk that does not respond in time is not waited for, since the folder is created again at the start.
        """
        with contextlib.suppress(LightboardError, OSError):
            with self._database.read() as session:
                project, storage = self._storage(session, job)
                logs = self._logs(session, project, job)
            user = self._job_user(job) if self._job_user else None
            is_shared = are_shared(job, logs)
            self._create_folders(storage, [] if is_shared else [logs], [logs] if is_shared else [], user)

    def log_folder(self, job: Job) -> str:
        """The real path of the folder of TensorBoard logs, which need not exist. May take as long as its disk does.

        Raises LaunchError.
        """
        with self._database.read() as session:
            project, storage = self._storage(session, job)
            return os.path.join(storage, self._logs(session, project, job))

    def _create_folders(
        self, storage: str, outputs: Sequence[str], shared: Sequence[str], user: SystemIdentity | None
    ) -> None:
        """Creates folders below a storage: those of a job, and those that others write to as well.

        Raises OSError, and LaunchError if somebody else has files there, or the disk does not respond.
        """

        def create() -> None:
            names = {path.partition("/")[0] for path in outputs} & RESERVED
            own = [""] if Path(storage).is_relative_to(os.path.realpath(self._folder)) else []
            if user is not None:
                share_reserved(storage, [*own, *names], user.group)
            for path in (*outputs, *shared):
                if self._other_user:
                    create_public_way(storage, path)
                create_folder(storage, path)
                if user is not None and path in shared:
                    share_for_writing(storage, path, user.group)
                elif user is not None:
                    share_output(storage, path, user)
            if self._other_user and user is None:
                allow_reading_outputs(storage, [*own, *names])

        self._on_disk(storage, create)

    def _on_disk(self, path: str, work: Callable[[], T]) -> T:
        """The result of work on a disk. Raises LaunchError if the disk does not respond in time."""
        future = self._threads.submit(disk_of(path, mount_points()), work)
        try:
            return future.result(TIMEOUT_SECS)
        except TimeoutError:
            future.cancel()
            raise unreachable(path) from None

    def _storage(self, session: Session, job: Job) -> tuple[Project, str]:
        """The project of a job, and the folder that has its outputs. Raises LaunchError."""
        project = projects.get_unchecked(session, job.project)
        if project is None:
            raise LaunchError("the project was deleted", reason=SOURCE_NOT_FOUND)
        return project, self._source_resolver.storage_folder(session, project)

    def delete_expired(self, now: float) -> None:
        """Deletes source code that was uploaded some time ago, and environments, that no job uses."""
        with self._database.write() as session:
            source_code.delete_unused(session, now)
        self._images.builder.remove_unused(self.used_images())
        self._source_archives.remove_unused(self._digests, now - source_code.KEEP_UNUSED_SECS)

    def used_images(self) -> set[str]:
        """The digests of the images that jobs use, or wait for."""
        with self._database.read() as session:
            waiting = {self._images.digest(name) for name in jobs.images_of_waiting(session)}
            return {*jobs.image_digests(session), *waiting}

    def _digests(self) -> set[str]:
        with self._database.read() as session:
            return set(source_code.digests(session))

    def close(self) -> None:
        """Gives up what is still being recorded."""
        self._recorder.close()

    def remove(self, job: Job) -> None:
        """Deletes what the hub itself has stored for a job; its outputs are kept."""
        remove_tree(self._job_folder(job))

    def _job_folder(self, job: Job) -> Path:
        return self._folder / JOBS / job.id


def check_notebook(image: str, environment: VirtualEnvironment | ContainerImage) -> None:
    """Raises LaunchError if the environment of an image, or that of the hub for "", has no JupyterLab."""
    if not environment.has(PROGRAM):
        raise LaunchError(
            f"JupyterLab is not installed in the image {image}" if image else "this hub has no JupyterLab",
            reason=NOT_FOUND,
            hint=f"an administrator can install it: pip install {'jupyterlab' if image else repr(EXTRA)}",
        )


def board_programs(environment: VirtualEnvironment | ContainerImage) -> dict[str, str]:
    """The paths of those of the `BOARD_PROGRAMS` that are installed, by package."""
    found = {package: environment.find(program) for package, program in BOARD_PROGRAMS.items()}
    return {package: path for package, path in found.items() if path}


def folders_of(job: Job, logs: str) -> list[str]:
    """The folders in the storage of the project that exist before the command of a job starts."""
    replicas = [f"{logs}/{replica_logs(job, rank)}".rstrip("/") for rank in range(job.replicas)]
    return [job.output, *(f"{job.output}/{channel}" for channel in channels_of(job)), *replicas]


def are_shared(job: Job, logs: str) -> bool:
    """Whether a job logs to a folder that is not its own, as a notebook may. The path is that in the storage."""
    return job.kind is JobKind.NOTEBOOK and not PurePosixPath(logs).is_relative_to(job.output)


def writable_folders(volumes: Iterable[VolumeMount], storage: str) -> list[str]:
    """The folders in the storage of the project that a job may write to because they are volumes."""
    return [os.path.relpath(volume.source, storage) for volume in volumes if volume.writable]


def check_target(target: str, seen: Iterable[str]) -> None:
    """Raises LaunchError if a volume would be at or below the real path of something that every job sees, or above."""
    if taken := [path for path in seen if overlaps(path, target)]:
        raise LaunchError(f"jobs of this project see {taken[0]} already", reason=START_FAILED, hint=TARGET_HINT)


def check_hidden(path: str, hidden: Iterable[str], storage: str) -> None:
    """Raises LaunchError if a folder has something, or is in something, that jobs must not see.

    The storage of a project may be in the data directory of the hub, of which they see nothing else.
    """
    for each in hidden:
        if is_inside(each, path) or (is_inside(path, each) and not is_inside(path, storage)):
            raise LaunchError(
                "it has files of the hub that jobs must not see", reason=ACCESS_DENIED, hint="choose a folder in it"
            )


def read_number(path: Path) -> int | None:
    """The number in a file, None if there is none."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def allow_reading_outputs(storage: str, paths: Iterable[str]) -> None:
    """Lets other users read the names in folders of a storage, and the outputs there that they own.

    Of the hub's own storages only jobs see anything, because the folder above is private. Raises OSError.
    """
    for path in paths:
        with new_folder(storage, path) as folder:
            os.fchmod(folder, 0o755)
