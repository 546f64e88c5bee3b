"""Framing of an event file: where records begin and end, whether their checksums agree, and what lies between.

A record is: length (u64), masked CRC-32C of the length (u32), data, masked CRC-32C of the data (u32), little-endian.
Knows nothing of what the data means.
"""

import re
import struct
from collections.abc import Iterator

from lightboard.events.crc32c import crc32c, crc32c_of_zeros, masked

HEADER_BYTES = 12
FRAME_BYTES = 16
MAX_RECORD_BYTES = 0x7FFF_FFFF
"""No serialized message is longer than 2 GiB; a length above it is damage, whatever its checksum says."""


PATIENCE_BYTES = 16 << 20
"""Bytes read in vain while looking for a record, before headers are believed more than bodies."""


def header_length(data: bytes, at: int) -> int | None:
    """Length of the record whose twelve header bytes lie at `at`, None if they are no header."""
    length, crc = struct.unpack_from("<QI", data, at)
    if length > MAX_RECORD_BYTES or masked(crc32c(data[at : at + 8])) != crc:
        return None
    return int(length)


def _next_header(data: bytes, at: int) -> int:
    """The first place from `at` on that is a header, or could be one if more bytes followed."""
    while len(data) - at >= HEADER_BYTES and header_length(data, at) is None:
        at = past_zeros(data, at)
    return at


_NO_HEADER = bytes(HEADER_BYTES)
_ZEROS = bytes(4096)
_OTHER = re.compile(rb"[^\0]")


def past_zeros(data: bytes, at: int) -> int:
    """Where a header may begin at the earliest after `at`, where none is: no header is twelve zeros.

    The length of a record may end in zeros: its header begins up to eleven of them before the first other byte.
    """
    if not data.startswith(_NO_HEADER, at):
        return at + 1
    while data.startswith(_ZEROS, at):
        at += len(_ZEROS)
    other = _OTHER.search(data, at)
    return (other.start() if other else len(data)) - (HEADER_BYTES - 1)


def body_agrees(data: bytes, at: int, length: int) -> bool:
    """Whether the data of the whole frame at `at` has the checksum the frame gives."""
    begin = at + HEADER_BYTES
    (crc,) = struct.unpack_from("<I", data, begin + length)
    return masked(crc32c(data[begin : begin + length])) == int(crc)


class Framing:
    """Finds records in bytes that come in pieces; skips and remembers what is none."""

    def __init__(self) -> None:
        self.offset = 0
        self.ranges: list[tuple[int, int, int]] = []
        self._scanning = False
        self._in_vain = 0

    def records(self, data: bytes, *, to_the_end: bool) -> Iterator[tuple[int, int, int]]:
        """Walk the records of `data`, which lies at `offset`: (first byte in data, end in data, offset of the frame).

        `offset` moves over each record before it is given out. What is left of `data` was not consumed. `to_the_end`
        says that nothing is known to follow `data`.
        """
        base = self.offset
        while len(data) - (self.offset - base) >= HEADER_BYTES:
            at = self.offset - base
            length = header_length(data, at)
            if length is None:
                self._scan(data[at : _next_header(data, at + 1)])
                continue
            frame_end = at + FRAME_BYTES + length
            if frame_end > len(data):
                return
            if self._impatient():
                behind = self._look_behind(data, frame_end, to_the_end)
                if behind is None:
                    return
                if not behind:
                    self._scan(data[at : at + 1])
                    continue
            if body_agrees(data, at, length):
                self._scanning = False
                frame = self.offset
                self.offset += FRAME_BYTES + length
                yield at + HEADER_BYTES, frame_end - 4, frame
            elif not self._pass_bad_body(data, at, frame_end, to_the_end):
                return

    def _impatient(self) -> bool:
        """Whether too much was read in vain while scanning.

        A file made to waste our time holds right headers everywhere, each of which promises a long body. After some
        of that, only frames with another header right behind them are looked at, and passed whole if wrong.
        """
        return self._scanning and self._in_vain > PATIENCE_BYTES

    def _look_behind(self, data: bytes, frame_end: int, to_the_end: bool) -> bool | None:
        """Whether a header or the end of the file follows a frame; None if that cannot be told yet."""
        if frame_end == len(data) and to_the_end:
            return True
        if len(data) - frame_end < HEADER_BYTES:
            return None
        return header_length(data, frame_end) is not None

    def _pass_bad_body(self, data: bytes, at: int, frame_end: int, to_the_end: bool) -> bool:
        """Go past a frame whose length is right and whose data are not; False if how far cannot be told yet.

        If a right header follows, only this record is bad.
        """
        if not self._scanning or self._impatient():
            behind = self._look_behind(data, frame_end, to_the_end)
            if behind is None:
                return False
            if behind:
                self._skip(data[at:frame_end])
                self._scanning = False
                return True
        if self._scanning:
            self._in_vain += frame_end - at - FRAME_BYTES
        self._scan(data[at : at + 1])
        return True

    def spoil(self, frame: int, data: bytes) -> None:
        """Count a record already given out as damage: its message made no sense."""
        self._damaged(frame, data)

    def skip_zeros(self, count: int) -> None:
        """Go past `count` bytes that are known to be zero, without looking at them."""
        self._scanning = True
        if self.ranges and self.ranges[-1][0] + self.ranges[-1][1] == self.offset:
            begin, length, crc = self.ranges.pop()
            self.ranges.append((begin, length + count, crc32c_of_zeros(count, crc)))
        else:
            self.ranges.append((self.offset, count, crc32c_of_zeros(count)))
        self.offset += count

    def _scan(self, data: bytes) -> None:
        self._scanning = True
        self._skip(data)

    def _skip(self, data: bytes) -> None:
        self._damaged(self.offset, data)
        self.offset += len(data)

    def _damaged(self, offset: int, data: bytes) -> None:
        if self.ranges and self.ranges[-1][0] + self.ranges[-1][1] == offset:
            begin, length, crc = self.ranges.pop()
            self.ranges.append((begin, length + len(data), crc32c(data, crc)))
        else:
            self.ranges.append((offset, len(data), crc32c(data)))
