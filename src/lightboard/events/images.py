"""Where the encoded images of a value lie: the old Image message, or a tensor of strings [width, height, image, ...].

What the writer says of the size is passed over, as it may lie; `imagetypes` reads it from the image itself. Not here:
decoding, which browsers do.
"""

from collections.abc import Iterator

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events.messages import IMAGE, TENSOR
from lightboard.events.payloads import payload_of
from lightboard.events.window import Window, fields_of
from lightboard.events.wire import BYTES, MalformedError

Span = tuple[int, int]
"""First byte and the byte after the last, from the beginning of the value."""

MAX_SAMPLES = 10_000
"""Images of one value that can be told apart; what comes after them is passed over."""

_ENCODED, _STRINGS, _SIZES = 4, 8, 2


def image_spans(window: Window) -> Iterator[Span]:
    """Where the images of the Summary.Value in `window` lie, in order, a few bytes read for each.

    A value that breaks off gives the images before that. Raises Unshowable for one that can hold no images.
    """
    payload = payload_of(window)
    if payload.field not in (IMAGE, TENSOR):
        raise Unshowable("the value holds no image")
    found = fields_of(window, payload.begin, payload.end)
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


def count_images(window: Window) -> int:
    """How many images a value holds, at most MAX_SAMPLES. Raises Unshowable."""
    return sum(1 for _ in image_spans(window))


def image_span(window: Window, sample: int) -> Span:
    """Where image number `sample` lies. Raises Unshowable, ValueNotFound."""
    for number, span in enumerate(image_spans(window)):
        if number == sample:
            return span
    raise ValueNotFound(f"the value has no image {sample}")


def _whole(found: Iterator[tuple[int, int, int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Fields up to where they stop making sense."""
    try:
        yield from found
    except MalformedError:
        return
