"""JSON responses of boards that share a cache."""

from typing import Any

from starlette.requests import Request

from lightboard.asgi.response_cache import ResponseCache
from lightboard.asgi.scheduler import Lane, Scheduler
from lightboard.board.responses import JsonResponses
from lightboard.testing.async_runner import run_async


def test_boards_do_not_get_the_cached_responses_of_others() -> None:
    """The same function, arguments and version; only what the responses are made of differs."""
    pool = Scheduler({"lists": Lane(1)})
    cache = ResponseCache(pool)
    request = Request({"type": "http", "method": "GET", "path": "/", "headers": []})
    sources = iter([[1], [2]])

    def make(_provider: object) -> Any:
        return next(sources)

    async def story() -> list[bytes]:
        boards = [JsonResponses(pool, cache), JsonResponses(pool, cache)]
        return [bytes((await board.cached(request, 1, make, None)).body) for board in (*boards, *boards)]

    try:
        assert run_async(story()) == [b"[1]", b"[2]", b"[1]", b"[2]"]
    finally:
        pool.close(wait=True)
