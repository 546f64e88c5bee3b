"""Decides which folders are runs and which files have events, by TensorBoard's rules. Reads no event files.

A folder at any depth that directly contains a file with "tfevents" in its name is a run. Its name is its path relative
to the logdir, with `/`; the logdir itself is ".". A profiler's marker (`*.profile-empty`) makes a run but is never
read.
"""

import os
import re
import stat
from collections.abc import Iterator
from typing import NamedTuple

from lightboard.errors import UsageError
from lightboard.graphs.file_names import EXTENSIONS, graph_format
from lightboard.ingest.run_filter import ALL_RUNS, RunFilter
from lightboard.profiles.file_names import ENDS as PROFILE_ENDS
from lightboard.profiles.file_names import SESSION, is_profile
from lightboard.storage.base import Folder, ObjectInfo, OnError, Storage, ignore_error, printable, split
from lightboard.storage.local import LocalStorage
from lightboard.storage.urls import Confinement, is_url, open_storage

_MARKER = ".profile-empty"

ASSETS = frozenset({"projector_config.pbtxt"})
"""Names of files that describe data outside event files. They are listed in any folder, but not read here.

So are model files, except for those of plugins, and captures of profilers.
"""

ASSET_ENDS = (*EXTENSIONS, *PROFILE_ENDS)
"""How the names of all these end."""

PLUGINS = "plugins"
"""`<run>/plugins/<plugin>` has a plugin's files that are not events."""
_FOLDER_HINT = "give a folder with event files somewhere below it"
_DRIVE = re.compile(r"[A-Za-z]:\\")
"""A Windows drive. `a:/b` is a path with a one-letter name."""


class Source(NamedTuple):
    """A tree of runs: the prefix of their names ("" for none), its storage, and its root within the storage.

    `run_filter` selects runs by their names without the prefix. `shown` is the location for display, "" for the real
    one. `file` is the name of a model file in the root that is all there is to see, "" for everything; then the root is
    a run.
    """

    prefix: str
    storage: Storage
    root: str = ""
    run_filter: RunFilter = ALL_RUNS
    shown: str = ""
    file: str = ""

    @property
    def location(self) -> str:
        """The location of its root, for messages."""
        return self.shown or self.storage.locate(self.root)


class RunFolder(NamedTuple):
    """One folder of a source: the name of its run, its event files by name, and whether it is a run at all.

    `seen` counts all its files; `links` are its subfolders that are links; `linked`: an event file is a link; `assets`
    are its files for which `is_asset` holds; `skipped` counts links that are not followed.
    """

    path: str
    run: str
    files: list[ObjectInfo]
    is_run: bool
    seen: int
    links: list[str]
    linked: bool
    assets: list[ObjectInfo]
    skipped: int = 0


def is_event_file(name: str) -> bool:
    """Whether a file of this base name belongs to a run."""
    return "tfevents" in name


def is_marker(name: str) -> bool:
    """Whether the file only marks a run and has no contents."""
    return name.endswith(_MARKER)


def is_asset(name: str) -> bool:
    """Whether a file of this base name has or describes data outside event files."""
    # Each file of a listing is asked for, and most are none.
    if not name.lower().endswith(ASSET_ENDS):
        return False
    return name in ASSETS or graph_format(name) is not None or is_profile(name)


def is_relevant(name: str) -> bool:
    """Whether listings include a file of this base name."""
    return is_event_file(name) or is_asset(name)


def scan(
    source: Source, folder: str | None = None, *, deep: bool = True, on_error: OnError = ignore_error
) -> Iterator[RunFolder]:
    """Every folder of `source` below `folder` (by default its root), whether a run or not."""
    top = source.root if folder is None else folder
    if not source.file:
        for listed in source.storage.walk(top, deep=deep, select=is_relevant, on_error=on_error):
            yield _run_folder(source, listed)
    elif top == source.root:
        for listed in source.storage.walk(top, deep=False, select=source.file.__eq__, on_error=on_error):
            yield _file_folder(source, listed)


def _file_folder(source: Source, listed: Folder) -> RunFolder:
    """The folder of a model file that is shown alone: a run without event files."""
    name = run_name(source, listed.path)
    return RunFolder(listed.path, name, [], True, listed.seen, [], listed.linked, listed.files, listed.skipped)


def _run_folder(source: Source, listed: Folder) -> RunFolder:
    chosen = source.run_filter.matches(_relative_name(source, listed.path))
    events = [info for info in listed.files if chosen and is_event_file(split(info.path)[1])]
    return RunFolder(
        listed.path,
        run_name(source, listed.path),
        files=[info for info in events if not is_marker(info.path)],
        is_run=bool(events),
        seen=listed.seen,
        links=listed.links,
        linked=listed.linked,
        assets=[
            info
            for info in listed.files
            if _is_asset_of(listed.path, split(info.path)[1])
            and source.run_filter.matches(_relative_name(source, _asset_folder(listed.path)))
        ],
        skipped=listed.skipped,
    )


