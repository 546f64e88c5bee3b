"""A connection to a hub: requests with timeouts and limited retries, JSON responses, and errors as exceptions."""

import threading
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from types import TracebackType
from typing import Any, BinaryIO, Self
from urllib.parse import quote

import httpx

from lightboard import __version__, errors
from lightboard.client.event_stream import MEDIA_TYPE, Event, NoEventStream, parse_events
from lightboard.client.settings import Login, find_login

CONNECT_SECS = 5.0
TIMEOUT = httpx.Timeout(30.0, connect=CONNECT_SECS)
FILE_TIMEOUT = httpx.Timeout(120.0, connect=CONNECT_SECS)
"""For files, which the hub checks before it responds."""
QUIET_SECS = 20.0
"""How long an event stream may be quiet. The hub sends a comment after 15 seconds without events."""
PAUSES_SECS = (0.2, 0.6, 1.5)
"""Pauses between attempts while the hub is unreachable or starting."""
RETRY_STATUSES = frozenset({502, 503, 504})

BY_CODE: dict[str, type[errors.LightboardError]] = {
    each.code: each
    for each in (
        errors.BadRequest,
        errors.NotFound,
        errors.Invalid,
        errors.Unauthenticated,
        errors.PermissionDenied,
        errors.Conflict,
        errors.TensorboardLimitExceeded,
        errors.TooMany,
    )
}
BY_STATUS = {each.status: each for each in reversed(BY_CODE.values())}


