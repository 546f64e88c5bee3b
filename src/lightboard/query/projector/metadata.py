"""Parses metadata of points: a TSV file with one line per point, as typed columns.

The first line is a header if and only if it contains a tab. A column of numbers has the kind "number", one with few
distinct labels "category", any other "text". Not here: colours.
"""

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

import numpy as np

from lightboard.errors import Unshowable

MAX_FILE_BYTES = 256 << 20
MAX_COLUMNS = 1000
MAX_CELLS = 20_000_000
"""Limit of points times columns. Of larger files the first columns are read."""

MAX_CODES = 1 << 16
"""Limit of the distinct labels of a category."""

FEW = 20
"""Up to this many distinct labels are a category even for few points, unless all points differ."""

Kind = Literal["number", "category", "text"]


@dataclass(frozen=True)
class Column:
    """One column. `labels` are its distinct texts in order of appearance; `codes` [points] are indices of labels."""

    name: str
    labels: Sequence[str]
    codes: "np.ndarray[tuple[int], np.dtype[np.uint32]]"

    @cached_property
    def numbers(self) -> "np.ndarray[tuple[int], np.dtype[np.float32]] | None":
        """The labels as numbers, NaN for empty ones. None if a label is not a number or all are empty."""
        numbers = [number_of(label) for label in self.labels]
        if not numbers or None in numbers or all(math.isnan(number) for number in numbers if number is not None):
            return None
        return np.array(numbers, np.float32)

    @cached_property
    def kind(self) -> Kind:
        """The kind of the column, inferred from its labels."""
        if self.numbers is not None:
            return "number"
        distinct, points = len(self.labels), len(self.codes)
        if distinct > MAX_CODES or (distinct == points and points > 2):
            return "text"
        return "category" if distinct <= FEW or 2 * distinct <= points else "text"

    @property
    def bytes(self) -> int:
        """The approximate size in memory."""
        return 4 * len(self.codes) + sum(60 + len(label) for label in self.labels)


@dataclass(frozen=True)
class Metadata:
    """Columns of `rows` items each. `lines` is the number of lines in the file, without the header."""

    columns: Sequence[Column]
    rows: int
    lines: int

    def column(self, name: str) -> Column:
        """The column with this name. Raises Unshowable."""
        for column in self.columns:
            if column.name == name:
                return column
        raise Unshowable(f"the metadata has no column {name!r}")

    @property
    def bytes(self) -> int:
        """The approximate size in memory."""
        return sum(column.bytes for column in self.columns)


def parse_metadata(data: bytes, rows: int) -> Metadata:
    """Parse a TSV file for `rows` points. Excess lines are ignored; points without a line have empty labels.

    Empty lines count if there are as many lines as points, otherwise they are skipped.
    """
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    count = text.count("\n") + (not text.endswith("\n") and bool(text))
    head, _, rest = text.partition("\n")
    names = unique(head.split("\t", MAX_COLUMNS)[:MAX_COLUMNS]) if "\t" in head else []
    body, count = (rest, count - 1) if names else (text, count)
    lines = body.split("\n", count)[:count] if count == rows else list(islice(filled_lines(body), rows))
    count = count if len(lines) == rows else len(lines)
    if not names:
        return Metadata([column_of("label", lines, rows)], rows, count)
    names = names[: max(1, MAX_CELLS // max(1, rows))]
    cells = [line.split("\t", len(names)) for line in lines]
    columns = [
        column_of(name, [row[index] if index < len(row) else "" for row in cells], rows)
        for index, name in enumerate(names)
    ]
    return Metadata(columns, rows, count)


def filled_lines(text: str) -> Iterator[str]:
    """Iterate over the lines that are not blank. Lazy, because a file may have far more lines than there are points."""
    return (line.rstrip("\n") for line in io.StringIO(text, newline="\n") if line.strip())


def unique(names: list[str]) -> list[str]:
    """Make names unique: a second `a` becomes `a (2)`, and an empty name becomes `column` with its position."""
    counts: dict[str, int] = {}
    uniques = []
    for position, name in enumerate(names, 1):
        name = name or f"column {position}"
        counts[name] = counts.get(name, 0) + 1
        uniques.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return uniques


def column_of(name: str, cells: list[str], rows: int) -> Column:
    """A column of `rows` points with these texts, padded with empty ones."""
    codes: dict[str, int] = {}
    numbers = np.fromiter((codes.setdefault(cell, len(codes)) for cell in cells), np.uint32, len(cells))
    if len(cells) < rows:
        empty = codes.setdefault("", len(codes))
        numbers = np.concatenate([numbers, np.full(rows - len(cells), empty, np.uint32)])
    return Column(name, list(codes), numbers)


def number_of(label: str) -> float | None:
    """Parse a number. Returns NaN for a blank text, None for any other that is not a number."""
    if not label.strip():
        return math.nan
    if "_" in label:  # Python accepts 1_000
        return None
    try:
        return float(label)
    except ValueError:
        return None
