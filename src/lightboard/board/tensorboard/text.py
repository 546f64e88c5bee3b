"""/data/plugin/text: tags, the texts of one series as HTML."""

import html

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.events.sampling import sample_indices
from lightboard.query.provider import IndexProvider, ValueProvider

PLUGIN = "/data/plugin/text"

SAMPLES = 100
"""TensorBoard's default number of values per series. Our own API always returns all."""

RESPONSE_BYTES = 16 << 20
"""Limit of the text in one response, for the newest values. TensorBoard has no limit."""

MAX_CELLS = 20_000
"""Limit of the strings of one value."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tags."""
    board = board_of(request)
    return await board.responses.cached(request, board.provider.structure_generation, tag_names, board.provider)


def tag_names(provider: IndexProvider) -> Pieces:
    """The tags of all texts by run."""
    tags_by_run = provider.tags_by_run("text")
    yield from json_pieces.object_of(
        json_pieces.member(run, json_pieces.column(list(tags))) for run, tags in tags_by_run.items()
    )


async def text(request: Request) -> Response:
    """GET /text?run&tag[&markdown=false]: [{wall_time, step, text}, ...]; [] for unknown series."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    return await board.responses.stream(
        request, text_pieces(board.provider, board.settings, run, tag, first(request, "markdown") != "false")
    )


def text_pieces(provider: ValueProvider, settings: BoardSettings, run: str, tag: str, markdown: bool) -> Pieces:
    """The texts that TensorBoard's route returns. The budget is spent on the newest first.

    All are in memory until the oldest is rendered, at most RESPONSE_BYTES of text.
    """
    try:
        values = provider.values("text", run, tag)
    except NotFound:
        yield b"[]"
        return
    writer, rows, held_bytes = Writer(provider, run, tag, markdown), [], 0
    for index in reversed(sample_indices(len(values), settings.samples.get("text", SAMPLES))):
        html = writer.html(values.key(index))
        rows.append(encode({"wall_time": values.walls[index], "step": values.steps[index], "text": html}))
        held_bytes += len(rows[-1])
        yield held_bytes
    yield from json_pieces.array((rows.pop(),) for _ in range(len(rows)))


class Writer:
    """Renders the values of one series as HTML, within the limit of the response."""

    def __init__(self, provider: ValueProvider, run: str, tag: str, markdown: bool) -> None:
        from lightboard.untrusted.rendering import Budget  # imports the Markdown parser

        self.provider = provider
        self.run, self.tag = run, tag
        self.markdown = markdown
        self.budget = Budget()
        self.bytes_left = RESPONSE_BYTES

    def html(self, key: str) -> str:
        """One value: a text or a table of texts, with a notice if it is truncated."""
        from lightboard.query.text import read_text

        try:
            value = read_text(self.provider, self.run, self.tag, key, max(1, self.bytes_left), most_cells=MAX_CELLS)
        except (NotFound, Unshowable) as error:
            return f"<p>{html.escape(error.message, quote=False)}</p>"
        self.bytes_left -= min(value.size, self.bytes_left)
        cells, plain = self.cells(value.cells)
        notes = []
        if len(value.shape) > 2:
            notes.append(f"<p><strong>{len(value.shape)} dimensions:</strong> the first table is shown.</p>")
        if value.cut:
            notes.append(f"<p><em>The beginning of {value.size} bytes.</em></p>")
        if plain:
            notes.append("<p><em>Shown as plain text.</em></p>")
        return "".join(notes) + (table_html(cells, value.columns) if value.shape else "".join(cells))

    def cells(self, texts: list[str]) -> tuple[list[str], bool]:
        """Texts as HTML, and whether some are shown as plain text."""
        from lightboard.untrusted.markdown import tags_only_html

        if not self.markdown:
            return [tags_only_html(text) for text in texts], False
        rendered = [self.budget.render(text) for text in texts]
        return [cell.html for cell in rendered], any(cell.plain for cell in rendered)


def table_html(cells: list[str], columns: int) -> str:
    """A table of HTML cells."""
    rows = [cells[start : start + columns] for start in range(0, len(cells), max(1, columns))]
    lines = ["<table>", "<tbody>"]
    for row in rows:
        lines += ["<tr>", *(f"<td>{cell}</td>" for cell in row), "</tr>"]
    return "\n".join([*lines, "</tbody>", "</table>"])


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/text", text),
)
