"""Reads type and size of a sprite image from its header, without decoding it."""

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.image_types import UNKNOWN, ImageType, image_type
from lightboard.query.projector.folder import File, base_name

MAX_PX = 16_384
"""Limit of width and height, above which browsers cannot draw the image."""

MAX_PIXELS = 1 << 27
MAX_BYTES = 256 << 20


def picture_of(file: File) -> ImageType:
    """The type and size of the image in `file`. Raises Unshowable if it is not an image, or too large to be drawn."""
    name = base_name(file.info.path)
    image = image_type(ByteReader(file.read, file.size), 0, file.size)
    if image.media_type == UNKNOWN:
        raise Unshowable(f"{name} is not an image")
    if not 0 < image.width <= MAX_PX or not 0 < image.height <= MAX_PX or image.width * image.height > MAX_PIXELS:
        raise Unshowable(f"{name} says it has {image.width} x {image.height} pixels")
    if file.size > MAX_BYTES:
        raise Unshowable(f"{name} has over {MAX_BYTES >> 20} MB")
    return image
