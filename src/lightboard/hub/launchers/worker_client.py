"""The HTTP client for the control API of a worker. Every request uses a new connection and a short timeout."""

import json
from http.client import HTTPConnection, HTTPException
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ValidationError

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import ERROR, NODE_LOST
from lightboard.schema.worker import BoardBody, BoardState, LogResponse, ProbeResponse, SourceBody, WorkerState

M = TypeVar("M", bound=BaseModel)

CALL_SECS = 10.0
"""Workers respond at once: one that takes longer than this hangs."""

MAX_BYTES = 64 << 20
"""The maximum size of a response, in case another program listens at the address."""


class WorkerLost(LaunchError):
    """The worker is gone, or another process listens at its address."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=NODE_LOST, hint="it will be started again")


class WorkerUnresponsive(LaunchError):
    """The worker exists but does not respond."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=ERROR, hint="the machine may be overloaded")


class WorkerClient:
    """The client of one worker. Methods raise WorkerLost, WorkerSilent, or the error the worker responds with."""

    def __init__(self, url: str, secret: str, *, timeout_secs: float = CALL_SECS) -> None:
        self.url = url
        self._secret = secret
        self._timeout_secs = timeout_secs

    def state(self) -> WorkerState:
        """The state of the process and all its boards."""
        return self._request("GET", "/control/state", WorkerState)

    def put(self, body: BoardBody) -> BoardState:
        """Creates or updates a board."""
        return self._request("PUT", f"/control/boards/{quote(body.id, safe='')}", BoardState, body)

    def delete(self, id: str) -> None:
        """Stops a board."""
        self._send("DELETE", f"/control/boards/{quote(id, safe='')}", b"")

    def log(self, id: str, lines: int) -> list[str]:
        """The last log lines about a board."""
        return self._request(
            "GET", f"/control/boards/{quote(id, safe='')}/log?lines={max(0, lines)}", LogResponse
        ).lines

    def probe(self, body: SourceBody) -> ProbeResponse:
        """The contents of a source."""
        return self._request("POST", "/control/probe", ProbeResponse, body)

    def _request(self, method: str, path: str, model: type[M], body: BaseModel | None = None) -> M:
        text = self._send(method, path, body.model_dump_json().encode() if body is not None else b"")
        try:
            return model.model_validate_json(text)
        except ValidationError:
            raise WorkerLost("another program or version responds instead of the worker") from None

    def _send(self, method: str, path: str, body: bytes) -> bytes:
        parts = urlsplit(self.url)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=self._timeout_secs)
        headers = {"authorization": f"Bearer {self._secret}", "content-type": "application/json"}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read(MAX_BYTES)
        except TimeoutError:
            raise WorkerUnresponsive(f"the worker did not respond within {self._timeout_secs:g} s") from None
        except (OSError, HTTPException):
            raise WorkerLost("the worker is gone") from None
        finally:
            connection.close()
        if response.status >= 400:
            raise error_of(response.status, text)
        return text


def error_of(status: int, text: bytes) -> LaunchError:
    """The error in a response. Status 403 means that another worker responded."""
    error = error_in(text)
    if status == 403 or not error:
        return WorkerLost(f"another worker responds in its place (HTTP {status})")
    return LaunchError(str(error.get("message")), reason=str(error.get("code")), hint=str(error.get("hint") or ""))


def error_in(text: bytes) -> dict[str, Any]:
    """The error object in a response body, empty if there is none."""
    try:
        found = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
