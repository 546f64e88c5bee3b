"""PR curves: those of a tag at one step, and their figures over the steps."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.events.pr_curves import figures_of, shown_length
from lightboard.query.pr_curves import CurveAt, Progress, curves_at, progress_of
from lightboard.schema.pr_curves import PrCurvesAnswer, PrCurvesQuestion, PrProgressAnswer, PrProgressQuestion

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
"""Of a curve that cannot be read."""


async def read_curves(request: Request) -> Response:
    """POST /api/v1/pr_curves"""
    board = board_of(request)
    question = await read_body(request, PrCurvesQuestion, board.pool)
    return await board.stream_json(request, curves_of(board, question))


def curves_of(board: Board, question: PrCurvesQuestion) -> Pieces:
    """The fields of PrCurvesAnswer, a curve at a time."""
    generation = board.provider.generation
    found = curves_at(board.provider, question.tag, question.runs, question.step, question.orphans)
    head = {"generation": generation, "tag": question.tag}
    yield from json_pieces.fields_then(head, "curves", json_pieces.rows(map(curve_fields, found)))


def curve_fields(found: CurveAt) -> dict[str, Any]:
    """The fields of one PrCurve."""
    head = {"run": found.run, "step": found.step, "wall": found.wall, "key": found.key, "error": found.error}
    curve = found.curve
    if curve is None:
        return head | NO_NUMBERS
    rows = {name: row.tolist() for name, row in curve._asdict().items()}
    figures = figures_of(curve)._asdict()
    return {**head, "shown": shown_length(curve), **figures, "thresholds": curve.thresholds.tolist(), **rows}


async def read_progress(request: Request) -> Response:
    """POST /api/v1/pr_curves/progress"""
    board = board_of(request)
    question = await read_body(request, PrProgressQuestion, board.pool)
    return await board.stream_json(request, progress_pieces(board, question))


def progress_pieces(board: Board, question: PrProgressQuestion) -> Pieces:
    """The fields of PrProgressAnswer, a curve at a time."""
    generation = board.provider.generation
    found = progress_of(board.provider, question.tag, question.runs, question.most, question.orphans)
    head = {"generation": generation, "tag": question.tag}
    yield from json_pieces.fields_then(head, "series", json_pieces.rows(map(progress_fields, found)))


def progress_fields(one: Progress | None) -> dict[str, Any] | None:
    """The fields of one PrProgress."""
    return one and {
        "run": one.run,
        "held": one.held,
        "steps": one.steps,
        "walls": one.walls,
        "average_precision": [figures.average_precision for figures in one.figures],
        "best_f1": [figures.best_f1 for figures in one.figures],
    }


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/pr_curves",
        handler=read_curves,
        summary="PR curves of one tag, each run at its step nearest to the one asked for, exact, and their figures",
        body=PrCurvesQuestion,
        answer=PrCurvesAnswer,
        errors=(400, 413),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/pr_curves/progress",
        handler=read_progress,
        summary="Average precision and best F1 of the PR curves of one tag over the steps",
        body=PrProgressQuestion,
        answer=PrProgressAnswer,
        errors=(400, 413),
    ),
)
