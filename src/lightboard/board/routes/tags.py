"""Tags of one kind, or how many there are of each."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import description_html
from lightboard.board.endpoint import Endpoint
from lightboard.schema.tags import PluginCounts, Tag, TagList, TagsQuery


async def list_tags(request: Request) -> Response:
    """GET /api/v1/tags"""
    board = board_of(request)
    query = read_query(request, TagsQuery)
    if query.plugin is None:
        generation = board.provider.generation
        counts = await board.pool.call(board.provider.plugin_counts)
        return await board.json(request, PluginCounts(generation=generation, plugins=counts))
    return await board.json(request, await board.pool.call(tag_list, board, query.plugin))


def tag_list(board: Board, plugin: str) -> TagList:
    """The tags of one kind with their descriptions made safe."""
    generation = board.provider.generation
    tags = [
        Tag(
            tag=info.tag,
            plugin=plugin,
            display_name=info.display_name,
            description=description_html(info.descriptions),
            runs=list(info.runs),
        )
        for info in board.provider.tags(plugin)
    ]
    return TagList(generation=generation, tags=tags)


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
