"""Points whose metadata say something. A pattern is tried in a process of its own, for one can take for ever."""

from typing import NamedTuple

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.metadata import Column
from lightboard.untrusted.regex import PATTERN_SECS, RegexProcess

MOST_ROWS = 10_000


class Matches(NamedTuple):
    """Row numbers in order, at most `MOST_ROWS`, and how many match in all."""

    rows: list[int]
    total: int


def search(column: Column, query: str, *, regex: bool) -> Matches:
    """The rows whose text in `column` contains `query`, whatever its case, or in which the pattern is found.

    Raises BadRequest for what is no pattern, Unshowable for one that takes too long.
    """
    rows = rows_with(column, query, regex=regex)
    return Matches(rows[:MOST_ROWS], len(rows))


def rows_with(column: Column, query: str, *, regex: bool) -> list[int]:
    """All these rows, in order. Raises as `search`."""
    labels = matching_labels(column, query) if regex else containing(column, query)
    picked = np.zeros(len(column.labels), bool)
    picked[labels] = True
    found: list[int] = np.flatnonzero(picked[column.codes]).tolist()
    return found


def containing(column: Column, query: str) -> list[int]:
    """Numbers of the labels that contain the text."""
    wanted = query.casefold()
    return [at for at, label in enumerate(column.labels) if wanted in label.casefold()]


def matching_labels(column: Column, pattern: str) -> list[int]:
    """Numbers of the labels in which the pattern is found. Raises BadRequest, Unshowable."""
    try:
        with RegexProcess(pattern, ignore_case=True, secs=PATTERN_SECS) as process:
            return process.found_in(column.labels)
    except TimeoutError:
        raise Unshowable(
            "this pattern takes too long", hint="write it without repetitions inside repetitions"
        ) from None
