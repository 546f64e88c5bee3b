"""Finds the records of an event file, checks their checksums, and records which bytes were skipped.

A record is: length (u64), masked CRC-32C of the length (u32), data, masked CRC-32C of the data (u32), little-endian.
The data is not interpreted.
"""

import re
import struct
from collections.abc import Iterator

from lightboard.events.crc32c import crc32c, crc32c_of_zeros, masked

HEADER_BYTES = 12
FRAME_BYTES = 16
MAX_RECORD_BYTES = 0x7FFF_FFFF
"""Serialized messages are at most 2 GiB long, so a longer length is damage even if its checksum is valid."""


SCAN_BUDGET_BYTES = 16 << 20
"""How many bytes of invalid bodies are checked while looking for the next record, before headers must be followed by
another header to be trusted."""


def parse_header(data: bytes, at: int) -> int | None:
    """The length in the twelve header bytes at `at`, or None if they are not a header."""
    length, crc = struct.unpack_from("<QI", data, at)
    if length > MAX_RECORD_BYTES or masked(crc32c(data[at : at + 8])) != crc:
        return None
    return int(length)


def _next_header(data: bytes, at: int) -> int:
    """The first position from `at` on that is a header, or could be one if more bytes followed."""
    while len(data) - at >= HEADER_BYTES and parse_header(data, at) is None:
        at = next_header_candidate(data, at)
    return at


_NO_HEADER = bytes(HEADER_BYTES)
_ZEROS = bytes(4096)
_OTHER = re.compile(rb"[^\0]")


def next_header_candidate(data: bytes, at: int) -> int:
    """The next position after `at`, which must not be a header, at which a header may begin. Twelve zeros are no
    header.

    The length of a record may end in zeros, so its header begins up to eleven of them before the first other byte.
    """
    if not data.startswith(_NO_HEADER, at):
        return at + 1
    while data.startswith(_ZEROS, at):
        at += len(_ZEROS)
    other = _OTHER.search(data, at)
    return (other.start() if other else len(data)) - (HEADER_BYTES - 1)


def has_valid_body(data: bytes, at: int, length: int) -> bool:
    """Whether the checksum of the data in the complete frame at `at` is valid."""
    begin = at + HEADER_BYTES
    (crc,) = struct.unpack_from("<I", data, begin + length)
    return masked(crc32c(data[begin : begin + length])) == int(crc)


class Framing:
    """Finds records in chunks of bytes. Skips everything else and records it as damage."""

    def __init__(self) -> None:
        self.offset = 0
        self.ranges: list[tuple[int, int, int]] = []
        self._scanning = False
        self._wasted_bytes = 0

    def records(self, data: bytes, *, is_last: bool) -> Iterator[tuple[int, int, int]]:
        """Iterate over the records of `data`, which lies at `offset`: (first byte in data, end in data, offset of the
        frame).

        `offset` moves past each record before it is yielded. The rest of `data` was not consumed. `is_last` says that
        no bytes are known to follow `data`.
        """
        base = self.offset
        while len(data) - (self.offset - base) >= HEADER_BYTES:
            at = self.offset - base
            length = parse_header(data, at)
            if length is None:
                self._scan(data[at : _next_header(data, at + 1)])
                continue
            frame_end = at + FRAME_BYTES + length
            if frame_end > len(data):
                return
            if self._is_over_budget():
                follows = self._peek_after_frame(data, frame_end, is_last)
                if follows is None:
                    return
                if not follows:
                    self._scan(data[at : at + 1])
                    continue
            if has_valid_body(data, at, length):
                self._scanning = False
                frame = self.offset
                self.offset += FRAME_BYTES + length
                yield at + HEADER_BYTES, frame_end - 4, frame
            elif not self._skip_bad_body(data, at, frame_end, is_last):
                return

    def _is_over_budget(self) -> bool:
        """Whether too many bytes of invalid bodies were checked while scanning.

        A malicious file may have a valid header everywhere, each with a long length, so that checking the bodies takes
        quadratic time. Over the budget, only frames followed by another header are checked, and a frame with an invalid
        body is skipped as a whole.
        """
        return self._scanning and self._wasted_bytes > SCAN_BUDGET_BYTES

    def _peek_after_frame(self, data: bytes, frame_end: int, is_last: bool) -> bool | None:
        """Whether a header or the end of the file follows a frame; None if more bytes are needed to decide."""
        if frame_end == len(data) and is_last:
            return True
        if len(data) - frame_end < HEADER_BYTES:
            return None
        return parse_header(data, frame_end) is not None

    def _skip_bad_body(self, data: bytes, at: int, frame_end: int, is_last: bool) -> bool:
        """Skip a frame with a valid length and invalid data. False if more bytes are needed to decide how far.

        If a valid header follows, only this record is damaged.
        """
        if not self._scanning or self._is_over_budget():
            follows = self._peek_after_frame(data, frame_end, is_last)
            if follows is None:
                return False
            if follows:
                self._skip(data[at:frame_end])
                self._scanning = False
                return True
        if self._scanning:
            self._wasted_bytes += frame_end - at - FRAME_BYTES
        self._scan(data[at : at + 1])
        return True

    def reject(self, frame: int, data: bytes) -> None:
        """Add a record that was already yielded to the damage, because its message is malformed."""
        self._add_damage(frame, data)

    def skip_zeros(self, count: int) -> None:
        """Skip `count` bytes that are known to be zero, without reading them."""
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
        self._add_damage(self.offset, data)
        self.offset += len(data)

    def _add_damage(self, offset: int, data: bytes) -> None:
        if self.ranges and self.ranges[-1][0] + self.ranges[-1][1] == offset:
            begin, length, crc = self.ranges.pop()
            self.ranges.append((begin, length + len(data), crc32c(data, crc)))
        else:
            self.ranges.append((offset, len(data), crc32c(data)))
