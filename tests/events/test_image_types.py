"""Image types and sizes, read from the bytes of the image."""

import struct

import pytest

from lightboard.events.byte_reader import ByteReader
from lightboard.events.image_types import UNKNOWN, ImageType, image_type
from lightboard.testing.encoded_images import bmp, gif, jpeg, png, webp


def type_of(data: bytes, before: bytes = b"") -> ImageType:
    """The type of `data`, which follows `before` in its value."""
    whole = before + data
    return image_type(ByteReader(lambda at, length: whole[at : at + length], len(whole)), len(before), len(whole))


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (png(30, 20), "image/png"),
        (jpeg(30, 20), "image/jpeg"),
        (gif(30, 20), "image/gif"),
        (bmp(30, 20), "image/bmp"),
        (webp(30, 20, b"VP8 "), "image/webp"),
        (webp(30, 20, b"VP8L"), "image/webp"),
        (webp(30, 20, b"VP8X"), "image/webp"),
    ],
    ids=["png", "jpeg", "gif", "bmp", "webp lossy", "webp lossless", "webp extended"],
)
def test_sizes_are_read_from_headers(data: bytes, media_type: str) -> None:
    """Whatever the offset of the image in its value."""
    assert type_of(data, b"before") == ImageType(media_type, 30, 20, True)


@pytest.mark.parametrize(
    "data",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<!doctype html><script>alert(1)</script>", b"GIF", b"BMxyz"],
)
def test_other_content_has_no_image_type(data: bytes) -> None:
    """SVG, HTML and fragments can only be downloaded."""
    assert type_of(data) == ImageType(UNKNOWN, 0, 0, True)


def test_huge_sizes_are_reported_unchecked() -> None:
    """Nothing is decoded to verify them."""
    assert type_of(png(100_000, 100_000)) == ImageType("image/png", 100_000, 100_000, True)


def test_gif_frames_may_exceed_the_screen() -> None:
    """Browsers allocate space for the first frame, whatever the header says."""
    screen = gif(30, 20, screen=(1, 1))
    assert type_of(screen) == ImageType("image/gif", 30, 20, True)


@pytest.mark.parametrize("data", [png(30, 20), jpeg(30, 20), bmp(30, 20), webp(30, 20, b"VP8X")])
def test_truncated_headers_have_a_type_but_no_size(data: bytes) -> None:
    """Width and height are 0, and the image is incomplete."""
    assert type_of(data[:16])[1:] == (0, 0, False)


@pytest.mark.parametrize(
    "data",
    [
        png(30, 20)[:-10],
        jpeg(30, 20)[:-2],
        gif(30, 20)[:-1],
        bmp(30, 20)[:-2],
        webp(30, 20, b"VP8X").replace(b"RIFF\x16", b"RIFF\x17"),
    ],
    ids=["png", "jpeg", "gif", "bmp", "webp"],
)
def test_truncated_images_are_incomplete(data: bytes) -> None:
    """Their size is known."""
    assert type_of(data)[1:] == (30, 20, False)


def test_top_down_bmps_have_a_positive_height() -> None:
    """Their headers store it as a negative number."""
    assert type_of(bmp(30, -20)) == ImageType("image/bmp", 30, 20, True)


def test_jpeg_sizes_are_found_after_large_metadata() -> None:
    """Thumbnails and colour profiles of cameras precede the frame header."""
    note = b"\xff\xe1" + struct.pack(">H", 60_002) + b"\xff" * 60_000
    picture = jpeg(30, 20)
    assert type_of(picture[:2] + note * 3 + picture[2:]) == ImageType("image/jpeg", 30, 20, True)


def test_jpegs_with_too_many_segments_have_no_size() -> None:
    """A file that consists of metadata costs a limited number of reads."""
    assert type_of(b"\xff\xd8" + b"\xff\xe0\x00\x02" * 5000 + jpeg(30, 20)[2:]) == ImageType("image/jpeg", 0, 0, True)
