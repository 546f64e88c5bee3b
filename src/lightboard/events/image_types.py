"""Determines the type and size of an encoded image from its first bytes, like a browser would.

Only pixel formats are recognized. SVG and HTML are excluded on purpose, because they can contain scripts. The size is
what a decoder would allocate. Does not decode the pixels.
"""

import struct
from typing import NamedTuple

from lightboard.events.byte_reader import ByteReader
from lightboard.events.wire import MalformedError

UNKNOWN = "application/octet-stream"

EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/bmp": "bmp",
    "image/webp": "webp",
    UNKNOWN: "bin",
}

MAX_SEGMENTS = 1000
"""How many metadata segments are skipped to find the size."""

_HEAD_BYTES = 32
_TAIL_BYTES = 64
_END_MARKS = {"image/png": b"IEND", "image/jpeg": b"\xff\xd9"}
_BMP_HEADERS = frozenset({12, 40, 52, 56, 64, 108, 124})
_JPEG_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class ImageType(NamedTuple):
    """Media type, width and height in pixels; 0 if the size is unknown. `whole` is False if the image is truncated."""

    media_type: str
    width: int
    height: int
    whole: bool


def image_type(reader: ByteReader, begin: int, end: int) -> ImageType:
    """The type of the image in [begin, end) of `reader`. Never raises for bytes that are not an image."""
    try:
        return _image_type(reader, begin, end)
    except MalformedError:
        return ImageType(UNKNOWN, 0, 0, True)


def _image_type(reader: ByteReader, begin: int, end: int) -> ImageType:
    head = reader.slice(begin, min(end, begin + _HEAD_BYTES))
    media_type = media_type_of(head)
    size = (0, 0)
    try:
        if media_type == "image/png":
            size = struct.unpack_from(">II", head, 16)
        elif media_type == "image/gif":
            size = _gif_size(reader, head, begin, end)
        elif media_type == "image/bmp":
            size = _bmp_size(head)
        elif media_type == "image/webp":
            size = _webp_size(head)
        elif media_type == "image/jpeg":
            size = _jpeg_size(reader, begin, end)
    except (struct.error, IndexError, MalformedError):
        pass  # truncated inside the header
    return ImageType(media_type, *size, _is_whole(reader, media_type, head, begin, end))


def _is_whole(reader: ByteReader, media_type: str, head: bytes, begin: int, end: int) -> bool:
    """Whether the image ends as its format requires. Writers may append bytes."""
    size = end - begin
    if media_type == "image/webp":
        return size >= 8 + int.from_bytes(head[4:8], "little")
    if media_type == "image/bmp":
        return size >= int.from_bytes(head[2:6], "little")
    tail = reader.slice(max(begin, end - _TAIL_BYTES), end)
    if media_type == "image/gif":
        return tail.rstrip(b"\0").endswith(b"\x3b")
    return _END_MARKS.get(media_type, b"") in tail


def media_type_of(head: bytes) -> str:
    """The media type by the first bytes of an image; UNKNOWN for everything that is not a pixel format."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BMP_HEADERS:
        return "image/bmp"
    return UNKNOWN


def _bmp_size(head: bytes) -> tuple[int, int]:
    if head[14] == 12:
        width, height = struct.unpack_from("<HH", head, 18)
        return width, height
    width, height = struct.unpack_from("<ii", head, 18)
    return abs(width), abs(height)  # negative height: the top row comes first


def _webp_size(head: bytes) -> tuple[int, int]:
    if head[12:16] == b"VP8X" and len(head) >= 30:
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    if head[12:16] == b"VP8L" and len(head) >= 25 and head[20] == 0x2F:
        bits = int.from_bytes(head[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if head[12:16] == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", head, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _gif_size(reader: ByteReader, head: bytes, begin: int, end: int) -> tuple[int, int]:
    """The size of the screen or of the first frame, whichever is larger, since browsers allocate that."""
    width, height, flags = struct.unpack_from("<HHB", head, 6)
    at = begin + 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    for _ in range(MAX_SEGMENTS):
        block = reader.head(at)[: max(0, end - at)]
        if block[:1] == b"\x2c" and len(block) >= 9:
            wide, high = struct.unpack_from("<HH", block, 5)
            return max(width, wide), max(height, high)
        if block[:1] == b"\x21":
            at += 2
        elif not block or block[0] == 0x3B:
            break
        while (block := reader.head(at)[: max(0, end - at)]) and block[0]:
            at += 1 + block[0]
        at += 1
    return width, height


def _jpeg_size(reader: ByteReader, begin: int, end: int) -> tuple[int, int]:
    """From the frame header, which follows the metadata."""
    at = begin + 2
    for _ in range(MAX_SEGMENTS):
        segment = reader.head(at)[: max(0, end - at)]
        if len(segment) < 2 or segment[0] != 0xFF:
            break
        marker = segment[1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_STANDALONE:
            at += 2
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", segment, 5)
            return width, height
        elif marker in (0xD9, 0xDA):
            break
        else:
            at += 2 + max(2, struct.unpack_from(">H", segment, 2)[0])
    return 0, 0
