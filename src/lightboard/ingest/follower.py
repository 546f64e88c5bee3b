"""One event file and its decoder, kept abreast of whatever happens to the file.

A file grows, is replaced, rewritten, shortened, emptied, deleted, denied, or heals (pages that read as zeros and later
hold the real bytes). Bytes that only came to the end go on into the same decoder; anything else is decoded anew, and
what was decoded before stays on view until the new decoder has caught up. Not here: when to look, and what a run is.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from lightboard.events.decode import Decoder, FileRead, crc32c, new_decoder, read_files
from lightboard.ingest.bytes_view import BytesView, open_view
from lightboard.ingest.damage_check import DamageCheck
from lightboard.series.run import RunFile
from lightboard.storage.base import GONE, ObjectInfo, Storage
from lightboard.storage.files import identity_of
from lightboard.storage.local import LocalStorage

SAMPLE_BYTES = 1024
"""How much of the beginning, and of the end of what was decoded, is compared to know the file again."""

REREAD_BYTES = 4 << 20
"""A file up to this size whose time changed and whose size did not is decoded anew at once, a larger one later."""

MAX_OPEN = 32
"""So many files are open at once in a thread that reads ahead."""

AHEAD_BYTES = 64 << 10
"""Where each read is a request none fetches less: a small file, or what a larger one grew by, comes with a sample."""


class Visit(NamedTuple):
    """What a visit brought: more to read at once, something new to see, new or other series, no file any more."""

    more: bool = False
    changed: bool = False
    structure: bool = False
    gone: bool = False


class Follower:
    """Follows the file at `path`; `file` is what readers see. Not for two threads at once.

    `touched`: it was written to and is as long as before, with the same first and last bytes; what lies between may be
    other than it was, which only decoding it anew shows.
    """

    __slots__ = ("_ahead", "_fresh", "_served", "file", "identity", "path", "series", "storage", "touched", "visits")

    def __init__(self, storage: Storage, info: ObjectInfo) -> None:
        self.storage = storage
        self.path = info.path
        self._served = _Reading(new_decoder())
        self._fresh: _Reading | None = None
        self._ahead: FileRead | None = None
        self.file = RunFile(storage.locate(info.path), self._served.decoder, _Opener(self))
        self.file.size = info.size
        self.identity = info.identity
        self.series = 0
        self.visits = 0
        self.touched = False

    def __repr__(self) -> str:
        return f"Follower({self.path!r})"

    @property
    def remaining(self) -> int:
        """Bytes of the file, as last seen, that the decoder at work has not consumed."""
        return max(0, self.file.size - (self._fresh or self._served).decoder.offset)

    @property
    def apart(self) -> bool:
        """Whether `read_ahead` can do nothing for it: it was visited already, or is no file of this machine."""
        return self.visits > 0 or not self.storage.local

    @property
    def damaged(self) -> bool:
        """Whether some of the bytes on view were skipped."""
        return bool(self._served.decoder.damage())

    def differs(self, info: ObjectInfo) -> bool:
        """Whether a listing shows the file in another state than the last visit saw it, or it could not be read."""
        return self._fresh is not None or self.file.state == "unreadable" or info != self._served.info

    def visit(self, limit: int, *, recheck: bool = False, anew: bool = False) -> Visit:
        """Look at the file and decode about `limit` bytes of what is new.

        With `recheck`, damaged ranges are compared even if nothing says that the file changed; with `anew`, a file that
        was `touched` is decoded from its beginning.
        """
        self.visits += 1
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return self._take_ahead(ahead)
        least = AHEAD_BYTES if self.storage.remote else 0
        try:
            with open_view(self.storage, self.path, least_bytes=least) as view:
                return self._look(view, limit, recheck, anew)
        except GONE:
            return Visit(changed=True, structure=True, gone=True)
        except OSError as error:
            return self._fail(error)

    def _look(self, view: BytesView, limit: int, recheck: bool, anew: bool) -> Visit:
        reading = self._choose(view, recheck, anew)
        recovered = self.file.state == "unreadable"
        self.file.size, self.identity = view.info.size, view.info.identity
        before = reading.decoder.offset
        consumed = reading.advance(view, limit)
        more = consumed > 0 and before + consumed < view.info.size
        self.file.state = "reading" if more else "idle"
        self.file.message = ""
        if reading is self._fresh:
            return self._swap() if not more else Visit(more=True, changed=recovered)
        structure = self._count_series()
        return Visit(more, consumed > 0 or recovered or structure, structure)

    def _take_ahead(self, ahead: FileRead) -> Visit:
        """The same for the first look, where it was done together with others."""
        info = self._served.take_ahead(self.path, ahead)
        self.file.size, self.identity = info.size, info.identity
        more = 0 < self._served.decoder.offset < info.size
        self.file.state = "reading" if more else "idle"
        return Visit(more, ahead[0] > 0, self._count_series())

    def _count_series(self) -> bool:
        """Whether there are more series than before."""
        before, self.series = self.series, self._served.decoder.series_count()
        return self.series != before

    def _choose(self, view: BytesView, recheck: bool, anew: bool) -> "_Reading":
        """The decoder that may go on with the file as it is now; a new one if none may."""
        if self._fresh is not None and self._fresh.continues(view, recheck=False):
            self.touched = self._fresh.is_touched(view, self.touched)
            return self._fresh
        self._fresh = None
        if self._served.continues(view, recheck):
            self.touched = self._served.is_touched(view, self.touched)
            if not (anew and self.touched):
                return self._served
        self.touched = False
        self._fresh = _Reading(new_decoder())
        return self._fresh

    def _swap(self) -> Visit:
        assert self._fresh is not None
        self._served, self._fresh = self._fresh, None
        self.file.decoder = self._served.decoder
        self.series = self._served.decoder.series_count()
        return Visit(changed=True, structure=True)

    def _fail(self, error: OSError) -> Visit:
        message = error.strerror or str(error)
        changed = self.file.state != "unreadable" or self.file.message != message
        self.file.state, self.file.message = "unreadable", message
        return Visit(changed=changed)


class _Opener:
    """Bytes of the file that is on view, for who follows a reference into it."""

    __slots__ = ("_follower",)

    def __init__(self, follower: Follower) -> None:
        self._follower = follower

    def read(self, offset: int, length: int) -> bytes:
        """See series.run.Opener."""
        follower = self._follower
        with open_view(follower.storage, follower.path) as view:
            if not follower._served.lies_in(view):
                raise FileNotFoundError(f"another file has taken the place of {follower.file.path}")
            return view.read_at(offset, length)


def read_ahead(followers: Sequence[Follower], limit: int) -> None:
    """Do the reading of each one's first `visit`, many in one call; what cannot be read is left to its visit."""
    named = [(one, one.storage.full(one.path)) for one in followers if isinstance(one.storage, LocalStorage)]
    _read_all(named, limit)
    others = [one for one in followers if not isinstance(one.storage, LocalStorage)]
    for first in range(0, len(others), MAX_OPEN):
        opened: list[tuple[Follower, int]] = []
        try:
            for one in others[first : first + MAX_OPEN]:
                with suppress(OSError):
                    if (fd := one.storage.open_fd(one.path)) is not None:
                        opened.append((one, fd))
            _read_all(opened, limit)
        finally:
            for _, fd in opened:
                os.close(fd)


