"""Builds the ASGI application of a board: our API, TensorBoard's routes, and the pages. Starts nothing."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.annotations.memory_store import MemoryAnnotationStore
from lightboard.annotations.store import AnnotationStore
from lightboard.asgi.assets import Assets
from lightboard.asgi.body_limit import BodyLimit
from lightboard.asgi.errors import HANDLERS
from lightboard.asgi.exact_routes import ExactRoutes
from lightboard.asgi.guard import Guard
from lightboard.asgi.hosts import AllowedHosts
from lightboard.asgi.long_query import LongQuery
from lightboard.asgi.prefix import PathPrefix
from lightboard.asgi.response_cache import ResponseCache
from lightboard.asgi.scheduler import Scheduler
from lightboard.asgi.scheduling_middleware import SchedulingMiddleware
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.asgi.token_auth import TokenAuth
from lightboard.board.board import BOARD, Board, Shared, board_of
from lightboard.board.changes import Changes
from lightboard.board.endpoint import Endpoint, Handler
from lightboard.board.lanes import LANES, schedule
from lightboard.board.lazy_api import LazyApi
from lightboard.board.lazy_projector import LazyProjector
from lightboard.board.pages import STATIC, pages_missing
from lightboard.board.responses import JsonResponses
from lightboard.board.tensorboard import (
    audio,
    core,
    custom_scalars,
    graphs,
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
from lightboard.query.provider import Provider

LARGER = {"/api/v1/export": 64 * 2**20}
"""An export may contain images of all charts of a page."""


def create_shared() -> Shared:
    """A new `Shared`. Loads and starts nothing."""
    pool = Scheduler(LANES)
    return Shared(pool, ResponseCache(pool), LazyApi(pool, lambda: create_api(pool)))


def create_board(
    provider: Provider,
    settings: BoardSettings,
    annotations: AnnotationStore | None = None,
    *,
    shared: Shared | None = None,
) -> Board:
    """A board. If `annotations` is None, they are stored in memory. All boards of a process get the same `shared`."""
    annotations = annotations or MemoryAnnotationStore()
    shared = shared or create_shared()
    return Board(
        provider=provider,
        settings=settings,
        annotations=annotations,
        changes=Changes(provider, annotations_revision=annotations.read().revision),
        projector=LazyProjector(provider),
        responses=JsonResponses(shared.pool, shared.cache),
        shared=shared,
    )


def create_api(pool: AsyncThreadPool) -> ASGIApp:
    """The router of /api/v1. The endpoints of a data kind are imported at its first request."""
    from lightboard.board.api import ENDPOINTS  # imports pydantic and the models
    from lightboard.board.kinds_api import KINDS, endpoints_of

    kinds: dict[str, ASGIApp] = {
        f"/api/v1/{kind}": LazyApi(pool, lambda kind=kind: router_of(endpoints_of(kind)))  # type: ignore[misc]
        for kind in KINDS
    }
    return router_of(ENDPOINTS, kinds)


def router_of(endpoints: Sequence[Endpoint], below: Mapping[str, ASGIApp] = MappingProxyType({})) -> ExactRoutes:
    """A router of these endpoints and of the apps `below` paths; 404 for all other paths."""
    paths: dict[str, dict[str, Handler]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint.handler
    return ExactRoutes([route_of(path, handlers) for path, handlers in paths.items()], below=below)


def route_of(path: str, handlers: Mapping[str, Handler]) -> Route:
    """One route for all methods of a path, so that 405 lists all allowed methods."""

    async def choose(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return Route(path, choose, methods=list(handlers))


def create_app(board: Board, hosts: AllowedHosts) -> ASGIApp:
    """The application of one board, with the security checks."""
    app, token = mount_board(board, create_routes(board.shared)), board.settings.token
    return Guard(TokenAuth(app, token) if token else app, hosts)


def mount_board(board: Board, routes: ASGIApp) -> ASGIApp:
    """`board` under its path prefix, with `routes`."""
    return PathPrefix(BoardScope(board, routes), board.settings.path_prefix)


class BoardScope:
    """Middleware that stores the board in the scope."""

    def __init__(self, board: Board, routes: ASGIApp) -> None:
        self.board = board
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        await self.routes({**scope, BOARD: self.board}, receive, send)


def create_routes(shared: Shared) -> ASGIApp:
    """The routes of all boards that were created with `shared`."""
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
            *graphs.ROUTES,
        ],
        below={"/api": shared.api},
        default=Assets(STATIC, shared.pool, lambda request: pages_missing(board_of(request).settings)),
    )
    return SchedulingMiddleware(BodyLimit(LongQuery(app), larger=LARGER), schedule)
