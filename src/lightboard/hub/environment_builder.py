"""Builds the environments of images in the background, one at a time, and removes those that nobody uses.

Each is in a folder with its digest as name, and is built there once.
"""

import contextlib
import logging
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lightboard.config import DEFAULT_CONTAINER_IMAGES_BYTES
from lightboard.hub.container_reference import ContainerReference
from lightboard.hub.environment_folder import GRANTED, NEEDED, NO_ROOM_CODE, REFUSED, EnvironmentFolder
from lightboard.hub.requirements_list import RequirementsList
from lightboard.hub.resources.images import ImageState
from lightboard.hub.runners import process_tree
from lightboard.memory_sizes import memory_text

LIMIT_SECS = 2 * 3600.0
KEEP_REQUESTED, KEEP_SECS = 10, 24 * 3600.0
"""How many requested environments are kept although nothing uses them, and for how long after the last request."""
UNSTORED_SECS = 60.0
"""One that was requested more recently makes no room for others, since its job may not be stored yet."""
MODULE = "lightboard.hub.environment_build"
MARK = "LIGHTBOARD_BUILD"
"""The variable by which the processes of an earlier build are found, if it was killed together with the hub."""

log = logging.getLogger(__name__)


class EnvironmentBuilder:
    """Builds environments from `sources` (by digest) below `folder`, and calls `on_change` whenever the state of one
    has changed. Those that are requested may take `limit_bytes` of disk together.

    Nothing is built before `start`. Thread-safe.
    """

    def __init__(
        self,
        folder: Path,
        sources: Mapping[str, RequirementsList | ContainerReference],
        on_change: Callable[[], None] = lambda: None,
        limit_secs: float = LIMIT_SECS,
        clock: Callable[[], float] = time.monotonic,
        limit_bytes: int = DEFAULT_CONTAINER_IMAGES_BYTES,
    ) -> None:
        self._folder = Path(os.path.realpath(folder))
        self._sources = dict(sources)
        self._first = frozenset(sources)
        self._requested: dict[str, float] = {}
        self._removed: set[str] = set()
        self._used: Callable[[], Iterable[str]] | None = None
        self._clock = clock
        self._started = False
        self._refusal = ""
        self._on_change = on_change
        self._limit_secs = limit_secs
        self._limit_bytes = limit_bytes
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="environments")
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._failures: dict[str, str] = {}
        self._ready = {digest for digest in sources if self.folder(digest).read() is not None}

    def folder(self, digest: str) -> EnvironmentFolder:
        """The folder of an environment, whether or not it exists."""
        return EnvironmentFolder(self._folder / digest)

    def state(self, digest: str) -> ImageState:
        """The state of one of the environments."""
        if digest in self._failures:
            return ImageState.FAILED
        return ImageState.READY if digest in self._ready else ImageState.BUILDING

    def failure(self, digest: str) -> str:
        """Why the last build of an environment failed, for people; "" if it has not."""
        return self._failures.get(digest, "")

    def start(self) -> None:
        """Builds all that are not there, in the background."""
        with self._lock:
            self._started = True
            missing = [digest for digest in self._sources if self.state(digest) is ImageState.BUILDING]
        for digest in missing:
            self._pool.submit(self._build, digest)

    def has(self, digest: str) -> bool:
        """Whether an environment is built here, or will be."""
        return digest in self._sources

    def request(self, digest: str, source: ContainerReference | RequirementsList) -> None:
        """Builds one in the background that is not of the first ones, unless it is there.

        It is kept for as long as it is used, and those that were requested last for `KEEP_SECS`.
        """
        with self._lock:
            if digest in self._first:
                return
            self._requested[digest] = self._clock()
            if digest in self._sources or self._closed:
                return
            self._sources[digest] = source
            if self._refusal and isinstance(source, ContainerReference):
                self._failures[digest] = self._refusal
            elif digest not in self._removed and self.folder(digest).read() is not None:
                self._ready.add(digest)  # as it was when the hub was started again
            elif self._started:
                self._pool.submit(self._build, digest)

    def rebuild(self, digest: str) -> bool:
        """Builds one again whose build has failed; False if it has not, or would not be built."""
        with self._lock:
            if self._refusal and isinstance(self._sources.get(digest), ContainerReference):
                return False
            if self._failures.pop(digest, None) is None:
                return False
        self._on_change()
        self._pool.submit(self._build, digest)
        return True

    def fail(self, message: str) -> None:
        """Says of all that are not ready that they will not be built."""
        self._refusal = message
        self._failures |= dict.fromkeys(self._sources.keys() - self._ready, message)

    def fail_containers(self, message: str) -> None:
        """Says of all container images that jobs cannot have them."""
        self._refusal = self._refusal or message
        containers = (digest for digest, source in self._sources.items() if isinstance(source, ContainerReference))
        self._failures |= dict.fromkeys(containers, message)

    def remove_when_full(self, used: Callable[[], Iterable[str]]) -> None:
        """From now on, those that jobs do not use make room for others, the one requested first before all.

        `used` are the digests that jobs use; it may raise.
        """
        self._used = used

    def remove_unused(self, used: Iterable[str]) -> None:
        """Removes all but the first ones, those of these digests and those requested last, in the background."""
        used = {*used}
        with self._lock:
            latest = sorted(self._requested, key=self._requested.__getitem__, reverse=True)[:KEEP_REQUESTED]
            since = self._clock() - KEEP_SECS
            used.update(digest for digest in latest if self._requested[digest] >= since)
            for digest in [digest for digest in self._requested if digest not in used]:
                self._forget(digest)
            kept = {*used, *self._sources}
        self._pool.submit(self._remove_all_but, kept)

    def close(self) -> None:
        """Ends a build in progress, which starts again with the next hub."""
        with self._lock:
            self._closed = True
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _build(self, digest: str) -> None:
        folder, source = self.folder(digest), self._sources.get(digest)
        if source is None:  # it was removed meanwhile
            return
        log.info("building the environment %s", folder.path)
        try:
            failure = self._run(folder, source)
        except OSError as error:
            failure = f"{error.filename or folder.path}: {error.strerror or error}"
        except Exception as error:  # jobs must not wait for ever
            log.exception("building the environment %s failed", folder.path)
            failure = str(error)
        if self._closed:
            return
        with self._lock:
            if failure:
                self._failures[digest] = failure
            elif digest in self._sources:  # else nothing uses it any more
                self._ready.add(digest)
                self._removed.discard(digest)
        if failure:
            log.warning("the environment %s could not be built: %s", folder.path, failure)
        self._on_change()

    def _run(self, folder: EnvironmentFolder, source: RequirementsList | ContainerReference) -> str:
        """Why a build failed, "" if it did not. Raises OSError."""
        mark = f"{MARK}={folder.path}"
        process_tree.kill(process_tree.with_variable(mark))
        folder.prepare(source)
        room_bytes = None if folder.path.name in self._first else self._room_bytes()
        if room_bytes is not None and room_bytes <= 0:
            return no_room(self._limit_bytes)
        with self._lock:
            if self._closed:
                return "the hub has ended"
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                (sys.executable, "-m", MODULE, str(folder.path), str(self._limit_secs), *room(room_bytes)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=True,  # Ctrl-C must only reach the hub
                env={**environment(), MARK: str(folder.path)},
            )
        process = self._process
        assert process.stdout is not None
        printed = ""
        with process.stdout, contextlib.suppress(OSError):
            for line in process.stdout:
                if line.startswith(NEEDED):
                    self._answer(process, self._make_room(int(line.removeprefix(NEEDED))))
                else:
                    printed += line
        printed = printed.strip()
        code = process.wait()
        with self._lock, contextlib.suppress(OSError):
            self._process = None
            assert process.stdin is not None
            process.stdin.close()
        if folder.read() is not None:
            return ""
        if code == NO_ROOM_CODE:
            return f"{printed}; {no_room(self._limit_bytes)}"
        return printed or f"the process that built it has ended with code {code}"

    def _answer(self, process: subprocess.Popen[str], has_room: bool) -> None:
        """Tells a build that waits for room whether there is enough. It has ended if it cannot be told."""
        assert process.stdin is not None
        with self._lock, contextlib.suppress(OSError, ValueError):
            process.stdin.write(f"{GRANTED if has_room else REFUSED}\n")
            process.stdin.flush()

    def _sizes(self) -> dict[str, int]:
        """The sizes of all complete environments that were requested, also before this hub was started.

        In the order in which they make room for others.
        """
        built = {path.name: self.folder(path.name).read() for path in self._folder.iterdir()}
        found = {digest: each for digest, each in built.items() if each is not None and digest not in self._first}
        with self._lock:
            requested = {digest: self._requested.get(digest, -math.inf) for digest in found}
        in_order = sorted(found, key=lambda digest: (requested[digest], found[digest].built_at))
        return {digest: found[digest].size_bytes for digest in in_order}

    def _room_bytes(self) -> int:
        """How much a further one may take, without those that can be removed for it."""
        sizes = self._sizes()
        removable = self._removable(sizes)
        return self._limit_bytes - sum(size for digest, size in sizes.items() if digest not in removable)

    def _removable(self, digests: Iterable[str]) -> list[str]:
        """Those of them that no job uses. The job that has just requested one may not be stored yet."""
        if self._used is None:
            return []
        since = self._clock() - UNSTORED_SECS  # before the jobs are read
        used = {*self._used()}
        with self._lock:
            return [each for each in digests if each not in used and self._requested.get(each, -math.inf) < since]

    def _make_room(self, size_bytes: int) -> bool:
        """Removes unused ones until one of this size fits; False if it does not."""
        try:
            sizes = self._sizes()
            free = self._limit_bytes - sum(sizes.values())
            for digest in self._removable(sizes):
                if free >= size_bytes:
                    break
                log.info("removing the environment %s to make room", self.folder(digest).path)
                with self._lock:
                    self._forget(digest)
                if self._drop(digest):
                    self.folder(digest).remove()
                    free += sizes[digest]
        except Exception:  # the build waits for an answer
            log.exception("cannot make room for an environment")
            return False
        return free >= size_bytes

    def _forget(self, digest: str) -> None:
        """Removes all that is known of one that was requested. The lock is held."""
        for known in (self._requested, self._sources, self._failures):
            known.pop(digest, None)
        self._ready.discard(digest)

    def _drop(self, digest: str) -> bool:
        """Says of an environment that it is gone; False if it has been requested in the meantime."""
        with self._lock:
            if digest in self._sources:
                return False
            self._removed.add(digest)
            self._ready.discard(digest)
            return True

    def _remove_all_but(self, kept: set[str]) -> None:
        try:
            for path in self._folder.iterdir():
                if path.name not in kept and not self._closed and self._drop(path.name):
                    log.info("removing the environment %s, which nothing uses", path)
                    EnvironmentFolder(path).remove()
        except OSError as error:  # repeated later
            log.warning("an environment could not be removed: %s", error)


def room(size_bytes: int | None) -> tuple[str, ...]:
    """The arguments of a build that may take so much disk, None for any."""
    return () if size_bytes is None else (str(size_bytes),)


def no_room(limit_bytes: int) -> str:
    """That the environments which were requested take all the disk that they may, for people."""
    return (
        f"the container images that accounts have named may take {memory_text(limit_bytes)} of disk together; "
        "those of jobs that have ended are removed when room is needed, "
        "and an administrator can allow more: lightboard hub --container-images-size SIZE"
    )


def environment() -> dict[str, str]:
    """The variables of a build: without the settings of the hub, which may be secret."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
