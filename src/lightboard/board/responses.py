"""The JSON responses of one board: created in threads, streamed, or cached until something changes."""

from collections.abc import Callable, Generator, Hashable
from typing import Any, ParamSpec

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.response_cache import ResponseCache
from lightboard.asgi.responses import respond
from lightboard.asgi.scheduler import Pieces, Scheduler
from lightboard.asgi.streaming import stream
from lightboard.board.encoding import encode

P = ParamSpec("P")


class JsonResponses:
    """Creates responses in the threads of `pool`.

    `cache` may be shared by boards: the keys of each `JsonResponses` are its own, so a board that changes its provider
    needs a new one.
    """

    def __init__(self, pool: Scheduler, cache: ResponseCache) -> None:
        self._pool = pool
        self._cache = cache

    async def json(self, request: Request, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Response:
        """200 with `make(...)` encoded as JSON. Bytes are not encoded again.

        The models in `schema` describe the result, also where plain values are faster: tests compare the two.
        """
        body = await self._pool.call(lambda: as_json(make(*args, **kwargs)))
        return await respond(request, body, "application/json", pool=self._pool)

    async def stream(self, request: Request, pieces: Pieces) -> Response:
        """200 with JSON that is sent while it is generated, for responses that may be long: see `json_pieces`."""
        return await stream(request, pieces, "application/json", pool=self._pool)

    async def cached(
        self, request: Request, version: Hashable, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs
    ) -> Response:
        """As `json`, for results that only depend on `version`. Responds 304 if the client has the result.

        The cache key consists of the function and its arguments, which must be hashable, except the first one, the
        provider. `make` may be a generator of pieces.
        """
        key = (self, make, args[1:], tuple(sorted(kwargs.items())))
        return await self._cache.respond(
            request, key, version, lambda: json_pieces_of(make, *args, **kwargs), "application/json"
        )


def as_json(value: Any) -> bytes:
    """`value` encoded, unless it is bytes."""
    return value if isinstance(value, bytes) else encode(value)


def json_pieces_of(make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Pieces:
    """The result of `make(...)` as JSON: the pieces of a generator, or any other value in one piece."""
    value = make(*args, **kwargs)
    if isinstance(value, Generator):
        yield from value
    else:
        yield as_json(value)
