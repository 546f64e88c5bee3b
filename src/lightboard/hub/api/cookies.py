"""The cookies that the hub sets: of a login, of one board or notebook, and of a browser that was logged in before."""

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from lightboard.config import HubSettings
from lightboard.hub.api.identity import COOKIE
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.api.urls import is_https

LOGIN_COOKIE_SECS = 90 * 86_400
"""Longer than an unused login lasts, so that the hub and not the browser decides when it ends."""
ADMISSION_COOKIE = "lightboard_door"
"""Opens one board or notebook: a signed token with its id and the source of the access. Its name is public."""
ADMISSION_PURPOSE = "door"
"""The purpose in the signature of that token. Changing it would invalidate all cookies."""
DEVICE_COOKIE = "lightboard_device"
DEVICE_PURPOSE = "device"
"""The purpose in the signature of its token."""
DEVICE_SECS = 180 * 86_400


@dataclass(frozen=True)
class Device:
    """A browser, and the account that was last logged in with it."""

    account: str
    device: str


class Cookies:
    """Sets and reads cookies. `clock` gives seconds since the epoch."""

    def __init__(self, settings: HubSettings, token_signer: TokenSigner, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._token_signer = token_signer
        self._clock = clock
        self._path = settings.path_prefix or "/"

    def set_login(self, response: Response, request: HTTPConnection, secret: str) -> None:
        """Sets the login cookie, which is valid for the whole hub."""
        self.set(response, request, COOKIE, secret, max_age=LOGIN_COOKIE_SECS, path=self._path)

    def delete_login(self, response: Response, request: HTTPConnection) -> None:
        """Deletes the login cookie."""
        secure = is_https(self._settings, request)
        response.delete_cookie(COOKIE, path=self._path, secure=secure, httponly=True, samesite="lax")

    def set_device(self, response: Response, request: HTTPConnection, account: str) -> None:
        """Sets the cookie that recognizes this browser at the next login. It grants no access."""
        known = self.device_of(request)
        device = known if known and known.account == account else Device(account, secrets.token_urlsafe(12))
        ticket = self._token_signer.issue(DEVICE_PURPOSE, asdict(device), self._clock() + DEVICE_SECS)
        self.set(response, request, DEVICE_COOKIE, ticket, max_age=DEVICE_SECS, path=self._path)

    def device_of(self, request: HTTPConnection) -> Device | None:
        """The device of a request, None for a browser that was never logged in."""
        payload = self._token_signer.read(DEVICE_PURPOSE, request.cookies.get(DEVICE_COOKIE, ""))
        return Device(str(payload["account"]), str(payload["device"])) if payload else None

    def set_admission(
        self, response: Response, request: HTTPConnection, payload: dict[str, Any], *, until: float, path: str
    ) -> None:
        """Sets the cookie that opens one board or notebook. `path` is the path of it."""
        ticket = self._token_signer.issue(ADMISSION_PURPOSE, payload, until)
        self.set(response, request, ADMISSION_COOKIE, ticket, max_age=max(1, int(until - self._clock())), path=path)

    def set(
        self, response: Response, request: HTTPConnection, name: str, value: str, *, max_age: int, path: str
    ) -> None:
        """Sets a cookie that scripts cannot read and other sites cannot send with changes."""
        secure = is_https(self._settings, request)
        response.set_cookie(name, value, max_age=max_age, path=path, secure=secure, httponly=True, samesite="lax")
