"""The calls of a capture as a tree, opened from above or from below."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.endpoint import Endpoint
from lightboard.board.routes.profiles.responses import respond
from lightboard.profiles.call_paths import CallView
from lightboard.query.loaded_capture import LoadedCapture
from lightboard.query.profile_fields import call_fields
from lightboard.schema.call_trees import CallTreeQuery, CallTreeResponse


async def read_call_tree(request: Request) -> Response:
    """GET /api/v1/profiles/tree"""
    return await respond(request, read_query(request, CallTreeQuery), call_tree_pieces)


def call_tree_pieces(loaded: LoadedCapture, query: CallTreeQuery) -> Pieces:
    """The fields of CallTreeResponse."""
    tree = yield from loaded.call_tree()
    yield None
    path = tuple(int(key) for key in query.path.split(",") if key)
    view = CallView(tree, query.direction, query.search)
    order = query.model_dump(include={"depth", "limit", "least_share", "sort", "descending"})
    found = view.rows(path, **order)
    around = [call_fields(row, loaded.captures, loaded.begin_ns) for row in found.around]
    counts = {"left_out": found.left_out, "calls_left_out": tree.left_out}
    fields = {"whole_us": found.whole_ns / 1000, **counts, "around": around}
    rows = (call_fields(row, loaded.captures, loaded.begin_ns) for row in found.rows)
    yield from json_pieces.fields_then(fields, "nodes", json_pieces.rows(rows))


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/profiles/tree",
        handler=read_call_tree,
        summary="Which calls run inside of which, and for how long, as far as the tree is opened",
        query=CallTreeQuery,
        response=CallTreeResponse,
        errors=(400, 404, 422),
    ),
)
