"""What every route of one board needs, in one place."""

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, cast

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.answer_cache import AnswerCache
from lightboard.asgi.answers import respond
from lightboard.asgi.scheduler import Pieces, Scheduler
from lightboard.asgi.streaming import stream
from lightboard.board.changes import Changes
from lightboard.board.encoding import encode
from lightboard.board.lazy_api import LazyApi
from lightboard.board.lazy_projector import LazyProjector
from lightboard.config import BoardSettings
from lightboard.overlay.base import Overlay
from lightboard.query.provider import Provider

P = ParamSpec("P")

BOARD = "lightboard.board"
"""Key of a scope: the board that the request reached. A process may serve many by the same routes."""

READ_ONLY = "lightboard.read_only"
"""Key of a scope, true where who asks may look but add nothing; set by whoever knows the person."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """One served logdir: the answers, the news, what people added, threads for heavy work, what the user asked for."""

    provider: Provider
    changes: Changes
    overlay: Overlay
    pool: Scheduler
    answers: AnswerCache
    settings: BoardSettings
    api: LazyApi
    projector: LazyProjector
    identity: object = field(default_factory=object)
    """Tells its answers in the cache, which boards share, from those of the others."""

    async def json(self, request: Request, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Response:
        """200 with JSON: `make(...)` is called and encoded in a thread, unless it gives bytes that are JSON already.

        The models in `schema` say what comes out, also where plain values are quicker: tests hold the answers to them.
        """
        body = await self.pool.call(lambda: as_json(make(*args, **kwargs)))
        return await respond(request, body, "application/json", pool=self.pool)

    async def stream_json(self, request: Request, pieces: Pieces) -> Response:
        """200 with JSON that is sent while it is made, for all that may be long: see `json_pieces`."""
        return await stream(request, pieces, "application/json", pool=self.pool)

    async def cached_json(
        self, request: Request, version: Hashable, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs
    ) -> Response:
        """As `json`, for what stays the same while `version` does; 304 for a client that has it.

        Answers are kept by function and arguments, which must be hashable; the first of them is this board.
        `make` may give pieces.
        """
        key = (self.identity, make, args[1:], tuple(sorted(kwargs.items())))
        return await self.answers.respond(
            request, key, version, lambda: json_pieces_of(make, *args, **kwargs), "application/json"
        )


def as_json(value: Any) -> bytes:
    """`value` encoded, unless it is already."""
    return value if isinstance(value, bytes) else encode(value)


def json_pieces_of(make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Pieces:
    """What `make(...)` gives as JSON: pieces as they are, anything else in one."""
    value = make(*args, **kwargs)
    if isinstance(value, Generator):
        yield from value
    else:
        yield as_json(value)


def board_of(request: Request) -> Board:
    """The board that this request reached."""
    return cast(Board, request.scope[BOARD])


def may_add(request: Request) -> bool:
    """May who asks change what people add to the runs? On a board of one's own everybody may."""
    return not request.scope.get(READ_ONLY, False)
