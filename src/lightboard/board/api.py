"""The table of /api/v1: every endpoint of every kind, and the document that describes them."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.board.routes import changes, export, overlay, problems, runs, scalars, status, tags


async def read_document(request: Request) -> Response:
    """GET /api/v1/openapi.json"""
    return await board_of(request).json(request, document_text)


def document_text() -> bytes:
    """The document as JSON."""
    from lightboard.board.openapi import document_json  # builds every schema; rarely asked

    return document_json(ENDPOINTS).encode()


ENDPOINTS: tuple[Endpoint, ...] = (
    *status.ENDPOINTS,
    *runs.ENDPOINTS,
    *tags.ENDPOINTS,
    *scalars.ENDPOINTS,
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
