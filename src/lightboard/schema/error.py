"""The one shape of every error under /api."""

from typing import Any

from pydantic import Field

from lightboard.schema.model import Answer


class Error(Answer):
    """What went wrong; `hint` says what to do and may be empty."""

    code: str
    message: str
    hint: str


class ErrorAnswer(Answer):
    """The body of every answer whose status is 400 or more."""

    error: Error


class HubError(Error):
    """What the hub adds: how the request is called in its logs, and for some codes more to go by."""

    request_id: str
    details: dict[str, Any] = Field(default_factory=dict)


class HubErrorAnswer(Answer):
    """The same of the hub."""

    error: HubError
