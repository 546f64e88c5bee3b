"""Objects of a bucket as a tree of files. The only module that uses obstore.

A folder is a prefix of some key. Objects are never changed, only replaced. Their identity is the entity tag, so a
growing file gets a new one each time. Requests take up to `TIMEOUT` and are retried a few times.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

# An optional dependency, loaded only for URLs that need it: see urls.py.
import obstore
from obstore.exceptions import BaseError
from obstore.store import AzureStore, GCSStore, ObjectStore, S3Store

from lightboard.errors import UsageError
from lightboard.storage.base import (
    Folder,
    ObjectInfo,
    OnError,
    Select,
    ignore_error,
    join,
    printable,
    select_all,
    split,
)
from lightboard.storage.bucket import Bucket, Vendor
from lightboard.storage.object_errors import is_odd_key, is_past_end, not_found, translate_error

CONNECT_TIMEOUT = timedelta(seconds=5)
READ_TIMEOUT = timedelta(seconds=20)
TIMEOUT = timedelta(seconds=180)
"""For one request: enough for 8 MB at 0.4 Mbit/s."""

RETRIES = 3
RETRY_TIMEOUT = timedelta(seconds=30)
"""There are no retries after this time since the first attempt."""

PAGE_KEYS = 1000
"""How many keys of a listing are converted at once; the page size of servers."""


class ObjectStorage:
    """The tree below the key prefix `top` of a store; `url` is for display."""

    remote = True
    local = False

    def __init__(self, store: ObjectStore, url: str, top: str = "", *, vendor: Vendor = "s3") -> None:
        self.url = printable(url)
        self._store = store
        self._top = top
        self._vendor = vendor

    def locate(self, path: str) -> str:
        return printable(f"{self.url}/{path}") if path else self.url

    def open_fd(self, path: str) -> None:  # noqa: ARG002  # named by the protocol
        return None

    def subfolder(self, folder: str) -> "ObjectStorage":
        return ObjectStorage(self._store, self.locate(folder), join(self._top, folder), vendor=self._vendor)

    def stat(self, path: str) -> ObjectInfo:
        with self._translated_errors(path):
            return _info(path, obstore.head(self._store, self._key(path)))

    def read(self, path: str, offset: int, length: int) -> bytes:
        if length <= 0:
            return b""
        with self._translated_errors(path):
            try:
                return bytes(obstore.get_range(self._store, self._key(path), start=offset, length=length))
            except BaseError as error:
                if is_past_end(error):
                    return b""
                raise

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = select_all, on_error: OnError = ignore_error
    ) -> Iterator[Folder]:
        try:
            with self._translated_errors(root):
                found = self._list_tree(root, select) if deep else [self._list_folder(root, select)]
        except OSError as error:
            on_error(root, error)
            return
        if found is None:
            yield from self._list_each_folder(root, select, on_error)
        else:
            yield from found

    # Internals

    def _key(self, path: str) -> str:
        if not path:
            raise not_found(self.url)
        return join(self._top, path)

    def _prefix(self, path: str) -> str | None:
        return join(self._top, path) or None

    def _path(self, key: str) -> str:
        return key[len(self._top) + 1 :] if self._top else key

    @contextmanager
    def _translated_errors(self, path: str) -> Iterator[None]:
        """Translate the errors of a request. Texts of the server are not passed on."""
        try:
            yield
        except FileNotFoundError as error:
            raise translate_error(error, self.locate(path), self._vendor) from None
        except ValueError:  # invalid key
            raise not_found(self.locate(path)) from None
        except BaseError as error:
            raise translate_error(error, self.locate(path), self._vendor) from None

    def _list_tree(self, root: str, select: Select) -> list[Folder] | None:
        """All folders below `root` from one listing; None if it contains an unsupported key."""
        tree = _TreeBuilder(root, select)
        try:
            for page in obstore.list(self._store, self._prefix(root), chunk_size=PAGE_KEYS):
                for meta in page:
                    tree.add(self._path(meta["path"]), meta)
        except BaseError as error:
            if is_odd_key(error):
                return None
            raise
        if tree.empty:
            self._check_folder(root)
        return tree.folders()

    def _list_each_folder(self, root: str, select: Select, on_error: OnError) -> Iterator[Folder]:
        """The same with one listing per folder, so that an unsupported key affects only its folder."""
        pending = [root]
        while pending:
            path = pending.pop()
            try:
                with self._translated_errors(path):
                    folder = self._list_folder(path, select)
            except OSError as error:
                on_error(path, error)
                continue
            yield folder
            pending.extend(reversed(folder.folders))

    def _list_folder(self, path: str, select: Select) -> Folder:
        listed = obstore.list_with_delimiter(self._store, self._prefix(path))
        tree = _TreeBuilder(path, select)
        for prefix in listed["common_prefixes"]:
            tree.add_folder(self._path(prefix))
        for meta in listed["objects"]:
            tree.add(self._path(meta["path"]), meta)
        if tree.empty:
            self._check_folder(path)
        return next(iter(tree.folders()))

    def _check_folder(self, path: str) -> None:
        """Raise if the empty folder `path` does not exist. The root of a bucket exists if it can be listed."""
        key = self._prefix(path)
        if key is None:
            return
        obstore.head(self._store, key)
        raise NotADirectoryError(f"{self.locate(path)} is an object, not a folder")


class _TreeBuilder:
    """Builds folders from keys in any order."""

    def __init__(self, root: str, select: Select) -> None:
        self._root = root
        self._select = select
        self._files: dict[str, list[ObjectInfo]] = {root: []}
        self._below: dict[str, set[str]] = {root: set()}
        self._seen: dict[str, int] = {root: 0}
        self._empty: dict[str, str] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing was added."""
        return not self._below[self._root] and not self._seen[self._root]

    def add_folder(self, path: str) -> None:
        """Add a folder and its parents."""
        while path not in self._below:
            self._files[path], self._below[path], self._seen[path] = [], set(), 0
            above = split(path)[0]
            if above not in self._below:
                self.add_folder(above)
            self._below[above].add(path)

    def add(self, path: str, meta: Any) -> None:
        """Add an object."""
        if path == self._root:
            return  # the marker of a folder made in a web console
        folder, name = split(path)
        self.add_folder(folder)
        self._seen[folder] += 1
        if meta["size"] == 0:
            self._empty[path] = folder
        if self._select(name):
            self._files[folder].append(_info(path, meta))

    def folders(self) -> list[Folder]:
        """All folders, parents first, each level ordered by name."""
        self._drop_markers()
        found: list[Folder] = []
        pending = [self._root]
        while pending:
            path = pending.pop()
            below = sorted(self._below[path])
            found.append(Folder(path, sorted(self._files[path]), below, self._seen[path], [], False))
            pending.extend(reversed(below))
        return found

    def _drop_markers(self) -> None:
        """Empty objects with the name of a folder are its markers, not files."""
        for path, folder in self._empty.items():
            if path in self._below:
                self._seen[folder] -= 1
                self._files[folder] = [info for info in self._files[folder] if info.path != path]


