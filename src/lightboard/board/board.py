"""What every route of one board needs, in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, cast

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.answers import respond
from lightboard.asgi.pool import Pool
from lightboard.board.changes import Changes
from lightboard.board.late_api import LateApi
from lightboard.config import BoardSettings
from lightboard.query.provider import Provider

P = ParamSpec("P")


@dataclass(frozen=True, kw_only=True)
class Board:
    """One served logdir: the answers, the news, the threads for heavy work, and what the user asked for."""

    provider: Provider
    changes: Changes
    pool: Pool
    settings: BoardSettings
    api: LateApi

    async def json(self, request: Request, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Response:
        """200 with JSON: `make(...)` is called and encoded in a thread, unless it gives bytes that are JSON already.

        Tuples with named fields become objects. The models in `schema` say what comes out; tests hold the answers to
        them, so that making them costs nothing here.
        """
        body = await self.pool.call(lambda: encoded(make(*args, **kwargs)))
        return await respond(request, body, "application/json", pool=self.pool)


def encoded(value: Any) -> bytes:
    """`value` as JSON; what is no number as a word, as TensorBoard writes it."""
    if isinstance(value, bytes):
        return value
    from pydantic_core import to_json  # not needed for the first page

    return to_json(fields_of(value), inf_nan_mode="strings")


def fields_of(value: Any) -> Any:
    """Named tuples, also in a list, as mappings: a plain tuple would become an array."""
    if isinstance(value, dict):
        return {name: fields_of(each) for name, each in value.items()}
    if isinstance(value, list):
        return [each._asdict() if hasattr(each, "_asdict") else each for each in value]
    return fields_of(value._asdict()) if hasattr(value, "_asdict") else value


def board_of(request: Request) -> Board:
    """The board that this request reached."""
    return cast(Board, request.app.state.board)
