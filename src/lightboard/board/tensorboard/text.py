"""/data/plugin/text: tags, the texts of one series as HTML."""

import html

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.events.sampling import kept_indices

PLUGIN = "/data/plugin/text"

SAMPLES = 100
"""Values of one series that TensorBoard tells when nothing else is asked; our own API always has all."""

ANSWER_BYTES = 16 << 20
"""So much text in one answer, the newest values first; TensorBoard sends any amount."""

MOST_CELLS = 20_000
"""And so many strings of one value."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tags."""
    board = board_of(request)
    return await board.cached_json(request, board.provider.structure_generation, tag_names, board)


def tag_names(board: Board) -> Pieces:
    """All tags of texts by run."""
    listed = board.provider.tags_by_run("text")
    yield from json_pieces.object_of(
        json_pieces.named(run, json_pieces.column(list(tags))) for run, tags in listed.items()
    )


async def text(request: Request) -> Response:
    """GET /text?run&tag[&markdown=false]: [{wall_time, step, text}, ...]; nothing for what is not there."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    return await board.stream_json(request, text_pieces(board, run, tag, first(request, "markdown") != "false"))


def text_pieces(board: Board, run: str, tag: str, markdown: bool) -> Pieces:
    """The texts that TensorBoard would tell; the newest ones spend first what the answer may cost.

    They are held until the oldest is written: never more than ANSWER_BYTES of text come to.
    """
    try:
        values = board.provider.values("text", run, tag)
    except NotFound:
        yield b"[]"
        return
    writer, told, held = Writer(board, run, tag, markdown), [], 0
    for at in reversed(kept_indices(len(values), board.settings.samples.get("text", SAMPLES))):
        html = writer.html(values.key(at))
        told.append(encode({"wall_time": values.walls[at], "step": values.steps[at], "text": html}))
        held += len(told[-1])
        yield held
    yield from json_pieces.array((told.pop(),) for _ in range(len(told)))


class Writer:
    """Writes the values of one series as HTML, while the answer is not too long."""

    def __init__(self, board: Board, run: str, tag: str, markdown: bool) -> None:
        from lightboard.untrusted.rendering import Budget  # loads the Markdown reader

        self.board = board
        self.run, self.tag = run, tag
        self.markdown = markdown
        self.budget = Budget()
        self.bytes_left = ANSWER_BYTES

    def html(self, key: str) -> str:
        """One value: a text, or a table of them, with a word above it where that is not all of it."""
        from lightboard.query.text import read_text

        try:
            value = read_text(
                self.board.provider, self.run, self.tag, key, max(1, self.bytes_left), most_cells=MOST_CELLS
            )
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
        """Texts as HTML, and whether some Markdown was too much to be rendered."""
        from lightboard.untrusted.markdown import tags_only_html

        if not self.markdown:
            return [tags_only_html(text) for text in texts], False
        found = [self.budget.render(text) for text in texts]
        return [one.html for one in found], any(one.plain for one in found)


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
