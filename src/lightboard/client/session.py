"""One connection to a hub: requests with time limits and bounded retries, answers as JSON, errors by name."""

import threading
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from lightboard import __version__, errors
from lightboard.client.settings import Login, find_login

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
PAUSES_SECS = (0.2, 0.6, 1.5)
"""Between attempts, when the hub was not there or was just starting."""
AGAIN = frozenset({502, 503, 504})

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
    """A hub, somebody's token, and a project. Use as a context manager, or `close` it; threads may share one.

    Raises UsageError where no token is given, set or kept.
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
        """Where the hub is, without a slash at its end."""
        return self.login.url

    @property
    def project(self) -> str:
        """The project that new things belong to; "" for the account's only one."""
        return self.login.project

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """The JSON of an answer. Raises LightboardError."""
        return self.ask("GET", path, params=params)

    def ask(
        self, method: str, path: str, *, body: Any = None, params: Mapping[str, Any] | None = None, version: int = 0
    ) -> Any:
        """The JSON of an answer to any method, None for an empty one; `version` is what must not have changed.

        Raises:
            Unauthenticated, PermissionDenied, NotFound, Conflict, TensorboardLimitExceeded, Invalid, TooMany: what the
                hub says.
            HubUnreachable: it did not answer, though asked several times.
        """
        headers = {"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else {}
        if version:
            headers["If-Match"] = f'"{version}"'
        left = {key: value for key, value in (params or {}).items() if value is not None and value != ""}
        for pause in (*PAUSES_SECS, None):
            try:
                answer = self._http.request(method, path, json=body, params=left, headers=headers)
            except httpx.HTTPError as error:
                if pause is None:
                    raise errors.HubUnreachable(
                        f"{self.url} does not answer: {error or type(error).__name__}",
                        hint="is the hub running, and is its address right?",
                    ) from None
            else:
                if answer.status_code not in AGAIN or pause is None:
                    return self._read(answer)
            time.sleep(pause)
        raise AssertionError  # the last turn returns or raises

    def _read(self, answer: httpx.Response) -> Any:
        try:
            said = answer.json() if answer.content else None
        except ValueError:
            said = None
        if answer.is_success:
            return said
        error = said.get("error", {}) if isinstance(said, dict) else {}
        raise error_of(answer.status_code, error, self.url)

    def invitations(self) -> list[dict[str, Any]]:
        """Invitations to projects that the account has, newest first. Raises LightboardError."""
        found: list[dict[str, Any]] = self.get("/api/v1/invitations")["items"]
        return found

    def accept(self, invitation: str) -> dict[str, Any]:
        """Joins the project of an invitation (its id), and gives that. Raises NotFound for one that is over."""
        joined: dict[str, Any] = self.ask("PUT", f"/api/v1/invitations/{quote(invitation, safe='')}/accept")
        return joined

    def decline(self, invitation: str) -> None:
        """Hides an invitation (its id); who sent it is not told. Raises NotFound for one that is over."""
        self.ask("PUT", f"/api/v1/invitations/{quote(invitation, safe='')}/decline")

    def invite(self, project: str, account: str, role: str = "editor") -> dict[str, Any]:
        """Invites an account to a project, both by name or id. Raises Conflict for who is in it.

        The answer is the same whether or not there is such an account.
        """
        path = f"/api/v1/projects/{quote(project, safe='')}/invitations"
        made: dict[str, Any] = self.ask("POST", path, body={"account": account, "role": role})
        return made

    def close(self) -> None:
        """Ends its connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def error_of(status: int, error: Mapping[str, Any], url: str) -> errors.LightboardError:
    """The exception for what a hub said."""
    code, message, hint = (str(error.get(key, "")) for key in ("code", "message", "hint"))
    kind = BY_CODE.get(code) or BY_STATUS.get(status)
    if kind is errors.TensorboardLimitExceeded:
        return errors.TensorboardLimitExceeded(message, hint=hint, details=error.get("details") or {})
    if kind is not None and message:
        return kind(message, hint=hint)
    if status in AGAIN or not message:
        return errors.HubUnreachable(f"{url} answered {status}", hint="is that the address of a Lightboard hub?")
    return errors.LightboardError(message, hint=hint)


_default: Session | None = None
_lock = threading.Lock()


def setup_default_session(
    url: str | None = None, token: str | None = None, project: str | None = None, executor: str | None = None
) -> Session:
    """The session that is used where none is given, from now on. `executor` is for jobs, and not used by boards.

    What is not given comes from LIGHTBOARD_URL, LIGHTBOARD_TOKEN and LIGHTBOARD_PROJECT, then from `lightboard login`.
    """
    del executor
    global _default
    with _lock:
        _default = Session(url, token, project)
        return _default


def get_default_session() -> Session:
    """The session of `setup_default_session`; one from environment or file where that was never called."""
    global _default
    with _lock:
        if _default is None:
            _default = Session()
        return _default
