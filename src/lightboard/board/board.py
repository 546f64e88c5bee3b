"""The parts of one board, and how a request finds its board."""

from dataclasses import dataclass
from typing import NamedTuple, cast

from starlette.requests import Request

from lightboard.annotations.store import AnnotationStore
from lightboard.asgi.response_cache import ResponseCache
from lightboard.asgi.scheduler import Scheduler
from lightboard.board.changes import Changes
from lightboard.board.lazy_api import LazyApi
from lightboard.board.lazy_projector import LazyProjector
from lightboard.board.responses import JsonResponses
from lightboard.config import BoardSettings
from lightboard.query.provider import Provider

BOARD = "lightboard.board"
"""Key of a scope: the board of the request. One process may serve many boards with the same routes."""

READ_ONLY = "lightboard.read_only"
"""Key of a scope: true if the client may not edit annotations. Set by the code that authenticates clients."""


class Shared(NamedTuple):
    """What the boards of one process share: threads, cached responses, and the routes of /api/v1."""

    pool: Scheduler
    cache: ResponseCache
    api: LazyApi


@dataclass(frozen=True, kw_only=True)
class Board:
    """The parts of one served logdir. Handlers pass on only the parts that a function needs."""

    provider: Provider
    settings: BoardSettings
    annotations: AnnotationStore
    changes: Changes
    projector: LazyProjector
    responses: JsonResponses
    shared: Shared

    @property
    def pool(self) -> Scheduler:
        """The threads for blocking work."""
        return self.shared.pool


def board_of(request: Request) -> Board:
    """The board of a request."""
    return cast(Board, request.scope[BOARD])


def may_edit(request: Request) -> bool:
    """Whether the client may edit annotations. On a board without a hub everyone may."""
    return not request.scope.get(READ_ONLY, False)
