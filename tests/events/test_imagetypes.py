"""What an image is and how large, by its own bytes."""

import struct

import pytest

from lightboard.events.imagetypes import UNKNOWN, ImageType, image_type
from lightboard.events.window import Window
from lightboard.testing.pictures import bmp, gif, jpeg, png, webp


def type_of(data: bytes, before: bytes = b"") -> ImageType:
    """The type of `data`, lying behind `before` in its value."""
    whole = before + data
    return image_type(Window(lambda at, length: whole[at : at + length], len(whole)), len(before), len(whole))


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
def test_each_type_tells_its_size(data: bytes, media_type: str) -> None:
    """Width and height are read from the image's own head, wherever it lies."""
    assert type_of(data, b"before") == ImageType(media_type, 30, 20, True)


@pytest.mark.parametrize(
    "data",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<!doctype html><script>alert(1)</script>", b"GIF", b"BMxyz"],
)
def test_what_is_more_than_pixels_is_no_image(data: bytes) -> None:
    """SVG, HTML and scraps are bytes to be saved."""
    assert type_of(data) == ImageType(UNKNOWN, 0, 0, True)


def test_a_size_that_nobody_has_room_for_is_told_as_claimed() -> None:
    """Nothing is decoded to find out."""
    assert type_of(png(100_000, 100_000)) == ImageType("image/png", 100_000, 100_000, True)


def test_a_frame_larger_than_its_screen_counts() -> None:
    """A GIF may call itself small; browsers make room for its first picture."""
    screen = gif(30, 20, screen=(1, 1))
    assert type_of(screen) == ImageType("image/gif", 30, 20, True)


@pytest.mark.parametrize("data", [png(30, 20), jpeg(30, 20), bmp(30, 20), webp(30, 20, b"VP8X")])
def test_an_image_cut_in_its_head_has_a_type_and_no_size(data: bytes) -> None:
    """Truncated files happen."""
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
def test_an_image_without_its_end_is_not_whole(data: bytes) -> None:
    """Its size is still told."""
    assert type_of(data)[1:] == (30, 20, False)


def test_a_bmp_from_top_to_bottom_has_a_height() -> None:
    """Such ones say a height below zero."""
    assert type_of(bmp(30, -20)) == ImageType("image/bmp", 30, 20, True)


def test_a_jpeg_behind_much_metadata_tells_its_size() -> None:
    """A camera's thumbnail and profile stand before the frame's head."""
    note = b"\xff\xe1" + struct.pack(">H", 60_002) + b"\xff" * 60_000
    picture = jpeg(30, 20)
    assert type_of(picture[:2] + note * 3 + picture[2:]) == ImageType("image/jpeg", 30, 20, True)


def test_segments_without_end_are_given_up() -> None:
    """A file of nothing but metadata costs no more than so many reads."""
    assert type_of(b"\xff\xd8" + b"\xff\xe0\x00\x02" * 5000 + jpeg(30, 20)[2:]) == ImageType("image/jpeg", 0, 0, True)
