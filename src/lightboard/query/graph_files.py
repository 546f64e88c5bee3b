"""Model files beside event files: of which run they are, what they are called, and their bytes.

A file belongs to the run in whose folder it is, or in the nearest folder above. Where there is none, it belongs to the
logdir itself, ".", as if that were a run.
"""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from lightboard.errors import OutsideRoot, Unshowable, ValueNotFound
from lightboard.graphs.file_names import GraphFormat, likely_format
from lightboard.profiles.file_names import SESSION, is_profile, profile_name
from lightboard.series.catalog import Asset
from lightboard.storage.base import ObjectInfo, Storage, join, printable, split
from lightboard.storage.block_reader import BlockReader

KIND = "graph_files"
"""The kind of data of model files, for counts."""

TOP = "."
"""The name of the run that the logdir itself is, or would be."""

OTHER_ASSETS = frozenset({"projector_config.pbtxt"})
"""Assets that are no model files."""


class GraphFile(NamedTuple):
    """A model file of a run. `name` is its path relative to the folder of the run.

    If the graph is only a part of the file, `part` is where it begins and ends.
    """

    run: str
    name: str
    format: GraphFormat
    asset: Asset
    part: tuple[int, int] | None = None


def graph_files(runs: Collection[str], assets: Iterable[Asset]) -> list[GraphFile]:
    """The model files of the runs with these names, in the order of `assets`."""
    found = []
    for asset in assets:
        base = split(asset.info.path)[1]
        format_ = None if base in OTHER_ASSETS or is_profile(base) else likely_format(base)
        if format_:
            run, below = place_of(runs, asset)
            found.append(GraphFile(run, join(below, printable(base)), format_, asset))
    return found


def xplanes(runs: Collection[str], assets: Iterable[Asset]) -> list[GraphFile]:
    """The xplanes of the runs with these names, which may have programs of XLA, in the order of `assets`.

    They are called after their sessions, and after their hosts where a session has several.
    """
    found = [(asset, named) for asset in assets if (named := profile_name(split(asset.info.path)[1]))]
    found = [(asset, named) for asset, named in found if named.format == "xplane"]
    hosts = Counter(folder_of(asset) for asset, _ in found)
    files = []
    for asset, named in found:
        run, below = place_of(runs, asset)
        folder = folder_of(asset)[1]
        session = printable(split(folder)[1]) if SESSION.search(folder) else ""
        host = printable(named.host) if hosts[folder_of(asset)] > 1 or not session else ""
        files.append(GraphFile(run, join(join(below, session), host), "hlo", asset))
    return files


def folder_of(asset: Asset) -> tuple[int, str]:
    """The folder of an asset, in its storage."""
    return id(asset.storage), split(asset.info.path)[0]


def place_of(runs: Collection[str], asset: Asset) -> tuple[str, str]:
    """The run of an asset, and its folder relative to that of the run."""
    run = owner(runs, asset.run) or TOP
    if asset.run == run:
        return run, ""
    below = asset.run if run == TOP else asset.run[len(top_of(run)) :]
    return run, below.removesuffix("/.").strip("/")


def owner(runs: Collection[str], folder: str) -> str | None:
    """The run of a folder, by the name that a run in it would have: itself, or the nearest one above."""
    name = folder
    while name:
        for each in (name, f"{name}/."):
            if each in runs:
                return each
        name = name.rpartition("/")[0]
    return TOP if TOP in runs else None


def top_of(run: str) -> str:
    """What the names of folders inside of that of a run begin with."""
    return run[:-1] if run == "." or run.endswith("/.") else f"{run}/"


def key_of(file: GraphFile, info: ObjectInfo) -> str:
    """The key of the contents of a file, or of a part, which changes when it is replaced or written."""
    state = repr((info.size, info.mtime_ns, info.identity, *(file.part or ()))).encode()
    return f"{zlib.crc32(printable(file.asset.info.path).encode()):08x}.{zlib.crc32(state):x}"


class OpenGraphFile:
    """The bytes of a model file, confined to the logdir; to the folder of the file if that is linked from elsewhere."""

    def __init__(self, file: GraphFile) -> None:
        """Raises Unshowable, ValueNotFound."""
        self.file = file
        self._storage, self.info = self._open()
        self._reader = BlockReader(self._storage, self.info)

    def _open(self) -> tuple[Storage, ObjectInfo]:
        storage, path = self.file.asset.storage, self.file.asset.info.path
        folder, base = split(path)
        try:
            try:
                inside = storage.subfolder("")
                return inside, inside.stat(path)
            except OutsideRoot:
                inside = storage.subfolder(folder)
                return inside, inside.stat(base)
        except OutsideRoot:
            raise Unshowable(
                f"{self.file.name} is a link out of the folder of the run", hint="put the file itself there"
            ) from None
        except OSError as error:
            raise self._gone(error) from None

    def _gone(self, error: OSError) -> ValueNotFound:
        return ValueNotFound(f"{self.file.name} cannot be read: {error.strerror or error}", hint="reload")

    @property
    def base_name(self) -> str:
        """Its name without folders."""
        return printable(split(self.info.path)[1])

    @property
    def key(self) -> str:
        """See `key_of`."""
        return key_of(self.file, self.info)

    @property
    def identity(self) -> bytes:
        """Tells contents apart, also those of other boards."""
        return repr((self._storage.url, self.info, self.file.part)).encode("utf-8", "surrogateescape")

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`, fewer only at the end. Raises ValueNotFound. Not thread-safe."""
        try:
            return self._reader.read(offset, length)
        except OSError as error:
            raise self._gone(error) from None
