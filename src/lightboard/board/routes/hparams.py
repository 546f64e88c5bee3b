"""Hyperparameters of all trials."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.query.provider import DataProvider
from lightboard.query.trials import study_steps
from lightboard.schema.hparams import Hparams
from lightboard.series.experiment import Metric, Parameter


async def read_hparams(request: Request) -> Response:
    """GET /api/v1/hparams"""
    board = board_of(request)
    return await board.responses.stream(request, hparams_of(board.provider))


def hparams_of(provider: DataProvider) -> Pieces:
    """The fields of Hparams."""
    generation = provider.generation
    experiment, counts, trials = yield from study_steps(provider)
    head = {
        "generation": generation,
        "name": experiment.name,
        "description": experiment.description,
        "user": experiment.user,
        "time_created": experiment.time_created,
    }
    yield encode(head).removesuffix(b"}") + b',"parameters":'
    yield from json_pieces.rows(map(parameter_fields, experiment.parameters))
    yield b',"metrics":'
    yield from json_pieces.rows(map(metric_fields, experiment.metrics, counts))
    yield b',"trials":'
    yield from json_pieces.rows(trial._asdict() for trial in trials)
    yield b"}"


def parameter_fields(parameter: Parameter) -> dict[str, Any]:
    """The fields of a parameter."""
    return parameter._asdict() | {"interval": parameter.interval._asdict() if parameter.interval else None}


def metric_fields(metric: Metric, trials: int) -> dict[str, Any]:
    """The fields of a metric that `trials` trials have."""
    return {
        **metric.name._asdict(),
        "display_name": metric.display_name,
        "description": metric.description,
        "dataset_type": metric.dataset_type,
        "trials": trials,
    }


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/hparams",
        handler=read_hparams,
        summary="Hyperparameters, metrics and trials",
        response=Hparams,
    ),
)
