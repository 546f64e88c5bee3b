"""Metadata of points: a TSV with one line for each, as columns whose kind is known.

The first line is a head if, and only if, it has a tab. A column of few different texts is a category, one of numbers
a number, anything else text. Not here: colours.
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

MOST_BYTES = 256 << 20
MOST_COLUMNS = 1000
MOST_CELLS = 20_000_000
"""Of more, the first columns are read."""

MOST_CODES = 1 << 16
FEW = 20
"""So many different texts are always a category, however few points there are, unless no two are alike."""

Kind = Literal["number", "category", "text"]


@dataclass(frozen=True)
class Column:
    """One column: `labels` are its different texts in order of appearance, `codes` (u32) say which each point has."""

    name: str
    labels: Sequence[str]
    codes: "np.ndarray[tuple[int], np.dtype[np.uint32]]"

    @cached_property
    def numbers(self) -> "np.ndarray[tuple[int], np.dtype[np.float32]] | None":
        """The labels as numbers, NaN for empty ones; None where one is something else."""
        found = [number_of(label) for label in self.labels]
        if not found or None in found or all(math.isnan(one) for one in found if one is not None):
            return None
        return np.array(found, np.float32)

    @cached_property
    def kind(self) -> Kind:
        """What can be done with it."""
        if self.numbers is not None:
            return "number"
        different, points = len(self.labels), len(self.codes)
        if different > MOST_CODES or (different == points and points > 2):
            return "text"
        return "category" if different <= FEW or 2 * different <= points else "text"

    @property
    def bytes(self) -> int:
        """About what it takes."""
        return 4 * len(self.codes) + sum(60 + len(label) for label in self.labels)


@dataclass(frozen=True)
class Metadata:
    """The columns, `rows` long each; `lines` is how many the file has."""

    columns: Sequence[Column]
    rows: int
    lines: int

    def column(self, name: str) -> Column:
        """The column of that name. Raises Unshowable."""
        for column in self.columns:
            if column.name == name:
                return column
        raise Unshowable(f"the metadata has no column {name!r}")

    @property
    def bytes(self) -> int:
        """About what it takes."""
        return sum(column.bytes for column in self.columns)


def parse_metadata(data: bytes, rows: int) -> Metadata:
    """The columns of a TSV for `rows` points: lines too many are left out, points too many have empty texts.

    Empty lines count if there are as many lines as points, else they are left out.
    """
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    count = text.count("\n") + (not text.endswith("\n") and bool(text))
    head, _, rest = text.partition("\n")
    names = unique(head.split("\t", MOST_COLUMNS)[:MOST_COLUMNS]) if "\t" in head else []
    body, count = (rest, count - 1) if names else (text, count)
    lines = body.split("\n", count)[:count] if count == rows else list(islice(filled_lines(body), rows))
    found = count if len(lines) == rows else len(lines)
    if not names:
        return Metadata([column_of("label", lines, rows)], rows, found)
    names = names[: max(1, MOST_CELLS // max(1, rows))]
    cells = [line.split("\t", len(names)) for line in lines]
    columns = [
        column_of(name, [row[at] if at < len(row) else "" for row in cells], rows) for at, name in enumerate(names)
    ]
    return Metadata(columns, rows, found)


def filled_lines(text: str) -> Iterator[str]:
    """The lines that are not empty, one at a time: there may be a hundred times as many as there are points."""
    return (line.rstrip("\n") for line in io.StringIO(text, newline="\n") if line.strip())


def unique(names: list[str]) -> list[str]:
    """Names made different: a second `a` becomes `a (2)`; one without a name is called by its place."""
    seen: dict[str, int] = {}
    made = []
    for at, name in enumerate(names, 1):
        name = name or f"column {at}"
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return made


def column_of(name: str, cells: list[str], rows: int) -> Column:
    """A column of these texts, filled up with empty ones."""
    codes: dict[str, int] = {}
    numbers = np.fromiter((codes.setdefault(cell, len(codes)) for cell in cells), np.uint32, len(cells))
    if len(cells) < rows:
        empty = codes.setdefault("", len(codes))
        numbers = np.concatenate([numbers, np.full(rows - len(cells), empty, np.uint32)])
    return Column(name, list(codes), numbers)


def number_of(label: str) -> float | None:
    """The number a text says, NaN for an empty one, None for anything else."""
    if not label.strip():
        return math.nan
    if "_" in label:  # Python would read 1_000
        return None
    try:
        return float(label)
    except ValueError:
        return None
