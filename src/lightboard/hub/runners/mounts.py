"""What a sandboxed workload sees of the file system, as the arguments of bubblewrap (bwrap(1)). Pure functions."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Mount:
    """A mount at `path`: `option` is the argument of bubblewrap, `source` its other operand, None if it has none.

    `mode` has the permissions of a new folder, "" for 0755.
    """

    option: str
    path: str
    source: str | None = None
    mode: str = ""

    @property
    def shows_files(self) -> bool:
        """Whether the files that the machine has at the path can be seen there."""
        return self.option in (READ_ONLY, READ_ONLY_IF_PRESENT, WRITABLE) and self.source == self.path

    def arguments(self) -> tuple[str, ...]:
        """The arguments of bubblewrap."""
        mode = ("--perms", self.mode) if self.mode else ()
        return (*mode, self.option, *(() if self.source is None else (self.source,)), self.path)


def below(root: str, mount: Mount) -> Mount:
    """The same mount in a folder."""
    return replace(mount, path=root + mount.path)


READ_ONLY, READ_ONLY_IF_PRESENT, WRITABLE = "--ro-bind", "--ro-bind-try", "--bind"
DEVICE_IF_PRESENT = "--dev-bind-try"


def read_only(path: str) -> Mount:
    """A folder or file of the machine that can be read."""
    return Mount(READ_ONLY, path, path)


def writable(path: str, source: str | None = None) -> Mount:
    """A folder of the machine that can be read and written; `source` if it has another path outside."""
    return Mount(WRITABLE, path, source or path)


def empty(path: str) -> Mount:
    """An empty folder instead of the one of the machine."""
    return Mount("--tmpfs", path)


def scratch(path: str) -> Mount:
    """An empty folder in memory that everybody can write to."""
    return Mount("--tmpfs", path, mode="1777")


def is_shown(path: str, mounts: Iterable[Mount]) -> bool:
    """Whether what the machine has at a real path can be seen there. Every mount is the last one at its path."""
    return _shows(_parts(path), {_parts(mount.path): mount for mount in mounts})


def _parts(path: str) -> tuple[str, ...]:
    """The names in a path. `pathlib` would take a third of the hub's time for the start of a job."""
    return tuple(name for name in path.split("/") if name not in ("", "."))


def _shows(path: tuple[str, ...], mounts: dict[tuple[str, ...], Mount]) -> bool:
    """Whether the nearest mount at a path, or above it, shows the files of the machine."""
    above = (mounts.get(path[:length]) for length in range(len(path), -1, -1))
    nearest = next((mount for mount in above if mount is not None), None)
    return nearest is not None and nearest.shows_files


def in_order(mounts: Iterable[Mount]) -> list[Mount]:
    """The mounts with folders before what is below them. Of several at one path, the last one remains.

    Symbolic links below a folder that is shown are left out, because it has them already.
    """
    last = {mount.path: mount for mount in mounts}
    shown = {_parts(mount.path) for mount in last.values() if mount.shows_files}
    kept = [mount for mount in last.values() if mount.option != "--symlink" or not _is_below(mount.path, shown)]
    return sorted(kept, key=lambda mount: _parts(mount.path))


def _is_below(path: str, folders: Collection[tuple[str, ...]]) -> bool:
    """Whether a path is one of the folders or below it."""
    parts = _parts(path)
    return any(parts[:length] in folders for length in range(len(parts) + 1))


def with_parents(mounts: Sequence[Mount]) -> list[Mount]:
    """Mounts in order, with the folders above them, which bubblewrap itself would create for their owner alone."""
    at = {_parts(mount.path): mount for mount in mounts}
    parents = {path[:length] for path in at for length in range(1, len(path))}
    missing = ["/" + "/".join(path) for path in parents - at.keys() if not _shows(path, at)]
    return in_order([*mounts, *(Mount("--dir", path, mode="0755") for path in missing)])
