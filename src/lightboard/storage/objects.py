"""Objects of a bucket as a tree of files. The only door to obstore.

A folder is a prefix that some key has. An object is never changed, only put in place of another one, so that its
identity is its entity tag and a file that grows gets a new one each time. Requests take up to `TIMEOUT` and are tried a
few times.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

# An extra, and only loaded for addresses that need it: see urls.py.
import obstore
from obstore.exceptions import BaseError
from obstore.store import AzureStore, GCSStore, ObjectStore, S3Store

from lightboard.errors import UsageError
from lightboard.storage.base import Folder, ObjectInfo, OnError, Select, every, ignore, join, printable, split
from lightboard.storage.bucket import Bucket, Vendor
from lightboard.storage.object_errors import explained, is_odd_key, is_past_end, not_found

CONNECT_TIMEOUT = timedelta(seconds=5)
READ_TIMEOUT = timedelta(seconds=20)
TIMEOUT = timedelta(seconds=180)
"""For one request: a piece of 8 MB comes in time over 0.4 Mbit/s."""

RETRIES = 3
RETRY_TIMEOUT = timedelta(seconds=30)
"""After this long since the first attempt there is no further one."""

PAGE_KEYS = 1000
"""How many keys of a listing come into Python at once; servers send them in pages of this size."""


class ObjectStorage:
    """The tree below the key prefix `top` of a store; `url` is where that is, for people."""

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

    def below(self, folder: str) -> "ObjectStorage":
        return ObjectStorage(self._store, self.locate(folder), join(self._top, folder), vendor=self._vendor)

    def stat(self, path: str) -> ObjectInfo:
        with self._asking(path):
            return _info(path, obstore.head(self._store, self._key(path)))

    def read(self, path: str, offset: int, length: int) -> bytes:
        if length <= 0:
            return b""
        with self._asking(path):
            try:
                return bytes(obstore.get_range(self._store, self._key(path), start=offset, length=length))
            except BaseError as error:
                if is_past_end(error):
                    return b""
                raise

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = every, on_error: OnError = ignore
    ) -> Iterator[Folder]:
        try:
            with self._asking(root):
                found = self._tree(root, select) if deep else [self._level(root, select)]
        except OSError as error:
            on_error(root, error)
            return
        if found is None:
            yield from self._levels(root, select, on_error)
        else:
            yield from found

    # Inside

    def _key(self, path: str) -> str:
        if not path:
            raise not_found(self.url)
        return join(self._top, path)

    def _prefix(self, path: str) -> str | None:
        return join(self._top, path) or None

    def _path(self, key: str) -> str:
        return key[len(self._top) + 1 :] if self._top else key

    @contextmanager
    def _asking(self, path: str) -> Iterator[None]:
        """Errors of a request become those of the seam; what they say of the server's answer is not passed on."""
        try:
            yield
        except FileNotFoundError as error:
            raise explained(error, self.locate(path), self._vendor) from None
        except ValueError:  # no key can be such a path
            raise not_found(self.locate(path)) from None
        except BaseError as error:
            raise explained(error, self.locate(path), self._vendor) from None

    def _tree(self, root: str, select: Select) -> list[Folder] | None:
        """All folders below `root` from one listing; None where a key in it cannot be spoken of."""
        tree = _Tree(root, select)
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

    def _levels(self, root: str, select: Select, on_error: OnError) -> Iterator[Folder]:
        """The same with one listing for each folder: one bad key spoils only the folder that it is in."""
        pending = [root]
        while pending:
            path = pending.pop()
            try:
                with self._asking(path):
                    folder = self._level(path, select)
            except OSError as error:
                on_error(path, error)
                continue
            yield folder
            pending.extend(reversed(folder.folders))

    def _level(self, path: str, select: Select) -> Folder:
        listed = obstore.list_with_delimiter(self._store, self._prefix(path))
        tree = _Tree(path, select)
        for prefix in listed["common_prefixes"]:
            tree.add_folder(self._path(prefix))
        for meta in listed["objects"]:
            tree.add(self._path(meta["path"]), meta)
        if tree.empty:
            self._check_folder(path)
        return next(iter(tree.folders()))

    def _check_folder(self, path: str) -> None:
        """Raise where the empty folder `path` is none: the top of a bucket is there once it can be listed."""
        key = self._prefix(path)
        if key is None:
            return
        obstore.head(self._store, key)
        raise NotADirectoryError(f"{self.locate(path)} is an object, not a folder")


class _Tree:
    """Folders gathered from keys, in whatever order these come."""

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
        """A folder below the root, and those above it."""
        while path not in self._below:
            self._files[path], self._below[path], self._seen[path] = [], set(), 0
            above = split(path)[0]
            if above not in self._below:
                self.add_folder(above)
            self._below[above].add(path)

    def add(self, path: str, meta: Any) -> None:
        """An object by its path."""
        if path == self._root:
            return  # what consoles put where somebody makes a folder
        folder, name = split(path)
        self.add_folder(folder)
        self._seen[folder] += 1
        if meta["size"] == 0:
            self._empty[path] = folder
        if self._select(name):
            self._files[folder].append(_info(path, meta))

    def folders(self) -> list[Folder]:
        """All of them, parents first, each level in name order."""
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
        """Empty objects with the name of a folder stand for it and are no files."""
        for path, folder in self._empty.items():
            if path in self._below:
                self._seen[folder] -= 1
                self._files[folder] = [info for info in self._files[folder] if info.path != path]


def open_bucket(bucket: Bucket) -> ObjectStorage:
    """The storage over a bucket. Asks nobody yet. Raises UsageError where the client cannot be set up so."""
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
        # The reason may quote a setting that is nobody's business.
        raise UsageError(
            f"{bucket.url} cannot be opened with these settings",
            hint="look at the variables or options it is reached with",
        ) from None
    return ObjectStorage(store, bucket.url, bucket.top, vendor=bucket.vendor)


def _provider(bucket: Bucket) -> Callable[[], dict[str, Any]] | None:
    """A credential given outright goes before any that the client would find in the environment."""
    if bucket.credential is None:
        return None
    answer = {**bucket.credential, "expires_at": None}
    return lambda: answer


def _info(path: str, meta: Any) -> ObjectInfo:
    # Listings tell fractions of a second, answers for one object do not.
    mtime_ns = int(meta["last_modified"].timestamp()) * 1_000_000_000
    tag = (meta["e_tag"] or f"{meta['size']}@{mtime_ns}").removeprefix("W/").strip('"')
    # Objects with the same bytes have the same tag, and are two files all the same.
    return ObjectInfo(path, meta["size"], mtime_ns, f"{tag} {path}")
