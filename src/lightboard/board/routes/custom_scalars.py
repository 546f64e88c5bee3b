"""The layout of scalars that writers gave, with the tags that its charts mean."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.query.custom_scalars import ChartMeant, read_layouts, resolve
from lightboard.schema.custom_scalars import CustomScalars


async def read_layout(request: Request) -> Response:
    """GET /api/v1/custom_scalars"""
    board = board_of(request)
    return await board.json(request, layout_fields, board)


def layout_fields(board: Board) -> dict[str, Any]:
    """The fields of CustomScalars."""
    generation = board.provider.generation
    layout, unreadable = read_layouts(board.provider)
    return {
        "generation": generation,
        "categories": [
            {"title": title, "closed": closed, "charts": [chart_fields(chart) for chart in charts]}
            for title, closed, charts in resolve(board.provider, layout)
        ],
        "unreadable": [{"run": run, "error": error} for run, error in unreadable],
    }


def chart_fields(chart: ChartMeant) -> dict[str, Any]:
    """The fields of CustomChart."""
    return {
        "title": chart.title,
        "kind": chart.kind,
        "patterns": [meant._asdict() for meant in chart.patterns],
        "margins": [{**meant.margin._asdict(), "missing": meant.missing} for meant in chart.margins],
    }


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/custom_scalars",
        handler=read_layout,
        summary="The layouts of scalars that writers gave, as one, with the tags that their charts mean",
        answer=CustomScalars,
    ),
)
