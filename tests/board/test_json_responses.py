"""JSON responses, and the cache that boards share."""

from typing import Any

import pytest
from pydantic_core import PydanticSerializationError
from starlette.requests import Request

from lightboard.asgi.response_cache import ResponseCache
from lightboard.asgi.scheduler import Lane, Scheduler
from lightboard.board.encoding import encode
from lightboard.board.responses import JsonResponses
from lightboard.schema.model import ResponseModel
from lightboard.testing.async_runner import run_async


class NamedValues(ResponseModel):
    """A response."""

    name: str
    values: list[float]


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


def test_half_of_a_surrogate_pair_is_a_replacement_character() -> None:
    model = NamedValues(name="a\ud800", values=[float("nan"), 1.5])
    value = {"\udfff": [model, "\U0001f600", None, 2**70, -0.0]}

    expected = '{"\ufffd":[{"name":"a\ufffd","values":["NaN",1.5]},"\U0001f600",null,1180591620717411303424,-0.0]}'
    assert encode(value) == expected.encode()
    assert encode({"ok": [model.model_copy(update={"name": "a"})]}) == b'{"ok":[{"name":"a","values":["NaN",1.5]}]}'


def test_what_cannot_be_json_is_an_error() -> None:
    with pytest.raises(PydanticSerializationError, match="Unable to serialize"):
        encode({"surrogates": object()})
