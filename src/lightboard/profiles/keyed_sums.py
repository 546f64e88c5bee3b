"""Sums of figures by key, of more keys than can be added one by one."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

MAX_KEYS = 1 << 20
"""Up to so many keys, each has sums of its own."""


class KeyedSums:
    """Adds up rows of `figures` integers by key. It holds about `max_keys` sums, whatever is added.

    Where there are more keys, the lowest bit of all of them is cleared, so that neighbours share their sums, and then
    the next bit, up to `spare_bits` of them. With no bit to spare, it grows with the number of keys.
    """

    def __init__(self, figures: int, spare_bits: int, max_keys: int | None = None) -> None:
        self._keys, self._figures = np.empty(0, np.int64), np.empty((0, figures), np.int64)
        self._added: list[tuple[Ints, Ints]] = []
        self._waiting = 0
        self._spare_bits, self._lost_bits = spare_bits, 0
        self._max_keys = MAX_KEYS if max_keys is None else max_keys

    def add(self, keys: Ints, figures: Ints) -> None:
        """Add rows. Each is looked at a few times in all, however many are added."""
        self._added.append((keys, figures))
        self._waiting += len(keys)
        if self._waiting > max(len(self._keys), 1 << 16):
            self._merge()

    def sums(self) -> tuple[Ints, Ints]:
        """The keys in their order, and the sums of each."""
        self._merge()
        return self._keys, self._figures

    def _merge(self) -> None:
        keys, figures = zip((self._keys, self._figures), *self._added, strict=True)
        self._added, self._waiting = [], 0
        self._set(np.concatenate(keys), np.concatenate(figures))
        while len(self._keys) > self._max_keys and self._lost_bits < self._spare_bits:
            self._lost_bits += 1
            self._set(self._keys, self._figures)

    def _set(self, keys: Ints, figures: Ints) -> None:
        self._keys, place = np.unique(keys >> self._lost_bits << self._lost_bits, return_inverse=True)
        self._figures = np.zeros((len(self._keys), figures.shape[1]), np.int64)
        np.add.at(self._figures, place.reshape(-1), figures)