def open_bucket(bucket: Bucket) -> ObjectStorage:
    """The storage for a bucket. Sends no request yet. Raises UsageError if the client rejects the settings."""
    client = {"connect_timeout": CONNECT_TIMEOUT, "read_timeout": READ_TIMEOUT, "timeout": TIMEOUT}
    shared: dict[str, Any] = {
        "client_options": {**client, **({"allow_http": True} if bucket.plain_http else {})},
        "retry_config": {"max_retries": RETRIES, "retry_timeout": RETRY_TIMEOUT},
        "credential_provider": _provider(bucket),
    }
    kinds: dict[Vendor, Callable[..., ObjectStore]] = {"s3": S3Store, "oss": S3Store, "gs": GCSStore, "az": AzureStore}
    try:
        store = kinds[bucket.vendor](bucket.name, config=dict(bucket.config), **shared)
    except (BaseError, ValueError):
        # The cause may contain a secret setting.
        raise UsageError(
            f"{bucket.url} cannot be opened with these settings",
            hint="check its environment variables or options",
        ) from None
    return ObjectStorage(store, bucket.url, bucket.top, vendor=bucket.vendor)


def _provider(bucket: Bucket) -> Callable[[], dict[str, Any]] | None:
    """An explicit credential, which overrides those that the client finds in the environment."""
    if bucket.credential is None:
        return None
    answer = {**bucket.credential, "expires_at": None}
    return lambda: answer


def _info(path: str, meta: Any) -> ObjectInfo:
    # Listings have fractions of seconds, responses for one object do not.
    mtime_ns = int(meta["last_modified"].timestamp()) * 1_000_000_000
    tag = (meta["e_tag"] or f"{meta['size']}@{mtime_ns}").removeprefix("W/").strip('"')
    # Objects with the same bytes have the same tag but are different files.
    return ObjectInfo(path, meta["size"], mtime_ns, f"{tag} {path}")
