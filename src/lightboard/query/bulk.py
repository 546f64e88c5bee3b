"""Many values of one series at once: those that lie near each other in a file are read in one go.

Not here: what the bytes mean. One value alone is `Provider.read`.
"""

from collections.abc import Iterator, Sequence

from lightboard.query.provider import Provider
from lightboard.query.values import Place, Values

GAP_BYTES = 16 << 10
"""Reading over so much that nobody asked for costs less than another call."""

STRETCH_BYTES = 4 << 20
"""Read in one go, so that memory does not grow with the file."""


def read_many(provider: Provider, values: Values, chosen: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The bytes of the `chosen` values, which are in ascending order, each with its number.

    A value that is longer than a stretch comes whole. Raises ValueNotFound where a file is gone or shorter by now.
    """
    for lot in lots(values, chosen):
        first, last = values.place(lot[0]), values.place(lot[-1])
        begin = first.offset
        whole = Place(first.run, first.file, begin, last.offset + last.length - begin)
        data = provider.read(whole, 0, whole.length)
        for at in lot:
            offset = values.offsets[at] - begin
            yield at, data[offset : offset + values.lengths[at]]


def lots(values: Values, chosen: Sequence[int]) -> Iterator[list[int]]:
    """The chosen values in lots that are read in one go."""
    lot: list[int] = []
    for at in chosen:
        if lot and not _joins(values, lot, at):
            yield lot
            lot = []
        lot.append(at)
    if lot:
        yield lot


def _joins(values: Values, lot: list[int], at: int) -> bool:
    """Is the next value near enough to the last of a lot, and the lot not too long with it?"""
    begin, last = values.offsets[lot[0]], lot[-1]
    end = values.offsets[last] + values.lengths[last]
    offset = values.offsets[at]
    return (
        values.files[at] == values.files[last]
        and 0 <= offset - end <= GAP_BYTES
        and offset + values.lengths[at] - begin <= STRETCH_BYTES
    )
