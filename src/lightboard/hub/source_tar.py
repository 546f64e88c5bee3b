"""Reads gzipped tar files of source code. They come from accounts, so all is checked, and headers cost little.

The module `tarfile` is not used: in versions of Python that are still in use, small archives keep it busy for hours.
Source: POSIX.1-2017, `pax`, "ustar Interchange Format" and "pax Header Block"; GNU tar manual, "Basic Tar Format".
"""

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from lightboard.errors import Invalid
from lightboard.schema.source_code import MAX_BYTES, MAX_FILES
from lightboard.sizes import size_text
from lightboard.untrusted.link_targets import leads_out

BLOCK_BYTES = 512
CHUNK_BYTES = 1 << 20
MAX_TAR_BYTES = MAX_BYTES + (64 << 20)
"""With the headers of all files."""
MAX_HEADERS, MAX_EXTENDED_BYTES = 100_000, 16 << 10
MAX_FOLDERS = 20_000
MAX_PATH_BYTES, MAX_NAME_BYTES = 1024, 255
MAX_PADDING_BYTES = 1 << 20
"""Zeros after the end, which fill the last record of a tape."""
MAX_OVERHEAD_BYTES = 64 << 10
GZIP_FORMAT = 16 + zlib.MAX_WBITS
OWNER_EXECUTES = 0o100
FILES, FOLDER, LINK, HARD_LINK = (b"0", b"\0", b"7"), b"5", b"2", b"1"
PAX, PAX_GLOBAL, LONG_NAME, LONG_LINK = b"x", b"g", b"L", b"K"
HINT = "send a tar file that was compressed with gzip, as `tar -cz` writes it"
LESS = "leave out what the job does not need"


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What an archive contains. `digest` is the SHA-256 of the tar file, `size_bytes` the size of all files in it."""

    digest: str
    files: int
    size_bytes: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A file, or a link if `target` is not "". The parts of `data` can be read until the next entry."""

    path: str
    size_bytes: int = 0
    is_executable: bool = False
    target: str = ""
    data: Iterator[bytes] = field(default_factory=lambda: iter(()))


def contents_of(file: BinaryIO) -> Contents:
    """Reads an archive to its end. Raises Invalid if it is damaged, too large, or has something else in it."""
    stream, files, size_bytes = TarStream(file), 0, 0
    for entry in entries(stream):
        files += 1
        size_bytes += entry.size_bytes
        if size_bytes > MAX_BYTES:
            raise too_large()
    if not files:
        raise Invalid("the source code has no files")
    return Contents(digest=stream.digest, files=files, size_bytes=size_bytes)


def entries(stream: "TarStream") -> Iterator[Entry]:
    """The files and links of an archive, in their order. Raises Invalid as `contents_of`."""
    paths = Paths()
    for header in headers(stream):
        path = path_of(header.name)
        if header.kind == FOLDER:
            paths.add_folder(path)
        elif header.kind == LINK:
            check_target(path, header.target)
            paths.add_file(path)
            yield Entry(path=path, target=header.target)
        elif header.kind in FILES:
            paths.add_file(path)
            data = stream.parts(header.size_bytes)
            is_executable = bool(header.mode & OWNER_EXECUTES)
            yield Entry(path=path, size_bytes=header.size_bytes, is_executable=is_executable, data=data)
            for _ in data:  # what the caller has not read
                pass
            stream.read(-header.size_bytes % BLOCK_BYTES)
        elif header.kind == HARD_LINK:
            raise Invalid(f"{path} is a hard link", hint="pack it with `tar --hard-dereference`")
        else:
            raise Invalid(f"{path} is not a plain file, a folder or a symbolic link", hint="leave it out")


@dataclass(frozen=True, kw_only=True)
class Header:
    """The header of one member."""

    kind: bytes
    name: str
    mode: int
    size_bytes: int
    target: str


