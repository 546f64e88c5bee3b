"""What people add to runs: names, notes, hidden, archived, colours, saved views."""

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import need_json, read_body
from lightboard.board.board import board_of, may_add
from lightboard.board.endpoint import Endpoint
from lightboard.errors import PermissionDenied
from lightboard.overlay.content import Content, edited
from lightboard.schema.overlay import OverlayAnswer, OverlayEdit


async def read_overlay(request: Request) -> Response:
    """GET /api/v1/overlay"""
    board = board_of(request)
    return await board.json(request, lambda: overlay_of(request, board.overlay.read()))


async def edit_overlay(request: Request) -> Response:
    """PATCH /api/v1/overlay"""
    board = board_of(request)
    if not may_add(request):
        raise PermissionDenied("this board may be looked at, not added to", hint="ask its owner for the right to edit")
    need_json(request)
    asked = await read_body(request, OverlayEdit, board.pool)
    edit = asked.model_dump(exclude_unset=True)
    content = await board.pool.call(board.overlay.change, lambda content: edited(content, edit, time.time()))
    board.changes.tell_overlay(content.revision)
    return await board.json(request, overlay_of, request, content)


def overlay_of(request: Request, content: Content) -> dict[str, Any]:
    """The fields of OverlayAnswer, for who asks."""
    board = board_of(request)
    return {
        "revision": content.revision,
        "writable": may_add(request) and board.overlay.writable,
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
        errors=(400, 403, 413),
    ),
)
