"""Detects changes in the damaged ranges of one file, some megabytes per check.

A check continues where the previous one ended, even inside a range, and wraps around after the last range. So damage of
any size is checked eventually, and no check takes long.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, islice
from typing import TypeAlias

from lightboard.events.decode import NATIVE, crc32c
from lightboard.ingest.bytes_view import BytesView

MAX_CHECKED_BYTES = (16 << 20) if NATIVE else (64 << 10)
"""How many damaged bytes one check compares. The pure-Python checksum is much slower."""

MAX_CHECKED_RANGES = 4096
"""The maximum number of ranges of one check."""

CHUNK_BYTES = 1 << 20
"""How many bytes are read at once."""

Damage: TypeAlias = tuple[int, int, int]
"""A skipped range: offset, length, crc32c of its bytes at that time."""


class DamageCheck:
    """The progress of the comparison: `_done` bytes of a range, whose checksum so far is `_crc`."""

    __slots__ = ("_crc", "_done", "_range")

    def __init__(self) -> None:
        self._range: Damage = (0, 0, 0)
        self._done = 0
        self._crc = 0

    def finds_change(self, view: BytesView, damage: Sequence[Damage]) -> bool:
        """Compare the next MAX_CHECKED_BYTES of `damage`, which is in file order. Returns whether any range has
        changed."""
        budget = MAX_CHECKED_BYTES
        # A range that grew since the last check, like the last one, is compared from its beginning.
        first = bisect_left(damage, self._range)
        for each in islice(chain(damage[first:], damage[:first]), MAX_CHECKED_RANGES):
            if each != self._range:
                self._begin(each)
            offset, length, checksum = each
            while self._done < length:
                if budget <= 0:
                    return False
                piece = view.read_at(offset + self._done, min(CHUNK_BYTES, length - self._done, budget))
                if not piece:
                    break
                self._crc = crc32c(piece, self._crc)
                self._done += len(piece)
                budget -= len(piece)
            if self._crc != checksum:
                self._begin(each)
                return True
            self._begin((offset + length, 0, 0))  # ranges are not adjacent, so the next one lies after this offset
        return False

    def _begin(self, each: Damage) -> None:
        self._range = each
        self._done = 0
        self._crc = 0
