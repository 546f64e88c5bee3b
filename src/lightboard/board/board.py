"""What every route of one board needs, in one place."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.answers import respond
from lightboard.asgi.pool import Pool
from lightboard.board.changes import Changes
from lightboard.config import BoardSettings
from lightboard.query.provider import Provider
from lightboard.schema.model import Answer


@dataclass(frozen=True, kw_only=True)
class Board:
    """One served logdir: the answers, the news, the threads for heavy work, and what the user asked for."""

    provider: Provider
    changes: Changes
    pool: Pool
    settings: BoardSettings

    async def json(self, request: Request, body: bytes | Answer) -> Response:
        """200 with JSON, given as bytes or as a model."""
        if isinstance(body, Answer):
            body = body.__pydantic_serializer__.to_json(body)
        return await respond(request, body, "application/json", pool=self.pool)


def board_of(request: Request) -> Board:
    """The board that this request reached."""
    return cast(Board, request.app.state.board)
