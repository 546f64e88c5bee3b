"""Forwards a request to a server behind the hub, and streams the response back. WebSockets are forwarded too.

Nothing is buffered: event streams work, large responses take no memory, and each side notices when the other
disconnects. Hop-by-hop headers (RFC 9110, 7.6.1) and headers between browser and hub are not forwarded.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import aiohttp
from starlette.types import Message, Receive, Scope, Send
from yarl import URL

from lightboard.asgi.server import MAX_MESSAGE_BYTES
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
RESPONSE_ONLY = frozenset(
    {
        "alt-svc",
        "clear-site-data",
        "date",
        "server",
        "service-worker-allowed",
        "set-cookie",
        "strict-transport-security",
    }
)
"""Response headers that servers behind the hub may not set, since they have effects on the rest of its address."""
WEBSOCKET_PREFIX = "sec-websocket-"
"""Headers of a handshake, of which each side has its own."""
SENDABLE = frozenset({*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)})
"""The codes that may be sent when a WebSocket is closed (RFC 6455, 7.4)."""
ABNORMAL = 1011
"""The code of a WebSocket that a server could not continue (RFC 6455, 7.4.1)."""
INTERNAL_PREFIXES = ("x-lightboard-", "x-forwarded-")


class ClientDisconnected(Exception):  # control flow, not an error
    """The client has disconnected."""


class ResponseCut(Exception):  # control flow, not an error
    """A response ends early, for this `reason`. The connection must be closed so that it does not look complete."""

    def __init__(self, reason: str = "its worker is gone") -> None:
        super().__init__(reason)
        self.reason = reason


def tcp_connector() -> aiohttp.BaseConnector:
    """A pool of connections to any number of workers."""
    return aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEPALIVE_SECS)


class Proxy:
    """A pool of connections, created in the event loop on first use. `keep_cookies`: those that servers set."""

    def __init__(
        self, connector: Callable[[], aiohttp.BaseConnector] = tcp_connector, *, keep_cookies: bool = False
    ) -> None:
        self._connector = connector
        self._keep_cookies = keep_cookies
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

    async def forward_websocket(
        self, scope: Scope, receive: Receive, send: Send, *, address: Address, path: str
    ) -> None:
        """Connects the WebSocket in `scope` to the server's for `path` (raw, with the query), until one side closes it.

        Raises LaunchError if the server does not accept it; nothing has been sent yet.
        """
        headers = [
            (name, value)
            for name, value in request_headers(scope, address.headers)
            if not name.startswith(WEBSOCKET_PREFIX)
        ]
        try:
            server = await self._session().ws_connect(
                URL(address.base_url + path, encoded=True),
                headers=headers,
                protocols=scope.get("subprotocols", ()),
                max_msg_size=MAX_MESSAGE_BYTES,
            )
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise LaunchError("the server does not respond", reason="Unreachable") from error
        async with server:
            await receive()  # the request to connect
            await send({"type": "websocket.accept", "subprotocol": server.protocol})
            directions = [
                asyncio.create_task(forward_messages(receive, server)),
                asyncio.create_task(forward_answers(server, send)),
            ]
            try:
                await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in directions:
                    each.cancel()
                await asyncio.gather(*directions, return_exceptions=True)

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
            raise LaunchError("the server does not respond", reason="Unreachable") from error
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
                connector=self._connector(),
                cookie_jar=aiohttp.CookieJar() if self._keep_cookies else aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECS),
                auto_decompress=False,
                skip_auto_headers=("user-agent", "accept", "accept-encoding", "content-type"),
            )
        return self._client


async def forward_messages(receive: Receive, server: aiohttp.ClientWebSocketResponse) -> None:
    """Sends the messages of a browser to a server, until it closes the connection."""
    while (message := await receive())["type"] == "websocket.receive":
        if message.get("text") is not None:
            await server.send_str(message["text"])
        else:
            await server.send_bytes(message["bytes"])
    await server.close(code=message.get("code") or aiohttp.WSCloseCode.OK)


async def forward_answers(server: aiohttp.ClientWebSocketResponse, send: Send) -> None:
    """Sends the messages of a server to a browser, until the server closes the connection or is gone."""
    async for message in server:
        kind = "text" if message.type is aiohttp.WSMsgType.TEXT else "bytes"
        await send({"type": "websocket.send", kind: message.data})
    code = server.close_code or ABNORMAL
    await send({"type": "websocket.close", "code": code if code in SENDABLE else ABNORMAL})


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
