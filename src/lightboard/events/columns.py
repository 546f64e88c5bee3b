"""The columns of one series of one file in the pure-Python decoder, with what restarts need to know."""

import math
import struct

from lightboard.events.protocol import SeriesInfo


def fits_float32(value: float) -> bool:
    """Whether a float32 can represent this number exactly. NaN counts as representable."""
    if value != value:
        return True
    try:
        return bool(struct.unpack("<f", struct.pack("<f", value))[0] == value)
    except OverflowError:
        return False


def canonical_nan(number: float) -> float:
    """The number, with the many bit patterns of NaN replaced by one."""
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
        """The number of STARTs of the file before the point."""
        self.serials: list[int] = []
        """The index of the event that contains the point."""
        self.late: list[bool] = []
        """Whether the step of that event was below the last step of the file (only set before version 2)."""
        self.early: list[bool] = []
        """Whether the point came before the first event that is not a summary."""

    def __len__(self) -> int:
        return len(self.steps)

    def add_value(self, value: float) -> None:
        """Add the value of the last point. A number that does not fit into float32 makes the column float64."""
        self.wide = self.wide or not fits_float32(value)
        self.values.append(canonical_nan(value))

    def info(self) -> SeriesInfo:
        """The description of this series."""
        return SeriesInfo(
            self.tag.decode(errors="replace"),
            self.plugin.decode(errors="replace"),
            self.form,
            self.metadata,
            self.data_class,
        )

    def size_bytes(self) -> int:
        """The memory that the columns would use as arrays."""
        width = 32 if self.form == "reference" else 24 if self.wide else 20
        return width * len(self)
