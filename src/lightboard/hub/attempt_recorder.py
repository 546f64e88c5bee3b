"""Records what each attempt of a job starts with, before it is started."""

import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

from sqlalchemy.orm import Session

from lightboard import __version__
from lightboard.hub.container_image import ContainerImage
from lightboard.hub.db import attempts, datasets
from lightboard.hub.db.engine import Database
from lightboard.hub.disk_threads import DiskThreads
from lightboard.hub.input_contents import LIMITS, contents_of
from lightboard.hub.installed_packages import (
    PythonEnvironment,
    environment_folder,
    package_folders,
    read_environment,
)
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.real_paths import disk_of, mount_points
from lightboard.hub.resources.attempts import Attempt, Contents, RecordedInput
from lightboard.hub.resources.datasets import DatasetKind
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.sources import SourceKind, source_of
from lightboard.lru_cache import LruCache

EACH_DISK, MAX_THREADS = 2, 4
TIMEOUT_SECS = 10.0
"""How long the start of a job may be delayed by a disk that does not respond. Its packages are not known then."""
CACHE_BYTES = 16_000_000
PACKAGE_BYTES = 200
"""About what a package takes in memory."""
CLOSE_SECS = 2.0
"""How long the end of the hub may be delayed by a disk that does not respond."""
INTERPRETERS = ("python", "python3")
_PYTHON = re.compile(r"python[0-9.]*")


@dataclass(frozen=True)
class SearchPath:
    """The PATH of a command, and the folders of programs that the administrator has chosen.

    Jobs choose other folders themselves. The hub does not look into these, since it can read more than a job can.
    """

    folders: tuple[str, ...]
    known: frozenset[str]

    @classmethod
    def of(cls, job: str, hub: str, image: str) -> Self:
        """That of a job, with the PATH of the hub and the folder of an image, "" for none.

        Jobs may also name the programs of the hub's own environment, which they can see.
        """
        known = {*hub.split(":"), f"{sys.prefix}/bin", *([f"{image}/bin"] if image else [])}
        return cls(tuple(filter(None, job.split(":"))), frozenset(filter(os.path.isabs, known)))

    def is_known(self, folder: str) -> bool:
        """Whether the hub may look into a folder."""
        return folder in self.known

    def find(self, *names: str) -> str:
        """The file of the first program with one of these names.

        "" if there is none, or if it may be in a folder that the hub does not look into.
        """
        for folder in self.folders:
            if not self.is_known(folder):
                return ""
            found = (shutil.which(name, path=folder) for name in names)
            if program := next(filter(None, found), ""):
                return program
        return ""


@dataclass(frozen=True)
class Programs:
    """What a command finds: the file of its program, "" if it is not known, and the environment of its interpreter."""

    program: str = ""
    environment: PythonEnvironment | None = None


