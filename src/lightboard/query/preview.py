"""What a value of any kind holds, told without knowing the kind: type, shape, its first numbers or the start of a text.

A few kilobytes are read of a value of any size.
"""

import math
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events import messages
from lightboard.events.arrays import content_numbers, tensor_numbers
from lightboard.events.payloads import DTYPE_NAMES, outline_of, payload_of, strings_of
from lightboard.events.window import Window
from lightboard.events.wire import MalformedError

NAMES = {
    0: "nothing",
    messages.SIMPLE_VALUE: "number",
    messages.OLD_HISTOGRAM: "histogram",
    messages.IMAGE: "image",
    messages.HISTOGRAM: "histogram",
    messages.AUDIO: "audio",
    messages.TENSOR: "tensor",
}
MOST_NUMBERS = 24
MOST_STRINGS = 8
MOST_CHARACTERS = 400
WHOLE_BYTES = 1 << 20
"""A tensor whose numbers lie in repeated fields is only read whole if it takes no more."""


class Preview(NamedTuple):
    """`what` is the payload ("tensor", "image", ..., "nothing"); `dtype` and `shape` are a tensor's; `numbers` and
    `strings` its first items, in row-major order."""

    what: str
    dtype: str
    shape: tuple[int, ...]
    numbers: list[float]
    strings: list[str]


def preview_of(window: Window) -> Preview:
    """The first of what a Summary.Value holds. Raises Unshowable."""
    payload = payload_of(window)
    what = NAMES[payload.field]
    if what != "tensor":
        return Preview(what, "", (), [], [])
    try:
        outline = outline_of(window, payload)
        dtype = DTYPE_NAMES.get(outline.dtype, f"type {outline.dtype}")
        if dtype == "string":
            found = strings_of(window)
            return Preview(what, dtype, found.shape, [], [text_of(window, span) for span in found.spans[:MOST_STRINGS]])
        begin, end = outline.content
        if end > begin:
            return Preview(what, dtype, outline.shape or (), first_numbers(window, outline.dtype, begin, end), [])
        if payload.end - payload.begin > WHOLE_BYTES or math.prod(outline.shape or ()) > WHOLE_BYTES:
            return Preview(what, dtype, outline.shape or (), [], [])
        values = tensor_numbers(window.slice(payload.begin, payload.end))
    except MalformedError:
        raise Unshowable("the tensor is malformed") from None
    return Preview(what, dtype, values.shape, [float(value) for value in values.ravel()[:MOST_NUMBERS]], [])


def first_numbers(window: Window, dtype: int, begin: int, end: int) -> list[float]:
    """The first numbers of raw content."""
    stop = min(end, begin + 8 * MOST_NUMBERS)
    return [float(value) for value in content_numbers(window.slice(begin, stop), dtype)[:MOST_NUMBERS]]


def text_of(window: Window, span: tuple[int, int]) -> str:
    """The start of one string, as text where it is any."""
    begin, end = span
    return window.slice(begin, min(end, begin + MOST_CHARACTERS)).decode("utf-8", "replace")
