"""The control API of a worker, used by the hub. Authentication is in `worker.auth`."""

import os
import threading
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, ExceptionHandler

from lightboard import __version__
from lightboard.asgi.params import parse_model
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.encoding import encode
from lightboard.board.worker.boards import CONTROL, Boards, HostedBoard, states_of
from lightboard.board.worker.log import MAX_LINES
from lightboard.board.worker.probe import probe
from lightboard.board.worker.usage import cpu_secs, memory_bytes
from lightboard.errors import BadRequest, LaunchError, LightboardError, NotFound
from lightboard.schema.model import ResponseModel
from lightboard.schema.worker import BoardBody, BoardState, LogResponse, SourceBody, WorkerState
from lightboard.untrusted.numbers import whole_number


class Control:
    """The handlers of the worker `id`. `slow` has threads that may wait for storages."""

    def __init__(self, id: str, boards: Boards, slow: AsyncThreadPool) -> None:
        self.id = id
        self.boards = boards
        self.slow = slow

    async def read_state(self, request: Request) -> Response:  # noqa: ARG002  # the signature of handlers
        """GET /control/state"""
        hosted = list(self.boards.by_id.values())
        states = await self.boards.shared.pool.call(states_of, hosted)
        return json_response(self.state(states))

    def state(self, boards: Sequence[BoardState]) -> WorkerState:
        """The state of the process."""
        return WorkerState(
            id=self.id,
            pid=os.getpid(),
            version=__version__,
            engines=len(self.boards.engines),
            threads=threading.active_count(),
            memory_bytes=memory_bytes(),
            cpu_secs=cpu_secs(),
            boards=list(boards),
        )

    async def put_board(self, request: Request) -> Response:
        """PUT /control/boards/{id}"""
        body = parse_model(await request.body(), BoardBody)
        if body.id != request.path_params["id"]:
            raise BadRequest("the path and the body have different ids")
        hosted = await self.boards.put(body)
        (state,) = await self.boards.shared.pool.call(states_of, [hosted])
        return json_response(state)

    async def delete_board(self, request: Request) -> Response:
        """DELETE /control/boards/{id}"""
        self.boards.remove(request.path_params["id"])
        return Response(status_code=204)

    async def read_log(self, request: Request) -> Response:
        """GET /control/boards/{id}/log?lines=100"""
        return json_response(LogResponse(lines=self.hosted(request).log.last(lines_of(request))))

    async def post_probe(self, request: Request) -> Response:
        """POST /control/probe"""
        return json_response(await probe(parse_model(await request.body(), SourceBody), self.slow))

    def hosted(self, request: Request) -> HostedBoard:
        """The board of the path. Raises NotFound."""
        hosted = self.boards.by_id.get(request.path_params["id"])
        if hosted is None:
            raise NotFound("no such board")
        return hosted


def create_control(control: Control) -> ASGIApp:
    """The application of /control."""
    board = f"{CONTROL}/boards/{{id}}"
    app = Starlette(
        routes=[
            Route(f"{CONTROL}/state", control.read_state),
            Route(board, control.put_board, methods=["PUT"]),
            Route(board, control.delete_board, methods=["DELETE"]),
            Route(f"{board}/log", control.read_log),
            Route(f"{CONTROL}/probe", control.post_probe, methods=["POST"]),
        ],
        exception_handlers=HANDLERS,
    )
    app.router.redirect_slashes = False
    return app


def lines_of(request: Request) -> int:
    """The requested number of lines. Raises BadRequest."""
    count = whole_number(request.query_params.get("lines", "100"))
    if count is None:
        raise BadRequest("lines must be a number", hint=f"from 0 to {MAX_LINES}")
    return count


def json_response(body: ResponseModel, status: int = 200) -> Response:
    """A JSON response."""
    return Response(encode(body), status, {"cache-control": "no-store"}, "application/json")


def error_response(status: int, code: str, message: str, hint: str = "") -> Response:
    """An error in the format of /api."""
    body = encode({"error": {"code": code, "message": message, "hint": hint}})
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


async def on_lightboard(request: Request, exc: Exception) -> Response:  # noqa: ARG001  # the signature of handlers
    """Handle errors with messages for users. The code of a LaunchError is its reason."""
    assert isinstance(exc, LightboardError)
    code = exc.reason if isinstance(exc, LaunchError) else exc.code
    return error_response(exc.status, code, exc.message, exc.hint)


async def on_http(request: Request, exc: Exception) -> Response:  # noqa: ARG001  # the signature of handlers
    """Handle unknown paths and wrong methods."""
    assert isinstance(exc, HTTPException)
    return error_response(exc.status_code, "http", exc.detail)


HANDLERS: dict[int | type[Exception], ExceptionHandler] = {LightboardError: on_lightboard, HTTPException: on_http}
