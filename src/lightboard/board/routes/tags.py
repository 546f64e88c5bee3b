"""Tags of one kind, or the number of tags of each kind."""

from bisect import bisect_right
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import page_of, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.descriptions import Descriptions
from lightboard.board.endpoint import Endpoint
from lightboard.query.provider import IndexProvider
from lightboard.query.tags import TagInfo
from lightboard.schema.tags import TagList, TagsQuery
from lightboard.series.natural_sort import NaturalKey, natural_key

TAGS_AT_ONCE = 256
"""Tags encoded at once, in about a millisecond."""


async def list_tags(request: Request) -> Response:
    """GET /api/v1/tags"""
    board = board_of(request)
    query = read_query(request, TagsQuery)
    version = board.provider.structure_generation
    if query.plugin is None:
        return await board.responses.cached(request, version, plugin_counts, board.provider)
    if query == TagsQuery(plugin=query.plugin):
        return await board.responses.cached(request, version, whole_tag_list, board.provider, query.plugin)
    return await board.responses.stream(request, tag_list(board.provider, query))


def plugin_counts(provider: IndexProvider) -> dict[str, Any]:
    """The fields of PluginCounts."""
    generation = provider.generation
    return {"generation": generation, "plugins": provider.plugin_counts()}


def tag_list(provider: IndexProvider, query: TagsQuery) -> Pieces:
    """The fields of TagList: a page of the tags of one kind, with sanitised descriptions."""
    generation = provider.generation
    tags = provider.tags(query.plugin or "")
    yield None
    text = query.filter.casefold()
    matching = [info for info in tags if text in info.tag.casefold()] if text else tags
    begin = 0 if query.after is None else bisect_right(matching, natural_key(query.after), key=sort_key)
    shown, descriptions = page_of(matching, begin + query.offset, query.limit), Descriptions()
    batches = (
        [tag_of(info, query.plugin, descriptions) for info in shown[start : start + TAGS_AT_ONCE]]
        for start in range(0, len(shown), TAGS_AT_ONCE)
    )
    head = {"generation": generation, "total": len(matching)}
    yield from json_pieces.fields_then(head, "tags", json_pieces.batches(batches))


def sort_key(info: TagInfo) -> NaturalKey:
    """The sort key of a tag."""
    return natural_key(info.tag)


def whole_tag_list(provider: IndexProvider, plugin: str) -> Pieces:
    """The fields of TagList with all tags of a kind."""
    return tag_list(provider, TagsQuery(plugin=plugin))


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
        summary="Tags of one kind in natural order; without `plugin`, the number of tags of each kind",
        query=TagsQuery,
        response=TagList,
        errors=(400,),
    ),
)
