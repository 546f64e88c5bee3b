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
├── OverBudget            a request that asks for more than one answer may cost (422)
├── Invalid               (also ValueError) something asked of the hub that breaks a rule (422)
├── Unauthenticated       nobody is logged in, or the token is not known (401)
├── PermissionDenied      the account may not do that (403)
├── Conflict              it is not as the caller thought, or the name is taken (409)
│   └── TensorboardLimitExceeded
├── TooMany               asked too often (429)
├── DatabaseError         the hub's database is busy, away, damaged or not for this program (503)
│   ├── DatabaseBusy
│   └── DatabaseUnreachable
├── HubUnreachable        (also ConnectionError) the hub does not answer
├── NotReady              (also TimeoutError) what was waited for has not happened yet
├── UnexpectedStatusException   a TensorBoard did not come up, or has ended
│   └── SourceNotFound    the logs it should show are not there
└── StorageError          (also OSError) bytes could not be read
    ├── StorageDenied     (also PermissionError) a place that does not let us in as we came
    ├── BucketNotFound    an object store without a bucket of this name
    ├── LeadsOutside      (also FileNotFoundError) a link out of the folders that may be shown
    └── OverlayError      what people added to runs could not be kept
"""

from collections.abc import Mapping
from typing import Any


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


class OverBudget(LightboardError):
    """One request asks for more than it may cost; the message names the limit, the hint says how to ask for less."""

    code = "over_budget"
    status = 422


class StorageError(LightboardError, OSError):
    """Bytes could not be listed or read."""

    code = "storage"


class StorageDenied(StorageError, PermissionError):
    """Credentials or region are wrong, or these credentials may not read it: trying again will not help."""

    code = "storage_denied"


class BucketNotFound(StorageError):
    """There is no bucket of this name. Not a FileNotFoundError: what was read from it is not to be dropped for that."""

    code = "bucket_not_found"


class LeadsOutside(StorageError, FileNotFoundError):
    """A link, or a folder on the way, that leads out of the folders that may be shown: nothing is there for anybody."""

    code = "leads_outside"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.strerror = message


class OverlayError(StorageError):
    """What people added to runs could not be kept; nothing has changed."""

    code = "overlay_unwritable"


class Invalid(LightboardError, ValueError):
    """Something asked of the hub breaks a rule; the hint says the rule."""

    code = "invalid"
    status = 422


class Unauthenticated(LightboardError):
    """Nobody is logged in, or the token is unknown, expired or revoked."""

    code = "unauthenticated"
    status = 401


class PermissionDenied(LightboardError):
    """The account, or its token, may not do that. The message names the right that is missing."""

    code = "permission_denied"
    status = 403


class Conflict(LightboardError):
    """The name is taken, or the thing has changed since the caller looked."""

    code = "conflict"
    status = 409


class TensorboardLimitExceeded(Conflict):
    """The account has as many TensorBoards in use as it may. `details`: the limit, those in use, the remedies."""

    code = "TensorboardLimitExceeded"

    def __init__(self, message: str, *, hint: str = "", details: "Mapping[str, Any] | None" = None) -> None:
        super().__init__(message, hint=hint)
        self.details = dict(details or {})


class DatabaseError(LightboardError):
    """The hub's database is busy, away, damaged, or not for this program. Nothing was changed."""

    code = "database"
    status = 503


class DatabaseBusy(DatabaseError):
    """Somebody else held on to the hub's database for too long; later it may be free."""


class DatabaseUnreachable(DatabaseError):
    """There is no connection to the hub's database; there may be one later."""


class TooMany(LightboardError):
    """Asked too often; try again after `retry_secs`."""

    code = "too_many_requests"
    status = 429

    def __init__(self, message: str, *, hint: str = "", retry_secs: float = 1.0) -> None:
        super().__init__(message, hint=hint)
        self.retry_secs = retry_secs


class HubUnreachable(LightboardError, ConnectionError):
    """The hub does not answer, or something else answers at its address."""

    code = "unreachable"
    status = 503


class NotReady(LightboardError, TimeoutError):
    """What was waited for has not happened in time; it goes on."""

    code = "not_ready"
    status = 503


class UnexpectedStatusException(LightboardError):
    """A TensorBoard came to a status from which it does not get where it should. The name is PAI's."""

    code = "unexpected_status"
    status = 409

    def __init__(self, status_word: str, reason: str, message: str = "") -> None:
        super().__init__(f"{status_word} {reason}: {message}" if message else f"{status_word} {reason}".rstrip())
        self.status_word = status_word
        self.reason = reason


class SourceNotFound(UnexpectedStatusException):
    """The logs it should show are not there."""

    code = "source_not_found"
