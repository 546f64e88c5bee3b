"""Summarizes what is in the inputs of jobs by names, sizes and times of files, without reading any file."""

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from lightboard.errors import LightboardError, OutsideRoot
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.resources.attempts import Contents, ContentsProblem
from lightboard.storage.base import GONE_ERRORS, Folder, ObjectInfo, Storage
from lightboard.storage.urls import Confinement, open_storage

PAUSE_EVERY = 256
"""Files, which take 3 ms: a thread that waits for the interpreter gets it by force after 5."""
PAUSE_SECS = 0.0005


@dataclass(frozen=True)
class ContentsLimits:
    """How many files, and how many folders, are listed, and for how long."""

    files: int = 100_000
    secs: float = 10.0


LIMITS = ContentsLimits()


def never() -> bool:
    """Whether to give up, for what is never cancelled."""
    return False


class _LimitError(Exception):
    """The contents cannot be summarized."""

    def __init__(self, problem: ContentsProblem) -> None:
        self.problem = problem


def contents_of(
    spec: SourceSpec, limits: ContentsLimits = LIMITS, is_cancelled: Callable[[], bool] = never
) -> Contents | None:
    """What is at a source now; None if it was cancelled. Folders are read below the roots of the source alone."""
    try:
        storage = open_storage(spec.url, spec.options, confinement=Confinement(spec.roots, spec.refused))
        return ContentsReader(storage, limits, is_cancelled).read()
    except (OSError, LightboardError):
        return Contents(problem=ContentsProblem.UNREADABLE)


class ContentsReader:
    """Lists all files of a storage once. Its time limit starts now."""

    def __init__(
        self,
        storage: Storage,
        limits: ContentsLimits = LIMITS,
        is_cancelled: Callable[[], bool] = never,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._storage = storage
        self._limits = limits
        self._is_cancelled = is_cancelled
        self._clock = clock
        self._end = clock() + limits.secs
        self._seen = self._folders = 0
        self._missing = self._cancelled = False

    def read(self) -> Contents | None:
        """The contents; None if it was cancelled. Raises OSError."""
        try:
            files, links_skipped = self._files()
        except _LimitError as error:
            if self._cancelled:
                return None
            limit = self._limits.files if error.problem is ContentsProblem.TOO_MANY_FILES else 0
            return Contents(problem=error.problem, files=limit)
        if self._missing:
            return self._file()
        return Contents(
            files=len(files),
            size_bytes=sum(file.size for file in files),
            digest=digest_of(files),
            links_skipped=links_skipped,
        )

    def _file(self) -> Contents:
        """The contents of a source that is no folder, but may be a file."""
        try:
            file = self._storage.stat("")
        except GONE_ERRORS:
            return Contents(problem=ContentsProblem.MISSING)
        return Contents(files=1, size_bytes=file.size, digest=digest_of([file]))

    def _files(self) -> tuple[list[ObjectInfo], int]:
        found: list[ObjectInfo] = []
        links_skipped = 0
        for folder in self._storage.walk(select=self._count, on_error=self._on_error):
            self._count_folder(folder)
            found += folder.files
            links_skipped += folder.skipped
        return found, links_skipped

    def _count_folder(self, folder: Folder) -> None:
        self._folders += len(folder.folders)
        self._check()

    def _count(self, _name: str) -> bool:
        """Called for each file. Pauses now and then, so that the interpreter is free for other threads at once."""
        self._seen += 1
        if self._seen % PAUSE_EVERY == 0:
            time.sleep(PAUSE_SECS)
            self._check()
        elif self._seen > self._limits.files:
            self._check()
        return True

    def _check(self) -> None:
        """Raises _LimitError."""
        self._cancelled = self._is_cancelled()
        if self._cancelled or self._clock() >= self._end:
            raise _LimitError(ContentsProblem.TOO_SLOW)
        if max(self._seen, self._folders) > self._limits.files:
            raise _LimitError(ContentsProblem.TOO_MANY_FILES)

    def _on_error(self, path: str, error: OSError) -> None:
        """A file that has vanished meanwhile, or a link to nothing, is not there; others cannot be left out."""
        if not path and isinstance(error, GONE_ERRORS):
            self._missing = True
        elif not isinstance(error, (*GONE_ERRORS, OutsideRoot)):
            raise _LimitError(ContentsProblem.UNREADABLE)


def digest_of(files: list[ObjectInfo]) -> str:
    """The SHA-256 of names, sizes and times of change, in the order of the names."""
    found = hashlib.sha256()
    for path, file in sorted((os.fsencode(file.path), file) for file in files):
        found.update(b"%b\0%d\0%d\n" % (path, file.size, file.mtime_ns))
    return found.hexdigest()
