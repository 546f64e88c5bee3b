"""What people add to runs: names, notes, hidden, archived, colours, saved views."""

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import need_json, read_body
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.overlay.content import Content, edited
from lightboard.schema.overlay import OverlayAnswer, OverlayEdit


async def read_overlay(request: Request) -> Response:
    """GET /api/v1/overlay"""
    board = board_of(request)
    return await board.json(request, lambda: overlay_of(board, board.overlay.read()))


async def edit_overlay(request: Request) -> Response:
    """PATCH /api/v1/overlay"""
    board = board_of(request)
    need_json(request)
    asked = await read_body(request, OverlayEdit)
    edit = asked.model_dump(exclude_unset=True)
    content = await board.pool.call(board.overlay.change, lambda content: edited(content, edit, time.time()))
    board.changes.tell_overlay(content.revision)
    return await board.json(request, overlay_of, board, content)


def overlay_of(board: Board, content: Content) -> dict[str, Any]:
    """The fields of OverlayAnswer."""
    return {
        "revision": content.revision,
        "writable": board.overlay.writable,
        "path_hint": board.overlay.name,
        "runs": content.runs,
        "views": content.views,
    }


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/overlay",
        handler=read_overlay,
        summary="What people added to runs, and saved views",
        answer=OverlayAnswer,
    ),
    Endpoint(
        method="PATCH",
        path="/api/v1/overlay",
        handler=edit_overlay,
        summary="Add to runs, save views, or remove either; answers with everything as it is then",
        body=OverlayEdit,
        answer=OverlayAnswer,
        errors=(400, 413),
    ),
)
