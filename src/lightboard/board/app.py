"""Mounts everything one board answers to: our API, TensorBoard's addresses, the page. Starts nothing."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.asgi.answer_cache import AnswerCache
from lightboard.asgi.assets import Assets
from lightboard.asgi.body_limit import BodyLimit
from lightboard.asgi.errors import HANDLERS
from lightboard.asgi.exact_routes import ExactRoutes
from lightboard.asgi.guard import Guard
from lightboard.asgi.hosts import AllowedHosts
from lightboard.asgi.long_query import LongQuery
from lightboard.asgi.prefix import PathPrefix
from lightboard.asgi.scheduler import Scheduler
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.asgi.turns import Turns
from lightboard.board.board import BOARD, Board, board_of
from lightboard.board.changes import Changes
from lightboard.board.endpoint import Endpoint, Handler
from lightboard.board.lanes import LANES, turn_of
from lightboard.board.lazy_api import LazyApi
from lightboard.board.lazy_projector import LazyProjector
from lightboard.board.pages import STATIC, pages_missing
from lightboard.board.tensorboard import (
    audio,
    core,
    custom_scalars,
    histograms,
    hparams,
    images,
    meshes,
    pr_curves,
    projector,
    scalars,
    text,
    timeseries,
)
from lightboard.config import BoardSettings
from lightboard.overlay.base import Overlay
from lightboard.overlay.memory import MemoryOverlay
from lightboard.query.provider import Provider

LARGER = {"/api/v1/export": 64 * 2**20}
"""Pictures of a whole page of charts are sent along to be put into one archive."""


class Shared(NamedTuple):
    """What boards of one process need only once: threads, kept answers, and the routes of /api/v1."""

    pool: Scheduler
    answers: AnswerCache
    api: LazyApi


def create_shared() -> Shared:
    """Made anew; nothing is loaded or started yet."""
    pool = Scheduler(LANES)
    return Shared(pool, AnswerCache(pool), LazyApi(pool, lambda: create_api(pool)))


def create_board(
    provider: Provider, settings: BoardSettings, overlay: Overlay | None = None, *, shared: Shared | None = None
) -> Board:
    """The state that all routes share; without an `overlay` what people add lasts as long as the process.

    Boards of one process are made with the same `shared`.
    """
    overlay = overlay or MemoryOverlay()
    shared = shared or create_shared()
    return Board(
        provider=provider,
        changes=Changes(provider, overlay_revision=overlay.read().revision),
        overlay=overlay,
        pool=shared.pool,
        answers=shared.answers,
        settings=settings,
        api=shared.api,
        projector=LazyProjector(provider),
    )


def create_api(pool: AsyncThreadPool) -> ASGIApp:
    """The router of /api/v1. The endpoints of a data kind are made at the first question about it."""
    from lightboard.board.api import ENDPOINTS  # loads pydantic and the models
    from lightboard.board.kinds_api import KINDS, endpoints_of

    kinds: dict[str, ASGIApp] = {
        f"/api/v1/{kind}": LazyApi(pool, lambda kind=kind: router_of(endpoints_of(kind)))  # type: ignore[misc]
        for kind in KINDS
    }
    return router_of(ENDPOINTS, kinds)


def router_of(endpoints: Sequence[Endpoint], below: Mapping[str, ASGIApp] = MappingProxyType({})) -> ExactRoutes:
    """Answers to these endpoints, hands on what is `below` a path of an app, and says 404 to all else."""
    paths: dict[str, dict[str, Handler]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint.handler
    return ExactRoutes([route_of(path, handlers) for path, handlers in paths.items()], below=below)


def route_of(path: str, handlers: Mapping[str, Handler]) -> Route:
    """One route for all methods of a path, so that a wrong one is told of all the right ones."""

    async def choose(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return Route(path, choose, methods=list(handlers))


def create_app(board: Board, hosts: AllowedHosts) -> ASGIApp:
    """The whole application of one board, guards included."""
    return Guard(create_place(board, create_routes(Shared(board.pool, board.answers, board.api))), hosts)


def create_place(board: Board, routes: ASGIApp) -> ASGIApp:
    """`board` under its prefix, answering by `routes`."""
    return PathPrefix(OnBoard(board, routes), board.settings.path_prefix)


class OnBoard:
    """Says which board a request reached."""

    def __init__(self, board: Board, routes: ASGIApp) -> None:
        self.board = board
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        await self.routes({**scope, BOARD: self.board}, receive, send)


def create_routes(shared: Shared) -> ASGIApp:
    """Everything a board answers to, for any number of boards that are made with `shared`."""
    app = Starlette(exception_handlers=dict(HANDLERS))
    app.router = ExactRoutes(
        [
            *core.ROUTES,
            *scalars.ROUTES,
            *timeseries.ROUTES,
            *hparams.ROUTES,
            *images.ROUTES,
            *text.ROUTES,
            *audio.ROUTES,
            *histograms.ROUTES,
            *pr_curves.ROUTES,
            *custom_scalars.ROUTES,
            *meshes.ROUTES,
            *projector.ROUTES,
        ],
        below={"/api": shared.api},
        default=Assets(STATIC, shared.pool, lambda request: pages_missing(board_of(request).settings)),
    )
    return Turns(BodyLimit(LongQuery(app), larger=LARGER), turn_of)
