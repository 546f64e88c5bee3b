"""Which captures of profilers there are: their files, and what they are called.

TensorFlow, Keras and JAX leave a folder for each capture, `plugins/profile/<session>`, with a file for each host.
PyTorch leaves files of workers beside each other, which are one capture if they are of different workers. Files that
say what is in memory are captures of their own. Cheap to import: captures are counted before anything is shown.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.file_names import MEMORY_FORMATS, SESSION, ProfileFormat, ProfileName, is_profile, profile_name
from lightboard.profiles.step_stats_values import StepStatsValue
from lightboard.query.buffered_range import BufferedRange
from lightboard.series.catalog import Asset
from lightboard.series.run import FileReader
from lightboard.storage.base import ObjectInfo, OnError, Storage, ignore_error, join, printable, split
from lightboard.storage.block_reader import BlockReader

PLUGIN_FOLDERS = "plugins/profile/"

Found = tuple[ProfileName, ObjectInfo]


class EventValues(NamedTuple):
    """Step stats in the event file that `reader` reads."""

    reader: FileReader
    values: tuple[StepStatsValue, ...]


class ProfileFile(NamedTuple):
    """What one host or worker has written, and where: a file, or values in an event file.

    `info` is about these values then: their size, and when the last one was written.
    """

    host: str
    info: ObjectInfo
    source: Storage | EventValues

    @property
    def read(self) -> ReadRange:
        """Reads its bytes; those of the event file, if it is in one. Raises OSError. Not thread-safe."""
        if isinstance(self.source, EventValues):
            return BufferedRange(self.source.reader.read).read
        return BlockReader(self.source, self.info).read


class Capture(NamedTuple):
    """A capture: its files, one for each host. `name` is unique in a logdir."""

    name: str
    format: ProfileFormat
    files: list[ProfileFile]

    @property
    def size_bytes(self) -> int:
        """The size of all its files."""
        return sum(file.info.size for file in self.files)

    @property
    def has_slices(self) -> bool:
        """Whether it says where time goes, and not only what is in memory."""
        return self.format not in MEMORY_FORMATS


KIND = "profiles"
"""The kind of data of captures, for counts."""


def find_captures(
    storage: Storage, root: str = "", prefix: str = "", *, on_error: OnError = ignore_error
) -> Iterator[Capture]:
    """The captures below a folder, in the order of folders. `prefix` begins their names, if it is not empty."""
    for folder in storage.walk(root, select=is_profile, on_error=on_error):
        found = [(named, info) for info in folder.files if (named := profile_name(split(info.path)[1]))]
        if found:
            below = folder.path[len(root) :].strip("/") if root else folder.path
            yield from folder_captures(storage, below, prefix, found)


def folder_captures(storage: Storage, folder: str, prefix: str, found: list[Found]) -> Iterator[Capture]:
    """The captures in one folder."""
    is_session = SESSION.search(folder) is not None
    place = printable(folder)
    if is_session:
        run, _, session = place.rpartition(PLUGIN_FOLDERS)
        place = join(run.strip("/"), session)
    place = join(prefix, place)
    memory = [each for each in found if each[0].format in MEMORY_FORMATS]
    found = [each for each in found if each[0].format not in MEMORY_FORMATS]
    for named, info in memory:
        yield Capture(join(place, printable(named.host)), named.format, [ProfileFile("", info, storage)])
    if not found:
        return
    if is_session or any(named.format == "xplane" for named, _ in found):
        best = max(named.preference for named, _ in found)
        files = [ProfileFile(printable(named.host), info, storage) for named, info in found if named.preference == best]
        format_: ProfileFormat = "xplane" if best == 3 else "trace_json"
        yield Capture(place or ".", format_, files)
        return
    workers: dict[str, list[Found]] = {}
    for named, info in found:
        workers.setdefault(named.host, []).append((named, info))
    if not all(named.time_ns for named, _ in found):
        for named, info in found:
            single = [ProfileFile(printable(named.host), info, storage)]
            name = place if len(found) == 1 else join(place, printable(split(info.path)[1]))
            yield Capture(name or ".", "trace_json", single)
        return
    for each in workers.values():
        each.sort(key=lambda pair: (pair[0].time_ns, pair[1].path))
    times = max(map(len, workers.values()))
    for at in range(times):
        listed = [(host, each[at][1]) for host, each in sorted(workers.items()) if at < len(each)]
        files = [ProfileFile(printable(host), info, storage) for host, info in listed]
        yield Capture((place or ".") if times == 1 else join(place, str(at + 1)), "trace_json", files)


def listed_captures(assets: Iterable[Asset]) -> list[Capture]:
    """The captures among the assets of a board, in their order."""
    folders: dict[tuple[str, int, str], tuple[Storage, str, list[Found]]] = {}
    for asset in assets:
        folder, base = split(asset.info.path)
        named = profile_name(base)
        if named is None:
            continue
        session = SESSION.search(folder)
        above = "" if asset.run == "." else asset.run.removesuffix("/.")
        place = join(above, session[0].strip("/")) if session else above
        key = (asset.run, id(asset.storage), folder)
        folders.setdefault(key, (asset.storage, place, []))[2].append((named, asset.info))
    return [capture for each in folders.values() for capture in folder_captures(each[0], each[1], "", each[2])]
