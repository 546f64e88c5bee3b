"""The endpoints of /api/v1 that the first page needs, and the OpenAPI document of all endpoints.

The endpoints of kinds other than scalars are in `kinds_api`, and imported at their first request.
"""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.kinds_api import every_kind
from lightboard.board.routes import (
    annotations,
    changes,
    export,
    problems,
    runs,
    scalars,
    status,
    tags,
    values,
)


async def read_document(request: Request) -> Response:
    """GET /api/v1/openapi.json"""
    return await board_of(request).responses.json(request, document_text)


def document_text() -> bytes:
    """The OpenAPI document as JSON."""
    from lightboard.board.openapi import document_json  # builds every schema; rarely requested

    return document_json(every_endpoint()).encode()


def every_endpoint() -> tuple[Endpoint, ...]:
    """All endpoints of /api/v1."""
    return (*ENDPOINTS[:-1], *every_kind(), ENDPOINTS[-1])


ENDPOINTS: tuple[Endpoint, ...] = (
    *status.ENDPOINTS,
    *runs.ENDPOINTS,
    *tags.ENDPOINTS,
    *scalars.ENDPOINTS,
    *values.ENDPOINTS,
    *export.ENDPOINTS,
    *problems.ENDPOINTS,
    *annotations.ENDPOINTS,
    *changes.ENDPOINTS,
    Endpoint(
        method="GET",
        path="/api/v1/openapi.json",
        handler=read_document,
        summary="This document",
        response="application/json",
    ),
)
