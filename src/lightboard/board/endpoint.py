"""An endpoint of the API: its path, request, response and handler.

The router and the OpenAPI document are both generated from endpoints, so they always agree.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from lightboard.schema.model import RequestModel, ResponseModel  # slow to import

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """`response` is the model of a JSON response, or one or more media types for anything else."""

    method: str
    path: str
    handler: Handler
    summary: str
    response: "type[ResponseModel] | str"
    body: "type[RequestModel] | None" = None
    query: "type[RequestModel] | None" = None
    errors: tuple[int, ...] = ()
