"""The event stream of changes."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.event_stream import EventStream
from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint


async def stream_changes(request: Request) -> Response:
    """GET /api/v1/events"""
    if request.method == "HEAD":  # the stream never ends
        return Response(media_type="text/event-stream")
    return EventStream(board_of(request).changes.stream)  # type: ignore[return-value]  # an ASGI app, as Response is


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/events",
        handler=stream_changes,
        summary="Server-sent events named `change` and `overlay`; the data of each is a Change or an AnnotationsChange",
        response="text/event-stream",
    ),
)
