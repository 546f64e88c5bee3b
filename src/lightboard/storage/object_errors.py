"""Translates errors of object stores into messages with the location, the cause and a hint. Pure.

Only our own text and the server's error code are included, because texts of client and server contain signatures, keys
and signed URLs.
"""

import errno
import re

from lightboard.errors import BucketNotFound, StorageDenied, StorageError
from lightboard.storage.bucket import Vendor, credentials_hint

_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,80})</Code>")
_REGION = re.compile(r"<Region>([\w-]{1,40})</Region>")
_QUOTED_PATH = re.compile(r'path: "((?:[^"\\]|\\.)*)"')
_METADATA = ("169.254.", "/latest/api/token", "metadata.google.internal", "metadata.azure", "/metadata/identity")
"""Where clients look for credentials by default: services that only exist in clouds."""
_NO_BUCKET = {"NoSuchBucket", "InvalidBucketName", "ContainerNotFound"}
_WRONG_KEY = {"InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "AuthenticationFailed"}
_EXPIRED = {"ExpiredToken", "InvalidToken", "SecurityTokenExpired", "TokenRefreshRequired"}
_WRONG_REGION = {"AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException"}


def not_found(location: str) -> FileNotFoundError:
    """The error for a missing object."""
    return FileNotFoundError(errno.ENOENT, "No such object", location)


def is_past_end(error: Exception) -> bool:
    """Whether a range was refused because the object is shorter."""
    text = f"{error}"
    return _status(text) == 416 or text.startswith("Generic InMemory error: Invalid range")


def is_odd_key(error: Exception) -> bool:
    """Whether a listing contains a key unsupported by the client: an empty part, `.`, `..`, a control character."""
    return type(error).__name__ == "InvalidPathError"


def translate_error(error: Exception, location: str, vendor: Vendor) -> OSError:
    """The error as `OSError`: `FileNotFoundError`, `StorageDenied`, `BucketNotFound` or another `StorageError`."""
    text = f"{error}"
    status = _status(text)
    code = found[1] if (found := _CODE.search(text)) else ""
    if code in _NO_BUCKET:
        hint = "check the name and, for your own server, the endpoint (AWS_ENDPOINT_URL for s3://)"
        return _make_error(BucketNotFound, location, "there is no such bucket", hint)
    if isinstance(error, FileNotFoundError):
        return not_found(location)
    if is_odd_key(error):
        odd = found[1] if (found := _QUOTED_PATH.search(text)) else "?"
        hint = "rename it: a part of its key is empty, '.' or '..', or holds a control character"
        return _make_error(StorageError, location, f"it contains an object with an unsupported key: {odd}", hint)
    return _denied(error, text, location, vendor, code, status) or _unreachable(text, location, code, status)


def _denied(error: Exception, text: str, location: str, vendor: Vendor, code: str, status: int) -> OSError | None:
    if any(word in text for word in _METADATA):
        return _make_error(StorageDenied, location, "no credentials", credentials_hint(vendor))
    if code in _WRONG_REGION or "incorrectly configured region" in text:
        right = found[1] if (found := _REGION.search(text)) else ""
        hint = f"set AWS_REGION={right}" if right else "set AWS_REGION to the region of the bucket"
        return _make_error(StorageDenied, location, "it is in another region", hint)
    if code in _EXPIRED:
        return _make_error(StorageDenied, location, f"the credentials have expired ({code})", "renew them")
    if code in _WRONG_KEY or status == 401:
        return _make_error(
            StorageDenied, location, f"the credentials are not accepted{_parenthesized(code)}", credentials_hint(vendor)
        )
    if status == 403 or type(error).__name__ in ("PermissionDeniedError", "UnauthenticatedError"):
        hint = "they need permission to list and to read"
        return _make_error(
            StorageDenied, location, f"the credentials do not allow reading it{_parenthesized(code)}", hint
        )
    return None


def _unreachable(text: str, location: str, code: str, status: int) -> OSError:
    if status:
        hint = "this may be temporary; reading is retried"
        return _make_error(
            StorageError, location, f"the server responded with status {status}{_parenthesized(code)}", hint
        )
    hint = "check the network and the endpoint"
    if "timed out" in text or "TimedOut" in text:
        return _make_error(StorageError, location, "the server does not answer in time", hint)
    if "HTTP error" in text or "error sending request" in text:
        return _make_error(StorageError, location, "the server cannot be reached", hint)
    return _make_error(StorageError, location, "it cannot be read", hint)


def _make_error(kind: type[StorageError], location: str, reason: str, hint: str) -> StorageError:
    error = kind(f"{location}: {reason}", hint=hint)
    error.strerror = reason  # for callers that add the location themselves
    return error


def _status(text: str) -> int:
    found = _STATUS.search(text)
    return int(found[1]) if found else 0


def _parenthesized(code: str) -> str:
    return f" ({code})" if code else ""
