"""Whether a WebSocket was opened by a page of the hub itself, or by a program."""

from starlette.requests import HTTPConnection

from lightboard.asgi.hosts import host_name


def is_own_page(connection: HTTPConnection) -> bool:
    """Whether a WebSocket is opened by a page of the same host, or by a program. Hosts of others are the same site."""
    origin = connection.headers.get("origin")
    return origin is None or host_name(origin.partition("://")[2]) == host_name(connection.headers.get("host", ""))
