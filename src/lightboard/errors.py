"""Every exception a caller may catch.

LightboardError
├── UsageError            a wrong flag, path or port; the command line prints it and stops
├── BadRequest            a request that makes no sense (400)
├── NotFound              (also LookupError)
│   ├── RunNotFound
│   ├── TagNotFound
│   └── ValueNotFound     the file it was in has other bytes now
├── LaunchError           a board could not be started, changed or found where boards run (502)
├── Unshowable            (also ValueError) a value that is not what its kind says, or too large to be shown (422)
└── StorageError          (also OSError) bytes could not be read
    └── OverlayError      what people added to runs could not be kept
"""


class LightboardError(Exception):
    """Base of all. `message` names the thing, `hint` says what to do; both are safe to show."""

    code = "error"
    status = 500

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(LightboardError):
    """The command line makes no sense as given."""

    code = "usage"
    status = 400


class BadRequest(LightboardError, ValueError):
    """The request makes no sense as given."""

    code = "bad_request"
    status = 400


class NotFound(LightboardError, LookupError):
    """Something named in a request is not there."""

    code = "not_found"
    status = 404


class RunNotFound(NotFound):
    """No run of that name."""

    code = "run_not_found"


class TagNotFound(NotFound):
    """The run has no such tag of this kind."""

    code = "tag_not_found"


class ValueNotFound(NotFound):
    """The series has no such value, or not any more."""

    code = "value_not_found"


class LaunchError(LightboardError):
    """A board could not be started, changed or found; `reason` is one word for machines, as SourceNotFound."""

    code = "launch_failed"
    status = 502

    def __init__(self, message: str, *, reason: str = "Error", hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason


class Unshowable(LightboardError, ValueError):
    """The value is there, but malformed or too large to be shown; its bytes can be downloaded."""

    code = "unshowable"
    status = 422


class StorageError(LightboardError, OSError):
    """Bytes could not be listed or read."""

    code = "storage"


class OverlayError(StorageError):
    """What people added to runs could not be kept; nothing has changed."""

    code = "overlay_unwritable"