def headers(stream: "TarStream") -> Iterator[Header]:
    """The headers of all members, with their long names. The caller reads the data of files. Raises Invalid."""
    extended: dict[str, str] = {}
    for _ in range(MAX_HEADERS):
        block = stream.read(BLOCK_BYTES)
        if not any(block):
            stream.read_end()
            return
        header = parse_header(block, extended)
        if header.kind in (PAX, PAX_GLOBAL, LONG_NAME, LONG_LINK):
            extended |= read_extended(stream, header)
        else:
            yield header
            extended = {}
    raise Invalid(f"the source code has more than {MAX_HEADERS:,} headers", hint=LESS)


def parse_header(block: bytes, extended: dict[str, str]) -> Header:
    """The header in a block; `extended` overrides its fields. Raises Invalid."""
    if sum(block) - sum(block[148:156]) + 8 * ord(" ") != octal(block[148:156]):
        raise damaged()
    prefix = text(block[345:500]) if block[257:263] == b"ustar\0" else ""
    name = text(block[:100])
    size = extended.get("size", "")
    return Header(
        kind=block[156:157],
        name=extended.get("path") or (f"{prefix}/{name}" if prefix else name),
        mode=octal(block[100:108]),
        size_bytes=int(size) if size.isascii() and size.isdigit() and len(size) < 20 else octal(block[124:136]),
        target=extended.get("linkpath") or text(block[157:257]),
    )


def read_extended(stream: "TarStream", header: Header) -> dict[str, str]:
    """The fields that a header has for the next member, in the formats of pax and GNU tar. Raises Invalid."""
    if header.size_bytes > MAX_EXTENDED_BYTES:
        raise Invalid("the source code has a header that is too long", hint=HINT)
    content = stream.read(header.size_bytes)
    stream.read(-header.size_bytes % BLOCK_BYTES)
    if header.kind == LONG_NAME:
        return {"path": text(content)}
    if header.kind == LONG_LINK:
        return {"linkpath": text(content)}
    return dict(pax_records(content)) if header.kind == PAX else {}


def pax_records(content: bytes) -> Iterator[tuple[str, str]]:
    """The records of a pax header that are needed here. Raises Invalid, also for sparse files."""
    while content:
        digits, space, _ = content[:20].partition(b" ")
        length = int(digits) if digits.isdigit() else 0
        record, content = content[len(digits) + 1 : length], content[length:]
        key, equals, value = record.partition(b"=")
        if not (space and equals and value.endswith(b"\n")):
            raise damaged()
        if key.startswith(b"GNU.sparse."):
            raise Invalid("the source code has a sparse file", hint="pack it without `--sparse`")
        if key in (b"path", b"linkpath", b"size"):
            yield key.decode(), text(value[:-1])


def octal(number: bytes) -> int:
    """A number in a header. Raises Invalid."""
    digits = number.strip(b" \0") or b"0"
    if not digits.isdigit() or b"8" in digits or b"9" in digits:
        raise damaged()
    return int(digits, 8)


def text(name: bytes) -> str:
    """A name up to its end. Raises Invalid if it is not UTF-8."""
    try:
        return name.partition(b"\0")[0].decode()
    except UnicodeDecodeError:
        raise Invalid(f"the name {name[:200]!r} in the source code is not UTF-8", hint="rename it") from None


