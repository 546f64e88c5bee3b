"""What the /tags address of every plugin answers: run -> tag -> display name, description, and what the plugin adds."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board
from lightboard.board.descriptions import Descriptions
from lightboard.query.tags import Words

BATCH = 200
"""Tags encoded in one go, where nothing is to be read for them."""

More = Callable[[str, str], Mapping[str, Any] | None]
"""What a plugin adds for a run and tag; None leaves the tag out."""


def nothing_more(_run: str, _tag: str) -> Mapping[str, Any]:
    """For most plugins."""
    return {}


def tag_words(board: Board, kind: str, more: More = nothing_more) -> Pieces:
    """JSON of all tags of a kind by run, runs that have none left out; made a few tags at a time."""
    descriptions = Descriptions()
    listed = board.provider.tags_by_run(kind)
    yield from json_pieces.object_of(
        json_pieces.named(run, json_pieces.object_of(told_of(run, tags, descriptions, more)))
        for run, tags in listed.items()
    )


def told_of(
    run: str, tags: Mapping[str, Words], descriptions: Descriptions, more: More
) -> Iterator[json_pieces.Member | None]:
    """tag: what is said of it, of a run."""
    size = BATCH if more is nothing_more else 1
    told: dict[str, Any] = {}
    for tag, words in tags.items():
        added = more(run, tag)
        if added is None:
            yield None
            continue
        told[tag] = {"displayName": words.display_name, "description": descriptions.one(words.description), **added}
        if len(told) == size:
            yield json_pieces.items(told)
            told = {}
    if told:
        yield json_pieces.items(told)
