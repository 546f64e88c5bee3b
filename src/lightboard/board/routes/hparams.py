"""Hyper-parameters of all trials."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.board.board import Board, board_of
from lightboard.board.endpoint import Endpoint
from lightboard.query.trials import read_study
from lightboard.schema.hparams import Hparams


async def read_hparams(request: Request) -> Response:
    """GET /api/v1/hparams"""
    board = board_of(request)
    return await board.json(request, hparams_of, board)


def hparams_of(board: Board) -> dict[str, Any]:
    """The fields of Hparams."""
    generation = board.provider.generation
    experiment, counts, trials = read_study(board.provider)
    return {
        "generation": generation,
        "name": experiment.name,
        "description": experiment.description,
        "user": experiment.user,
        "time_created": experiment.time_created,
        "parameters": [
            one._asdict() | {"interval": one.interval._asdict() if one.interval else None}
            for one in experiment.parameters
        ],
        "metrics": [
            {
                **metric.name._asdict(),
                "display_name": metric.display_name,
                "description": metric.description,
                "dataset_type": metric.dataset_type,
                "trials": count,
            }
            for metric, count in zip(experiment.metrics, counts, strict=True)
        ],
        "trials": [trial._asdict() for trial in trials],
    }


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/hparams",
        handler=read_hparams,
        summary="Hyper-parameters, metrics and trials",
        answer=Hparams,
    ),
)
