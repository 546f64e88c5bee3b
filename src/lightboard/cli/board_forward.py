"""A TensorBoard at a port of this machine: an HTTP server that sends requests on to the hub.

The hub checks each of them by the token of the command line, which browsers never see. Pages of other sites may send
nothing, since whoever reaches the port acts with this token.
"""

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import httpx
from starlette.datastructures import Headers

from lightboard.asgi.guard import Guard
from lightboard.asgi.hosts import AllowedHosts
from lightboard.cli.tensorboard_command import TENSORBOARD_PORT
from lightboard.client.neuro_status import neuro_words
from lightboard.client.port_forward import LOOPBACK, port_error
from lightboard.client.session import Session
from lightboard.client.tensorboards import READY, route
from lightboard.errors import HubUnreachable, LightboardError, NotFound, NotReady, PermissionDenied

PART_BYTES = 64 << 10
IDLE_SECS = 75
"""After which a connection without a request is closed."""
TIMEOUT = httpx.Timeout(None, connect=5.0)
"""Responses may take as long as they like: streams have no end."""
HOP_BY_HOP = frozenset({"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"})
REQUEST_ONLY = frozenset({"host", "cookie", "authorization", "origin", "referer", "forwarded", "expect"})
"""Request headers between a browser and this server."""
INTERNAL = ("sec-", "proxy-", "x-forwarded-")
RESPONSE_ONLY = frozenset({"set-cookie", "strict-transport-security", "alt-svc", "clear-site-data"})
"""Response headers about the address of the hub."""
BODILESS = frozenset({204, 304})


class BoardForward:
    """The TensorBoard with this id at the port `local_port` of this machine (0 is any free one), until `close`.

    `local_port` is the one that it has then. Use it as a context manager. Raises UsageError if the port is in use.
    """

    def __init__(self, session: Session, board: str, local_port: int = 0) -> None:
        try:
            self._server = Server(session, board, local_port)
        except OSError as error:
            raise port_error(local_port, TENSORBOARD_PORT, error) from None
        self.local_port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="port-forward", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Accepts no more connections."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Server(ThreadingTCPServer):
    """A thread for each connection of a browser, since some of these are streams without end."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name == "posix"  # elsewhere it means that two servers may have one port

    def __init__(self, session: Session, board: str, local_port: int) -> None:
        self.session = session
        self.board = board
        self.root = f"{session.url}/tb/{board}"
        self.hub = httpx.Client(timeout=TIMEOUT, limits=httpx.Limits(max_connections=None))
        super().__init__((LOOPBACK, local_port), Connection)

    def server_close(self) -> None:
        """Also closes the connections to the hub."""
        super().server_close()
        self.hub.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints what went wrong, unless a browser has gone."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class Connection(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = IDLE_SECS
    server: Server
    is_answered = False
    """Whether the head of the response has been sent."""
    is_chunked = False
    """Whether the length of the response is not known before its end."""

    def handle_request(self) -> None:
        """Answers one request."""
        self.is_answered = False
        try:
            self.check()
            self.forward()
        except LightboardError as error:
            self.send_refusal(error)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request  # noqa: N815

    def check(self) -> None:
        """Raises LightboardError for a request that is not to be sent on."""
        guard, headers = Guard(no_app, AllowedHosts(())), Headers({**self.headers})
        code, message = guard.check_request(self.command, headers)
        if code:
            raise PermissionDenied(message, hint=f"open http://{LOOPBACK}:{self.server.server_address[1]}/")
        if not is_below_root(self.path) or "transfer-encoding" in headers:
            raise NotFound("there is no such address")
        if self.command == "GET" and "text/html" in headers.get("accept", ""):
            self.check_board()

    def check_board(self) -> None:
        """Raises LightboardError if there is no board to be seen, in place of which the hub shows pages of its own."""
        info = self.server.session.get(route(self.server.board))
        if info["status"] != READY:
            raise NotReady(f"{info['name']} is {neuro_words(info)}", hint=f"lightboard tb start {info['name']}")

    def forward(self) -> None:
        """Sends the request to the hub, and its response to the browser. Raises LightboardError if there is none."""
        length = int(self.headers.get("content-length") or 0)
        try:
            with self.server.hub.stream(
                self.command,
                self.server.root + self.path,
                headers=request_headers(self.headers.items(), self.server.session.login.token),
                content=self.body(length) if length else None,
            ) as answer:
                self.send_head(answer)
                self.send_body(answer)
        except httpx.InvalidURL:
            raise NotFound("there is no such address") from None
        except httpx.HTTPError as error:
            self.close_connection = True  # so that what was sent does not look complete
            if not self.is_answered:
                raise HubUnreachable(f"{self.server.session.url} does not respond: {error}") from None

    def body(self, length: int) -> Iterator[bytes]:
        """The body of the request."""
        while length and (part := self.rfile.read(min(length, PART_BYTES))):
            length -= len(part)
            yield part

    def send_head(self, answer: httpx.Response) -> None:
        """Sends the status and the headers. Raises PermissionDenied for a redirect to another page of the hub."""
        headers = response_headers(answer.headers.multi_items(), urlsplit(self.server.root).path)
        self.is_answered = True
        self.send_response_only(answer.status_code)
        for name, value in headers:
            self.send_header(name, value)
        is_endless = self.has_body(answer) and "content-length" not in answer.headers
        self.is_chunked = is_endless and self.request_version != "HTTP/1.0"
        if self.is_chunked:
            self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def has_body(self, answer: httpx.Response) -> bool:
        """Whether something follows the headers of a response."""
        return self.command != "HEAD" and answer.status_code not in BODILESS

    def send_body(self, answer: httpx.Response) -> None:
        """Sends each part of the body when it arrives, in the encoding that the browser has asked for."""
        for part in answer.iter_raw():
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if self.is_chunked else part)
        if self.is_chunked:
            self.wfile.write(b"0\r\n\r\n")

    def send_refusal(self, error: LightboardError) -> None:
        """Sends an error as one line of text, and ends the connection, whose request may not have been read."""
        text = f"{error.message}; {error.hint}\n" if error.hint else f"{error.message}\n"
        body = text.encode()
        self.send_response_only(error.status)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")  # also what this class looks at
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed for requests: the terminal may be attached to something else."""


