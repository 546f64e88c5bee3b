"""What the /tags address of every plugin answers: run -> tag -> display name, description, and what the plugin adds."""

from collections.abc import Callable, Mapping
from typing import Any

from lightboard.board.board import Board
from lightboard.board.descriptions import description_html

More = Callable[[str, str], Mapping[str, Any] | None]
"""What a plugin adds for a run and tag; None leaves the tag out."""


def nothing_more(_run: str, _tag: str) -> Mapping[str, Any]:
    """For most plugins."""
    return {}


def tag_words(board: Board, kind: str, more: More = nothing_more) -> dict[str, Any]:
    """All tags of a kind by run, runs that have none left out."""
    return {
        run: {
            tag: {"displayName": words.display_name, "description": html_of(words.description), **added}
            for tag, words in tags.items()
            if (added := more(run, tag)) is not None
        }
        for run, tags in board.provider.tags_by_run(kind).items()
    }


def html_of(markdown: str) -> str:
    """One description as HTML."""
    return description_html({markdown: []}) if markdown else ""
