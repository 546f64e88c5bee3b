"""What every route of one board needs, in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, cast

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.answers import respond
from lightboard.asgi.pool import Pool
from lightboard.board.changes import Changes
from lightboard.board.encoding import encode
from lightboard.board.late_api import LateApi
from lightboard.board.late_desk import LateDesk
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
    pool: Pool
    settings: BoardSettings
    api: LateApi
    desk: LateDesk

    async def json(self, request: Request, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Response:
        """200 with JSON: `make(...)` is called and encoded in a thread, unless it gives bytes that are JSON already.

        The models in `schema` say what comes out, also where plain values are quicker: tests hold the answers to them.
        """
        body = await self.pool.call(lambda: as_json(make(*args, **kwargs)))
        return await respond(request, body, "application/json", pool=self.pool)


def as_json(value: Any) -> bytes:
    """`value` encoded, unless it is already."""
    return value if isinstance(value, bytes) else encode(value)


def board_of(request: Request) -> Board:
    """The board that this request reached."""
    return cast(Board, request.scope[BOARD])


def may_add(request: Request) -> bool:
    """May who asks change what people add to the runs? On a board of one's own everybody may."""
    return not request.scope.get(READ_ONLY, False)
