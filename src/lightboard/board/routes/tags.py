"""Tags of one kind, or how many there are of each."""

from bisect import bisect_right
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import page_of, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import Descriptions
from lightboard.board.endpoint import Endpoint
from lightboard.query.tags import TagInfo
from lightboard.schema.tags import TagList, TagsQuery
from lightboard.series.natural import NaturalKey, natural_key

TAGS_AT_ONCE = 256
"""Encoded in one go, which takes a millisecond."""


async def list_tags(request: Request) -> Response:
    """GET /api/v1/tags"""
    board = board_of(request)
    query = read_query(request, TagsQuery)
    version = board.provider.structure_generation
    if query.plugin is None:
        return await board.cached_json(request, version, plugin_counts, board)
    if query == TagsQuery(plugin=query.plugin):
        return await board.cached_json(request, version, whole_tag_list, board, query.plugin)
    return await board.stream_json(request, tag_list(board, query))


def plugin_counts(board: Board) -> dict[str, Any]:
    """The fields of PluginCounts."""
    generation = board.provider.generation
    return {"generation": generation, "plugins": board.provider.plugin_counts()}


def tag_list(board: Board, query: TagsQuery) -> Pieces:
    """The fields of TagList: a page of the tags of one kind with their descriptions made safe, some at a time."""
    generation = board.provider.generation
    tags = board.provider.tags(query.plugin or "")
    yield None
    part = query.filter.casefold()
    found = [info for info in tags if part in info.tag.casefold()] if part else tags
    begin = 0 if query.after is None else bisect_right(found, natural_key(query.after), key=place_of)
    shown, descriptions = page_of(found, begin + query.offset, query.limit), Descriptions()
    lots = (
        [tag_of(info, query.plugin, descriptions) for info in shown[at : at + TAGS_AT_ONCE]]
        for at in range(0, len(shown), TAGS_AT_ONCE)
    )
    head = {"generation": generation, "total": len(found)}
    yield from json_pieces.fields_then(head, "tags", json_pieces.batches(lots))


def place_of(info: TagInfo) -> NaturalKey:
    """Where a tag stands in the list."""
    return natural_key(info.tag)


def whole_tag_list(board: Board, plugin: str) -> Pieces:
    """TagList with all tags of a kind: there may be a hundred thousand."""
    return tag_list(board, TagsQuery(plugin=plugin))


def tag_of(info: TagInfo, plugin: str | None, descriptions: Descriptions) -> dict[str, Any]:
    """The fields of Tag."""
    return {
        "tag": info.tag,
        "plugin": plugin,
        "display_name": info.display_name,
        "description": descriptions.html(info.descriptions),
        "runs": info.runs,
    }


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
