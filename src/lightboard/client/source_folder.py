"""Packs a folder of source code into a gzipped tar file. Equal folders give equal tar files."""

import gzip
import hashlib
import os
import stat
import tarfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from lightboard.client.ignore_rules import IgnoreRules
from lightboard.errors import UsageError
from lightboard.schema.source_code import MAX_BYTES, MAX_FILES
from lightboard.sizes import size_text
from lightboard.untrusted.link_targets import leads_out

MADE_AT = 315_619_200
"""The time of all files, 1980-01-02: the first day that zip files can have in all time zones."""
FILE_MODE, PROGRAM_MODE = 0o644, 0o755
MAX_NAMED = 3
"""What a folder that is too large is told to have."""
MAX_LISTED = 200_000
"""Files that are looked at, so that a whole disk is refused soon."""
COMPRESSION = 6


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    """A file or symbolic link. `path` is relative with `/`; `target` is that of a link, "" for files."""

    path: str
    real_path: str
    size_bytes: int = 0
    is_program: bool = False
    target: str = ""


@dataclass(frozen=True, kw_only=True)
class PackedFolder:
    """What was packed. `digest` is the SHA-256 of the tar file before compression."""

    digest: str
    files: int
    size_bytes: int


def pack(folder: str, to: BinaryIO) -> PackedFolder:
    """Writes the files of a folder that git does not ignore to `to`, as a tar file compressed with gzip.

    Raises UsageError if the folder cannot be packed, or is too large.
    """
    top = os.path.realpath(os.path.expanduser(folder))
    if not folder or not os.path.isdir(top):
        raise UsageError(f"{folder} is not a folder", hint="give the folder of the source code")
    try:
        found = list(islice(files_below(top), MAX_LISTED))
        check_size(folder, found)
        found.sort(key=lambda file: file.path.encode())
        with (
            closing(HashingWriter(to)) as stream,
            tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT, encoding="utf-8") as archive,  # type: ignore[call-overload]
        ):
            for file in found:
                add(archive, file)
    except UnicodeEncodeError as error:
        raise UsageError(f"the name of {error.object!r} is not UTF-8", hint="rename it") from None
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        raise UsageError(
            f"{folder} cannot be packed: {name}{error.strerror or error}",
            hint="make all files readable, and change none meanwhile",
        ) from None
    return PackedFolder(digest=stream.digest, files=len(found), size_bytes=sum(file.size_bytes for file in found))


def files_below(top: str) -> Iterator[SourceFile]:
    """The files and links below a folder that git does not ignore. Raises OSError, UsageError for links."""
    folders = [(top, "", IgnoreRules.of_top(top))]
    while folders:
        folder, prefix, rules = folders.pop()
        with os.scandir(folder) as found:
            entries = list(found)
        for entry in entries:
            path, is_folder = prefix + entry.name, entry.is_dir(follow_symlinks=False)
            if rules.ignores(entry.path, is_folder=is_folder):
                continue
            if is_folder:
                folders.append((entry.path, f"{path}/", IgnoreRules.of_folder(entry.path, rules)))
            elif entry.is_symlink():
                yield SourceFile(path=path, real_path=entry.path, target=target_of(entry.path, path))
            elif entry.is_file():
                info = entry.stat(follow_symlinks=False)
                is_program = bool(info.st_mode & stat.S_IXUSR)
                yield SourceFile(path=path, real_path=entry.path, size_bytes=info.st_size, is_program=is_program)


def target_of(link: str, path: str) -> str:
    """The target of a symbolic link, whose relative path is `path`. Raises UsageError if it leads out of the folder."""
    target = os.readlink(link)
    if leads_out(path, target):
        raise UsageError(
            f"the link {path} leads out of the folder, to {target}",
            hint="add it to .gitignore; a job can read what its machine has by the path itself",
        )
    return target


def check_size(folder: str, found: list[SourceFile]) -> None:
    """Raises UsageError, which names what is largest, if the files are none or too large."""
    if not found:
        raise UsageError(f"{folder} has no files that git does not ignore", hint="check the path and .gitignore")
    total, more = sum(file.size_bytes for file in found), "at least " if len(found) == MAX_LISTED else ""
    if total <= MAX_BYTES and len(found) <= MAX_FILES:
        return
    sizes, counts = Counter[str](), Counter[str]()
    for file in found:
        top, slash, _ = file.path.partition("/")
        sizes[top + slash] += file.size_bytes
        counts[top + slash] += 1
    if total > MAX_BYTES:
        named = ", ".join(f"{name} ({size_text(size)})" for name, size in sizes.most_common(MAX_NAMED))
        what = f"{more}{size_text(total)}, more than {size_text(MAX_BYTES)}"
    else:
        named = ", ".join(f"{name} ({count:,} files)" for name, count in counts.most_common(MAX_NAMED))
        what = f"{more}{len(found):,} files, more than {MAX_FILES:,}"
    raise UsageError(
        f"the source code in {folder} has {what}: {named}",
        hint="add to .gitignore what the job does not need, or give it its data as inputs",
    )


def add(archive: tarfile.TarFile, file: SourceFile) -> None:
    """Adds a file or link, without its owner and times. Raises OSError, also if the file becomes shorter meanwhile."""
    member = tarfile.TarInfo(file.path)
    member.mtime = MADE_AT
    member.mode = PROGRAM_MODE if file.is_program else FILE_MODE
    if file.target:
        member.type, member.linkname = tarfile.SYMTYPE, file.target
        archive.addfile(member)
        return
    member.size = file.size_bytes
    with open(file.real_path, "rb") as opened:
        archive.addfile(member, opened)


class HashingWriter:
    """Compresses what is written to it into a file, and computes its digest."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=COMPRESSION, mtime=0)
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        """The SHA-256 of what was written, in hexadecimal."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> int:
        """Writes bytes."""
        self._hash.update(data)
        return self._file.write(data)

    def close(self) -> None:
        """Completes the gzip file; the file below stays open."""
        self._file.close()
