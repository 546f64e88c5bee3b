"""A run: its event files, and the tag table that is merged from them on demand.

Ingest changes a run. Other threads read it without waiting, because its data is replaced and never modified in place.
"""

import math
from typing import Literal, Protocol

from lightboard.errors import TagNotFound
from lightboard.events.decode import Decoder, Part
from lightboard.series.hparams import Hparams, find_hparams
from lightboard.series.restarts import Restart, count_restarts, find_regressions_between, list_restarts
from lightboard.series.timeseries import Tag, TagTable, merge
from lightboard.types import Damage, Step, WallTime

FileState = Literal["reading", "idle", "unreadable"]


class FileReader(Protocol):
    """Reads the bytes of one event file."""

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset` of the decoded file; fewer only at the end.

        Raises OSError, and FileNotFoundError if the file was replaced by another.
        """


class RunFile:
    """One event file of a run as readers see it.

    `path` is for display (full, printable); `size` is the file's size in bytes when last checked, of which
    `decoder.offset` are decoded; `message` says why a file is unreadable; `reader` reads the bytes of references, None
    if they cannot be read.
    """

    __slots__ = ("decoder", "message", "path", "reader", "size", "state")

    def __init__(self, path: str, decoder: Decoder, reader: FileReader | None = None) -> None:
        self.path = path
        self.decoder = decoder
        self.reader = reader
        self.size = 0
        self.state: FileState = "reading"
        self.message = ""

    @property
    def damage_bytes(self) -> int:
        """Bytes skipped as damaged."""
        return sum(length for _, length, _ in self.decoder.damage())


class Run:
    """A run by its name (relative to the logdir, with `/`; "." for the logdir itself).

    `id` and `slot` are -1 until the run is in the catalog, then never change. `changed_at` is the time of the last new
    bytes by our clock, in seconds since the epoch.
    """

    __slots__ = ("_file_regressions", "_files", "_hparams", "_table", "_version", "changed_at", "id", "name", "slot")

    def __init__(self, name: str) -> None:
        self.id = -1
        self.slot = -1
        self.name = name
        self.changed_at = 0.0
        self._files: tuple[RunFile, ...] = ()
        self._version = 0
        self._table: tuple[int, TagTable] | None = None
        self._hparams: tuple[TagTable, Hparams | None] | None = None
        self._file_regressions: tuple[TagTable, list[int], list[Restart | None]] | None = None

    def __repr__(self) -> str:
        return f"Run({self.name!r}, id={self.id}, files={len(self._files)})"

    # For ingest

    def set_files(self, files: tuple[RunFile, ...]) -> None:
        """Set the files of the run, ordered by name."""
        self._files = files
        self.invalidate_tags()

    def invalidate_tags(self) -> None:
        """A file got another decoder, or a decoder got more series: rebuild the tag table on demand."""
        self._version += 1

    # For readers

    @property
    def files(self) -> tuple[RunFile, ...]:
        """The event files in lexicographic order of their names, which is the order of their points."""
        return self._files

    @property
    def start_wall_time(self) -> WallTime:
        """The first wall time of any event; nan if there is none."""
        first = math.nan
        for file in self._files:  # a loop, because this is called for ten thousand runs at once; also below
            time = file.decoder.first_wall_time
            if math.isfinite(time) and not time >= first:
                first = time
        return first

    @property
    def last_wall_time(self) -> WallTime:
        """The last wall time of any event; nan if there is none."""
        last = math.nan
        for file in self._files:
            time = file.decoder.last_wall_time
            if math.isfinite(time) and not time <= last:
                last = time
        return last

    @property
    def duration_secs(self) -> float:
        """The time from the first scalar point to the last, or of all events if there are no points; nan if there are
        none.

        In converted logs, the wall time of the header is later than the points.
        """
        decoders = [file.decoder for file in self._files if not math.isnan(file.decoder.first_scalar_wall_time)]
        if not decoders:
            return self.last_wall_time - self.start_wall_time
        first = min([decoder.first_scalar_wall_time for decoder in decoders])
        return max([decoder.last_scalar_wall_time for decoder in decoders]) - first

    @property
    def last_step(self) -> Step:
        """The highest step of any value; -1 if there is none."""
        return max([file.decoder.highest_step for file in self._files], default=-1)

    @property
    def points(self) -> int:
        """The number of scalar points, including superseded ones."""
        return sum([file.decoder.points for file in self._files])

    @property
    def damage_bytes(self) -> int:
        """Bytes skipped in all files."""
        return sum(file.damage_bytes for file in self._files)

    def damage(self) -> list[Damage]:
        """Every skipped range, file by file."""
        return [
            Damage(file.path, offset, length) for file in self._files for offset, length, _ in file.decoder.damage()
        ]

    def list_restarts(self) -> list[Restart]:
        """The restarts in file order. Of thousands of regressions in one file, only some are included."""
        decoders, file_regressions = self._decoders_and_regressions()
        return list_restarts(decoders, file_regressions)

    @property
    def restart_count(self) -> int:
        """The number of restarts."""
        decoders, file_regressions = self._decoders_and_regressions()
        return count_restarts(decoders, file_regressions)

    def tags(self) -> dict[str, Tag]:
        """The run's time series by name, one per name. Callers must not modify the result."""
        return self._tag_table().primary

    def tag_list(self) -> list[Tag]:
        """All time series, including the second one of a name with two forms. Callers must not modify the result."""
        return self._tag_table().all

    def tag(self, name: str, plugin: str | None = None) -> Tag:
        """The time series `name`; with `plugin`, the one of that kind. Raises `TagNotFound`."""
        table = self._tag_table()
        found = table.primary.get(name)
        if found is not None and plugin is not None and found.plugin != plugin:
            found = next((tag for tag in table.all if tag.name == name and tag.plugin == plugin), None)
        if found is None:
            raise TagNotFound(f"run {self.name!r} has no tag {name!r}" + (f" of kind {plugin}" if plugin else ""))
        return found

    def parts(self, name: str, plugin: str | None = None) -> list[Part]:
        """The parts of a time series in file order. Raises `TagNotFound`."""
        return self.tag(name, plugin).parts

    def hparams(self) -> Hparams | None:
        """The hyperparameters of the run itself; None if it has none. Callers must not modify the result."""
        table = self._tag_table()
        cached = self._hparams
        if cached is not None and cached[0] is table:
            return cached[1]
        found = find_hparams(table.primary)
        self._hparams = (table, found)
        return found

    def _tag_table(self) -> TagTable:
        # Two threads may build the same table at once; either result is valid.
        version, cached = self._version, self._table
        if cached is not None and cached[0] == version:
            return cached[1]
        table = merge([file.decoder for file in self._files])
        self._table = (version, table)
        return table

    def _decoders_and_regressions(self) -> tuple[list[Decoder], list[Restart | None]]:
        """The decoders, and the regression between each and those before it."""
        decoders = [file.decoder for file in self._files]
        if len(decoders) == 1:
            return decoders, [None]
        table = self._tag_table()
        decoders = [decoder for decoder, _ in table.all[0].parts] if table.all else decoders
        # The first points never change, and the last ones only while a file grows. The end of the last file does not
        # matter.
        offsets = [decoder.offset for decoder in decoders[:-1]]
        cached = self._file_regressions
        if cached is not None and cached[0] is table and cached[1] == offsets:
            return decoders, cached[2]
        file_regressions = find_regressions_between(decoders, table)
        self._file_regressions = (table, offsets, file_regressions)
        return decoders, file_regressions
