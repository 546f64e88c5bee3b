"""Damaged and unreadable files, and problems of the process."""

from typing import Literal

from lightboard.schema.model import ResponseModel


class Problem(ResponseModel):
    """A byte range without a valid record (`damage`), or a file or folder that could not be opened (`unreadable`).

    Other kinds are problems of the process: it has no file descriptors left (`descriptors`), or it has reached its
    limit of connections (`connections`). `run` and `file` are empty if the problem concerns none; `offset` and `length`
    are 0 except for damage.
    """

    run: str
    file: str
    offset: int
    length: int
    kind: Literal["damage", "unreadable", "descriptors", "connections"]
    message: str


class ProblemList(ResponseModel):
    """The current problems."""

    problems: list[Problem]
