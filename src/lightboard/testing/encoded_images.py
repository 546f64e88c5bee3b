"""Small encoded images for tests: complete PNGs, and headers with a size for other formats."""

import struct
import zlib
from collections.abc import Sequence

Pixel = tuple[int, int, int, int]
"""Red, green, blue, alpha."""

MAX_DRAWN = 1 << 20
"""Larger images have a header with their size, but no pixels."""


def png(width: int, height: int, pixels: Sequence[Pixel] | None = None) -> bytes:
    """A PNG of `pixels` in row-major order, or all grey. Images of more than MAX_DRAWN pixels have no pixel data."""
    rows = b""
    if width * height <= MAX_DRAWN:
        flat = bytes(channel for pixel in pixels or [(128, 128, 128, 255)] * (width * height) for channel in pixel)
        rows = b"".join(b"\0" + flat[row * width * 4 : (row + 1) * width * 4] for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def gif(width: int, height: int, *, screen: tuple[int, int] | None = None) -> bytes:
    """The header of a GIF, a comment, and the header of its first image. `screen` is the size of the whole GIF."""
    wide, high = screen or (width, height)
    comment = b"\x21\xfe\x05hello\x00"
    return (
        b"GIF89a"
        + struct.pack("<HHBBB", wide, high, 0x80, 0, 0)
        + b"\0\0\0\xff\xff\xff"
        + comment
        + b"\x2c"
        + struct.pack("<HHHHB", 0, 0, width, height, 0)
        + b"\x02\x02\x44\x01\x00\x3b"
    )


def jpeg(width: int, height: int) -> bytes:
    """The headers of a JPEG."""
    return b"\xff\xd8\xff\xe0\x00\x04JF\xff\xff\xc0" + struct.pack(">HBHHB", 8, 8, height, width, 0) + b"\xff\xd9"


def bmp(width: int, height: int) -> bytes:
    """The headers of a BMP."""
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, *[0] * 6)


def webp(width: int, height: int, form: bytes) -> bytes:
    """The headers of a WebP. `form` is b"VP8 ", b"VP8L" or b"VP8X"."""
    if form == b"VP8X":
        body = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif form == b"VP8L":
        body = b"\x2f" + struct.pack("<I", width - 1 | height - 1 << 14)
    else:
        body = b"\x10\x02\x00\x9d\x01\x2a" + struct.pack("<HH", width, height)
    chunk = form + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk
