"""Types shared by the compiled core and the pure-Python implementation."""

import struct
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

Bytes: TypeAlias = bytes | bytearray | memoryview
"""Anything that lends its bytes."""


class SeriesInfo(NamedTuple):
    """One series of one event file: all values of one tag in one form."""

    tag: str
    plugin: str
    """Data kind as TensorBoard would classify it; "" for a tensor nobody described."""
    form: str
    """"scalar": kept as columns; "reference": kept as places in the file."""
    metadata: bytes
    """Serialized SummaryMetadata, the first this file gave for the tag; b"" if none."""
    data_class: int
    """0 unknown, 1 scalar, 2 tensor, 3 blob sequence."""


class Stats(NamedTuple):
    """Figures of one series. Steps are 0 and numbers NaN where there is no point to take them from."""

    held: int
    superseded: int
    first_step: int
    first_wall: float
    first_value: float
    last_step: int
    last_wall: float
    last_value: float
    min_value: float
    min_step: int
    max_value: float
    max_step: int
    mean: float
    nonfinite: int
    nonfinite_tail: int
    """How many points the series ends in that are no numbers."""
    nonfinite_from: int
    """Step of the first of these; 0 where there is none."""


STATS = struct.Struct("<qqqddqdddqdqdqqq")
"""The fields of `Stats` as they come in packs."""


class Decoder(Protocol):
    """Turns the bytes of one event file into columns, resumable at any byte.

    It may be asked from other threads while it reads; an answer always belongs to some prefix of the file.
    """

    @property
    def offset(self) -> int:
        """File offset of the first byte not yet consumed."""

    @property
    def records(self) -> int:
        """Records that were whole in every part."""

    @property
    def points(self) -> int:
        """Scalar points held, all series together."""

    @property
    def size_bytes(self) -> int:
        """Memory held by the columns."""

    @property
    def file_version(self) -> int:
        """0 before a version record was met, -1 if it could not be understood, else the number in it."""

    @property
    def first_wall_time(self) -> float:
        """Of the first event whose wall time is finite; NaN before."""

    @property
    def last_wall_time(self) -> float:
        """The highest finite wall time; NaN before any."""

    @property
    def first_scalar_wall_time(self) -> float:
        """The lowest finite wall time of a scalar point; NaN before any. Converted logs have it before their header."""

    @property
    def last_scalar_wall_time(self) -> float:
        """The highest finite wall time of a scalar point; NaN before any."""

    @property
    def highest_step(self) -> int:
        """Highest step of any event that carried a summary; -1 before any."""

    @property
    def regression_count(self) -> int:
        """How often the writer went back without a START; see `regressions`."""

    def feed(self, data: Bytes) -> int:
        """Decode `data`, which lies at `offset`, and return how many bytes were consumed.

        An incomplete record at the end is left for the next call. Damaged bytes are consumed and recorded; while no
        record with two right checksums follows, the damaged region stays open and grows.
        """

    def read(self, fd: int, limit: int) -> int:
        """The same from an open file at `offset`, about `limit` bytes at most; 0 means nothing new yet.

        Raises OSError if the file cannot be read.
        """

    def damage(self) -> list[tuple[int, int, int]]:
        """Ranges that were skipped, as (offset, length, crc32c of the bytes); the last may still grow.

        Ranges that touch are one range. A record whose checksums agree but whose message is malformed is in here
        too, although the values of it that could be read are kept.
        """

    def series_count(self) -> int:
        """Number of series; they are numbered from 0 in order of appearance and never change places."""

    def describe(self, index: int) -> SeriesInfo:
        """What series `index` is. Raises IndexError."""

    def starts(self) -> list[tuple[int, float, int]]:
        """SessionLog START events in file order: (step, wall time, file offset of the record)."""

    def regressions(self) -> list[tuple[int, float, int]]:
        """Where the writer went back without a START, in file order: (step, wall time, file offset of the record).

        One for each time that a series takes a step below its last one, having written since the session before began:
        what other series do in the wake of it belongs to it. The first few thousand; `regression_count` has them all.
        """

    def session_logs(self) -> list[tuple[int, int]]:
        """All SessionLog events in file order: (status, step); 1 is START, 2 STOP, 3 CHECKPOINT."""

    def ends(self) -> list[tuple[int, float, int]]:
        """Of each series: step and wall time of its first point or reference, step of the last one in the file."""

    def nonfinite_ends(self) -> list[int]:
        """The scalar series whose last point in the file is no number."""

    def lengths(self, indices: Sequence[int]) -> list[int]:
        """Number of points or references of each series asked for. Raises IndexError."""


Part: TypeAlias = tuple[Decoder, int]
"""A series within one event file; index -1 says that this file lacks it, while its restarts still count."""
