"""/data/plugin/hparams: the experiment, groups of sessions, the points of one metric, the table to take away.

Questions are JSON of protocol-buffers messages, in the body or in the parameter `request`; answers are too. What they
are made of is loaded when somebody asks.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board.board import Board, board_of
from lightboard.board.tensorboard.scalars import scalar_pieces
from lightboard.errors import BadRequest

PLUGIN = "/data/plugin/hparams"

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "latex": "application/x-latex"}


async def asked(request: Request) -> bytes:
    """The question as text, b"" where there is none."""
    return await request.body() if request.method == "POST" else (first(request, "request") or "").encode()


async def experiment(request: Request) -> Response:
    """/experiment with a GetExperimentRequest."""
    board = board_of(request)
    return await board.stream_json(request, experiment_body(board, await asked(request)))


def experiment_body(board: Board, text: bytes) -> Pieces:
    """The Experiment. Raises BadRequest."""
    from lightboard.board.tensorboard.hparams_messages import EXPERIMENT_REQUEST, experiment_json, read_request
    from lightboard.query.experiment import experiment_steps, session_steps

    question = read_request(text, EXPERIMENT_REQUEST, "GetExperimentRequest")
    sessions = yield from session_steps(board.provider)
    with_metrics = question.get("include_metrics", True)
    found = yield from experiment_steps(board.provider, sessions, with_metrics=with_metrics)
    limit = question.get("hparams_limit") or None
    yield from experiment_json(found._replace(parameters=found.parameters[:limit]))


async def session_groups(request: Request) -> Response:
    """/session_groups with a ListSessionGroupsRequest."""
    board = board_of(request)
    return await board.stream_json(request, groups_body(board, await asked(request)))


def groups_body(board: Board, text: bytes) -> Pieces:
    """The ListSessionGroupsResponse. Raises BadRequest."""
    from lightboard.board.tensorboard.hparams_messages import groups_json
    from lightboard.board.tensorboard.hparams_table import read_groups

    _, groups, total = yield from read_groups(board.provider, text)
    yield from groups_json(groups, total)


async def metric_evals(request: Request) -> Response:
    """/metric_evals with a ListMetricEvalsRequest: [[wall time, step, value], ...]"""
    board = board_of(request)
    return await board.stream_json(request, evals_body(board, await asked(request)))


def evals_body(board: Board, text: bytes) -> Pieces:
    """Points of one metric of one session. Raises BadRequest, NotFound."""
    from lightboard.board.tensorboard.hparams_messages import EVALS_REQUEST, read_request
    from lightboard.query.experiment import run_of

    question = read_request(text, EVALS_REQUEST, "ListMetricEvalsRequest")
    metric = question.get("metric_name", {})
    run = run_of(question.get("session_name", ""), metric.get("group", ""))
    yield from scalar_pieces(board, run, metric.get("tag", ""), in_csv=False)


async def download_data(request: Request) -> Response:
    """/download_data?format=csv|json|latex&columnsVisibility=[true, ...] with a ListSessionGroupsRequest."""
    board = board_of(request)
    form = first(request, "format") or ""
    if form not in MEDIA_TYPES:
        raise BadRequest(f"Invalid reponses format: {form}")
    pieces = table_body(board, await asked(request), form, first(request, "columnsVisibility"))
    return await stream(request, pieces, MEDIA_TYPES[form], pool=board.pool)


def table_body(board: Board, text: bytes, form: str, visibility: str | None) -> Pieces:
    """The table. Raises BadRequest."""
    from lightboard.board.tensorboard.hparams_table import table

    yield from table(board.provider, text, form, visibility)


ROUTES = tuple(
    Route(f"{PLUGIN}/{name}", handler, methods=["GET", "POST"])
    for name, handler in (
        ("experiment", experiment),
        ("session_groups", session_groups),
        ("metric_evals", metric_evals),
        ("download_data", download_data),
    )
)
