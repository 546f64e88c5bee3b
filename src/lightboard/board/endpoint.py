"""One row of the API's table: where it is, what it takes, what it gives, and who answers.

The router and the OpenAPI document are both made from such rows, so they cannot disagree.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from lightboard.schema.model import Answer, Question  # slow to load, and the start needs none

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """`answer` is the model of a JSON answer, or one or more media types for anything else."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: "type[Answer] | str"
    body: "type[Question] | None" = None
    query: "type[Question] | None" = None
    errors: tuple[int, ...] = ()
