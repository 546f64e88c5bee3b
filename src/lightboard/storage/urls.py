"""From what people type to a storage: a path, `~`, or a URL. The only place that knows which schemes exist."""

import re

from lightboard.errors import UsageError
from lightboard.storage.base import Storage
from lightboard.storage.local import LocalStorage

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")


def is_url(text: str) -> bool:
    """Whether `text` begins with a scheme, as in `s3://`."""
    return _SCHEME.match(text) is not None


def open_storage(text: str) -> Storage:
    """The storage whose top is the folder `text` (a path or a `file://` URL; it need not exist).

    Raises `UsageError` for any other scheme.
    """
    if not is_url(text):
        return LocalStorage(text)
    scheme = text.partition("://")[0].lower()
    if scheme != "file":
        raise UsageError(
            f"cannot read {scheme}:// addresses: {text}",
            hint="give a folder of this machine; a bucket can be mounted or copied to one first",
        )
    # Imported here: a plain path, which nearly everybody gives, should not wait for it.
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(text)
    if parts.netloc not in ("", "localhost"):
        raise UsageError(
            f"a file:// address of another machine: {text}", hint="write file:///folder, with three slashes"
        )
    return LocalStorage(unquote(parts.path))
