"""Previews of values of any kind: type, shape, and the first numbers or strings.

Reads a few kilobytes, whatever the size of the value, except for tensors of up to WHOLE_BYTES in repeated fields.
"""

import math
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events import messages
from lightboard.events.arrays import content_numbers, tensor_numbers
from lightboard.events.byte_reader import ByteReader
from lightboard.events.payloads import DTYPE_NAMES, find_payload, read_strings, read_tensor_header
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
MAX_NUMBERS = 24
MAX_STRINGS = 8
MAX_CHARACTERS = 400
WHOLE_BYTES = 1 << 20
"""Limit of the size and the number of items of a tensor with numbers in repeated fields, which must be read whole."""


class Preview(NamedTuple):
    """The preview of one value. `what` is the kind of payload, one of NAMES.

    `dtype` and `shape` are those of a tensor, `numbers` or `strings` its first items in row-major order.
    """

    what: str
    dtype: str
    shape: tuple[int, ...]
    numbers: list[float]
    strings: list[str]


def preview_of(window: ByteReader) -> Preview:
    """The preview of a Summary.Value. Raises Unshowable."""
    payload = find_payload(window)
    what = NAMES[payload.field]
    if what != "tensor":
        return Preview(what, "", (), [], [])
    try:
        header = read_tensor_header(window, payload)
        dtype = DTYPE_NAMES.get(header.dtype, f"type {header.dtype}")
        if dtype == "string":
            strings = read_strings(window)
            first = [text_of(window, span) for span in strings.spans[:MAX_STRINGS]]
            return Preview(what, dtype, strings.shape, [], first)
        begin, end = header.content
        if end > begin:
            return Preview(what, dtype, header.shape or (), first_numbers(window, header.dtype, begin, end), [])
        if payload.end - payload.begin > WHOLE_BYTES or math.prod(header.shape or ()) > WHOLE_BYTES:
            return Preview(what, dtype, header.shape or (), [], [])
        values = tensor_numbers(window.slice(payload.begin, payload.end))
    except MalformedError:
        raise Unshowable("the tensor is malformed") from None
    return Preview(what, dtype, values.shape, [float(value) for value in values.ravel()[:MAX_NUMBERS]], [])


def first_numbers(window: ByteReader, dtype: int, begin: int, end: int) -> list[float]:
    """The first numbers of raw tensor content in [begin, end). Raises MalformedError."""
    stop = min(end, begin + 8 * MAX_NUMBERS)
    return [float(value) for value in content_numbers(window.slice(begin, stop), dtype)[:MAX_NUMBERS]]


def text_of(window: ByteReader, span: tuple[int, int]) -> str:
    """The beginning of one string. Invalid UTF-8 is replaced."""
    begin, end = span
    return window.slice(begin, min(end, begin + MAX_CHARACTERS)).decode("utf-8", "replace")
