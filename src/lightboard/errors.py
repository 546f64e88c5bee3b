"""All exceptions that callers may catch.

LightboardError
├── UsageError            a wrong flag, path or port; the command line prints it and stops
├── BadRequest            an invalid request (400)
├── NotFound              (also LookupError)
│   ├── RunNotFound
│   ├── TagNotFound
│   └── ValueNotFound     its file was removed or replaced
├── LaunchError           a board could not be started, changed or found (502)
├── Unshowable            (also ValueError) a value that is malformed or too large to be shown (422)
├── OverBudget            a request that exceeds the budget of one response (422)
├── Invalid               (also ValueError) a request to the hub that violates a rule (422)
├── Unauthenticated       not logged in, or an unknown token (401)
├── PermissionDenied      the account lacks a permission (403)
├── Conflict              a conflict with the current state, or a name in use (409)
│   └── TensorboardLimitExceeded
├── TooMany               too many requests (429)
├── DatabaseError         the hub's database is busy, unreachable, damaged or of another version (503)
│   ├── DatabaseBusy
│   └── DatabaseUnreachable
├── HubUnreachable        (also ConnectionError) the hub does not respond
├── NotReady              (also TimeoutError) a wait timed out
├── UnexpectedStatusException   a TensorBoard or job failed, or has ended
│   └── SourceNotFound    its logs do not exist
└── StorageError          (also OSError) files could not be read
    ├── StorageDenied     (also PermissionError) access denied
    ├── BucketNotFound    the bucket does not exist
    ├── OutsideRoot       (also FileNotFoundError) a link out of the allowed folders
    └── AnnotationsError  annotations could not be written
"""

from collections.abc import Mapping
from typing import Any


class LightboardError(Exception):
    """The base class. `message` names the problem, `hint` says what to do; both may be shown to users."""

    code = "error"
    status = 500

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(LightboardError):
    """The command line is invalid."""

    code = "usage"
    status = 400


class BadRequest(LightboardError, ValueError):
    """The request is invalid."""

    code = "bad_request"
    status = 400


class NotFound(LightboardError, LookupError):
    """Something named in a request does not exist."""

    code = "not_found"
    status = 404


class RunNotFound(NotFound):
    """There is no run of this name."""

    code = "run_not_found"


class TagNotFound(NotFound):
    """The run has no tag of this name and kind."""

    code = "tag_not_found"


class ValueNotFound(NotFound):
    """The series has no such value, or no longer has it."""

    code = "value_not_found"


class LaunchError(LightboardError):
    """A board could not be started, changed or found; `reason` is one word for programs, such as SourceNotFound."""

    code = "launch_failed"
    status = 502

    def __init__(self, message: str, *, reason: str = "Error", hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason


class Unshowable(LightboardError, ValueError):
    """The value is malformed or too large to be shown. Its bytes can be downloaded."""

    code = "unshowable"
    status = 422


class OverBudget(LightboardError):
    """One request exceeds a budget. The message names the limit, the hint says how to request less."""

    code = "over_budget"
    status = 422


class StorageError(LightboardError, OSError):
    """Files could not be listed or read."""

    code = "storage"


class StorageDenied(StorageError, PermissionError):
    """Wrong credentials or region, or missing permissions. Retrying does not help."""

    code = "storage_denied"


class BucketNotFound(StorageError):
    """There is no bucket of this name. Not a FileNotFoundError, since logs that were read before must be kept."""

    code = "bucket_not_found"


class OutsideRoot(StorageError, FileNotFoundError):
    """A path leads out of the allowed folders through a link."""

    code = "leads_outside"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.strerror = message


class AnnotationsError(StorageError):
    """Annotations could not be written; nothing has changed."""

    code = "overlay_unwritable"


class Invalid(LightboardError, ValueError):
    """A request to the hub violates a rule; the hint says which."""

    code = "invalid"
    status = 422


class Unauthenticated(LightboardError):
    """Not logged in, or the token is unknown, expired or revoked."""

    code = "unauthenticated"
    status = 401


class PermissionDenied(LightboardError):
    """The account or its token lacks a permission, which the message names."""

    code = "permission_denied"
    status = 403


class Conflict(LightboardError):
    """The name is in use, or the object has changed meanwhile."""

    code = "conflict"
    status = 409


class TensorboardLimitExceeded(Conflict):
    """The account has reached its limit of TensorBoards. `details`: the limit, those in use, what can be done."""

    code = "TensorboardLimitExceeded"

    def __init__(self, message: str, *, hint: str = "", details: "Mapping[str, Any] | None" = None) -> None:
        super().__init__(message, hint=hint)
        self.details = dict(details or {})


class DatabaseError(LightboardError):
    """The hub's database is busy, unreachable, damaged or of another version. Nothing was changed."""

    code = "database"
    status = 503


class DatabaseBusy(DatabaseError):
    """Another process locked the hub's database for too long. Retrying may help."""


class DatabaseUnreachable(DatabaseError):
    """There is no connection to the hub's database. Retrying may help."""


class TooMany(LightboardError):
    """Too many requests; retry after `retry_secs`."""

    code = "too_many_requests"
    status = 429

    def __init__(self, message: str, *, hint: str = "", retry_secs: float = 1.0) -> None:
        super().__init__(message, hint=hint)
        self.retry_secs = retry_secs


class HubUnreachable(LightboardError, ConnectionError):
    """The hub does not respond, or another server responds at its address."""

    code = "unreachable"
    status = 503


class NotReady(LightboardError, TimeoutError):
    """A wait timed out. The operation continues."""

    code = "not_ready"
    status = 503


class UnexpectedStatusException(LightboardError):
    """A TensorBoard or job reached a status from which the awaited one is impossible. The name is PAI's."""

    code = "unexpected_status"
    status = 409

    def __init__(self, status_word: str, reason: str, message: str = "") -> None:
        super().__init__(f"{status_word} {reason}: {message}" if message else f"{status_word} {reason}".rstrip())
        self.status_word = status_word
        self.reason = reason


class SourceNotFound(UnexpectedStatusException):
    """The logs of the TensorBoard do not exist."""

    code = "source_not_found"
