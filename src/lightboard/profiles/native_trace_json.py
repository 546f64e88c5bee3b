"""Reads traces as JSON with the compiled core: the same captures as those of `trace_json`, in a twentieth of the time.

Decompression is that of the standard library, which releases the GIL as the decoder does. Categories are told from
names by the expressions of `categories`, once for each name.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import text_stream
from lightboard.profiles.capture import HostCapture, loss_problems
from lightboard.profiles.categories import TORCH, set_categories
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.devices import set_launches
from lightboard.profiles.native_columns import host_capture, in_rows
from lightboard.profiles.prefix import PrefixTaker, hand_out, is_prefix_due
from lightboard.profiles.text_stream import raw_pieces, unzipped
from lightboard.profiles.trace_json import no_trace, text_problems, trace_category, writer_problems

KINDS = list(TORCH)
"""The categories of writers that have a meaning."""

NO_KIND, HLO, OTHER_KIND, FIRST_KIND = range(4)
"""What the decoder says of a slice: it has no category, or is an operation of XLA without one; another one; the others
are those of `KINDS`."""


def read_trace_json(
    core: Any, read: ReadRange, size: int, files: ColumnFiles | None = None, prefix: PrefixTaker | None = None
) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none. `prefix` gets what is read so far."""
    problems = list[str]()
    files = files or ColumnFiles()
    decoder = core.JsonCaptureDecoder(files.native_limits(), value_bytes=text_stream.MAX_VALUE_CHARS, categories=KINDS)
    total, raw = 0, CountedPieces(raw_pieces(read, size))
    for piece in unzipped(raw, problems):
        total += len(piece)
        if decoder.feed(piece) or total > text_stream.MAX_TEXT_BYTES:
            break
        if prefix and raw.read < size and is_prefix_due(prefix, decoder.slices(), in_memory=not files.folder):
            hand_out(prefix, lambda: prefix_capture(decoder, files), raw.read / size)
    decoder.finish()
    found, cut_off, malformed, unfinished, skipped, left_out, has_other_names, *_ = decoder.facts()
    if not found:
        raise no_trace()
    capture = with_categories(decoder, decoder.columns(), files)
    problems += text_problems(cut_off, malformed, unfinished)
    problems += loss_problems(skipped, left_out, has_other_names=has_other_names)
    problems += writer_problems(len(capture.slices))
    return replace(capture, problems=problems)


class CountedPieces(Iterator[bytes]):
    """The pieces of a file, of which so many bytes have been `read`."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self.read = 0

    def __next__(self) -> bytes:
        """The next piece."""
        piece = next(self._pieces)
        self.read += len(piece)
        return piece


def with_categories(decoder: Any, columns: Any, files: ColumnFiles) -> HostCapture:
    """What has been decoded, without problems; `columns` are those of the decoder, and in `files`."""
    *_, rank, host = decoder.facts()
    capture = host_capture(
        *(decoder.names(), decoder.processes(), decoder.tracks(), decoder.steps(), columns, files), host=host
    )
    slices, names = capture.slices, capture.names
    kinds = FIRST_KIND + len(KINDS)
    set_categories(
        *(slices, len(names), kinds, slices.category.__getitem__),
        lambda name, kind: kind_category(names[name], kind),
        files.let_go,
    )
    set_launches(capture, files.let_go)
    return replace(capture, rank=None if rank < 0 else rank)


def prefix_capture(decoder: Any, files: ColumnFiles) -> HostCapture:
    """What has been decoded so far, in files of its own."""
    own = files.beside()
    return in_rows(with_categories(decoder, decoder.copied_columns(), own), own)


def kind_category(name: str, kind: int) -> int:
    """The category of a slice, by what the decoder says of it."""
    text = KINDS[kind - FIRST_KIND] if kind >= FIRST_KIND else "?" if kind == OTHER_KIND else ""
    return trace_category(text, name, is_hlo=kind == HLO)
