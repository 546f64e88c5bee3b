"""The one shape of every error under /api."""

from lightboard.schema.model import Answer


class Error(Answer):
    """What went wrong; `hint` says what to do and may be empty."""

    code: str
    message: str
    hint: str


class ErrorAnswer(Answer):
    """The body of every answer whose status is 400 or more."""

    error: Error