async def no_app(*_: object) -> None:
    """In place of an application: only the rules of a guard are used."""


def is_below_root(path: str) -> bool:
    """Whether a path of a request, with its query, leads nowhere but to the board."""
    steps = unquote(path.partition("?")[0]).replace("\\", "/").split("/")
    return path.startswith("/") and not {".", ".."}.intersection(steps)


def request_headers(headers: Iterable[tuple[str, str]], token: str) -> list[tuple[str, str]]:
    """The headers for the hub: those of the request that are not about this server, and the token."""
    kept = [(name, value) for name, value in headers if is_forwarded(name.lower(), REQUEST_ONLY)]
    if not any(name.lower() == "accept-encoding" for name, _ in kept):
        kept.append(("Accept-Encoding", "identity"))  # or that of this program would be sent
    return [*kept, ("Authorization", f"Bearer {token}")]


def response_headers(headers: Iterable[tuple[str, str]], root: str) -> list[tuple[str, str]]:
    """The headers for the browser. `root` is the path of the board on the hub.

    Raises PermissionDenied for a redirect to another page of the hub, such as the one of its login.
    """
    kept = [(name, value) for name, value in headers if is_forwarded(name.lower(), RESPONSE_ONLY)]
    return [(name, local_path(value, root) if name.lower() == "location" else value) for name, value in kept]


def local_path(location: str, root: str) -> str:
    """Where a redirect within the board leads here. Raises PermissionDenied for another one."""
    parts = urlsplit(location)
    if not parts.netloc and not parts.path.startswith("/"):  # relative to the page
        return location
    if not parts.path.startswith(f"{root}/"):
        raise PermissionDenied("the hub shows another page instead", hint="run lightboard login again")
    return parts._replace(scheme="", netloc="", path=parts.path.removeprefix(root)).geturl()


def is_forwarded(name: str, dropped: frozenset[str]) -> bool:
    """Whether a header, by its name in lower case, is sent on."""
    return name not in HOP_BY_HOP | dropped and not name.startswith(INTERNAL)
