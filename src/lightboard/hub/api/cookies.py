"""The cookies the hub sets: of a login, and of one board."""

from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from lightboard.hub.api.admission import DOOR, DOOR_COOKIE
from lightboard.hub.api.hub import Hub
from lightboard.hub.api.identity import COOKIE

COOKIE_SECS = 90 * 86_400
"""Longer than a login lasts that is not used: the hub says when it ends, not the browser."""


def set_login(response: Response, request: HTTPConnection, hub: Hub, secret: str) -> None:
    """The cookie of a login, for all of the hub."""
    path = hub.settings.path_prefix or "/"
    response.set_cookie(
        COOKIE, secret, max_age=COOKIE_SECS, path=path, secure=hub.https(request), httponly=True, samesite="lax"
    )


def drop_login(response: Response, request: HTTPConnection, hub: Hub) -> None:
    """No login any more."""
    path = hub.settings.path_prefix or "/"
    response.delete_cookie(COOKIE, path=path, secure=hub.https(request), httponly=True, samesite="lax")


def set_door(
    response: Response, request: HTTPConnection, hub: Hub, holds: dict[str, Any], *, until: float, path: str
) -> None:
    """The cookie that opens one board; `holds` says whose right it is, `path` where the board is."""
    ticket = hub.tickets.issue(DOOR, holds, until)
    response.set_cookie(
        DOOR_COOKIE,
        ticket,
        max_age=max(1, int(until - hub.clock())),
        path=path,
        secure=hub.https(request),
        httponly=True,
        samesite="lax",
    )
