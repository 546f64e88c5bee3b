"""The custom layout of scalars, with the tags of its charts."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import board_of
from lightboard.board.endpoint import Endpoint
from lightboard.query.custom_scalars import ResolvedChart, read_layouts, resolve
from lightboard.query.provider import DataProvider
from lightboard.schema.custom_scalars import CustomScalars


async def read_layout(request: Request) -> Response:
    """GET /api/v1/custom_scalars"""
    board = board_of(request)
    return await board.responses.json(request, layout_fields, board.provider)


def layout_fields(provider: DataProvider) -> dict[str, Any]:
    """The fields of CustomScalars."""
    generation = provider.generation
    layout, unreadable = read_layouts(provider)
    return {
        "generation": generation,
        "categories": [
            {"title": title, "closed": closed, "charts": [chart_fields(chart) for chart in charts]}
            for title, closed, charts in resolve(provider, layout)
        ],
        "unreadable": [{"run": run, "error": error} for run, error in unreadable],
    }


def chart_fields(chart: ResolvedChart) -> dict[str, Any]:
    """The fields of CustomChart."""
    return {
        "title": chart.title,
        "kind": chart.kind,
        "patterns": [resolved._asdict() for resolved in chart.patterns],
        "margins": [{**resolved.margin._asdict(), "missing": resolved.missing} for resolved in chart.margins],
    }


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/custom_scalars",
        handler=read_layout,
        summary="The custom layouts of scalars of all runs, merged, with the tags of their charts",
        response=CustomScalars,
    ),
)
