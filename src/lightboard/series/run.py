"""A run: its event files, and the tag table merged from them on demand.

Ingest changes a run; everybody else reads it, from any thread, without waiting: what is read is replaced whole, never
changed in place. Not here: opening or following files.
"""

import math
from typing import Literal, Protocol

from lightboard.errors import TagNotFound
from lightboard.events.decode import Decoder, Part
from lightboard.series.hparams import Hparams, hparams_of
from lightboard.series.sessions import Session, count_sessions, joins_of, sessions_of
from lightboard.series.timeseries import Tag, TagTable, merge
from lightboard.types import Damage, Step, WallTime

FileState = Literal["reading", "idle", "unreadable"]


class Opener(Protocol):
    """Where the bytes of one event file are."""

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`, fewer only at the end, of the very file that was decoded.

        Raises OSError, FileNotFoundError where another file has taken its place.
        """


class RunFile:
    """One event file of a run as readers see it.

    `path` is for people (full, printable); `size` is the file's size in bytes when last looked at, of which
    `decoder.offset` are decoded; `message` says why a file is unreadable; `opener` gives the bytes that references
    point at, None where nobody can.
    """

    __slots__ = ("decoder", "message", "opener", "path", "size", "state")

    def __init__(self, path: str, decoder: Decoder, opener: Opener | None = None) -> None:
        self.path = path
        self.decoder = decoder
        self.opener = opener
        self.size = 0
        self.state: FileState = "reading"
        self.message = ""

    @property
    def damage_bytes(self) -> int:
        """Bytes skipped because no good record was in them."""
        return sum(length for _, length, _ in self.decoder.damage())


class Run:
    """A run by its name (relative to the logdir, with `/`; "." for the logdir itself).

    `id` and `slot` are -1 until the catalog admits the run, then never change; `changed_at` is our clock, seconds since
    the epoch, when bytes last came.
    """

    __slots__ = ("_files", "_hparams", "_joins", "_table", "_version", "changed_at", "id", "name", "slot")

    def __init__(self, name: str) -> None:
        self.id = -1
        self.slot = -1
        self.name = name
        self.changed_at = 0.0
        self._files: tuple[RunFile, ...] = ()
        self._version = 0
        self._table: tuple[int, TagTable] | None = None
        self._hparams: tuple[TagTable, Hparams | None] | None = None
        self._joins: tuple[TagTable, list[int], list[Session | None]] | None = None

    def __repr__(self) -> str:
        return f"Run({self.name!r}, id={self.id}, files={len(self._files)})"

    # For ingest

    def set_files(self, files: tuple[RunFile, ...]) -> None:
        """Give the run these files, in name order."""
        self._files = files
        self.restructure()

    def restructure(self) -> None:
        """Say that a file got another decoder or a decoder got more series: the tag table is built anew when asked."""
        self._version += 1

    # For everybody

    @property
    def files(self) -> tuple[RunFile, ...]:
        """The event files in lexicographic order of their names: the order in which their points count."""
        return self._files

    @property
    def start_wall_time(self) -> WallTime:
        """When the first event was written; nan if no file has any."""
        first = math.nan
        for file in self._files:  # asked of ten thousand runs at once, here and below
            time = file.decoder.first_wall_time
            if math.isfinite(time) and not time >= first:
                first = time
        return first

    @property
    def last_wall_time(self) -> WallTime:
        """The latest time of any event; nan if no file has any."""
        last = math.nan
        for file in self._files:
            time = file.decoder.last_wall_time
            if math.isfinite(time) and not time <= last:
                last = time
        return last

    @property
    def duration_secs(self) -> float:
        """From the first scalar point to the last, or of all events where there is none; nan without any.

        The header of a file says when it was made, which of converted logs is long after what they tell.
        """
        decoders = [file.decoder for file in self._files if not math.isnan(file.decoder.first_scalar_wall_time)]
        if not decoders:
            return self.last_wall_time - self.start_wall_time
        first = min([decoder.first_scalar_wall_time for decoder in decoders])
        return max([decoder.last_scalar_wall_time for decoder in decoders]) - first

    @property
    def last_step(self) -> Step:
        """The highest step of any value, how far the run has come; -1 if there is none."""
        return max([file.decoder.highest_step for file in self._files], default=-1)

    @property
    def points(self) -> int:
        """Scalar points held, superseded ones included."""
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

    def sessions(self) -> list[Session]:
        """Where a writer began again, in file order; thousands of regressions in one file are not all told."""
        decoders, joins = self._joined()
        return sessions_of(decoders, joins)

    @property
    def restarts(self) -> int:
        """How often a writer began again."""
        decoders, joins = self._joined()
        return count_sessions(decoders, joins)

    def tags(self) -> dict[str, Tag]:
        """The run's time series by name, one per name. Not to be changed by the caller."""
        return self._tag_table().primary

    def tag_list(self) -> list[Tag]:
        """All time series, also the second form of a name that came in two. Not to be changed by the caller."""
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
        """What the run says of its own session; None if nothing. Not to be changed by the caller."""
        table = self._tag_table()
        cached = self._hparams
        if cached is not None and cached[0] is table:
            return cached[1]
        found = hparams_of(table.primary)
        self._hparams = (table, found)
        return found

    def _tag_table(self) -> TagTable:
        # Two readers may build the same table at once; either result is right.
        version, cached = self._version, self._table
        if cached is not None and cached[0] == version:
            return cached[1]
        table = merge([file.decoder for file in self._files])
        self._table = (version, table)
        return table

    def _joined(self) -> tuple[list[Decoder], list[Session | None]]:
        """The decoders, and how each takes over from those before it."""
        decoders = [file.decoder for file in self._files]
        if len(decoders) == 1:
            return decoders, [None]
        table = self._tag_table()
        decoders = [decoder for decoder, _ in table.all[0].parts] if table.all else decoders
        # First points never change, last ones only while a file grows, and nobody asks how the last file ends.
        offsets = [decoder.offset for decoder in decoders[:-1]]
        cached = self._joins
        if cached is not None and cached[0] is table and cached[1] == offsets:
            return decoders, cached[2]
        joins = joins_of(decoders, table)
        self._joins = (table, offsets, joins)
        return decoders, joins
