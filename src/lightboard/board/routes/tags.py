"""Tags of one kind, or how many there are of each."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import description_html
from lightboard.board.endpoint import Endpoint
from lightboard.schema.tags import TagList, TagsQuery


async def list_tags(request: Request) -> Response:
    """GET /api/v1/tags"""
    board = board_of(request)
    query = read_query(request, TagsQuery)
    if query.plugin is None:
        return await board.json(request, plugin_counts, board)
    return await board.json(request, tag_list, board, query.plugin)


def plugin_counts(board: Board) -> dict[str, Any]:
    """The fields of PluginCounts."""
    generation = board.provider.generation
    return {"generation": generation, "plugins": board.provider.plugin_counts()}


def tag_list(board: Board, plugin: str) -> dict[str, Any]:
    """The fields of TagList: the tags of one kind with their descriptions made safe."""
    generation = board.provider.generation
    tags = [
        {
            "tag": info.tag,
            "plugin": plugin,
            "display_name": info.display_name,
            "description": description_html(info.descriptions),
            "runs": info.runs,
        }
        for info in board.provider.tags(plugin)
    ]
    return {"generation": generation, "tags": tags}


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/tags",
        handler=list_tags,
        summary="Tags of one kind in natural order; without `plugin`, how many tags there are of each kind",
        query=TagsQuery,
        answer=TagList,
        errors=(400,),
    ),
)
