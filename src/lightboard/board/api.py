"""The table of /api/v1, as far as the first page needs it, and the document that describes all of it.

What is about data other than scalars stands in `kinds_api`, which is loaded when somebody asks for it.
"""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.kinds_api import every_kind
from lightboard.board.routes import (
    changes,
    export,
    overlay,
    problems,
    runs,
    scalars,
    status,
    tags,
    values,
)


async def read_document(request: Request) -> Response:
    """GET /api/v1/openapi.json"""
    return await board_of(request).json(request, document_text)


def document_text() -> bytes:
    """The document as JSON."""
    from lightboard.board.openapi import document_json  # builds every schema; rarely asked

    return document_json(every_endpoint()).encode()


def every_endpoint() -> tuple[Endpoint, ...]:
    """All of /api/v1."""
    return (*ENDPOINTS[:-1], *every_kind(), ENDPOINTS[-1])


ENDPOINTS: tuple[Endpoint, ...] = (
    *status.ENDPOINTS,
    *runs.ENDPOINTS,
    *tags.ENDPOINTS,
    *scalars.ENDPOINTS,
    *values.ENDPOINTS,
    *export.ENDPOINTS,
    *problems.ENDPOINTS,
    *overlay.ENDPOINTS,
    *changes.ENDPOINTS,
    Endpoint(
        method="GET",
        path="/api/v1/openapi.json",
        handler=read_document,
        summary="This document",
        answer="application/json",
    ),
)
