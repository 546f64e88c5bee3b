"""Finds points by their metadata. Regular expressions run in a subprocess, because they can take forever."""

from typing import NamedTuple

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.metadata import Column
from lightboard.untrusted.regex import PATTERN_SECS, RegexProcess

MAX_ROWS = 10_000


class Matches(NamedTuple):
    """The first MAX_ROWS matching row numbers, and the number of all matches."""

    rows: list[int]
    total: int


def search(column: Column, query: str, *, regex: bool) -> Matches:
    """The rows whose label in `column` contains `query`, or with `regex` matches it. Case-insensitive.

    Raises BadRequest if the regular expression is invalid, Unshowable if it takes too long.
    """
    rows = rows_with(column, query, regex=regex)
    return Matches(rows[:MAX_ROWS], len(rows))


def rows_with(column: Column, query: str, *, regex: bool) -> list[int]:
    """All matching rows, in order. Raises like `search`."""
    labels = matching_labels(column, query) if regex else containing(column, query)
    picked = np.zeros(len(column.labels), bool)
    picked[labels] = True
    rows: list[int] = np.flatnonzero(picked[column.codes]).tolist()
    return rows


def containing(column: Column, query: str) -> list[int]:
    """Indices of the labels that contain the text."""
    folded = query.casefold()
    return [index for index, label in enumerate(column.labels) if folded in label.casefold()]


def matching_labels(column: Column, pattern: str) -> list[int]:
    """Indices of the labels in which the pattern is found. Raises BadRequest, Unshowable."""
    try:
        with RegexProcess(pattern, ignore_case=True, secs=PATTERN_SECS) as process:
            return process.matching_indices(column.labels)
    except TimeoutError:
        raise Unshowable(
            "this pattern takes too long", hint="write it without repetitions inside repetitions"
        ) from None