class Session:
    """A hub with a token and a project. Use it as a context manager or `close` it. Threads may share one.

    Raises UsageError if no token is given, set or stored.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        project: str | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.login: Login = find_login(url, token, project)
        self._http = httpx.Client(
            base_url=self.login.url,
            timeout=TIMEOUT,
            transport=transport,
            headers={
                "Authorization": f"Bearer {self.login.token}",
                "User-Agent": f"lightboard/{__version__}",
                "Accept": "application/json",
            },
        )

    @property
    def url(self) -> str:
        """The URL of the hub without a trailing slash."""
        return self.login.url

    @property
    def project(self) -> str:
        """The project of new resources, "" for the default project."""
        return self.login.project

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """The JSON response to a GET request. Raises LightboardError."""
        return self.request("GET", path, params=params)

    def request(
        self, method: str, path: str, *, body: Any = None, params: Mapping[str, Any] | None = None, version: int = 0
    ) -> Any:
        """The JSON response to a request, None if it is empty. `version` is the expected version of the resource.

        Raises:
            Unauthenticated, PermissionDenied, NotFound, Conflict, TensorboardLimitExceeded, Invalid, TooMany: the error
        of the
                hub.
            HubUnreachable: the hub did not respond to several attempts.
        """
        headers = {"Idempotency-Key": uuid.uuid4().hex} if method in ("POST", "PUT") else {}
        if version:
            headers["If-Match"] = f'"{version}"'
        query = non_empty(params)
        return self._read(
            self._send(lambda: self._http.request(method, path, json=body, params=query, headers=headers))
        )

    ask = request
    """An earlier name of `request`, kept for existing programs."""

    def upload(self, path: str, file: BinaryIO, media_type: str, params: Mapping[str, Any] | None = None) -> Any:
        """The JSON response to a POST request with a whole file as its body. Raises LightboardError as `request`."""

        def send() -> httpx.Response:
            file.seek(0)
            headers = {"Content-Type": media_type}
            query = non_empty(params)
            return self._http.post(path, content=file, params=query, headers=headers, timeout=FILE_TIMEOUT)

        return self._read(self._send(send))

    def download(self, path: str, file: BinaryIO) -> None:
        """Writes the response to a GET request to a file. Raises LightboardError as `request`, OSError."""

        def receive() -> httpx.Response:
            file.seek(0)
            file.truncate()
            with self._http.stream("GET", path, timeout=FILE_TIMEOUT) as response:
                if not response.is_success:
                    response.read()
                    return response
                for part in response.iter_bytes():
                    file.write(part)
            return response

        response = self._send(receive)
        if not response.is_success:
            self._read(response)

    def events(
        self, path: str, params: Mapping[str, Any] | None = None, *, quiet_secs: float = QUIET_SECS
    ) -> Generator[Event | None]:
        """The server-sent events of a GET request as they arrive, until the hub ends them; None for a comment.

        Raises:
            NoEventStream: nothing arrived in `quiet_secs`, or something else.
            HubUnreachable: the hub does not respond, the connection was lost, or nothing more arrived in `quiet_secs`.
            LightboardError: the hub refuses, as for `request`.
        """
        timeout, headers, arrived = httpx.Timeout(quiet_secs, connect=CONNECT_SECS), {"Accept": MEDIA_TYPE}, False
        try:
            with self._http.stream("GET", path, params=non_empty(params), headers=headers, timeout=timeout) as response:
                if not response.is_success:
                    response.read()
                    self._read(response)
                if not response.headers.get("Content-Type", "").startswith(MEDIA_TYPE):
                    raise NoEventStream(f"{self.url} responded with something else than events")
                for event in parse_events(response.iter_bytes()):
                    arrived = True
                    yield event
        except httpx.HTTPError as error:
            message = f"{self.url} does not respond: {error or type(error).__name__}"
            if isinstance(error, httpx.ReadTimeout) and not arrived:
                raise NoEventStream(message) from None
            raise errors.HubUnreachable(message, hint="check that the hub is running and its URL is right") from None

    def _send(self, attempt: Callable[[], httpx.Response]) -> httpx.Response:
        """The response of `attempt`, which is repeated while the hub is unreachable. Raises HubUnreachable."""
        for pause in (*PAUSES_SECS, None):
            try:
                response = attempt()
            except httpx.HTTPError as error:
                if pause is None:
                    raise errors.HubUnreachable(
                        f"{self.url} does not respond: {error or type(error).__name__}",
                        hint="check that the hub is running and its URL is right",
                    ) from None
            else:
                if response.status_code not in RETRY_STATUSES or pause is None:
                    return response
            time.sleep(pause)
        raise AssertionError  # the last attempt returns or raises

    def _read(self, response: httpx.Response) -> Any:
        try:
            content = response.json() if response.content else None
        except ValueError:
            content = None
        if response.is_success:
            return content
        error = content.get("error", {}) if isinstance(content, dict) else {}
        raise error_of(response.status_code, error, self.url)

    def invitations(self) -> list[dict[str, Any]]:
        """The open invitations of the account, newest first. Raises LightboardError."""
        found: list[dict[str, Any]] = self.get("/api/v1/invitations")["items"]
        return found

    def accept(self, invitation: str) -> dict[str, Any]:
        """Accepts an invitation (by id) and returns the project. Raises NotFound if it is no longer valid."""
        joined: dict[str, Any] = self.request("PUT", f"/api/v1/invitations/{quote(invitation, safe='')}/accept")
        return joined

    def decline(self, invitation: str) -> None:
        """Declines an invitation (by id); the inviter is not notified. Raises NotFound if it is no longer valid."""
        self.request("PUT", f"/api/v1/invitations/{quote(invitation, safe='')}/decline")

    def invite(self, project: str, account: str, role: str = "editor") -> dict[str, Any]:
        """Invites an account to a project, both by name or id. Raises Conflict if it is a member.

        The response is the same whether or not the account exists.
        """
        path = f"/api/v1/projects/{quote(project, safe='')}/invitations"
        made: dict[str, Any] = self.request("POST", path, body={"account": account, "role": role})
        return made

    def close(self) -> None:
        """Closes all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def non_empty(params: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters of a query that have a value."""
    return {key: value for key, value in (params or {}).items() if value is not None and value != ""}


def error_of(status: int, error: Mapping[str, Any], url: str) -> errors.LightboardError:
    """The exception for an error response."""
    code, message, hint = (str(error.get(key, "")) for key in ("code", "message", "hint"))
    kind = BY_CODE.get(code) or BY_STATUS.get(status)
    if kind is errors.TensorboardLimitExceeded:
        return errors.TensorboardLimitExceeded(message, hint=hint, details=error.get("details") or {})
    if kind is not None and message:
        return kind(message, hint=hint)
    if status in RETRY_STATUSES or not message:
        return errors.HubUnreachable(
            f"{url} responded with {status}", hint="check that this is the URL of a Lightboard hub"
        )
    return errors.LightboardError(message, hint=hint)


_default: Session | None = None
_lock = threading.Lock()


def setup_default_session(
    url: str | None = None, token: str | None = None, project: str | None = None, executor: str | None = None
) -> Session:
    """Creates the session that is used where none is given. `executor` is reserved for jobs and ignored.

    Missing values are taken from LIGHTBOARD_URL, LIGHTBOARD_TOKEN and LIGHTBOARD_PROJECT, then from `lightboard login`.
    """
    del executor
    global _default
    with _lock:
        _default = Session(url, token, project)
        return _default


def get_default_session() -> Session:
    """The session of `setup_default_session`, or one from the environment or the stored login."""
    global _default
    with _lock:
        if _default is None:
            _default = Session()
        return _default
