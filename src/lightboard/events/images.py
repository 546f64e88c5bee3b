"""Finds the encoded images of a value: an Image message, or a tensor of strings [width, height, image, ...].

The size that the writer stated is ignored, because it may be wrong; `image_types` reads it from the image itself.
Browsers do the decoding.
"""

from collections.abc import Iterator

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events.byte_reader import ByteReader, read_fields
from lightboard.events.messages import IMAGE, TENSOR
from lightboard.events.payloads import find_payload
from lightboard.events.wire import BYTES, MalformedError

Span = tuple[int, int]
"""Begin and end, relative to the beginning of the value."""

MAX_SAMPLES = 10_000
"""The maximum number of images of one value. Later ones are ignored."""

_ENCODED, _STRINGS, _SIZES = 4, 8, 2


def image_spans(reader: ByteReader) -> Iterator[Span]:
    """The positions of the images of the Summary.Value in `reader`, in order. Reads a few bytes of each.

    For a truncated value, yields the images before the error. Raises Unshowable for a value that cannot hold images.
    """
    payload = find_payload(reader)
    if payload.field not in (IMAGE, TENSOR):
        raise Unshowable("the value holds no image")
    found = read_fields(reader, payload.begin, payload.end)
    if payload.field == IMAGE:
        encoded = (0, 0)
        for number, wire_type, begin, end in _whole(found):
            if number == _ENCODED and wire_type == BYTES:
                encoded = (begin, end)
        yield encoded
        return
    strings = 0
    for number, wire_type, begin, end in _whole(found):
        if number == _STRINGS and wire_type == BYTES:
            strings += 1
            if strings > _SIZES:
                yield begin, end
            if strings == _SIZES + MAX_SAMPLES:
                return


def count_images(reader: ByteReader) -> int:
    """The number of images of a value, at most MAX_SAMPLES. Raises Unshowable."""
    return sum(1 for _ in image_spans(reader))


def image_span(reader: ByteReader, sample: int) -> Span:
    """The position of the image with index `sample`. Raises Unshowable, ValueNotFound."""
    for number, span in enumerate(image_spans(reader)):
        if number == sample:
            return span
    raise ValueNotFound(f"the value has no image {sample}")


def _whole(found: Iterator[tuple[int, int, int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """The fields up to the first error."""
    try:
        yield from found
    except MalformedError:
        return
