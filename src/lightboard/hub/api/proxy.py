"""Hands a request on to a board worker and its answer back, a piece at a time, in both directions.

Nothing is gathered: event streams flow, large answers take no memory, and when either side goes away the other is told.
What is hop by hop (RFC 9110, 7.6.1), and what is between the browser and the hub alone, goes no further.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from urllib.parse import quote

import aiohttp
from starlette.types import Message, Receive, Scope, Send
from yarl import URL

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import Address

CONNECT_SECS = 5.0
KEEP_SECS = 30.0
"""Shorter than the workers keep a connection, so that none is used that they are just closing."""

HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
OURS = frozenset({"cookie", "authorization", "x-csrf-token", "forwarded", "expect"})
"""Of a request: between the browser and the hub."""
THEIRS = frozenset({"set-cookie", "server", "date"})
"""Of an answer: a worker has no business with them."""
OUR_PREFIXES = ("x-lightboard-", "x-forwarded-")
SAFE = "".join(map(chr, range(0x21, 0x7F)))


class ClientGone(Exception):  # it is news, not a fault
    """Whoever asked has gone."""


class AnswerCut(Exception):  # the same
    """An answer ends in its middle, for this `reason`: so is the connection to be cut, lest it look whole."""

    def __init__(self, reason: str = "its worker is gone") -> None:
        super().__init__(reason)
        self.reason = reason


class Proxy:
    """One pool of connections to all workers; made in the event loop at the first use."""

    def __init__(self) -> None:
        self._client: aiohttp.ClientSession | None = None

    async def pass_on(
        self, scope: Scope, receive: Receive, send: Send, *, address: Address, path: str, extra: Mapping[str, str]
    ) -> None:
        """Answers the request in `scope` with what the worker says to `path` (raw, with its query).

        Raises:
            LaunchError: the worker does not answer; nothing has been sent yet.
            AnswerCut: it went away in the middle.
        """
        body = Body(receive, scope)
        talk = asyncio.create_task(
            self._talk(scope, send, body, URL(address.base_url + path, encoded=True), address, extra)
        )
        gone = asyncio.create_task(body.until_gone())
        try:
            await asyncio.wait({talk, gone}, return_when=asyncio.FIRST_COMPLETED)
            if talk.done():
                talk.result()
        except ClientGone:
            return
        finally:
            gone.cancel()
            talk.cancel()
            await asyncio.gather(gone, talk, return_exceptions=True)

    async def close(self) -> None:
        """Ends all connections."""
        if self._client:
            await self._client.close()

    async def _talk(
        self, scope: Scope, send: Send, body: "Body", url: URL, address: Address, extra: Mapping[str, str]
    ) -> None:
        headers = forward_headers(scope, {**address.headers, **extra})
        try:
            answer = await self._session().request(
                scope["method"],
                url,
                headers=headers,
                data=body.pieces() if body.expected else None,
                allow_redirects=False,
            )
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise LaunchError("the board does not answer", reason="Unreachable") from error
        async with answer:
            await send({"type": "http.response.start", "status": answer.status, "headers": backward_headers(answer)})
            try:
                async for piece in answer.content.iter_any():
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            except (aiohttp.ClientError, TimeoutError) as error:
                raise AnswerCut from error
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _session(self) -> aiohttp.ClientSession:
        if self._client is None:
            self._client = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_SECS),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECS),
                auto_decompress=False,
                skip_auto_headers=("user-agent", "accept", "accept-encoding", "content-type"),
            )
        return self._client


class Body:
    """What comes from the browser: the body of its request, and at last the news that it has gone."""

    def __init__(self, receive: Receive, scope: Scope) -> None:
        names = {name for name, _ in scope["headers"]}
        self.expected = b"content-length" in names or b"transfer-encoding" in names
        self._receive = receive
        self._ended = asyncio.Event()
        if not self.expected:
            self._ended.set()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body. Raises ClientGone where it breaks off."""
        more = True
        while more:
            message: Message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            more = message.get("more_body", False)
            if message.get("body"):
                yield message["body"]
        self._ended.set()

    async def until_gone(self) -> None:
        """Returns when whoever asked has gone, if that is after all of the body came."""
        await self._ended.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass


def forward_headers(scope: Scope, extra: Mapping[str, str]) -> list[tuple[str, str]]:
    """Headers for the worker: those of the request but for what ends here, and `extra`, which nobody can forge."""
    given = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
    dropped = HOP_BY_HOP | OURS | named_hops(given) | {name.lower() for name in extra}
    kept = [(name, value) for name, value in given if name not in dropped and not name.startswith(OUR_PREFIXES)]
    return [*kept, *extra.items()]


def backward_headers(answer: aiohttp.ClientResponse) -> list[tuple[bytes, bytes]]:
    """Headers for the browser."""
    given = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in answer.raw_headers]
    dropped = HOP_BY_HOP | THEIRS | named_hops(given)
    return [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in given
        if name not in dropped and not name.startswith(OUR_PREFIXES)
    ]


def named_hops(headers: list[tuple[str, str]]) -> set[str]:
    """What a Connection header declares to be hop by hop."""
    return {
        word.strip().lower()
        for name, value in headers
        if name == "connection"
        for word in value.split(",")
        if word.strip()
    }


def ascii_path(raw: bytes) -> str:
    """A path as it came on the wire, bytes that have no place in one written as %XX."""
    return quote(raw, safe=SAFE)
