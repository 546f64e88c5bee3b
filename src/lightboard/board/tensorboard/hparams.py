"""/data/plugin/hparams: the experiment, session groups, the points of a metric, downloads of the table.

Requests are protobuf messages in JSON, in the body or the parameter `request`; responses are too. The modules behind
them are imported at the first request.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board.board import board_of
from lightboard.board.tensorboard.scalars import scalar_pieces
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest
from lightboard.query.provider import DataProvider, ScalarProvider

PLUGIN = "/data/plugin/hparams"

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "latex": "application/x-latex"}


async def query_text(request: Request) -> bytes:
    """The request message as text, b"" if there is none."""
    return await request.body() if request.method == "POST" else (first(request, "request") or "").encode()


async def experiment(request: Request) -> Response:
    """/experiment with a GetExperimentRequest."""
    board = board_of(request)
    return await board.responses.stream(request, experiment_body(board.provider, await query_text(request)))


def experiment_body(provider: DataProvider, text: bytes) -> Pieces:
    """The Experiment. Raises BadRequest."""
    from lightboard.board.tensorboard.hparams_messages import EXPERIMENT_REQUEST, experiment_json, read_request
    from lightboard.query.experiment import experiment_steps, session_steps

    query = read_request(text, EXPERIMENT_REQUEST, "GetExperimentRequest")
    sessions = yield from session_steps(provider)
    with_metrics = query.get("include_metrics", True)
    experiment = yield from experiment_steps(provider, sessions, with_metrics=with_metrics)
    limit = query.get("hparams_limit") or None
    yield from experiment_json(experiment._replace(parameters=experiment.parameters[:limit]))


async def session_groups(request: Request) -> Response:
    """/session_groups with a ListSessionGroupsRequest."""
    board = board_of(request)
    return await board.responses.stream(request, groups_body(board.provider, await query_text(request)))


def groups_body(provider: DataProvider, text: bytes) -> Pieces:
    """The ListSessionGroupsResponse. Raises BadRequest."""
    from lightboard.board.tensorboard.hparams_messages import groups_json
    from lightboard.board.tensorboard.hparams_table import read_groups

    _, groups, total = yield from read_groups(provider, text)
    yield from groups_json(groups, total)


async def metric_evals(request: Request) -> Response:
    """/metric_evals with a ListMetricEvalsRequest: [[wall time, step, value], ...]"""
    board = board_of(request)
    return await board.responses.stream(request, evals_body(board.provider, board.settings, await query_text(request)))


def evals_body(provider: ScalarProvider, settings: BoardSettings, text: bytes) -> Pieces:
    """The points of one metric of one session. Raises BadRequest, NotFound."""
    from lightboard.board.tensorboard.hparams_messages import EVALS_REQUEST, read_request
    from lightboard.query.experiment import run_of

    query = read_request(text, EVALS_REQUEST, "ListMetricEvalsRequest")
    metric = query.get("metric_name", {})
    run = run_of(query.get("session_name", ""), metric.get("group", ""))
    yield from scalar_pieces(provider, settings, run, metric.get("tag", ""), in_csv=False)


async def download_data(request: Request) -> Response:
    """/download_data?format=csv|json|latex&columnsVisibility=[true, ...] with a ListSessionGroupsRequest."""
    board = board_of(request)
    form = first(request, "format") or ""
    if form not in MEDIA_TYPES:
        raise BadRequest(f"Invalid reponses format: {form}")
    pieces = table_body(board.provider, await query_text(request), form, first(request, "columnsVisibility"))
    return await stream(request, pieces, MEDIA_TYPES[form], pool=board.pool)


def table_body(provider: DataProvider, text: bytes, form: str, visibility: str | None) -> Pieces:
    """The table. Raises BadRequest."""
    from lightboard.board.tensorboard.hparams_table import table

    yield from table(provider, text, form, visibility)


ROUTES = tuple(
    Route(f"{PLUGIN}/{name}", handler, methods=["GET", "POST"])
    for name, handler in (
        ("experiment", experiment),
        ("session_groups", session_groups),
        ("metric_evals", metric_evals),
        ("download_data", download_data),
    )
)
