"""Headers of a request, looked up without decoding all of them: every request is asked for several."""

from starlette.types import Scope


def header_of(scope: Scope, name: bytes) -> str | None:
    """The first header of that lower-case name, None if there is none."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value, "latin-1")
    return None
