"""PR curves of a tag at one step, and their statistics over steps."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.events.pr_curves import count_thresholds, curve_stats
from lightboard.query.pr_curves import CurveAt, Progress, curves_at, progress_of
from lightboard.query.provider import DataProvider
from lightboard.schema.pr_curves import PrCurvesRequest, PrCurvesResponse, PrProgressRequest, PrProgressResponse

NO_NUMBERS: dict[str, Any] = {
    "shown": 0,
    "average_precision": float("nan"),
    "best_f1": float("nan"),
    "best_threshold": float("nan"),
    "thresholds": [],
    "true_positives": [],
    "false_positives": [],
    "true_negatives": [],
    "false_negatives": [],
    "precision": [],
    "recall": [],
}
"""The fields of a curve that cannot be read."""


async def read_curves(request: Request) -> Response:
    """POST /api/v1/pr_curves"""
    board = board_of(request)
    body = await read_body(request, PrCurvesRequest, board.pool)
    return await board.responses.stream(request, curves_of(board.provider, body))


def curves_of(provider: DataProvider, body: PrCurvesRequest) -> Pieces:
    """The fields of PrCurvesResponse."""
    generation = provider.generation
    curves = curves_at(provider, body.tag, body.runs, body.step, body.orphans)
    head = {"generation": generation, "tag": body.tag}
    yield from json_pieces.fields_then(head, "curves", json_pieces.rows(map(curve_fields, curves)))


def curve_fields(result: CurveAt) -> dict[str, Any]:
    """The fields of one PrCurve."""
    head = {"run": result.run, "step": result.step, "wall": result.wall, "key": result.key, "error": result.error}
    curve = result.curve
    if curve is None:
        return head | NO_NUMBERS
    rows = {name: row.tolist() for name, row in curve._asdict().items()}
    stats = curve_stats(curve)._asdict()
    return {**head, "shown": count_thresholds(curve), **stats, "thresholds": curve.thresholds.tolist(), **rows}


async def read_progress(request: Request) -> Response:
    """POST /api/v1/pr_curves/progress"""
    board = board_of(request)
    body = await read_body(request, PrProgressRequest, board.pool)
    return await board.responses.stream(request, progress_pieces(board.provider, body))


def progress_pieces(provider: DataProvider, body: PrProgressRequest) -> Pieces:
    """The fields of PrProgressResponse."""
    generation = provider.generation
    series = progress_of(provider, body.tag, body.runs, body.most, body.orphans)
    head = {"generation": generation, "tag": body.tag}
    yield from json_pieces.fields_then(head, "series", json_pieces.rows(map(progress_fields, series)))


def progress_fields(progress: Progress | None) -> dict[str, Any] | None:
    """The fields of one PrProgress."""
    return progress and {
        "run": progress.run,
        "held": progress.held,
        "steps": progress.steps,
        "walls": progress.walls,
        "average_precision": [figures.average_precision for figures in progress.figures],
        "best_f1": [figures.best_f1 for figures in progress.figures],
    }


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/pr_curves",
        handler=read_curves,
        summary="PR curves of one tag with their statistics, for each run at its step nearest to the requested one",
        body=PrCurvesRequest,
        response=PrCurvesResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/pr_curves/progress",
        handler=read_progress,
        summary="Average precision and best F1 of the PR curves of one tag over steps",
        body=PrProgressRequest,
        response=PrProgressResponse,
        errors=(400, 413),
    ),
)
