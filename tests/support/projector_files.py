"""Configs and tensors in memory, in the formats of their writers."""

import io
import struct
from typing import Any

import numpy as np

from lightboard.config import BoardSettings
from lightboard.query.projector.service import ProjectorService
from lightboard.query.provider import CatalogProvider
from lightboard.testing.fakes import MemoryBoard

CONFIG = "projector_config.pbtxt"


def config(*fields: str) -> bytes:
    """A config with one tensor for each of `fields`."""
    return "\n".join(f"embeddings {{ {each} }}" for each in fields).encode()


def tsv(rows: Any) -> bytes:
    """Rows of numbers as torch writes them."""
    return "".join("\t".join(map(str, row)) + "\n" for row in np.asarray(rows).tolist()).encode()


def npy(array: Any) -> bytes:
    """An array as numpy saves it."""
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def npz(**arrays: Any) -> bytes:
    """Several arrays as numpy saves them, compressed."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def service_of(files: dict[str, bytes]) -> ProjectorService:
    """A service over files in memory."""
    return ProjectorService(CatalogProvider(MemoryBoard(files).catalog, BoardSettings(logdir="memory")))


def service_with(data: bytes, *, path: str = "t", fields: str = "") -> ProjectorService:
    """A service over one tensor, `x` of the run `.`."""
    return service_of({CONFIG: config(f'tensor_name: "x" tensor_path: "{path}" {fields}'), path: data})


def rows_of(service: ProjectorService, run: str = ".", name: str = "x") -> list[list[float]]:
    """All rows of a tensor."""
    return service.tables.rows(service.entry(run, name)).tolist()


def varint(number: int) -> bytes:
    """A number as protobuf and LevelDB write it."""
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: int | bytes) -> bytes:
    """One field of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def bundle_entry(dtype: int, shape: tuple[int, ...], offset: int, size: int, *, more: bytes = b"") -> bytes:
    """A BundleEntryProto."""
    dims = b"".join(field(2, field(1, each)) for each in shape)
    return field(1, dtype) + field(2, dims) + field(4, offset) + field(5, size) + more


def block(entries: list[tuple[bytes, bytes]], *, squeezed: int = 0) -> bytes:
    """A block of a table with its trailer. The checksum is invalid, but never verified."""
    body = b"".join(varint(0) + varint(len(key)) + varint(len(value)) + key + value for key, value in entries)
    return body + struct.pack("<II", 0, 1) + bytes([squeezed]) + bytes(4)


def table(entries: dict[str, bytes], *, header: bytes = b"\x08\x01", squeezed: int = 0) -> bytes:
    """The `.index` of a checkpoint."""
    data = block(
        [(b"", header), *((name.encode(), value) for name, value in sorted(entries.items()))], squeezed=squeezed
    )
    handle = varint(0) + varint(len(data) - 5)
    index = block([(b"\xff", handle)])
    place = varint(len(data)) + varint(len(index) - 5)
    footer = (varint(0) + varint(0) + place).ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57)
    return data + index + footer
