"""What could not be read, by file and byte."""

from typing import Literal

from lightboard.schema.model import Answer


class Problem(Answer):
    """A byte range that held no good record (`damage`) or a file or folder that could not be opened (`unreadable`).

    `run` is empty if the problem belongs to no run; `offset` and `length` are 0 for what is unreadable.
    """

    run: str
    file: str
    offset: int
    length: int
    kind: Literal["damage", "unreadable"]
    message: str


class ProblemList(Answer):
    """All problems known now."""

    problems: list[Problem]
