"""Damaged ranges of one file, compared with what they were when they were skipped: some megabytes at a look.

A look goes on where the one before it ended, inside a range too, and begins again after the last one, so that damage of
any size is compared in time and no look takes long.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, islice
from typing import TypeAlias

from lightboard.events.decode import NATIVE, crc32c
from lightboard.ingest.bytes_view import BytesView

HEAL_BYTES = (16 << 20) if NATIVE else (64 << 10)
"""How many damaged bytes are compared at one look; the slow checksum does far fewer in the same time."""

HEAL_RANGES = 4096
"""And in how many ranges at most."""

PIECE_BYTES = 1 << 20
"""So many are held at a time."""

Damage: TypeAlias = tuple[int, int, int]
"""A range that was skipped: offset, length, crc32c of its bytes then."""


class DamageCheck:
    """Where the comparing stands: `_done` bytes of a range, whose checksum is `_crc` so far."""

    __slots__ = ("_crc", "_done", "_range")

    def __init__(self) -> None:
        self._range: Damage = (0, 0, 0)
        self._done = 0
        self._crc = 0

    def finds_change(self, view: BytesView, damage: Sequence[Damage]) -> bool:
        """Compare the next HEAL_BYTES of `damage`, which is in file order; whether a range holds other bytes now."""
        budget = HEAL_BYTES
        # A range that grew since the last look, as the last one does, is another and is compared from its beginning.
        first = bisect_left(damage, self._range)
        for each in islice(chain(damage[first:], damage[:first]), HEAL_RANGES):
            if each != self._range:
                self._begin(each)
            offset, length, checksum = each
            while self._done < length:
                if budget <= 0:
                    return False
                piece = view.read_at(offset + self._done, min(PIECE_BYTES, length - self._done, budget))
                if not piece:
                    break
                self._crc = crc32c(piece, self._crc)
                self._done += len(piece)
                budget -= len(piece)
            if self._crc != checksum:
                self._begin(each)
                return True
            self._begin((offset + length, 0, 0))  # ranges that touch are one, so the next one lies behind
        return False

    def _begin(self, each: Damage) -> None:
        self._range = each
        self._done = 0
        self._crc = 0
