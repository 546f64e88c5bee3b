"""Points whose metadata say something. A pattern is tried in a process of its own, for one can take for ever."""

import json
import subprocess
import sys
from typing import NamedTuple

import numpy as np

from lightboard.errors import BadRequest, Unshowable
from lightboard.query.projector.metadata import Column

MOST_ROWS = 10_000
PATTERN_SECS = 5.0

PROGRAM = """
import json, re, sys
pattern, labels = json.load(sys.stdin)
try:
    found = re.compile(pattern, re.IGNORECASE)
except (re.error, RecursionError, OverflowError) as error:
    print(json.dumps(str(error)))
else:
    print(json.dumps([at for at, label in enumerate(labels) if found.search(label)]))
"""


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
        done = subprocess.run(  # noqa: S603  # our own program; the pattern is data on its input
            [sys.executable, "-I", "-S", "-c", PROGRAM],
            input=json.dumps([pattern, list(column.labels)]),
            capture_output=True,
            text=True,
            timeout=PATTERN_SECS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise Unshowable(
            "this pattern takes too long", hint="write it without repetitions inside repetitions"
        ) from None
    except subprocess.CalledProcessError:
        raise Unshowable("this pattern cannot be tried") from None
    found = json.loads(done.stdout)
    if isinstance(found, str):
        raise BadRequest(f"no regular expression: {found}")
    return [int(at) for at in found]
