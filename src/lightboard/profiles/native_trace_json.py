"""Reads traces as JSON with the compiled core: the same captures as those of `trace_json`, in a twentieth of the time.

Decompression is that of the standard library, which releases the GIL as the decoder does. Categories are told from
names by the expressions of `categories`, once for each name.
"""

from dataclasses import replace
from typing import Any

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import text_stream
from lightboard.profiles.capture import HostCapture, loss_problems
from lightboard.profiles.categories import TORCH, set_categories
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.devices import set_launches
from lightboard.profiles.native_columns import host_capture
from lightboard.profiles.text_stream import raw_pieces, unzipped
from lightboard.profiles.trace_json import no_trace, text_problems, trace_category, writer_problems

KINDS = list(TORCH)
"""The categories of writers that have a meaning."""

NO_KIND, HLO, OTHER_KIND, FIRST_KIND = range(4)
"""What the decoder says of a slice: it has no category, or is an operation of XLA without one; another one; the others
are those of `KINDS`."""


def read_trace_json(core: Any, read: ReadRange, size: int, files: ColumnFiles | None = None) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none."""
    problems = list[str]()
    files = files or ColumnFiles()
    decoder = core.JsonCaptureDecoder(files.native_limits(), value_bytes=text_stream.MAX_VALUE_CHARS, categories=KINDS)
    total = 0
    for piece in unzipped(raw_pieces(read, size), problems):
        total += len(piece)
        if decoder.feed(piece) or total > text_stream.MAX_TEXT_BYTES:
            break
    decoder.finish()
    found, cut_off, malformed, unfinished, skipped, left_out, has_other_names, rank, host = decoder.facts()
    if not found:
        raise no_trace()
    columns = decoder.columns()
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
    problems += text_problems(cut_off, malformed, unfinished)
    problems += loss_problems(skipped, left_out, has_other_names=has_other_names)
    problems += writer_problems(len(slices))
    return replace(capture, rank=None if rank < 0 else rank, problems=problems)


def kind_category(name: str, kind: int) -> int:
    """The category of a slice, by what the decoder says of it."""
    text = KINDS[kind - FIRST_KIND] if kind >= FIRST_KIND else "?" if kind == OTHER_KIND else ""
    return trace_category(text, name, is_hlo=kind == HLO)