def path_of(name: str) -> str:
    """The path of a member without `.` and double slashes, "" for the root. Raises Invalid if it leads outside."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts:
        raise Invalid(
            f"the path {name[:200]!r} leads out of the source code", hint="pack the folder itself: `tar -C DIR -cz .`"
        )
    path = "/".join(parts)
    if len(path.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise Invalid(
            f"the path {path[:200]!r}... is too long",
            hint=f"at most {MAX_PATH_BYTES} bytes, and {MAX_NAME_BYTES} for each name",
        )
    return path


def check_target(path: str, target: str) -> None:
    """Raises Invalid if the link `path` leads outside, so that it could not work on another machine."""
    if not target or len(target.encode()) > MAX_PATH_BYTES:
        raise Invalid(f"the link {path} has no valid target", hint="leave it out")
    if leads_out(path, target):
        raise Invalid(f"the link {path} leads out of the source code, to {target[:200]}", hint="leave it out")


class Paths:
    """The paths of an archive: each of them once, and only folders have something below them."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders = {""}

    def add_file(self, path: str) -> None:
        """Adds a file or link. Raises Invalid."""
        if not path:
            raise Invalid("the source code has a file without a name", hint=HINT)
        if path in self._files or path in self._folders:
            raise Invalid(f"the source code has {path} twice", hint=HINT)
        self._files.add(path)
        if len(self._files) > MAX_FILES:
            raise Invalid(f"the source code has more than {MAX_FILES:,} files", hint=LESS)
        self.add_folder(path.rpartition("/")[0])

    def add_folder(self, path: str) -> None:
        """Adds a folder with those on the way. Raises Invalid."""
        while path not in self._folders:
            if path in self._files:
                raise Invalid(f"{path} is both a file and a folder in the source code", hint=HINT)
            self._folders.add(path)
            if len(self._folders) > MAX_FOLDERS:
                raise Invalid(f"the source code has more than {MAX_FOLDERS:,} folders", hint=LESS)
            path = path.rpartition("/")[0]


class TarStream:
    """The tar file in a gzip file, read once from the beginning. All methods raise Invalid if that is damaged."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zlib.decompressobj(GZIP_FORMAT)
        self._hash = hashlib.sha256()
        self._data, self._position = b"", 0
        self._packed_bytes = self._tar_bytes = 0

    @property
    def digest(self) -> str:
        """The SHA-256 of the tar file, in hexadecimal; complete after `read_end`."""
        return self._hash.hexdigest()

    def read(self, size: int) -> bytes:
        """The next `size` bytes."""
        return b"".join(self.parts(size))

    def parts(self, size: int) -> Iterator[bytes]:
        """The next `size` bytes in parts."""
        while size > 0:
            if self._position == len(self._data):
                self._data, self._position = self._decompress(), 0
                if not self._data:
                    raise damaged()
            part = self._data[self._position : self._position + size]
            self._position += len(part)
            size -= len(part)
            yield part

    def read_end(self) -> None:
        """Reads what follows the last member, which must be zeros."""
        padding, rest = 0, self._data[self._position :]
        while rest or (rest := self._decompress()):
            padding += len(rest)
            if any(rest) or padding > MAX_PADDING_BYTES:
                raise Invalid("the source code goes on after the end of its tar file", hint=HINT)
            rest = b""
        if self._decompressor.unused_data or self._file.read(1):
            raise Invalid("something follows the source code", hint=HINT)
        if self._packed_bytes > self._tar_bytes + self._tar_bytes // 100 + MAX_OVERHEAD_BYTES:
            raise Invalid("the source code is larger than without compression", hint=HINT)

    def _decompress(self) -> bytes:
        """The next part, b"" at the end."""
        data = b""
        while not (data or self._decompressor.eof):
            packed = self._decompressor.unconsumed_tail
            if not packed:
                packed = self._file.read(CHUNK_BYTES)
                self._packed_bytes += len(packed)
                if not packed:
                    raise damaged()
            try:
                data = self._decompressor.decompress(packed, CHUNK_BYTES)
            except zlib.error:
                raise damaged() from None
        self._hash.update(data)
        self._tar_bytes += len(data)
        if self._tar_bytes > MAX_TAR_BYTES:
            raise too_large()
        return data


def damaged() -> Invalid:
    """The error for an archive that cannot be read."""
    return Invalid("the source code is not complete: it is damaged, or no gzipped tar file", hint=HINT)


def too_large() -> Invalid:
    """The error for an archive beyond the limit."""
    return Invalid(
        f"the source code has more than {size_text(MAX_BYTES)}",
        hint="leave out data and results, and give the job its data as inputs",
    )
