"""Reads a file in blocks, for readers that ask for a few bytes at a time, mostly one after the other."""

from lightboard import cancellation
from lightboard.storage.base import ObjectInfo, Storage

BLOCK_BYTES, REMOTE_BLOCK_BYTES = 256 << 10, 4 << 20
"""How much is read at once. Each read of an object store is a request."""


class BlockReader:
    """The bytes of one file, as it was when it was listed. Not thread-safe."""

    def __init__(self, storage: Storage, info: ObjectInfo) -> None:
        self.storage, self.info = storage, info
        self._block_bytes = REMOTE_BLOCK_BYTES if storage.remote else BLOCK_BYTES
        self._at, self._block = 0, b""

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`, fewer only at the end. Raises OSError."""
        begin = offset - self._at
        if begin >= 0 and begin + length <= len(self._block):
            return self._block[begin : begin + length]
        cancellation.check()
        length = max(0, min(length, self.info.size - offset))
        data = self.storage.read(self.info.path, offset, max(length, self._block_bytes)) if length else b""
        if len(data) <= self._block_bytes:
            self._at, self._block = offset, data
        return data[:length]
