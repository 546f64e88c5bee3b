"""Reads many small ranges through a few large ones."""

from collections import OrderedDict

from lightboard.events.byte_reader import ReadRange

BLOCK_BYTES = 256 << 10
MAX_BLOCKS = 64


class BufferedRange:
    """Ranges of the bytes that `read` reads, through blocks that are kept while they are used. Not thread-safe."""

    def __init__(self, read: ReadRange) -> None:
        self._read = read
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`, fewer only at the end."""
        number, begin = divmod(offset, BLOCK_BYTES)
        if begin + length > BLOCK_BYTES:
            return self._read(offset, length)
        block = self._blocks.get(number)
        if block is None:
            block = self._blocks[number] = self._read(number * BLOCK_BYTES, BLOCK_BYTES)
            if len(self._blocks) > MAX_BLOCKS:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(number)
        return block[begin : begin + length]