class AttemptRecorder:
    """Stores an `Attempt` for each start. `clock` gives seconds since the epoch.

    Jobs do not wait until the contents of their inputs are known. These are added to the record then.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._threads = DiskThreads(EACH_DISK, MAX_THREADS)
        self._contents_threads = DiskThreads(EACH_DISK, MAX_THREADS)
        self._pending: set[Future[Contents | None]] = set()
        self._closing = threading.Event()
        self._adding = threading.Lock()
        self._environments: LruCache[PythonEnvironment] = LruCache(
            CACHE_BYTES, lambda found: PACKAGE_BYTES * (1 + len(found.packages))
        )

    def record(
        self,
        job: Job,
        command: Sequence[str],
        programs: SearchPath | ContainerImage,
        places: Mapping[str, SourceSpec],
    ) -> None:
        """Stores what the current attempt starts with. Its command is one of `programs`.

        `places` are where the inputs are whose contents are recorded.
        """
        listed = {name: self._list(place) for name, place in places.items()}
        found = self._programs(command, programs)
        known = {name: future.result() for name, future in listed.items() if future.done() and not future.cancelled()}
        environment = found.environment or PythonEnvironment()
        with self._database.write() as session:
            attempt = Attempt(
                job=job.id,
                attempt=job.attempt,
                at=self._clock(),
                program=found.program,
                python=environment.version,
                packages=attempts.put_packages(session, environment.packages) if found.environment else "",
                image_digest=job.image_digest,
                inputs={name: recorded_input(session, text, known.get(name)) for name, text in sources_of(job).items()},
                preset=job.preset,
                cpus=job.cpus,
                memory_bytes=job.memory_limit_bytes,
                gpus=job.gpus,
                hub_version=__version__,
            )
            attempts.put(session, attempt)
        for name, future in listed.items():
            if name not in known:
                future.add_done_callback(partial(self._add_contents, job, name))

    def _list(self, place: SourceSpec) -> "Future[Contents | None]":
        """The contents of an input, listed in another thread."""
        disk = disk_of(place.url, mount_points())
        end = time.monotonic() + LIMITS.secs  # also if it has to wait for a thread: later is not what was there

        def list_contents() -> Contents | None:
            left = replace(LIMITS, secs=end - time.monotonic())
            return contents_of(place, left, is_cancelled=self._closing.is_set)

        future = self._contents_threads.submit(disk, list_contents)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def _add_contents(self, job: Job, name: str, future: "Future[Contents | None]") -> None:
        contents = None if future.cancelled() else future.result()
        if contents is None:
            return
        with self._adding:
            if not self._closing.is_set():  # after that the database may be closed
                with self._database.write() as session:
                    attempts.put_contents(session, job.id, job.attempt, name, contents)

    def close(self) -> None:
        """Gives up listing contents: what is not recorded yet will not be."""
        self._closing.set()
        pending = list(self._pending)
        for future in pending:
            future.cancel()
        wait(pending, CLOSE_SECS)
        with self._adding:
            pass

    def _programs(self, command: Sequence[str], programs: SearchPath | ContainerImage) -> Programs:
        """What a command finds; nothing if the disk does not respond in time."""
        if isinstance(programs, ContainerImage):
            folder, find = programs.root, partial(self._find_in, programs, command)
        else:
            folder, find = next(iter(programs.folders), "/"), partial(self._find, programs, command)
        future = self._threads.submit(disk_of(folder, mount_points()), find)
        try:
            return future.result(TIMEOUT_SECS)
        except (TimeoutError, OSError):
            future.cancel()
            return Programs()

    def _find_in(self, image: ContainerImage, command: Sequence[str]) -> Programs:
        """What a command finds in a container image, which never changes."""
        program = command[0] if "/" in command[0] else image.find(command[0])
        return Programs(program, self._environments.get((image.root,), image.read))

    def _find(self, search_path: SearchPath, command: Sequence[str]) -> Programs:
        program = command[0] if "/" in command[0] else search_path.find(command[0])
        python = interpreter_of(program, search_path)
        folder = environment_folder(python) if python else None
        return Programs(program, self._environment(folder) if folder else None)

    def _environment(self, folder: Path) -> PythonEnvironment:
        """What is installed in an environment. It is read again once something was installed or removed."""
        times = [(str(each), os.stat(each).st_mtime_ns) for each in package_folders(folder)]
        return self._environments.get((str(folder), *times), lambda: read_environment(folder))


def interpreter_of(program: str, search_path: SearchPath) -> str:
    """The interpreter that a command uses: its program if it is one, else the first one in `search_path`.

    "" if it is not known. The packages of another one would be wrong.
    """
    if _PYTHON.fullmatch(os.path.basename(program)):
        return program if search_path.is_known(os.path.dirname(program)) else ""
    return search_path.find(*INTERPRETERS)


def sources_of(job: Job) -> dict[str, str]:
    """The sources of the inputs of a job by name, and those of its volumes by their paths."""
    return {**job.inputs, **{volume.target: volume.source for volume in job.volumes}}


def recorded_input(session: Session, text: str, contents: Contents | None) -> RecordedInput:
    """An input of a job with what its dataset is now, and what is in it if that is known."""
    source = source_of(text)
    dataset = datasets.get_unchecked(session, source.ref) if source.kind is SourceKind.DATASET else None
    if dataset is None:
        return RecordedInput(source=text, dataset=source.ref, contents=contents)
    uri = f"dataset:{dataset.uri}" if dataset.kind is DatasetKind.REFERENCE else dataset.uri
    return RecordedInput(
        source=text,
        dataset=dataset.id,
        name=dataset.name,
        version=dataset.version,
        uri=uri,
        contents=contents,
    )
