"""Captures as files for other viewers, piece by piece: Chrome's trace format, which Perfetto opens, and speedscope's.

Of speedscope's format, only what its schema says is used: shared frames by index, and for each track the events that
open and close frames, in the order of time and nested.
"""

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np

from lightboard.profiles.capture import CATEGORIES, HostCapture
from lightboard.profiles.devices import host_label
from lightboard.profiles.nesting import order_of

ExportFormat = Literal["perfetto", "speedscope"]

EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

SPEEDSCOPE_SCHEMA = "https://www.speedscope.app/file-format-schema.json"

PIECE_ROWS = 10_000
"""Slices that make one piece of a file."""


def export(captures: list[HostCapture], name: str, format_: ExportFormat) -> Iterator[str]:
    """The pieces of a file."""
    return perfetto_pieces(captures) if format_ == "perfetto" else speedscope_pieces(captures, name)


def begin_of(captures: list[HostCapture]) -> int:
    """When the first slice begins: times are from there, since viewers keep them as 64-bit floating-point numbers."""
    return min((int(host.slices.start_ns.min()) for host in captures if len(host.slices)), default=0)


def text(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def perfetto_pieces(captures: list[HostCapture]) -> Iterator[str]:
    """Chrome's trace format. Each process of each host is one, since hosts use the same numbers."""
    begin = begin_of(captures)
    yield f'{{"displayTimeUnit":"ns","baseTimeNanoseconds":{begin},"traceEvents":[\n'
    separator, first_process = "", 1
    for host in captures:
        label = host_label(host.host, host.rank)
        lines = list(map(text, metadata_events(host, label, first_process)))
        if lines:
            yield separator + ",\n".join(lines)
            separator = ",\n"
        steps = dict(host.steps)
        for at in range(0, len(host.slices), PIECE_ROWS):
            yield separator + ",\n".join(map(text, slice_events(host, steps, first_process, begin, at)))
            separator = ",\n"
        first_process += len(host.processes)
    yield "\n]}\n"


def metadata_events(host: HostCapture, label: str, first_process: int) -> Iterator[dict[str, Any]]:
    """The names of processes and tracks."""
    for at, process in enumerate(host.processes):
        name = f"{label} {process.name or process.id}".strip()
        yield {"ph": "M", "name": "process_name", "pid": first_process + at, "args": {"name": name}}
    for at, track in enumerate(host.tracks):
        pid = first_process + track.process
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": at + 1, "args": {"name": track.name or track.id}}


def slice_events(
    host: HostCapture, steps: dict[int, int], first_process: int, begin: int, at: int
) -> Iterator[dict[str, Any]]:
    """The slices from this one on that make one piece. `steps` are the numbers of those that are steps."""
    slices, rows = host.slices, slice(at, at + PIECE_ROWS)
    columns = (slices.track, slices.start_ns, slices.duration_ns, slices.name, slices.category)
    for index, (track, start, duration, name, category) in enumerate(
        zip(*(column[rows].tolist() for column in columns), strict=True), at
    ):
        event = {
            "ph": "X",
            "name": host.names[name],
            "cat": CATEGORIES[category],
            "pid": first_process + host.tracks[track].process,
            "tid": track + 1,
            "ts": (start - begin) / 1000,
            "dur": duration / 1000,
        }
        yield {**event, "args": {"step_num": steps[index]}} if index in steps else event


def speedscope_pieces(captures: list[HostCapture], name: str) -> Iterator[str]:
    """Speedscope's evented format: a profile for each track with slices."""
    begin = begin_of(captures)
    yield f'{{"$schema":{text(SPEEDSCOPE_SCHEMA)},"name":{text(name)},"exporter":"lightboard","shared":{{"frames":['
    separator, first_frames, frames = "", list[int](), 0
    for host in captures:
        first_frames.append(frames)
        for at in range(0, len(host.names), PIECE_ROWS):
            yield separator + ",".join(text({"name": each}) for each in host.names[at : at + PIECE_ROWS])
            separator = ","
        frames += len(host.names)
    yield ']},"profiles":[\n'
    separator = ""
    for host, first_frame in zip(captures, first_frames, strict=True):
        for track in np.unique(host.slices.track).tolist():
            yield separator
            yield from track_pieces(host, track, first_frame, begin)
            separator = ",\n"
    yield "\n]}\n"


def track_pieces(host: HostCapture, track: int, first_frame: int, begin: int) -> Iterator[str]:
    """A profile. Slices that overlap without nesting are cut at the end of the one in which they began."""
    slices = host.slices
    rows = np.flatnonzero(slices.track == track).astype(np.int64)
    rows = rows[order_of(slices, rows)]
    starts, ends = slices.start_ns[rows], slices.start_ns[rows] + slices.duration_ns[rows]
    process = host.processes[host.tracks[track].process]
    names = (
        host_label(host.host, host.rank),
        process.name or process.id,
        host.tracks[track].name or host.tracks[track].id,
    )
    name = " · ".join(filter(None, names))
    head: dict[str, Any] = {"type": "evented", "name": name, "unit": "nanoseconds"}
    head |= {"startValue": int(starts.min()) - begin, "endValue": int(ends.max()) - begin}
    yield f'{text(head)[:-1]},"events":['
    separator = ""
    for events in nested_events(starts - begin, ends - begin, slices.name[rows] + first_frame):
        yield separator + ",".join(events)
        separator = ","
    yield "]}"


def nested_events(starts: Any, ends: Any, frames: Any) -> Iterator[list[str]]:
    """The events of slices that are in the order of `order_of`, many at a time."""
    open_, events = list[tuple[int, int]](), list[str]()
    for start, end, frame in zip(starts.tolist(), ends.tolist(), frames.tolist(), strict=True):
        while open_ and open_[-1][0] <= start:
            closed_at, closed = open_.pop()
            events.append(f'{{"type":"C","frame":{closed},"at":{closed_at}}}')
        if open_:
            end = min(end, open_[-1][0])
        events.append(f'{{"type":"O","frame":{frame},"at":{start}}}')
        open_.append((end, frame))
        if len(events) >= PIECE_ROWS:
            yield events
            events = []
    while open_:
        closed_at, closed = open_.pop()
        events.append(f'{{"type":"C","frame":{closed},"at":{closed_at}}}')
    yield events
