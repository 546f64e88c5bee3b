"""Error responses: JSON under /api, plain text elsewhere.

Under /api: {"error": {"code", "message", "hint"}}. Under /apis, the API of DCE: {"id", "message"}. Elsewhere
TensorBoard's clients expect one line of text. The messages of unexpected exceptions are never sent.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ExceptionHandler, Scope

from lightboard.errors import BadRequest, LightboardError, NotFound, TooMany

CODES = {
    400: ("bad_request", "the request is invalid"),
    401: ("unauthenticated", "nobody is logged in"),
    403: ("forbidden", "not allowed"),
    404: ("not_found", "not found"),
    405: ("method_not_allowed", "method not allowed"),
    409: ("conflict", "the request conflicts with the current state"),
    410: ("gone", "it no longer exists"),
    413: ("too_large", "the request body is too large"),
    422: ("unshowable", "the value is malformed or too large to be shown"),
    429: ("too_many_requests", "too many requests"),
    500: ("internal", "internal error; see the terminal of Lightboard"),
    502: ("launch_failed", "the server behind this address could not be reached"),
    503: ("not_ready", "not ready yet; try again"),
}

TEXT_PREFIXES = {400: "Invalid argument: ", 403: "Permission denied: ", 404: "Not found: "}
"""TensorBoard's prefixes of error messages by status."""

JSON = "application/json"
REQUEST_ID = "lightboard.request_id"
"""Key of a scope: the id of the request in logs, if it has one."""


def error_response(
    scope: Scope,
    status: int,
    *,
    code: str = "",
    message: str = "",
    hint: str = "",
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    json_wanted: bool | None = None,
) -> Response:
    """The response for an error, as JSON or text by the path of `scope`, or as `json_wanted` says."""
    known_code, known_message = CODES.get(status, ("error", "the request failed"))
    if is_emulated(scope["path"]):
        told = f"{message or known_message} ({hint})" if hint else message or known_message
        body, media_type = json.dumps({"id": code or known_code, "message": told}, ensure_ascii=False).encode(), JSON
    elif is_api(scope["path"]) if json_wanted is None else json_wanted:
        error: dict[str, Any] = {"code": code or known_code, "message": message or known_message, "hint": hint}
        if request_id := scope.get(REQUEST_ID):
            error["request_id"] = request_id
        if details:
            error["details"] = details
        body, media_type = json.dumps({"error": error}, ensure_ascii=False).encode(), JSON
    else:
        body, media_type = text_of(status, message, hint).encode(), "text/plain; charset=utf-8"
    return Response(body, status, {"cache-control": "no-cache", **(headers or {})}, media_type)


def is_api(path: str) -> bool:
    """Whether a path belongs to our own API, or to the API that the hub emulates."""
    return path == "/api" or path.startswith("/api/") or is_emulated(path)


def is_emulated(path: str) -> bool:
    """Whether a path belongs to the API that the hub emulates, which has another format for errors."""
    return path == "/apis" or path.startswith("/apis/")


def text_of(status: int, message: str, hint: str) -> str:
    """One line in TensorBoard's wording, and the hint on a second line."""
    if not message:
        message = {404: "Not found", 405: "Method Not Allowed"}.get(status, CODES.get(status, ("", "error"))[1])
    else:
        message = TEXT_PREFIXES.get(status, "") + message
    return f"{message}\n{hint}" if hint else message


async def on_http(request: Request, exc: Exception) -> Response:
    """Handle errors of the router: unknown path, wrong method, body too large."""
    assert isinstance(exc, HTTPException)
    status = exc.status_code
    message = hint = ""
    headers = dict(exc.headers or {})
    if "Allow" in headers:
        headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
    if is_api(request.scope["path"]):
        if status == 404:
            message, hint = f"no such address {request.scope['path']}", "/api/v1/openapi.json lists them all"
        elif status == 405:
            allowed = headers.get("Allow", "")
            message = f"{request.scope['path']} does not take {request.method}"
            hint = f"it takes {allowed}" if allowed else ""
    return error_response(request.scope, status, message=message, hint=hint, headers=headers)


async def on_lightboard(request: Request, exc: Exception) -> Response:
    """Handle errors whose messages are written for users."""
    assert isinstance(exc, LightboardError)
    headers = {"retry-after": str(max(1, math.ceil(exc.retry_secs)))} if isinstance(exc, TooMany) else None
    return error_response(
        request.scope,
        exc.status,
        code=exc.code,
        message=exc.message,
        hint=exc.hint,
        details=getattr(exc, "details", None),
        headers=headers,
    )


async def on_unexpected(request: Request, exc: Exception) -> Response:  # noqa: ARG001  # the handler's signature
    """Handle a bug. Its message stays in the terminal."""
    return error_response(request.scope, 500)


HANDLERS: dict[type[Exception], ExceptionHandler] = {
    HTTPException: on_http,
    LightboardError: on_lightboard,
    BadRequest: on_lightboard,
    NotFound: on_lightboard,
    Exception: on_unexpected,
}
