"""/data/plugin/histograms and /data/plugin/distributions: tags, and one series thinned as TensorBoard thins it."""

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import NotFound
from lightboard.query.thinning import kept_indices

if TYPE_CHECKING:  # needs numpy, which the start does not wait for
    from lightboard.events.histograms import Rows

KIND = "histograms"

HISTOGRAMS, DISTRIBUTIONS = 51, 501
"""So many of a series are sent: the ends, and what divides the rest evenly."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.json(request, tag_words, board, KIND)


async def histograms(request: Request) -> Response:
    """GET /histograms?run&tag: [[wall time, step, [[left, right, count], ...]], ...]"""
    board = board_of(request)
    return await board.json(request, histograms_body, board, first(request, "run"), first(request, "tag"))


def histograms_body(board: Board, run: str | None, tag: str | None) -> bytes:
    """One series as JSON. Raises NotFound in TensorBoard's words."""
    return encode([(wall, step, rows.tolist()) for wall, step, rows in sampled(board, run, tag, HISTOGRAMS)])


async def distributions(request: Request) -> Response:
    """GET /distributions?run&tag: [[wall time, step, [[basis points, value], ...]], ...]"""
    board = board_of(request)
    return await board.json(request, distributions_body, board, first(request, "run"), first(request, "tag"))


def distributions_body(board: Board, run: str | None, tag: str | None) -> bytes:
    """One series as JSON. Raises NotFound in TensorBoard's words."""
    from lightboard.events.histograms import basis_point_values

    found = sampled(board, run, tag, DISTRIBUTIONS)
    return encode([(wall, step, basis_point_values(rows)) for wall, step, rows in found])


def time_series_rows(board: Board, run: str, tag: str) -> bytes:
    """One series in the form of Time Series. Raises NotFound."""
    most = board.settings.samples.get(KIND, HISTOGRAMS)
    return encode(
        [
            {
                "wallTime": wall,
                "step": step,
                "bins": [{"min": left, "max": right, "count": count} for left, right, count in rows.tolist()],
            }
            for wall, step, rows in sampled(board, run, tag, most)
        ]
    )


def sampled(board: Board, run: str | None, tag: str | None, most: int) -> "list[tuple[float, int, Rows]]":
    """Wall time, step and rows of at most `most` histograms, 0 = all. Raises NotFound in TensorBoard's words."""
    from lightboard.events.histograms import as_tensorboard_has
    from lightboard.query.histograms import read_histograms

    try:
        values = board.provider.values(KIND, run or "", tag or "")
    except NotFound:
        raise NotFound(f"No histogram tag {tag!r} for run {run!r}") from None
    chosen = kept_indices(len(values), most)
    found = read_histograms(board.provider, values, chosen)
    return [
        (values.walls[at], values.steps[at], as_tensorboard_has(histogram))
        for at, histogram in zip(chosen, found, strict=True)
        if histogram is not None
    ]


ROUTES = (
    Route("/data/plugin/histograms/tags", tags),
    Route("/data/plugin/histograms/histograms", histograms),
    Route("/data/plugin/distributions/tags", tags),
    Route("/data/plugin/distributions/distributions", distributions),
)
