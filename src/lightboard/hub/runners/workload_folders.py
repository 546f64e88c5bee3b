"""The folders of workloads below one root: `<workload id>/<attempt>/<rank>/`, as in `replica_folder`."""

import functools
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from lightboard.hub.runners.replica_folder import ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.workload_handle import parse_handle

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
        attempt.parent.mkdir(exist_ok=True, mode=0o700)
        new = Path(tempfile.mkdtemp(dir=attempt.parent, prefix=".new-"))
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
