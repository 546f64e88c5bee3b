"""What could not be read, by file and byte, and what the process lacks."""

from typing import Literal

from lightboard.schema.model import Answer


class Problem(Answer):
    """A byte range that held no good record (`damage`) or a file or folder that could not be opened (`unreadable`).

    Or that the process has no descriptors left (`descriptors`), or as many connections as it takes (`connections`).
    `run` is empty if the problem belongs to no run, `file` if to no file; `offset` and `length` are 0 but for damage.
    """

    run: str
    file: str
    offset: int
    length: int
    kind: Literal["damage", "unreadable", "descriptors", "connections"]
    message: str


class ProblemList(Answer):
    """All problems known now."""

    problems: list[Problem]
