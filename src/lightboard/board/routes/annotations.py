"""Annotations of runs: names, notes, hidden, archived, colours, and saved views."""

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.annotations.annotations import Annotations, apply_edit
from lightboard.asgi.params import need_json, read_body
from lightboard.board.board import board_of, may_edit
from lightboard.board.endpoint import Endpoint
from lightboard.errors import PermissionDenied
from lightboard.schema.annotations import AnnotationsEdit, AnnotationsResponse


async def read_annotations(request: Request) -> Response:
    """GET /api/v1/overlay"""
    board = board_of(request)
    return await board.responses.json(request, lambda: annotations_fields(request, board.annotations.read()))


async def edit_annotations(request: Request) -> Response:
    """PATCH /api/v1/overlay"""
    board = board_of(request)
    if not may_edit(request):
        raise PermissionDenied("you may view this board, but not edit it", hint="ask its owner for permission to edit")
    need_json(request)
    body = await read_body(request, AnnotationsEdit, board.pool)
    edit = body.model_dump(exclude_unset=True)
    annotations = await board.pool.call(board.annotations.change, lambda before: apply_edit(before, edit, time.time()))
    board.changes.publish_annotations(annotations.revision)
    return await board.responses.json(request, annotations_fields, request, annotations)


def annotations_fields(request: Request, annotations: Annotations) -> dict[str, Any]:
    """The fields of AnnotationsResponse for the client of this request."""
    store = board_of(request).annotations
    return {
        "revision": annotations.revision,
        "writable": may_edit(request) and store.writable,
        "path_hint": store.name,
        "runs": annotations.runs,
        "views": annotations.views,
    }


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/overlay",
        handler=read_annotations,
        summary="Annotations of runs, and saved views",
        response=AnnotationsResponse,
    ),
    Endpoint(
        method="PATCH",
        path="/api/v1/overlay",
        handler=edit_annotations,
        summary="Add, change or remove annotations and saved views; returns all of them",
        body=AnnotationsEdit,
        response=AnnotationsResponse,
        errors=(400, 403, 413),
    ),
)
