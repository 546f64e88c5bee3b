"""Opens the storage for a path or a URL. The only module that knows all schemes.

Object stores are loaded only for URLs that need them.
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
    """Whether `open_storage` supports the scheme of this URL. Loads nothing."""
    return is_url(url) and (_scheme(url) == "file" or _scheme(url) in _vendors())


def redact_url(url: str) -> str:
    """The URL for display: without user, password and the values of a query."""
    from lightboard.storage.bucket import redact  # not at the top, because plain paths do not need it

    return redact(url)


class Confinement(NamedTuple):
    """What may be read of this machine: everything below `roots` (default: the opened folder) except `refused`.

    All are real paths.
    """

    roots: Sequence[str] = ()
    refused: Sequence[str] = ()


def open_storage(
    text: str, options: Mapping[str, str] | None = None, *, confinement: Confinement | None = None
) -> Storage:
    """Open the storage whose root is the folder `text`, a path or a URL. It need not exist.

    `confinement` limits a local folder; None follows links anywhere.

    `options` configure the client of an object store (`storage.bucket.OPTIONS`); the environment is then ignored. None
    reads them from the environment, like the vendors' own tools, and from the AWS profile.

    Raises `UsageError` for an unknown scheme, a missing extra, and invalid settings.
    """
    if not is_url(text):
        return _folder(text, confinement)
    scheme = _scheme(text)
    if scheme == "file":
        return _folder(_path(text), confinement)
    if scheme in _vendors():
        return _objects(text, options)
    raise UsageError(
        f"cannot read {scheme}:// addresses: {redact_url(text)}",
        hint=f"give a folder of this machine, or one of {', '.join(f'{known}://' for known in _vendors())}",
    )


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def _vendors() -> Mapping[str, object]:
    from lightboard.storage.bucket import VENDORS  # not at the top, because plain paths do not need it

    return VENDORS


def _folder(path: str, confinement: Confinement | None) -> Storage:
    if confinement is None:
        return LocalStorage(path)
    from lightboard.storage.confined import ConfinedStorage  # not at the top, because plain paths do not need it

    return ConfinedStorage(path, confinement.roots, confinement.refused)


def _path(text: str) -> str:
    # Imported here, because plain paths, the most common case, do not need it.
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(text)
    if parts.netloc not in ("", "localhost"):
        raise UsageError(
            f"a file:// address of another machine: {redact_url(text)}", hint="write file:///folder, with three slashes"
        )
    return unquote(parts.path)


def _objects(text: str, options: Mapping[str, str] | None) -> Storage:
    from lightboard.storage.aws_profile import with_profile
    from lightboard.storage.bucket import environment_options, parse_bucket, without_environment

    if options is not None:
        bucket = without_environment(parse_bucket(text, options))
    else:
        found = environment_options(text, os.environ)
        bucket = parse_bucket(text, with_profile(found, os.environ) if _scheme(text) == "s3" else found)
    try:
        from lightboard.storage.objects import open_bucket  # an optional and large dependency
    except ModuleNotFoundError as error:
        if error.name != "obstore":
            raise
        raise UsageError(
            f"{_scheme(text)}:// needs lightboard[objects]", hint="pip install 'lightboard[objects]'"
        ) from None
    return open_bucket(bucket)
