"""/data/plugin/histograms and /data/plugin/distributions: tags, and series downsampled as in TensorBoard."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.tensorboard.tag_descriptions import tag_descriptions
from lightboard.config import BoardSettings
from lightboard.errors import NotFound
from lightboard.events.sampling import sample_indices
from lightboard.query.provider import ValueProvider

if TYPE_CHECKING:  # imports NumPy
    from lightboard.events.histograms import Rows
    from lightboard.query.values import Values

KIND = "histograms"

HISTOGRAMS, DISTRIBUTIONS = 51, 501
"""TensorBoard's default number of values per series, evenly spaced with both ends."""


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.responses.cached(
        request, board.provider.structure_generation, tag_descriptions, board.provider, KIND
    )


async def histograms(request: Request) -> Response:
    """GET /histograms?run&tag: [[wall time, step, [[left, right, count], ...]], ...]"""
    board = board_of(request)
    return await board.responses.stream(
        request, histogram_pieces(board.provider, board.settings, first(request, "run"), first(request, "tag"))
    )


def histogram_pieces(provider: ValueProvider, settings: BoardSettings, run: str | None, tag: str | None) -> Pieces:
    """One series as JSON. Raises NotFound with TensorBoard's message."""
    values = series_of(provider, run, tag)
    yield from json_pieces.array(
        chain([encode([values.walls[index], values.steps[index]])[:-1] + b","], bucket_rows(rows), [b"]"])
        for index, rows in sampled_histograms(provider, settings, values, HISTOGRAMS)
    )


async def distributions(request: Request) -> Response:
    """GET /distributions?run&tag: [[wall time, step, [[basis points, value], ...]], ...]"""
    board = board_of(request)
    return await board.responses.stream(
        request, distribution_pieces(board.provider, board.settings, first(request, "run"), first(request, "tag"))
    )


def distribution_pieces(provider: ValueProvider, settings: BoardSettings, run: str | None, tag: str | None) -> Pieces:
    """One series as JSON. Raises NotFound with TensorBoard's message."""
    from lightboard.events.histograms import basis_point_values

    values = series_of(provider, run, tag)
    yield from json_pieces.rows(
        (values.walls[index], values.steps[index], basis_point_values(rows))
        for index, rows in sampled_histograms(provider, settings, values, DISTRIBUTIONS)
    )


def time_series_rows(provider: ValueProvider, settings: BoardSettings, run: str, tag: str) -> Pieces:
    """One series in the format of Time Series. Raises NotFound immediately."""
    values = series_of(provider, run, tag)
    return json_pieces.array(
        json_pieces.fields_then({"wallTime": values.walls[index], "step": values.steps[index]}, "bins", bins(rows))
        for index, rows in sampled_histograms(provider, settings, values, HISTOGRAMS)
    )


def bucket_rows(rows: "Rows") -> Pieces:
    """[[left, right, count], ...] in pieces: one histogram may have millions of buckets."""
    return json_pieces.batches(batches(rows))


def bins(rows: "Rows") -> Pieces:
    """[{"min", "max", "count"}, ...] in pieces."""
    return json_pieces.batches(
        [{"min": left, "max": right, "count": count} for left, right, count in batch] for batch in batches(rows)
    )


def batches(rows: "Rows") -> Iterator[list[list[float]]]:
    """The buckets in batches."""
    return (rows[start : start + json_pieces.BATCH].tolist() for start in range(0, len(rows), json_pieces.BATCH))


def series_of(provider: ValueProvider, run: str | None, tag: str | None) -> "Values":
    """The values of one series. Raises NotFound with TensorBoard's message."""
    try:
        return provider.values(KIND, run or "", tag or "")
    except NotFound:
        raise NotFound(f"No histogram tag {tag!r} for run {run!r}") from None


def sampled_histograms(
    provider: ValueProvider, settings: BoardSettings, values: "Values", default: int
) -> "Iterator[tuple[int, Rows]]":
    """Index and rows of `default` histograms, or as many as the settings say (0 = all), without malformed ones."""
    from lightboard.events.histograms import round_like_tensorboard
    from lightboard.query.histograms import histograms_in_batches

    chosen = sample_indices(len(values), settings.samples.get(KIND, default))
    for index, histogram in histograms_in_batches(provider, values, chosen):
        if histogram is not None:
            yield index, round_like_tensorboard(histogram)


ROUTES = (
    Route("/data/plugin/histograms/tags", tags),
    Route("/data/plugin/histograms/histograms", histograms),
    Route("/data/plugin/distributions/tags", tags),
    Route("/data/plugin/distributions/distributions", distributions),
)
