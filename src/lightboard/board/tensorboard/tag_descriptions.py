"""The /tags route of each plugin: run -> tag -> display name, description, and extra fields of the plugin."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.descriptions import Descriptions
from lightboard.query.provider import IndexProvider
from lightboard.query.tags import TagText

BATCH = 200
"""Tags encoded at once, if there are no extra fields."""

Extra = Callable[[str, str], Mapping[str, Any] | None]
"""Extra fields of a run and tag; None leaves the tag out."""


def no_extra(_run: str, _tag: str) -> Mapping[str, Any]:
    """No extra fields."""
    return {}


def tag_descriptions(provider: IndexProvider, kind: str, extra: Extra = no_extra) -> Pieces:
    """JSON of all tags of a kind by run, without runs that have none."""
    descriptions = Descriptions()
    tags_by_run = provider.tags_by_run(kind)
    yield from json_pieces.object_of(
        json_pieces.member(run, json_pieces.object_of(run_members(run, tags, descriptions, extra)))
        for run, tags in tags_by_run.items()
    )


def run_members(
    run: str, tags: Mapping[str, TagText], descriptions: Descriptions, extra: Extra
) -> Iterator[json_pieces.Member | None]:
    """The tags of one run as members of an object."""
    size = BATCH if extra is no_extra else 1
    fields: dict[str, Any] = {}
    for tag, text in tags.items():
        extra_fields = extra(run, tag)
        if extra_fields is None:
            yield None
            continue
        fields[tag] = {
            "displayName": text.display_name,
            "description": descriptions.one(text.description),
            **extra_fields,
        }
        if len(fields) == size:
            yield json_pieces.items(fields)
            fields = {}
    if fields:
        yield json_pieces.items(fields)
