"""What the errors of an object store mean, for people: which place, what is wrong, what to do.

Only words of our own and the server's code for the error are passed on: the texts of client and server hold signatures,
keys and signed addresses. Pure.
"""

import errno
import re

from lightboard.errors import BucketNotFound, StorageDenied, StorageError
from lightboard.storage.bucket import Vendor, credentials_hint

_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,80})</Code>")
_REGION = re.compile(r"<Region>([\w-]{1,40})</Region>")
_NAMELESS = re.compile(r'path: "((?:[^"\\]|\\.)*)"')
_METADATA = ("169.254.", "/latest/api/token", "metadata.google.internal", "metadata.azure", "/metadata/identity")
"""Where clients look for credentials when they were given none: services that only machines in a cloud can reach."""
_NO_BUCKET = {"NoSuchBucket", "InvalidBucketName", "ContainerNotFound"}
_WRONG_KEY = {"InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "AuthenticationFailed"}
_EXPIRED = {"ExpiredToken", "InvalidToken", "SecurityTokenExpired", "TokenRefreshRequired"}
_WRONG_REGION = {"AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException"}


def not_found(place: str) -> FileNotFoundError:
    """Nothing is at this place."""
    return FileNotFoundError(errno.ENOENT, "No such object", place)


def is_past_end(error: Exception) -> bool:
    """Whether a range was refused because the object ends before it."""
    text = f"{error}"
    return _status(text) == 416 or text.startswith("Generic InMemory error: Invalid range")


def is_odd_key(error: Exception) -> bool:
    """Whether a listing met a key that the client cannot speak of: an empty part, `.`, `..`, a control character."""
    return type(error).__name__ == "InvalidPathError"


def explained(error: Exception, place: str, vendor: Vendor) -> OSError:
    """The error as `OSError`: `FileNotFoundError`, `StorageDenied`, `BucketNotFound` or another `StorageError`."""
    text = f"{error}"
    status = _status(text)
    code = found[1] if (found := _CODE.search(text)) else ""
    if code in _NO_BUCKET:
        hint = "look at the name; for a server of your own, at the endpoint as well (AWS_ENDPOINT_URL for s3://)"
        return _of(BucketNotFound, place, "there is no such bucket", hint)
    if isinstance(error, FileNotFoundError):
        return not_found(place)
    if is_odd_key(error):
        odd = found[1] if (found := _NAMELESS.search(text)) else "?"
        hint = "rename it: a part of its key is empty, '.' or '..', or holds a control character"
        return _of(StorageError, place, f"an object in it cannot be addressed: {odd}", hint)
    return _denied(error, text, place, vendor, code, status) or _unreachable(text, place, code, status)


def _denied(error: Exception, text: str, place: str, vendor: Vendor, code: str, status: int) -> OSError | None:
    if any(word in text for word in _METADATA):
        return _of(StorageDenied, place, "no credentials", credentials_hint(vendor))
    if code in _WRONG_REGION or "incorrectly configured region" in text:
        right = found[1] if (found := _REGION.search(text)) else ""
        hint = f"set AWS_REGION={right}" if right else "set AWS_REGION to the region of the bucket"
        return _of(StorageDenied, place, "it is in another region", hint)
    if code in _EXPIRED:
        return _of(StorageDenied, place, f"the credentials have expired ({code})", "get new ones")
    if code in _WRONG_KEY or status == 401:
        return _of(StorageDenied, place, f"the credentials are not accepted{_told(code)}", credentials_hint(vendor))
    if status == 403 or type(error).__name__ in ("PermissionDeniedError", "UnauthenticatedError"):
        hint = "they need the right to list and to read"
        return _of(StorageDenied, place, f"these credentials may not read it{_told(code)}", hint)
    return None


def _unreachable(text: str, place: str, code: str, status: int) -> OSError:
    if status:
        hint = "it may pass; reading is tried again"
        return _of(StorageError, place, f"the server answers {status}{_told(code)}", hint)
    hint = "look at the network and the endpoint"
    if "timed out" in text or "TimedOut" in text:
        return _of(StorageError, place, "the server does not answer in time", hint)
    if "HTTP error" in text or "error sending request" in text:
        return _of(StorageError, place, "the server cannot be reached", hint)
    return _of(StorageError, place, "it cannot be read", hint)


def _of(kind: type[StorageError], place: str, reason: str, hint: str) -> StorageError:
    error = kind(f"{place}: {reason}", hint=hint)
    error.strerror = reason  # for who has told the place already
    return error


def _status(text: str) -> int:
    found = _STATUS.search(text)
    return int(found[1]) if found else 0


def _told(code: str) -> str:
    return f" ({code})" if code else ""
