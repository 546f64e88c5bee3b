"""/data/plugin/histograms and /data/plugin/distributions: tags, and one series thinned as TensorBoard thins it."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import NotFound
from lightboard.events.sampling import kept_indices

if TYPE_CHECKING:  # needs numpy, which the start does not wait for
    from lightboard.events.histograms import Rows
    from lightboard.query.values import Values

KIND = "histograms"

HISTOGRAMS, DISTRIBUTIONS = 51, 501
"""So many of a series are sent unless --samples_per_plugin says otherwise: the ends, the rest evenly."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.cached_json(request, board.provider.structure_generation, tag_words, board, KIND)


async def histograms(request: Request) -> Response:
    """GET /histograms?run&tag: [[wall time, step, [[left, right, count], ...]], ...]"""
    board = board_of(request)
    return await board.stream_json(request, histogram_pieces(board, first(request, "run"), first(request, "tag")))


def histogram_pieces(board: Board, run: str | None, tag: str | None) -> Pieces:
    """One series as JSON. Raises NotFound in TensorBoard's words."""
    values = series_of(board, run, tag)
    yield from json_pieces.array(
        chain([encode([values.walls[at], values.steps[at]])[:-1] + b","], lists(rows), [b"]"])
        for at, rows in sampled(board, values, HISTOGRAMS)
    )


async def distributions(request: Request) -> Response:
    """GET /distributions?run&tag: [[wall time, step, [[basis points, value], ...]], ...]"""
    board = board_of(request)
    return await board.stream_json(request, distribution_pieces(board, first(request, "run"), first(request, "tag")))


def distribution_pieces(board: Board, run: str | None, tag: str | None) -> Pieces:
    """One series as JSON. Raises NotFound in TensorBoard's words."""
    from lightboard.events.histograms import basis_point_values

    values = series_of(board, run, tag)
    yield from json_pieces.rows(
        (values.walls[at], values.steps[at], basis_point_values(rows))
        for at, rows in sampled(board, values, DISTRIBUTIONS)
    )


def time_series_rows(board: Board, run: str, tag: str) -> Pieces:
    """One series in the form of Time Series. Raises NotFound at once."""
    values = series_of(board, run, tag)
    return json_pieces.array(
        json_pieces.fields_then({"wallTime": values.walls[at], "step": values.steps[at]}, "bins", bins(rows))
        for at, rows in sampled(board, values, HISTOGRAMS)
    )


def lists(rows: "Rows") -> Pieces:
    """[[left, right, count], ...], some at a time: one histogram may have millions."""
    return json_pieces.batches(lots(rows))


def bins(rows: "Rows") -> Pieces:
    """The same as objects."""
    return json_pieces.batches(
        [{"min": left, "max": right, "count": count} for left, right, count in lot] for lot in lots(rows)
    )


def lots(rows: "Rows") -> Iterator[list[list[float]]]:
    """Buckets, some at a time."""
    return (rows[at : at + json_pieces.BATCH].tolist() for at in range(0, len(rows), json_pieces.BATCH))


def series_of(board: Board, run: str | None, tag: str | None) -> "Values":
    """The values of one series. Raises NotFound in TensorBoard's words."""
    try:
        return board.provider.values(KIND, run or "", tag or "")
    except NotFound:
        raise NotFound(f"No histogram tag {tag!r} for run {run!r}") from None


def sampled(board: Board, values: "Values", default: int) -> "Iterator[tuple[int, Rows]]":
    """Number and rows of `default` histograms, or of so many as the settings say, 0 = all; what cannot be shown is
    left out."""
    from lightboard.events.histograms import as_tensorboard_has
    from lightboard.query.histograms import histograms_in_lots

    chosen = kept_indices(len(values), board.settings.samples.get(KIND, default))
    for at, histogram in histograms_in_lots(board.provider, values, chosen):
        if histogram is not None:
            yield at, as_tensorboard_has(histogram)


ROUTES = (
    Route("/data/plugin/histograms/tags", tags),
    Route("/data/plugin/histograms/histograms", histograms),
    Route("/data/plugin/distributions/tags", tags),
    Route("/data/plugin/distributions/distributions", distributions),
)
