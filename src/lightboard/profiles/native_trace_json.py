"""Reads traces as JSON with the compiled core: the same captures as those of `trace_json`, in a twentieth of the time.

Decompression is that of the standard library, which releases the GIL as the decoder does. Categories are told from
names by the expressions of `categories`, once for each name.
"""

from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import capture as limits
from lightboard.profiles import text_stream
from lightboard.profiles.capture import HostCapture, Points, Process, Slices, StepMarker, Track, loss_problems
from lightboard.profiles.categories import TORCH
from lightboard.profiles.text_stream import raw_pieces, unzipped
from lightboard.profiles.trace_json import no_trace, text_problems, trace_category, writer_problems

KINDS = list(TORCH)
"""The categories of writers that have a meaning."""

NO_KIND, HLO, OTHER_KIND, FIRST_KIND = range(4)
"""What the decoder says of a slice: it has no category, or is an operation of XLA without one; another one; the others
are those of `KINDS`."""

ROWS_AT_ONCE = 1 << 20


def read_trace_json(core: Any, read: ReadRange, size: int) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none."""
    problems = list[str]()
    decoder, total = new_decoder(core), 0
    for piece in unzipped(raw_pieces(read, size), problems):
        total += len(piece)
        if decoder.feed(piece) or total > text_stream.MAX_TEXT_BYTES:
            break
    decoder.finish()
    found, cut_off, malformed, unfinished, skipped, left_out, rank, host = decoder.facts()
    if not found:
        raise no_trace()
    names = decoder.names()
    slice_columns, instants, counters, flow_begins, flow_ends = decoder.columns()
    slices = slices_of(slice_columns, names)
    problems += text_problems(cut_off, malformed, unfinished) + loss_problems(skipped, left_out)
    problems += writer_problems(len(slices))
    return HostCapture(
        host=host,
        rank=None if rank < 0 else rank,
        processes=list(starmap(Process, decoder.processes())),
        tracks=list(starmap(Track, decoder.tracks())),
        names=names,
        slices=slices,
        instants=points_of(instants),
        counters=points_of(counters),
        flow_begins=points_of(flow_begins),
        flow_ends=points_of(flow_ends),
        steps=list(starmap(StepMarker, decoder.steps())),
        problems=problems,
    )


def new_decoder(core: Any) -> Any:
    """A decoder with the limits of the implementation in Python."""
    return core.JsonCaptureDecoder(
        slices=limits.MAX_SLICES,
        tracks=limits.MAX_TRACKS,
        names=limits.MAX_NAMES,
        flows=limits.MAX_FLOWS,
        name_chars=limits.MAX_NAME_CHARS,
        longest_ns=limits.LONGEST_NS,
        epoch_ns=limits.EPOCH_LIMIT_NS,
        other_name=limits.OTHER,
        value_bytes=text_stream.MAX_VALUE_CHARS,
        categories=KINDS,
    )


def column(memory: Any, dtype: Any) -> NDArray[Any]:
    """A column of the core, without copying it."""
    return np.frombuffer(memory, dtype) if len(memoryview(memory)) else np.empty(0, dtype)


def slices_of(columns: tuple[Any, ...], names: list[str]) -> Slices:
    """The columns of slices, with categories in the place of what the decoder says of them."""
    track, start_ns, duration_ns, name, kind, args = columns
    slices = Slices(
        *(column(track, np.int32), column(start_ns, np.int64), column(duration_ns, np.int64), column(name, np.int32)),
        *(column(kind, np.int8), column(args, np.int64)),
    )
    set_categories(slices, names)
    return slices


def set_categories(slices: Slices, names: list[str]) -> None:
    """Replace kinds by categories."""
    kinds = FIRST_KIND + len(KINDS)
    rows = [slice(begin, begin + ROWS_AT_ONCE) for begin in range(0, len(slices), ROWS_AT_ONCE)]
    is_used = np.zeros(kinds * len(names), bool)
    for part in rows:
        is_used[slices.name[part].astype(np.int64) * kinds + slices.category[part]] = True
    categories = np.zeros(len(is_used), np.int8)
    for key in np.flatnonzero(is_used).tolist():
        name, kind = divmod(key, kinds)
        text = KINDS[kind - FIRST_KIND] if kind >= FIRST_KIND else "?" if kind == OTHER_KIND else ""
        categories[key] = trace_category(text, names[name], is_hlo=kind == HLO)
    for part in rows:
        slices.category[part] = categories[slices.name[part].astype(np.int64) * kinds + slices.category[part]]


def points_of(columns: tuple[Any, ...]) -> Points:
    """The columns of points."""
    track, time_ns, name, value = columns
    return Points(column(track, np.int32), column(time_ns, np.int64), column(name, np.int32), column(value, np.float64))
