"""Reads many values of one series. Values that are close to each other in a file are read at once.

Not here: decoding. `ValueProvider.read` reads a single value.
"""

from collections.abc import Iterator, Sequence

from lightboard.query.provider import ValueProvider
from lightboard.query.values import ValueLocation, Values

GAP_BYTES = 16 << 10
"""Reading a gap of this size costs less than another call."""

CHUNK_BYTES = 4 << 20
"""Limit of bytes read at once."""


def read_many(provider: ValueProvider, values: Values, chosen: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The bytes of the `chosen` values, given in ascending order, each with its index.

    Longer values are read at once too. Raises ValueNotFound if a file was removed or truncated.
    """
    for batch in batches(values, chosen):
        first, last = values.location(batch[0]), values.location(batch[-1])
        begin = first.offset
        whole = ValueLocation(first.run, first.file, begin, last.offset + last.length - begin)
        data = provider.read(whole, 0, whole.length)
        for index in batch:
            offset = values.offsets[index] - begin
            yield index, data[offset : offset + values.lengths[index]]


def batches(values: Values, chosen: Sequence[int]) -> Iterator[list[int]]:
    """The chosen values in batches that are read at once."""
    batch: list[int] = []
    for index in chosen:
        if batch and not _joins(values, batch, index):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _joins(values: Values, batch: list[int], index: int) -> bool:
    """Whether the next value is close enough to the last one of a batch, and the batch short enough."""
    begin, last = values.offsets[batch[0]], batch[-1]
    end = values.offsets[last] + values.lengths[last]
    offset = values.offsets[index]
    return (
        values.files[index] == values.files[last]
        and 0 <= offset - end <= GAP_BYTES
        and offset + values.lengths[index] - begin <= CHUNK_BYTES
    )
