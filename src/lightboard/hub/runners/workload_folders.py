"""The folders of workloads below one root: `<workload id>/<attempt>/<rank>/`, as in `replica_folder`."""

import functools
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.replica_folder import STOP_SUFFIX, ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.workload_handle import parse_handle

KEEP_SECS = 86_400.0
"""How long a request to stop is kept for a workload that has been deleted: longer than any submission takes."""
NEW = ".new-"
"""What the names of folders begin with that are being prepared."""
REMEMBERED = 4_096
"""Handles, more than there are workloads that run."""


class WorkloadFolders:
    """The folders below `root`, which only the user of the hub can read."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._root = root
        self._found = functools.lru_cache(REMEMBERED)(self._find)  # each pass of the hub asks for all that run

    def attempt(self, id: str, attempt: int) -> Path:
        """The folder of one workload, which may not exist."""
        return self._root / id / str(attempt)

    def of(self, handle: str) -> tuple[ReplicaFolder, ...]:
        """The folders of all replicas, by rank, which may not exist; none if the handle is invalid."""
        return self._found(handle)

    def _find(self, handle: str) -> tuple[ReplicaFolder, ...]:
        parsed = parse_handle(handle)
        if parsed is None:
            return ()
        attempt = self.attempt(parsed.id, parsed.attempt)
        return tuple(ReplicaFolder(attempt / str(rank)) for rank in range(parsed.replicas))

    def prepare(self, id: str, number: int, replicas: Callable[[], Iterable[ReplicaSpec]]) -> None:
        """Creates the folders of all replicas in one step, unless they exist.

        Raises OSError, and what `replicas` raises.
        """
        attempt = self.attempt(id, number)
        if attempt.exists():
            return
        try:
            new = new_folder_in(attempt.parent)
        except FileNotFoundError:  # deleted meanwhile, because it was empty
            new = new_folder_in(attempt.parent)
        try:
            for rank, replica in enumerate(replicas()):
                ReplicaFolder(new / str(rank)).write_spec(replica)
            with suppress(FileExistsError):
                new.rename(attempt)
        except OSError:
            if not attempt.exists():  # prepared by another thread or hub
                raise
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def delete_empty(self, before: float) -> None:
        """Deletes the folders of ids that have no attempt any more, and in which nothing has changed since `before`.

        One that cannot be deleted does not keep others from it.
        """
        for folder in [entry for entry in self._root.iterdir() if entry.is_dir()]:
            with suppress(OSError):
                entries = list(folder.iterdir())
                if folder.stat().st_mtime < before and all(map(is_beside_attempts, entries)):
                    for entry in entries:
                        remove_tree(entry)
                    folder.rmdir()


def new_folder_in(parent: Path) -> Path:
    """A new folder for an attempt that is being prepared, in that of its id."""
    parent.mkdir(exist_ok=True, mode=0o700)
    return Path(tempfile.mkdtemp(dir=parent, prefix=NEW))


def is_beside_attempts(entry: Path) -> bool:
    """Whether something in the folder of an id is a request to stop, or was left by a hub that was killed."""
    return entry.suffix == STOP_SUFFIX or entry.name.startswith(NEW)
