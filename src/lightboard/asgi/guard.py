"""Middleware that checks Host and Origin, and adds security headers to every response.

A board has no logins: everyone who can reach the port may read it. The checks reject requests by pages of other sites
that run in the browser of such a user.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard.asgi.errors import error_response
from lightboard.asgi.hosts import AllowedHosts, host_name

CONTENT_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # widgets position popovers with style elements
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors *",  # notebooks show the page in a frame; every action can be undone
    ]
)

TRUST = "start the server with --allowed_hosts and that name if you trust it"

WEBSOCKET = "WEBSOCKET"
"""In place of a method: what a page of another site opens has our cookies, as if it were ours."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Rejects requests by pages of other sites before they reach the application.

    If `hosts` is None, another server has checked them, and only the headers are added. `policy` is the content
    security policy of pages that have none.
    """

    def __init__(self, app: ASGIApp, hosts: AllowedHosts | None, policy: str = CONTENT_POLICY) -> None:
        self.app = app
        self.hosts = hosts
        self.policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application for HTTP requests and WebSockets."""
        if scope["type"] not in ("http", "websocket"):
            return
        headers = Headers(scope=scope)
        if scope["type"] == "websocket":
            code, _ = self.check_request(WEBSOCKET, headers)
            await (WebSocketClose() if code else self.app)(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(message["headers"], self.policy)
            await send(message)

        code, message = self.check_request(scope["method"], headers)
        response = error_response(scope, 403, code=code, message=message, hint=TRUST) if code else self.app
        await response(scope, receive, send_safely)

    def check_request(self, method: str, headers: Headers) -> tuple[str, str]:
        """Code and message of the error if a request is rejected, else two empty strings."""
        if self.hosts is None:
            return "", ""
        host = headers.get("host", "")
        if not self.hosts.accepts(host):
            return "forbidden_host", f"this server does not answer to the name {host!r}"
        if method not in SAFE_METHODS and not same_origin(headers, self.hosts):
            return "forbidden_origin", f"a page of {headers.get('origin', 'another site')!r} may not send this"
        return "", ""


def same_origin(headers: Headers, hosts: AllowedHosts) -> bool:
    """Whether a request comes from our own page, or from no page.

    Browsers send Sec-Fetch-Site on secure connections. The older Origin is compared by name, and without the port if a
    proxy removed it from Host, as nginx does with `$host`. Scripts send neither.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    netloc = origin.partition("://")[2]
    if not netloc:  # "null": a sandboxed frame or a local file
        return False
    name, host = host_name(netloc), headers.get("host", "").strip().lower()
    return bool(name) and (netloc.lower() == host or name in {host, *hosts.names} or name.endswith(hosts.suffixes))


def add_headers(headers: list[tuple[bytes, bytes]], policy: str) -> None:
    """Append the security headers, unless the response has its own, which may be stricter."""
    given = dict(headers)
    if b"x-content-type-options" not in given:
        headers.append((b"x-content-type-options", b"nosniff"))
    if b"referrer-policy" not in given:
        headers.append((b"referrer-policy", b"same-origin"))
    if b"content-security-policy" not in given and given.get(b"content-type", b"").startswith(b"text/html"):
        headers.append((b"content-security-policy", policy.encode("latin-1")))
