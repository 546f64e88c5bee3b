"""The format of all errors below /api."""

from typing import Any

from pydantic import Field

from lightboard.schema.model import ResponseModel


class Error(ResponseModel):
    """An error. `hint` suggests what to do; it may be empty."""

    code: str
    message: str
    hint: str


class ErrorResponse(ResponseModel):
    """The body of every response with a status of 400 or more."""

    error: Error


class HubError(Error):
    """An error of the hub, with the id of the request in its log, and details for some codes."""

    request_id: str
    details: dict[str, Any] = Field(default_factory=dict)


class HubErrorResponse(ResponseModel):
    """The body of every error response of the hub."""

    error: HubError
