"""What stands at the door of an HTTP app: Host and Origin are checked, every answer carries the safety headers.

Nobody logs in here; whoever reaches the port may read. The checks keep out pages of other sites that run in the
browser of somebody who may.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightboard.asgi.errors import error_response
from lightboard.asgi.hosts import AllowedHosts, host_name

CONTENT_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # widgets place popovers by style elements; scripts stay strict
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors *",  # notebooks show the page in a frame; whatever can be clicked can be undone
    ]
)

TRUST = "start the server with --allowed_hosts and that name if you trust it"

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Refuses requests that a foreign page made, before anything else looks at them.

    Without `hosts` somebody before it has looked, and only the headers are added. `policy` is the content policy of
    pages that say none themselves.
    """

    def __init__(self, app: ASGIApp, hosts: AllowedHosts | None, policy: str = CONTENT_POLICY) -> None:
        self.app = app
        self.hosts = hosts
        self.policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application; only HTTP is let through."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(message["headers"], self.policy)
            await send(message)

        code, message = self.objection(scope["method"], headers)
        answer = error_response(scope, 403, code=code, message=message, hint=TRUST) if code else self.app
        await answer(scope, receive, send_safely)

    def objection(self, method: str, headers: Headers) -> tuple[str, str]:
        """Code and message of what is wrong with where a request comes from; both empty if nothing is."""
        if self.hosts is None:
            return "", ""
        host = headers.get("host", "")
        if not self.hosts.accepts(host):
            return "forbidden_host", f"this server does not answer to the name {host!r}"
        if method not in SAFE_METHODS and not same_origin(headers, self.hosts):
            return "forbidden_origin", f"a page of {headers.get('origin', 'another site')!r} may not send this"
        return "", ""


def same_origin(headers: Headers, hosts: AllowedHosts) -> bool:
    """Did our own page, or no page at all, make this request?

    Browsers say so in Sec-Fetch-Site where they trust the connection; the older Origin is compared by name, without
    the port where a proxy took it off Host, as nginx does with `$host`. Scripts send neither.
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
    """Append the headers that belong on every answer, unless it has them: it may say more strictly what it is."""
    given = dict(headers)
    if b"x-content-type-options" not in given:
        headers.append((b"x-content-type-options", b"nosniff"))
    if b"referrer-policy" not in given:
        headers.append((b"referrer-policy", b"same-origin"))
    if b"content-security-policy" not in given and given.get(b"content-type", b"").startswith(b"text/html"):
        headers.append((b"content-security-policy", policy.encode("latin-1")))
