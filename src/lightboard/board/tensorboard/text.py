"""/data/plugin/text: tags, the texts of one series as HTML."""

import html
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.query.thinning import kept_indices

PLUGIN = "/data/plugin/text"

SAMPLES = 100
"""Values of one series that TensorBoard tells when nothing else is asked; our own API always has all."""

SHOWN_BYTES = 65_536
"""So much of one value; TensorBoard's pages show all of it, and never end."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tags."""
    board = board_of(request)
    return await board.json(request, tag_names, board)


def tag_names(board: Board) -> dict[str, list[str]]:
    """All tags of texts by run."""
    return {run: list(tags) for run, tags in board.provider.tags_by_run("text").items()}


async def text(request: Request) -> Response:
    """GET /text?run&tag[&markdown=false]: [{wall_time, step, text}, ...]; nothing for what is not there."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    return await board.json(request, text_body, board, run, tag, first(request, "markdown") != "false")


def text_body(board: Board, run: str, tag: str, markdown: bool) -> list[dict[str, Any]]:
    """The texts that TensorBoard would tell."""
    try:
        values = board.provider.values("text", run, tag)
    except NotFound:
        return []
    return [
        {
            "wall_time": values.walls[at],
            "step": values.steps[at],
            "text": value_html(board, run, tag, values.key(at), markdown),
        }
        for at in kept_indices(len(values), board.settings.samples.get("text", SAMPLES))
    ]


def value_html(board: Board, run: str, tag: str, key: str, markdown: bool) -> str:
    """One value: a text, or a table of them, with a word above it where a table is not all of it."""
    from lightboard.asgi.markdown import text_html
    from lightboard.query.text import read_text

    try:
        value = read_text(board.provider, run, tag, key, SHOWN_BYTES)
    except (NotFound, Unshowable) as error:
        return f"<p>{html.escape(error.message, quote=False)}</p>"
    cells = [text_html(cell) if markdown else plain_html(cell) for cell in value.cells]
    note = ""
    if value.cut:
        note = f"<p><em>The beginning of {value.size} bytes.</em></p>"
    if not value.shape:
        return note + "".join(cells)
    if len(value.shape) > 2:
        note = f"<p><strong>{len(value.shape)} dimensions:</strong> the first table is shown.</p>" + note
    return note + table_html(cells, value.columns)


def plain_html(text: str) -> str:
    """A text to the letter."""
    return html.escape(text.replace("\0", ""), quote=False)


def table_html(cells: list[str], columns: int) -> str:
    """Cells that are HTML already, row by row."""
    rows = [cells[at : at + columns] for at in range(0, len(cells), max(1, columns))]
    lines = ["<table>", "<tbody>"]
    for row in rows:
        lines += ["<tr>", *(f"<td>{cell}</td>" for cell in row), "</tr>"]
    return "\n".join([*lines, "</tbody>", "</table>"])


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/text", text),
)
