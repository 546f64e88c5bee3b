"""Paths and queries as they were sent, percent-encoded: the proxies forward them unchanged."""

from urllib.parse import quote, unquote_to_bytes

from starlette.requests import HTTPConnection
from starlette.types import Scope

SAFE = "".join(map(chr, range(0x21, 0x7F)))


def raw_path_of(scope: Scope) -> str:
    """The path of a request, with bytes that are not allowed in a path percent-encoded."""
    return quote(scope.get("raw_path") or scope["path"].encode(), safe=SAFE)


def query_of(request: HTTPConnection) -> str:
    """The raw query string with its question mark, "" without one."""
    query = request.scope["query_string"].decode("latin-1")
    return f"?{query}" if query else ""


def has_path_traversal(path: str) -> bool:
    """Whether a raw path contains `.` or `..` segments, backslashes or NUL, percent-encoded or not."""
    decoded = unquote_to_bytes(path)
    has_odd_bytes = b"\0" in decoded or b"\\" in decoded
    return has_odd_bytes or any(part in (b".", b"..") for part in decoded.split(b"/"))
