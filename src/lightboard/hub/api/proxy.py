"""Forwards a request to a board worker and streams the response back.

Nothing is buffered: event streams work, large responses take no memory, and each side notices when the other
disconnects. Hop-by-hop headers (RFC 9110, 7.6.1) and headers between browser and hub are not forwarded.
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
KEEPALIVE_SECS = 30.0
"""Shorter than the workers' timeout, so that no connection is reused while the worker closes it."""

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
REQUEST_ONLY = frozenset({"cookie", "authorization", "x-csrf-token", "forwarded", "expect"})
"""Request headers between the browser and the hub."""
RESPONSE_ONLY = frozenset({"set-cookie", "server", "date"})
"""Response headers that workers may not set."""
INTERNAL_PREFIXES = ("x-lightboard-", "x-forwarded-")
SAFE = "".join(map(chr, range(0x21, 0x7F)))


class ClientDisconnected(Exception):  # control flow, not an error
    """The client has disconnected."""


class ResponseCut(Exception):  # control flow, not an error
    """A response ends early, for this `reason`. The connection must be closed so that it does not look complete."""

    def __init__(self, reason: str = "its worker is gone") -> None:
        super().__init__(reason)
        self.reason = reason


class Proxy:
    """A connection pool for all workers, created in the event loop on first use."""

    def __init__(self) -> None:
        self._client: aiohttp.ClientSession | None = None

    async def forward(
        self, scope: Scope, receive: Receive, send: Send, *, address: Address, path: str, extra: Mapping[str, str]
    ) -> None:
        """Responds to the request in `scope` with the worker's response for `path` (raw, with the query).

        Raises:
            LaunchError: the worker does not respond; nothing has been sent yet.
            ResponseCut: the worker disconnected during the response.
        """
        body = Body(receive, scope)
        forwarding = asyncio.create_task(
            self._forward(scope, send, body, URL(address.base_url + path, encoded=True), address, extra)
        )
        gone = asyncio.create_task(body.wait_for_disconnect())
        try:
            await asyncio.wait({forwarding, gone}, return_when=asyncio.FIRST_COMPLETED)
            if forwarding.done():
                forwarding.result()
        except ClientDisconnected:
            return
        finally:
            gone.cancel()
            forwarding.cancel()
            await asyncio.gather(gone, forwarding, return_exceptions=True)

    async def close(self) -> None:
        """Closes all connections."""
        if self._client:
            await self._client.close()

    async def _forward(
        self, scope: Scope, send: Send, body: "Body", url: URL, address: Address, extra: Mapping[str, str]
    ) -> None:
        headers = request_headers(scope, {**address.headers, **extra})
        try:
            answer = await self._session().request(
                scope["method"],
                url,
                headers=headers,
                data=body.chunks() if body.expected else None,
                allow_redirects=False,
            )
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise LaunchError("the board does not respond", reason="Unreachable") from error
        async with answer:
            await send({"type": "http.response.start", "status": answer.status, "headers": response_headers(answer)})
            try:
                async for chunk in answer.content.iter_any():
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            except (aiohttp.ClientError, TimeoutError) as error:
                raise ResponseCut from error
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _session(self) -> aiohttp.ClientSession:
        if self._client is None:
            self._client = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEPALIVE_SECS),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECS),
                auto_decompress=False,
                skip_auto_headers=("user-agent", "accept", "accept-encoding", "content-type"),
            )
        return self._client


class Body:
    """The request body, and the disconnect of the client after it."""

    def __init__(self, receive: Receive, scope: Scope) -> None:
        names = {name for name, _ in scope["headers"]}
        self.expected = b"content-length" in names or b"transfer-encoding" in names
        self._receive = receive
        self._ended = asyncio.Event()
        if not self.expected:
            self._ended.set()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body. Raises ClientDisconnected if it is incomplete."""
        more = True
        while more:
            message: Message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            more = message.get("more_body", False)
            if message.get("body"):
                yield message["body"]
        self._ended.set()

    async def wait_for_disconnect(self) -> None:
        """Returns when the client disconnects after it has sent the whole body."""
        await self._ended.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass


def request_headers(scope: Scope, extra: Mapping[str, str]) -> list[tuple[str, str]]:
    """Headers for the worker: those of the request that may be forwarded, and `extra`, which clients cannot forge."""
    headers_in = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
    dropped = HOP_BY_HOP | REQUEST_ONLY | connection_headers(headers_in) | {name.lower() for name in extra}
    kept = [
        (name, value) for name, value in headers_in if name not in dropped and not name.startswith(INTERNAL_PREFIXES)
    ]
    return [*kept, *extra.items()]


def response_headers(answer: aiohttp.ClientResponse) -> list[tuple[bytes, bytes]]:
    """Headers for the browser."""
    headers_in = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in answer.raw_headers]
    dropped = HOP_BY_HOP | RESPONSE_ONLY | connection_headers(headers_in)
    return [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in headers_in
        if name not in dropped and not name.startswith(INTERNAL_PREFIXES)
    ]


def connection_headers(headers: list[tuple[str, str]]) -> set[str]:
    """The header names that a Connection header lists as hop-by-hop."""
    return {
        word.strip().lower()
        for name, value in headers
        if name == "connection"
        for word in value.split(",")
        if word.strip()
    }


def ascii_path(raw: bytes) -> str:
    """The raw path, with bytes that are not allowed in a path percent-encoded."""
    return quote(raw, safe=SAFE)
