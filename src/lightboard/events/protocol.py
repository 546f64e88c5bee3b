"""Types shared by the compiled core and the pure-Python implementation."""

import struct
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

Bytes: TypeAlias = bytes | bytearray | memoryview
"""Any bytes-like object."""


class SeriesInfo(NamedTuple):
    """One series of one event file: all values of one tag in one form."""

    tag: str
    plugin: str
    """Data kind as TensorBoard would classify it; "" for a tensor without a description."""
    form: str
    """"scalar": stored as columns; "reference": stored as positions in the file."""
    metadata: bytes
    """Serialized SummaryMetadata, the first in this file for the tag; b"" if none."""
    data_class: int
    """0 unknown, 1 scalar, 2 tensor, 3 blob sequence."""


class Stats(NamedTuple):
    """Statistics of one series. If there is no point, steps are 0 and numbers NaN."""

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
    """The number of non-finite points at the end of the series."""
    nonfinite_from: int
    """The step of the first of these; 0 if there is none."""


STATS = struct.Struct("<qqqddqdddqdqdqqq")
"""The packed fields of `Stats`."""


class Decoder(Protocol):
    """Decodes the bytes of one event file into columns, resumable at any byte.

    Other threads may query it while it reads. A result always corresponds to some prefix of the file.
    """

    @property
    def offset(self) -> int:
        """File offset of the first byte not yet consumed."""

    @property
    def records(self) -> int:
        """The number of well-formed records."""

    @property
    def points(self) -> int:
        """The number of scalar points of all series."""

    @property
    def size_bytes(self) -> int:
        """Memory used by the columns."""

    @property
    def file_version(self) -> int:
        """0 before a version record was read, -1 if it could not be parsed, else the number in it."""

    @property
    def first_wall_time(self) -> float:
        """Wall time of the first event with a finite one; NaN before."""

    @property
    def last_wall_time(self) -> float:
        """The highest finite wall time; NaN before any."""

    @property
    def first_scalar_wall_time(self) -> float:
        """The lowest finite wall time of a scalar point; NaN before any. In converted logs it is earlier than the
        header's."""

    @property
    def last_scalar_wall_time(self) -> float:
        """The highest finite wall time of a scalar point; NaN before any."""

    @property
    def highest_step(self) -> int:
        """Highest step of any event with a summary; -1 before any."""

    @property
    def regression_count(self) -> int:
        """How often the writer went back without a START; see `regressions`."""

    def feed(self, data: Bytes) -> int:
        """Decode `data`, which lies at `offset`, and return how many bytes were consumed.

        An incomplete record at the end is left for the next call. Damaged bytes are consumed and recorded. Until a
        record with two valid checksums follows, the damaged range stays open and grows.
        """

    def read(self, fd: int, limit: int) -> int:
        """The same for about `limit` bytes of an open file at `offset`. 0 means that there is nothing new yet.

        Raises OSError if the file cannot be read.
        """

    def damage(self) -> list[tuple[int, int, int]]:
        """Skipped ranges as (offset, length, crc32c of the bytes). The last may still grow.

        Adjacent ranges are merged. A record with valid checksums and a malformed message is included, although its
        readable values are kept.
        """

    def series_count(self) -> int:
        """Number of series. Their indices begin at 0, are in order of appearance, and never change."""

    def describe(self, index: int) -> SeriesInfo:
        """The description of series `index`. Raises IndexError."""

    def starts(self) -> list[tuple[int, float, int]]:
        """SessionLog START events in file order: (step, wall time, file offset of the record)."""

    def regressions(self) -> list[tuple[int, float, int]]:
        """Where the writer went back without a START, in file order: (step, wall time, file offset of the record).

        One for each time that a series takes a step below its last one and had written since the current session began.
        Other series that go back as a consequence are not counted. Limited to a few thousand; `regression_count` counts
        all.
        """

    def session_logs(self) -> list[tuple[int, int]]:
        """All SessionLog events in file order: (status, step); 1 is START, 2 STOP, 3 CHECKPOINT."""

    def ends(self) -> list[tuple[int, float, int]]:
        """For each series: step and wall time of its first point or reference, and the step of its last one in the
        file."""

    def nonfinite_ends(self) -> list[int]:
        """Indices of the scalar series whose last point in the file is not finite."""

    def lengths(self, indices: Sequence[int]) -> list[int]:
        """Number of points or references of each of these series. Raises IndexError."""


Part: TypeAlias = tuple[Decoder, int]
"""A series within one event file. With index -1 the file lacks the series, but its restarts still count."""