def _read_all(followers: Sequence[tuple[Follower, str | int]], limit: int) -> None:
    items = [(place, one.file.decoder) for one, place in followers]
    for (one, _), read in zip(followers, read_files(items, limit, SAMPLE_BYTES), strict=True):
        one._ahead = read


class _Reading:
    """A decoder and what is needed to know that the file still begins with the bytes it consumed."""

    __slots__ = ("_check", "_head", "_head_bytes", "_tail", "decoder", "info")

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder
        self.info: ObjectInfo | None = None
        self._check: DamageCheck | None = None
        self._head_bytes = 0
        self._head = 0
        self._tail = 0

    def advance(self, view: BytesView, limit: int) -> int:
        """Decode about `limit` bytes and take samples; how many bytes were consumed."""
        self.info = view.info
        consumed = view.advance(self.decoder, limit)
        if consumed:
            if self._head_bytes < SAMPLE_BYTES:
                self._head_bytes = min(SAMPLE_BYTES, self.decoder.offset)
                self._head = self._sample(view, 0, self._head_bytes)
            self._tail = self._sample_tail(view)
        return consumed

    def take_ahead(self, path: str, ahead: FileRead) -> ObjectInfo:
        """Note what the decoder was given without our help."""
        _, size, mtime_ns, device, inode, self._head, self._tail = ahead
        self.info = ObjectInfo(path, size, mtime_ns, identity_of(device, inode))
        self._head_bytes = min(SAMPLE_BYTES, self.decoder.offset)
        return self.info

    def lies_in(self, view: BytesView) -> bool:
        """Whether the file still holds the bytes that were decoded, whatever came after them."""
        then, now = self.info, view.info
        if then is None:
            return False
        grown = not view.local and now.size > then.size
        return now.identity == then.identity or (grown and self._samples_match(view))

    def continues(self, view: BytesView, recheck: bool) -> bool:
        """Whether the file as it is now may be read on from where this decoder stands."""
        then, now = self.info, view.info
        if then is None:
            return True
        if now == then:
            return not (recheck and self._healed(view))
        other = now.identity != then.identity
        if now.size < self.decoder.offset or (other and view.local):
            return False
        # What was skipped was judged by bytes after it: without them the judgement may be another.
        if now.size < then.size and self.decoder.damage():
            return False
        # Not longer, yet written to: something inside may be other than it was.
        if now.size == then.size and (other or now.size <= REREAD_BYTES):
            return False
        return self._samples_match(view) and not self._healed(view)

    def is_touched(self, view: BytesView, before: bool) -> bool:
        """Whether, of a file that may be read on, the bytes in the middle may be others. Growth takes that back."""
        then, now = self.info, view.info
        if then is None or now.size != then.size:
            return False
        return before or now.mtime_ns != then.mtime_ns

    def _samples_match(self, view: BytesView) -> bool:
        return self._head == self._sample(view, 0, self._head_bytes) and self._tail == self._sample_tail(view)

    def _sample_tail(self, view: BytesView) -> int:
        start = max(0, self.decoder.offset - SAMPLE_BYTES)
        return self._sample(view, start, self.decoder.offset - start)

    @staticmethod
    def _sample(view: BytesView, offset: int, length: int) -> int:
        return crc32c(view.read_at(offset, length)) if length else 0

    def _healed(self, view: BytesView) -> bool:
        """Whether a damaged range holds other bytes now than when it was skipped, as far as this look compares."""
        damage = self.decoder.damage()
        if not damage:
            return False
        if self._check is None:
            self._check = DamageCheck()
        return self._check.finds_change(view, damage)
