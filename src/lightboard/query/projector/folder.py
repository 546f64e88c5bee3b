"""Opens files named in a projector config, confined to the folder of the config.

Configs come with logs and are not trusted. All paths in them are opened here, through a storage that cannot leave the
folder of the config; paths to other places raise Unshowable.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lightboard.errors import OutsideRoot, Unshowable
from lightboard.storage.base import ObjectInfo, Storage

PIECE_BYTES = 4 << 20

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/", re.ASCII)
DRIVE = re.compile(r"[A-Za-z]:", re.ASCII)


class Folder(NamedTuple):
    """A folder of a storage."""

    storage: Storage
    path: str


class File(NamedTuple):
    """A file, as last listed."""

    storage: Storage
    info: ObjectInfo

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.info.size

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`, fewer only at the end of the file. Raises Unshowable."""
        try:
            return self.storage.read(self.info.path, offset, length)
        except OSError as error:
            raise unreadable(self.info.path, error) from None

    def pieces(self, most: int) -> Iterator[bytes]:
        """The first `most` bytes, in pieces of up to PIECE_BYTES. Raises Unshowable."""
        offset = 0
        while offset < most and (piece := self.read(offset, min(PIECE_BYTES, most - offset))):
            offset += len(piece)
            yield piece

    def all(self, most: int) -> bytes:
        """The whole file. Raises Unshowable, also if it has more than `most` bytes."""
        if self.size > most:
            raise Unshowable(f"{base_name(self.info.path)} has {self.size >> 20} MB; at most {most >> 20} MB are read")
        return b"".join(self.pieces(self.size))


def open_file(folder: Folder, path: str) -> File:
    """The file that a config in `folder` calls `path`. Raises Unshowable."""
    name = relative(path)
    try:
        inside = folder.storage.subfolder(folder.path)
        return File(inside, inside.stat(name))
    except OutsideRoot:
        raise Unshowable(
            f"{path!r} is a link out of the folder of the config", hint="put the file beside the config"
        ) from None
    except OSError as error:
        raise unreadable(path, error) from None


def relative(path: str) -> str:
    """Normalise a path in a config.

    Raises Unshowable if it cannot be in the folder of the config: on another host, absolute, or with `..`.
    """
    if "\0" in path or not path:
        raise Unshowable(f"{path!r} is not a path")
    if URL.match(path):
        raise Unshowable(f"{path!r} is on another host", hint="only files in the folder of the config are read")
    if path[0] in "/\\~" or DRIVE.match(path):
        raise Unshowable(f"{path!r} is an absolute path", hint="name files relative to the folder of the config")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in path.replace("\\", "/").split("/"):
        raise Unshowable(f"{path!r} leads out of the folder of the config", hint="put the file beside the config")
    return "/".join(parts)


def unreadable(path: str, error: OSError) -> Unshowable:
    """The error for a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return Unshowable(f"{base_name(path)} does not exist", hint="the config names it, but nothing wrote it")
    return Unshowable(f"{base_name(path)} cannot be read: {error.strerror or error}")


def base_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]
