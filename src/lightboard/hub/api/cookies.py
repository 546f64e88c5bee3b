"""The cookies the hub sets: of a login, of one board, and of a browser that somebody has logged in with before."""

import secrets
from dataclasses import asdict, dataclass
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from lightboard.hub.api.board_access import BOARD_COOKIE, BOARD_PURPOSE
from lightboard.hub.api.hub import Hub
from lightboard.hub.api.identity import COOKIE

COOKIE_SECS = 90 * 86_400
"""Longer than an unused login lasts, so that the hub decides when it ends and not the browser."""


def set_login(response: Response, request: HTTPConnection, hub: Hub, secret: str) -> None:
    """Sets the login cookie, which is valid for the whole hub."""
    path = hub.settings.path_prefix or "/"
    response.set_cookie(
        COOKIE, secret, max_age=COOKIE_SECS, path=path, secure=hub.https(request), httponly=True, samesite="lax"
    )


def drop_login(response: Response, request: HTTPConnection, hub: Hub) -> None:
    """Deletes the login cookie."""
    path = hub.settings.path_prefix or "/"
    response.delete_cookie(COOKIE, path=path, secure=hub.https(request), httponly=True, samesite="lax")


DEVICE_COOKIE = "lightboard_device"
DEVICE = "device"
"""The purpose in the signature of its token."""
DEVICE_SECS = 180 * 86_400


@dataclass(frozen=True)
class Device:
    """A browser, and the account that was last logged in with it."""

    account: str
    device: str


def set_device(response: Response, request: HTTPConnection, hub: Hub, account: str) -> None:
    """Sets the cookie that recognizes this browser at the next login. It grants no access."""
    known = device_of(request, hub)
    device = known if known and known.account == account else Device(account, secrets.token_urlsafe(12))
    ticket = hub.token_signer.issue(DEVICE, asdict(device), hub.clock() + DEVICE_SECS)
    response.set_cookie(
        DEVICE_COOKIE,
        ticket,
        max_age=DEVICE_SECS,
        path=hub.settings.path_prefix or "/",
        secure=hub.https(request),
        httponly=True,
        samesite="lax",
    )


def device_of(request: HTTPConnection, hub: Hub) -> Device | None:
    """The device of a request, None for a browser that nobody has logged in with."""
    held = hub.token_signer.read(DEVICE, request.cookies.get(DEVICE_COOKIE, ""))
    return Device(str(held["account"]), str(held["device"])) if held else None


def set_board_cookie(
    response: Response, request: HTTPConnection, hub: Hub, holds: dict[str, Any], *, until: float, path: str
) -> None:
    """Sets the cookie that opens one board. `holds` is the payload of its token, `path` the path of the board."""
    ticket = hub.token_signer.issue(BOARD_PURPOSE, holds, until)
    response.set_cookie(
        BOARD_COOKIE,
        ticket,
        max_age=max(1, int(until - hub.clock())),
        path=path,
        secure=hub.https(request),
        httponly=True,
        samesite="lax",
    )
