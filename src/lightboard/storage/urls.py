"""From what people type to a storage: a path, `~`, or a URL. The only place that knows which schemes exist.

Object stores are loaded only for an address that needs one.
"""

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lightboard.errors import UsageError
from lightboard.storage.base import Storage
from lightboard.storage.local import LocalStorage

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")


def is_url(text: str) -> bool:
    """Whether `text` begins with a scheme, as in `s3://`."""
    return _SCHEME.match(text) is not None


def is_known(url: str) -> bool:
    """Whether the scheme of this URL is one that `open_storage` takes; loads nothing."""
    return is_url(url) and (_scheme(url) == "file" or _scheme(url) in _vendors())


def shown(url: str) -> str:
    """The URL without what must not be shown: user, password and the values of a query."""
    from lightboard.storage.bucket import redacted  # late, for the sake of plain paths

    return redacted(url)


class Within(NamedTuple):
    """What of this machine may be read: what lies below `roots` (the folder that is opened, if there are none).

    Never what is `refused`. All are real paths.
    """

    roots: Sequence[str] = ()
    refused: Sequence[str] = ()


def open_storage(text: str, options: Mapping[str, str] | None = None, *, within: Within | None = None) -> Storage:
    """The storage whose top is the folder `text` (a path or a URL; it need not exist).

    A folder of this machine is confined to what is `within`; None follows links anywhere.

    `options` say how to reach an object store (`storage.bucket.OPTIONS`); the environment then counts for nothing. None
    takes them from the environment, as the vendors' own tools do, and from the AWS profile.

    Raises `UsageError` for a scheme nobody knows, a missing extra, and settings that make no sense.
    """
    if not is_url(text):
        return _folder(text, within)
    scheme = _scheme(text)
    if scheme == "file":
        return _folder(_path(text), within)
    if scheme in _vendors():
        return _objects(text, options)
    raise UsageError(
        f"cannot read {scheme}:// addresses: {shown(text)}",
        hint=f"give a folder of this machine, or one of {', '.join(f'{known}://' for known in _vendors())}",
    )


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def _vendors() -> Mapping[str, object]:
    from lightboard.storage.bucket import VENDORS  # late, for the sake of plain paths

    return VENDORS


def _folder(path: str, within: Within | None) -> Storage:
    if within is None:
        return LocalStorage(path)
    from lightboard.storage.confined import ConfinedStorage  # late, for the sake of plain paths

    return ConfinedStorage(path, within.roots, within.refused)


def _path(text: str) -> str:
    # Imported here: a plain path, which nearly everybody gives, should not wait for it.
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(text)
    if parts.netloc not in ("", "localhost"):
        raise UsageError(
            f"a file:// address of another machine: {shown(text)}", hint="write file:///folder, with three slashes"
        )
    return unquote(parts.path)


def _objects(text: str, options: Mapping[str, str] | None) -> Storage:
    from lightboard.storage.aws_profile import with_profile
    from lightboard.storage.bucket import bucket_of, environment_options, isolated

    if options is not None:
        bucket = isolated(bucket_of(text, options))
    else:
        found = environment_options(text, os.environ)
        bucket = bucket_of(text, with_profile(found, os.environ) if _scheme(text) == "s3" else found)
    try:
        from lightboard.storage.objects import open_bucket  # an extra, and a library of some size
    except ModuleNotFoundError as error:
        if error.name != "obstore":
            raise
        raise UsageError(
            f"{_scheme(text)}:// needs lightboard[objects]", hint="pip install 'lightboard[objects]'"
        ) from None
    return open_bucket(bucket)
