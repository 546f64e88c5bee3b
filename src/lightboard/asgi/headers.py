"""Looks up single headers of a request without decoding all of them."""

from starlette.types import Scope


def header_of(scope: Scope, name: bytes) -> str | None:
    """The first header with this lower-case name, or None."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value, "latin-1")
    return None
