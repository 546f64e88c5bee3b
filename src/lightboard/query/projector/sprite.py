"""The size of a sprite, from the head of its picture: nothing is decoded here."""

from lightboard.errors import Unshowable
from lightboard.events.imagetypes import UNKNOWN, ImageType, image_type
from lightboard.events.window import Window
from lightboard.query.projector.folder import File, base_name

MOST_PX = 16_384
"""To a side: more is no picture that a browser could draw."""

MOST_PIXELS = 1 << 27
MOST_BYTES = 256 << 20


def picture_of(file: File) -> ImageType:
    """Type and size of the picture in `file`. Raises Unshowable for what is none, and for one too large to be drawn."""
    name = base_name(file.info.path)
    found = image_type(Window(file.read, file.size), 0, file.size)
    if found.media_type == UNKNOWN:
        raise Unshowable(f"{name} is no picture")
    if not 0 < found.width <= MOST_PX or not 0 < found.height <= MOST_PX or found.width * found.height > MOST_PIXELS:
        raise Unshowable(f"{name} says it has {found.width} x {found.height} pixels")
    if file.size > MOST_BYTES:
        raise Unshowable(f"{name} has over {MOST_BYTES >> 20} MB")
    return found
