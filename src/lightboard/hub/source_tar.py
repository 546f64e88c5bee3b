"""Reads gzipped tar files of source code. They come from accounts: all but files, folders and links is refused."""

import gzip
import hashlib
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO

from lightboard.errors import Invalid
from lightboard.schema.source_code import MAX_BYTES, MAX_FILES

MAX_FOLDERS = 20_000
MAX_PATH_BYTES, MAX_NAME_BYTES = 1024, 255
CHUNK_BYTES = 1 << 20
OWNER_EXECUTES = 0o100
HINT = "send a tar file that was compressed with gzip, as `tar -cz` writes it"
READ_ERRORS = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, OverflowError)


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What an archive contains. `digest` is the SHA-256 of the tar file, `size_bytes` the size of all files in it."""

    digest: str
    files: int
    size_bytes: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One file, or one link if `target` is not "". `data` can be read until the next entry; it is None for links."""

    path: str
    size_bytes: int = 0
    is_executable: bool = False
    target: str = ""
    data: IO[bytes] | None = None


def contents_of(file: BinaryIO) -> Contents:
    """Reads an archive to its end. Raises Invalid if it is damaged, too large, or has something else in it."""
    stream, files, size_bytes = TarStream(file), 0, 0
    for entry in entries(stream):
        files += 1
        size_bytes += entry.size_bytes
    if not files:
        raise Invalid("the source code has no files")
    return Contents(digest=stream.digest, files=files, size_bytes=size_bytes)


def entries(stream: "TarStream") -> Iterator[Entry]:
    """The files and links of an archive, in their order. Raises Invalid as `contents_of`."""
    paths = Paths()
    try:
        with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8", errors="strict") as archive:  # type: ignore[call-overload]
            for member in archive:
                path = path_of(member.name)
                if member.isdir():
                    paths.add_folder(path)
                    continue
                paths.add_file(path)
                yield entry_of(archive, member, path)
            stream.read_rest()
            if stream.content_end > archive.offset or stream.position < archive.offset + tarfile.BLOCKSIZE:
                raise Invalid("the source code is not complete: its tar file is cut off or damaged", hint=HINT)
    except Invalid:
        raise
    except READ_ERRORS as error:
        raise Invalid(f"the source code cannot be read: {error or type(error).__name__}", hint=HINT) from None


def entry_of(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> Entry:
    """The file or link of a member. Raises Invalid for other kinds."""
    if member.issym():
        check_target(path, member.linkname)
        return Entry(path=path, target=member.linkname)
    if member.islnk():
        raise Invalid(f"{path} is a hard link", hint="pack it with `tar --hard-dereference`")
    if not member.isreg() or member.issparse():
        raise Invalid(f"{path} is not a plain file, a folder or a symbolic link", hint="leave it out")
    return Entry(
        path=path,
        size_bytes=member.size,
        is_executable=bool(member.mode & OWNER_EXECUTES),
        data=archive.extractfile(member),
    )


def path_of(name: str) -> str:
    """The path of a member without `.` and double slashes, "" for the root. Raises Invalid if it leads outside."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or "\0" in name:
        raise Invalid(
            f"the path {name[:200]!r} leads out of the source code", hint="pack the folder itself: `tar -C DIR -cz .`"
        )
    path = "/".join(parts)
    if len(path.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise Invalid(f"the path {path[:200]!r}... is too long", hint=f"at most {MAX_PATH_BYTES} bytes")
    return path


def check_target(path: str, target: str) -> None:
    """Raises Invalid if the link `path` leads outside, so that it could not work on another machine."""
    depth = path.count("/")
    for part in target.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0 or target.startswith("/"):
            raise Invalid(f"the link {path} leads out of the source code, to {target[:200]}", hint="leave it out")
    if not target or "\0" in target or len(target.encode()) > MAX_PATH_BYTES:
        raise Invalid(f"the link {path} has no valid target", hint="leave it out")


class Paths:
    """The paths of an archive: each of them once, and only folders have something below them."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders = {""}

    def add_file(self, path: str) -> None:
        """Adds a file or link. Raises Invalid."""
        if path in self._files or path in self._folders:
            raise Invalid(f"the source code has {path or 'a file without a name'} twice", hint=HINT)
        self._files.add(path)
        if len(self._files) > MAX_FILES:
            raise Invalid(
                f"the source code has more than {MAX_FILES:,} files", hint="leave out what the job does not need"
            )
        self.add_folder(path.rpartition("/")[0])

    def add_folder(self, path: str) -> None:
        """Adds a folder with those on the way. Raises Invalid."""
        while path not in self._folders:
            if path in self._files:
                raise Invalid(f"{path} is both a file and a folder in the source code", hint=HINT)
            self._folders.add(path)
            if len(self._folders) > MAX_FOLDERS:
                raise Invalid(
                    f"the source code has more than {MAX_FOLDERS:,} folders",
                    hint="leave out what the job does not need",
                )
            path = path.rpartition("/")[0]


class TarStream:
    """The tar file in a gzip file, read once from the beginning. Its digest is complete after `read_rest`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="rb")
        self._hash = hashlib.sha256()
        self.position = self.content_end = 0

    @property
    def digest(self) -> str:
        """The SHA-256 of what was read, in hexadecimal."""
        return self._hash.hexdigest()

    def read(self, size: int) -> bytes:
        """The next bytes. Raises Invalid beyond the limit; `content_end` is after the last one that is not zero."""
        data = self._file.read(size)
        self._hash.update(data)
        if used := len(data.rstrip(b"\0")):
            self.content_end = self.position + used
        self.position += len(data)
        if self.position > MAX_BYTES:
            raise too_large()
        return data

    def read_rest(self) -> None:
        """Reads to the end. Raises Invalid beyond the limit."""
        while self.read(CHUNK_BYTES):
            pass


def too_large() -> Invalid:
    """The error for an archive beyond the limit."""
    return Invalid(
        f"the source code has more than {MAX_BYTES >> 20} MB",
        hint="leave out data and results, and give the job their paths",
    )