def _is_asset_of(folder: str, name: str) -> bool:
    return is_asset(name) and (name in ASSETS or is_profile(name) or PLUGINS not in folder.split("/"))


def run_name(source: Source, folder: str) -> str:
    """The name of the run for `folder`. Always valid Unicode."""
    name = _relative_name(source, folder)
    return f"{source.prefix}/{name}" if source.prefix else name


def _relative_name(source: Source, folder: str) -> str:
    below = folder[len(source.root) :].lstrip("/") if source.root else folder
    return printable(below) or "."


def asset_run(source: Source, folder: str) -> str:
    """The name of the run that an asset in `folder` belongs to: that of the folder, or of the folder with its
    `plugins`, also if the asset is part of a capture."""
    return run_name(source, _asset_folder(folder))


def _asset_folder(folder: str) -> str:
    if session := SESSION.search(folder):
        return folder[: session.start()]
    above, _, _ = folder.rpartition("/")
    top, _, name = above.rpartition("/")
    return top if name == PLUGINS else folder


def sources(logdir: str = "", logdir_spec: str = "", *, follow_links: bool = True) -> list[Source]:
    """The sources of `--logdir` or `--logdir_spec`.

    Without `follow_links`, nothing outside these folders is read, whatever links they contain.

    Raises `UsageError` if both or neither are given, for an unsupported scheme, and for a file instead of a folder.
    """
    if bool(logdir) == bool(logdir_spec):
        raise UsageError(
            "give either --logdir or --logdir_spec" if logdir else "no logdir given",
            hint="for example: lightboard --logdir runs",
        )
    named = [("", logdir)] if logdir else parse_spec(logdir_spec)
    storages = [(prefix, _folder(path)) for prefix, path in named]
    if follow_links:
        return [Source(prefix, storage) for prefix, storage in storages]
    roots = [os.path.realpath(storage.folder) for _, storage in storages if isinstance(storage, LocalStorage)]
    return [Source(prefix, _confined(storage, roots)) for prefix, storage in storages]


def graph_source(path: str) -> Source:
    """The source of one model file: its folder, in which nothing else is seen. Raises UsageError."""
    folder, name = os.path.split(os.path.abspath(os.path.expanduser(path)))
    storage = LocalStorage(folder)
    try:
        mode = os.stat(storage.full_path(name)).st_mode
    except OSError as error:
        raise UsageError(f"{printable(path)} cannot be read: {error.strerror}", hint="give a model file") from None
    if not stat.S_ISREG(mode):
        raise UsageError(
            f"{printable(path)} is not a file", hint="give a model file, or show a folder with lightboard --logdir"
        )
    return Source("", storage, file=name)


def _confined(storage: Storage, roots: list[str]) -> Storage:
    """The same folder, confined to `roots`. Links on the way to it are followed once, now."""
    if not isinstance(storage, LocalStorage):
        return storage
    return open_storage(os.path.realpath(storage.folder), confinement=Confinement(roots))


def _folder(path: str) -> Storage:
    storage = open_storage(path)
    if not isinstance(storage, LocalStorage):
        return storage  # checked by the listing, because each check is a request
    try:
        mode = os.stat(storage.folder).st_mode
    except (FileNotFoundError, PermissionError):
        return storage  # both may change later
    except OSError as error:
        raise UsageError(f"{printable(path)} cannot be a folder: {error.strerror}", hint=_FOLDER_HINT) from None
    if not stat.S_ISDIR(mode):
        parent, _ = split(storage.locate(""))
        hint = f"give the folder that holds it: {parent or '/'}" if stat.S_ISREG(mode) else _FOLDER_HINT
        raise UsageError(f"{printable(path)} is a file, not a folder", hint=hint)
    return storage


def parse_spec(spec: str) -> list[tuple[str, str]]:
    """Parse `name:path,name:path` into (name, path) pairs. The name is "" if there is none.

    Each item is split at its first colon unless it begins with `/`, a URL scheme or a Windows drive.
    """
    pairs: list[tuple[str, str]] = []
    for part in spec.split(","):
        if not part:
            continue
        name, colon, path = part.partition(":")
        if not colon or part.startswith("/") or is_url(part) or _DRIVE.match(part):
            pairs.append(("", part))
        elif path:
            pairs.append((name, path))
        else:
            raise UsageError(f"no path after the colon: {part}", hint="write name:path,name:path")
    if not pairs:
        raise UsageError("--logdir_spec is empty", hint="write name:path,name:path")
    return pairs
