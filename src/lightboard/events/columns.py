"""One series of one file as the slow decoder keeps it: a list per column, and what restarts need to know."""

import math
import struct

from lightboard.events.protocol import SeriesInfo


def fits_float32(value: float) -> bool:
    """Whether a float32 holds this number exactly (NaN counts as held)."""
    if value != value:
        return True
    try:
        return bool(struct.unpack("<f", struct.pack("<f", value))[0] == value)
    except OverflowError:
        return False


def one_nan(number: float) -> float:
    """The number; of the many bit patterns of NaN always the same one, as they mean nothing."""
    return number if number == number else math.nan


class Columns:
    """Points (step, wall time, value) or references (step, wall time, offset, length) in file order."""

    def __init__(self, tag: bytes, form: str) -> None:
        self.tag = tag
        self.form = form
        self.plugin = b""
        self.data_class = 0
        self.metadata = b""
        self.wide = False
        self.steps: list[int] = []
        self.walls: list[float] = []
        self.values: list[float] = []
        self.spans: list[tuple[int, int]] = []
        self.epochs: list[int] = []
        """How many STARTs this file had seen when the point came."""
        self.serials: list[int] = []
        """Which event of the file brought the point."""
        self.late: list[bool] = []
        """Whether that event's step was below the one the file had reached (only noted before version 2)."""
        self.early: list[bool] = []
        """Whether the point came before anything but summaries had come."""

    def __len__(self) -> int:
        return len(self.steps)

    def add_value(self, value: float) -> None:
        """Keep the number of the point noted last; one that float32 cannot hold makes the column float64."""
        self.wide = self.wide or not fits_float32(value)
        self.values.append(one_nan(value))

    def info(self) -> SeriesInfo:
        """What this series is."""
        return SeriesInfo(
            self.tag.decode(errors="replace"),
            self.plugin.decode(errors="replace"),
            self.form,
            self.metadata,
            self.data_class,
        )

    def size_bytes(self) -> int:
        """Memory the columns would take as plain arrays."""
        width = 32 if self.form == "reference" else 24 if self.wide else 20
        return width * len(self)
