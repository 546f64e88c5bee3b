"""The web page that a job serves: what it gets of a request, and what the hub changes in its responses.

It does not know the path at which browsers see it.
"""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import Message, Send

CONTENT_POLICY = "frame-ancestors 'self'"
"""The content security policy of pages that have none. That of the console would forbid them most of what they do."""


class ServedPage:
    """The responses to one request for a page that browsers see at the path `base` ("" for that of a host)."""

    def __init__(self, request: HTTPConnection, base: str, send: Send) -> None:
        self._host = request.headers.get("host", "")
        self._base = base
        self._send = send

    async def send(self, message: Message) -> None:
        """Sends a message of the response."""
        if message["type"] == "http.response.start":
            message = {**message, "headers": self._headers(message)}
        await self._send(message)

    def _headers(self, message: MutableMapping[str, Any]) -> list[tuple[bytes, bytes]]:
        headers = MutableHeaders(raw=list(message["headers"]))
        if "location" in headers:
            headers["location"] = outer_location(headers["location"], self._host, self._base)
        headers.setdefault("content-security-policy", CONTENT_POLICY)
        return headers.raw


def outer_location(location: str, host: str, base: str) -> str:
    """A redirect as browsers need it, from a server that takes its own path for "/". Other hosts are left alone."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return location
    if parts.netloc not in ("", host) or not parts.path.startswith("/"):
        return location
    inner = parts.path if parts.path.startswith(f"{base}/") else base + parts.path
    return parts._replace(scheme="", netloc="", path=inner).geturl()


def forwarded_headers(request: HTTPConnection, hub: str, base: str) -> dict[str, str]:
    """What a server has to know to write whole URLs. `hub` is the base URL of the hub, which has the scheme."""
    return {
        "x-forwarded-host": request.headers.get("host", ""),
        "x-forwarded-proto": hub.partition(":")[0],
        **({"x-forwarded-prefix": base} if base else {}),
    }
