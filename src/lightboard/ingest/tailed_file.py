"""One event file and its decoder, kept up to date with whatever happens to the file.

A file grows, is replaced, rewritten, shortened, emptied, deleted, denied, or heals (pages that read as zeros and later
hold the real bytes). Appended bytes go to the same decoder. After any other change a new decoder starts from the
beginning, and the old one keeps serving until the new one has caught up. When to visit a file is decided elsewhere.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from lightboard.events.decode import Decoder, FileReadResult, crc32c, new_decoder, read_files
from lightboard.ingest.bytes_view import BytesView, open_view
from lightboard.ingest.damage_check import DamageCheck
from lightboard.series.run import RunFile
from lightboard.storage.base import GONE_ERRORS, ObjectInfo, Storage
from lightboard.storage.files import identity_of
from lightboard.storage.local import LocalStorage

SAMPLE_BYTES = 1024
"""Bytes compared at the beginning and at the end of the decoded part, to recognise the file."""

EVIDENCE_BYTES = 11
"""Bytes after damage that show, with its last byte, that no record header begins there (12 bytes). If they change, the
file has to be decoded again."""

REREAD_BYTES = 4 << 20
"""Up to this size, a file with a new modification time and the same size is decoded again at once; above it, later."""

MAX_OPEN = 32
"""Files that a prefetching thread has open at once."""

MIN_REQUEST_BYTES = 64 << 10
"""Least bytes of a read where each read is a request, so that a small file or a small addition needs only one."""


class Visit(NamedTuple):
    """Result of a visit: whether more can be read now, points changed, series changed, or the file is gone."""

    more: bool = False
    changed: bool = False
    structure: bool = False
    gone: bool = False


class TailedFile:
    """The file at `path`; `file` is what readers see. Not thread-safe.

    `touched`: the file was written to, but its size, first and last bytes are the same. What lies between may have
    changed, which only decoding it again shows.
    """

    __slots__ = (
        "_current",
        "_prefetched",
        "_replacement",
        "file",
        "identity",
        "path",
        "series",
        "storage",
        "touched",
        "visits",
    )

    def __init__(self, storage: Storage, info: ObjectInfo) -> None:
        self.storage = storage
        self.path = info.path
        self._current = _DecodedFile(new_decoder())
        self._replacement: _DecodedFile | None = None
        self._prefetched: FileReadResult | None = None
        self.file = RunFile(storage.locate(info.path), self._current.decoder, _FileReader(self))
        self.file.size = info.size
        self.identity = info.identity
        self.series = 0
        self.visits = 0
        self.touched = False

    def __repr__(self) -> str:
        return f"TailedFile({self.path!r})"

    @property
    def remaining(self) -> int:
        """Bytes of the file, as last seen, that are not decoded yet."""
        return max(0, self.file.size - (self._replacement or self._current).decoder.offset)

    @property
    def skips_prefetch(self) -> bool:
        """Whether `prefetch` cannot help: the file was visited before, or is not local."""
        return self.visits > 0 or not self.storage.local

    @property
    def damaged(self) -> bool:
        """Whether damaged bytes were skipped."""
        return bool(self._current.decoder.damage())

    def differs(self, info: ObjectInfo) -> bool:
        """Whether the listed state differs from that of the last visit, or the file could not be read then."""
        return self._replacement is not None or self.file.state == "unreadable" or info != self._current.info

    def visit(self, limit: int, *, recheck: bool = False, redecode: bool = False) -> Visit:
        """Check the file and decode about `limit` new bytes.

        `recheck` compares damaged ranges even if the file looks unchanged. `redecode` decodes a `touched` file from
        its beginning.
        """
        self.visits += 1
        if self._prefetched is not None:
            read, self._prefetched = self._prefetched, None
            return self._use_prefetched(read)
        least = MIN_REQUEST_BYTES if self.storage.remote else 0
        try:
            with open_view(self.storage, self.path, min_bytes=least) as view:
                return self._read(view, limit, recheck, redecode)
        except GONE_ERRORS:
            return Visit(changed=True, structure=True, gone=True)
        except OSError as error:
            return self._fail(error)

    def _read(self, view: BytesView, limit: int, recheck: bool, redecode: bool) -> Visit:
        decoded = self._decoder_for(view, recheck, redecode)
        recovered = self.file.state == "unreadable"
        self.file.size, self.identity = view.info.size, view.info.identity
        before = decoded.decoder.offset
        consumed = decoded.advance(view, limit)
        more = consumed > 0 and before + consumed < view.info.size
        self.file.state = "reading" if more else "idle"
        self.file.message = ""
        if decoded is self._replacement:
            return self._swap() if not more else Visit(more=True, changed=recovered)
        structure = self._count_series()
        return Visit(more, consumed > 0 or recovered or structure, structure)

    def _use_prefetched(self, read: FileReadResult) -> Visit:
        """The first visit, of a file that was read together with others."""
        info = self._current.use_prefetched(self.path, read)
        self.file.size, self.identity = info.size, info.identity
        more = 0 < self._current.decoder.offset < info.size
        self.file.state = "reading" if more else "idle"
        return Visit(more, read[0] > 0, self._count_series())

    def _count_series(self) -> bool:
        """Whether the number of series changed."""
        before, self.series = self.series, self._current.decoder.series_count()
        return self.series != before

    def _decoder_for(self, view: BytesView, recheck: bool, redecode: bool) -> "_DecodedFile":
        """A decoder that can continue with the present file: the current one, its replacement, or a new one."""
        if self._replacement is not None and self._replacement.continues(view, recheck=False):
            self.touched = self._replacement.is_touched(view, self.touched)
            return self._replacement
        self._replacement = None
        if self._current.continues(view, recheck):
            self.touched = self._current.is_touched(view, self.touched)
            if not (redecode and self.touched):
                return self._current
        self.touched = False
        self._replacement = _DecodedFile(new_decoder())
        return self._replacement

    def _swap(self) -> Visit:
        assert self._replacement is not None
        self._current, self._replacement = self._replacement, None
        self.file.decoder = self._current.decoder
        self.series = self._current.decoder.series_count()
        return Visit(changed=True, structure=True)

    def _fail(self, error: OSError) -> Visit:
        message = error.strerror or str(error)
        changed = self.file.state != "unreadable" or self.file.message != message
        self.file.state, self.file.message = "unreadable", message
        return Visit(changed=changed)


class _FileReader:
    """Reads the bytes that a reference into the file points to."""

    __slots__ = ("_tailed",)

    def __init__(self, tailed: TailedFile) -> None:
        self._tailed = tailed

    def read(self, offset: int, length: int) -> bytes:
        """See series.run.FileReader."""
        tailed = self._tailed
        with open_view(tailed.storage, tailed.path) as view:
            if not tailed._current.is_prefix_of(view):
                raise FileNotFoundError(f"{tailed.file.path} was replaced by another file")
            return view.read_at(offset, length)


def prefetch(tailed_files: Sequence[TailedFile], limit: int) -> None:
    """Read for the first `visit` of many files in one call. Files that fail are left to their visit."""
    named = [(one, one.storage.full_path(one.path)) for one in tailed_files if isinstance(one.storage, LocalStorage)]
    _read_all(named, limit)
    others = [one for one in tailed_files if not isinstance(one.storage, LocalStorage)]
    for first in range(0, len(others), MAX_OPEN):
        opened: list[tuple[TailedFile, int]] = []
        try:
            for one in others[first : first + MAX_OPEN]:
                with suppress(OSError):
                    if (fd := one.storage.open_fd(one.path)) is not None:
                        opened.append((one, fd))
            _read_all(opened, limit)
        finally:
            for _, fd in opened:
                os.close(fd)


def _read_all(tailed_files: Sequence[tuple[TailedFile, str | int]], limit: int) -> None:
    items = [(source, one.file.decoder) for one, source in tailed_files]
    for (one, _), read in zip(tailed_files, read_files(items, limit, SAMPLE_BYTES), strict=True):
        one._prefetched = read


class _DecodedFile:
    """A decoder, and what is needed to verify that the file still begins with the bytes that it consumed."""

    __slots__ = ("_check", "_evidence", "_head", "_head_bytes", "_tail", "decoder", "info")

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder
        self.info: ObjectInfo | None = None
        self._check: DamageCheck | None = None
        self._head_bytes = 0
        self._head = 0
        self._tail = 0
        self._evidence: int | None = None

    def advance(self, view: BytesView, limit: int) -> int:
        """Decode about `limit` bytes and take samples. Returns the number of consumed bytes."""
        self.info = view.info
        consumed = view.advance(self.decoder, limit)
        if consumed:
            if self._head_bytes < SAMPLE_BYTES:
                self._head_bytes = min(SAMPLE_BYTES, self.decoder.offset)
                self._head = self._sample(view, 0, self._head_bytes)
            self._tail = self._sample_tail(view)
            self._evidence = self._sample(view, self.decoder.offset, EVIDENCE_BYTES) if self._ends_in_damage() else None
        return consumed

    def use_prefetched(self, path: str, read: FileReadResult) -> ObjectInfo:
        """Take over the result of a prefetch."""
        _, size, mtime_ns, device, inode, self._head, self._tail = read
        self.info = ObjectInfo(path, size, mtime_ns, identity_of(device, inode))
        self._head_bytes = min(SAMPLE_BYTES, self.decoder.offset)
        return self.info

    def is_prefix_of(self, view: BytesView) -> bool:
        """Whether the file still begins with the decoded bytes."""
        then, now = self.info, view.info
        if then is None:
            return False
        grown = not view.local and now.size > then.size
        return now.identity == then.identity or (grown and self._samples_match(view))

    def continues(self, view: BytesView, recheck: bool) -> bool:
        """Whether this decoder can continue with the present file."""
        then, now = self.info, view.info
        if then is None:
            return True
        if now == then:
            return not (recheck and self._healed(view))
        other = now.identity != then.identity
        if now.size < self.decoder.offset or (other and view.local):
            return False
        # Damage is detected from the bytes after it. Without them, the result may differ.
        if now.size < then.size and self.decoder.damage():
            return False
        # Written to without growing: bytes in the middle may have changed.
        if now.size == then.size and (other or now.size <= REREAD_BYTES):
            return False
        if self._ends_in_damage() and self._evidence != self._sample(view, self.decoder.offset, EVIDENCE_BYTES):
            return False
        return self._samples_match(view) and not self._healed(view)

    def is_touched(self, view: BytesView, before: bool) -> bool:
        """Whether bytes in the middle of the file may have changed. Growth resets this."""
        then, now = self.info, view.info
        if then is None or now.size != then.size:
            return False
        return before or now.mtime_ns != then.mtime_ns

    def _ends_in_damage(self) -> bool:
        """Whether the last decoded bytes are damage, which is detected from the bytes after them."""
        damage = self.decoder.damage()
        return bool(damage) and damage[-1][0] + damage[-1][1] == self.decoder.offset

    def _samples_match(self, view: BytesView) -> bool:
        return self._head == self._sample(view, 0, self._head_bytes) and self._tail == self._sample_tail(view)

    def _sample_tail(self, view: BytesView) -> int:
        start = max(0, self.decoder.offset - SAMPLE_BYTES)
        return self._sample(view, start, self.decoder.offset - start)

    @staticmethod
    def _sample(view: BytesView, offset: int, length: int) -> int:
        return crc32c(view.read_at(offset, length)) if length else 0

    def _healed(self, view: BytesView) -> bool:
        """Whether one of the damaged ranges that this check compares has changed."""
        damage = self.decoder.damage()
        if not damage:
            return False
        if self._check is None:
            self._check = DamageCheck()
        return self._check.finds_change(view, damage)
