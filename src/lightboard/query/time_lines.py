"""What of a capture is seen in a window: tracks, and marks of their slices."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import Process, Row
from lightboard.profiles.devices import device_of_tracks, is_stream
from lightboard.profiles.time_line import Marks
from lightboard.profiles.track_order import ReadTrack, reading_order
from lightboard.query.loaded_capture import LoadedCapture, LoadedHost
from lightboard.query.slice_search import wanted_names
from lightboard.query.time_ranges import TrackName

MAX_MARKS = 60_000
"""Marks of an answer, which are 4 MB of JSON. If there are more, pixels are taken for wider than they are."""

MAX_COUNTERS = 50
"""Counters of an answer."""


class TrackInfo(NamedTuple):
    """See `schema.time_lines.ProfileTrack`."""

    host: int
    track_index: int
    process_index: int
    process: str
    name: str
    depth: int
    slices: int
    instants: int


class CounterInfo(NamedTuple):
    """See `schema.time_lines.ProfileCounter`."""

    host: int
    process_index: int
    process: str
    name: str
    low: float
    high: float


class InstantColumns(NamedTuple):
    """See `schema.time_lines.TimeLineInstants`."""

    track: list[int]
    time_ns: list[int]
    name: list[int]
    count: list[int]  # type: ignore[assignment]  # a method of tuples, which nobody needs here


class SampleColumns(NamedTuple):
    """See `schema.time_lines.TimeLineSamples`."""

    counter: list[int]
    time_ns: list[int]
    low: list[float]
    high: list[float]
    value: list[float]


class MarkColumns(NamedTuple):
    """See `schema.time_lines.TimeLineMarks`; times in nanoseconds since the epoch."""

    track: NDArray[np.int64]
    depth: NDArray[np.int64]
    start_ns: NDArray[np.int64]
    duration_ns: NDArray[np.int64]
    name: NDArray[np.int64]
    category: NDArray[np.int64]
    count: NDArray[np.int64]  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    busy_ns: NDArray[np.int64]
    slice: NDArray[np.int64]
    found: NDArray[np.int64]


class Window(NamedTuple):
    """What is seen."""

    total: int
    pixel_ns: int
    tracks: list[TrackInfo]
    names: list[str]
    marks: MarkColumns
    instants: InstantColumns
    counters: list[CounterInfo]
    samples: SampleColumns


def read_window(
    loaded: LoadedCapture, begin_ns: int, end_ns: int, width: int, start: int, limit: int, search: str = ""
) -> Generator[None, None, Window]:
    """What is seen from `begin_ns` to `end_ns` of `limit` tracks. Yields to other work between tracks.

    Marks say how many of their slices have all words of `search` in their names, if it has words.
    Tracks are in `reading_order`.
    """
    shown, rows = list[ReadTrack](), list[dict[int, list[Row]]]()
    for host, each in enumerate(loaded.hosts):
        yield None
        rows.append(track_rows(each))
        shown += read_tracks(each, host, rows[host])
    tracks = [(each.host, each.track, rows[each.host][each.track]) for each in reading_order(shown)]
    chosen = tracks[start : start + limit]
    pixel_ns = max(1, -(-(end_ns - begin_ns) // width))
    wanted = [wanted_names(each.host.names, search) if search.split() else None for each in loaded.hosts]
    while True:
        found = list[tuple[int, Row, Marks]]()
        for number, (host, _, row_list) in enumerate(chosen):
            yield None
            line, is_wanted = loaded.hosts[host].time_line, wanted[host]
            found += [(number, row, line.marks(row, begin_ns, end_ns, pixel_ns, is_wanted)) for row in row_list]
        if sum(len(marks.slice) for _, _, marks in found) <= MAX_MARKS or pixel_ns > end_ns - begin_ns:
            break
        pixel_ns *= 2
    yield None
    infos = [track_info(loaded.hosts[host], host, track, rows) for host, track, rows in chosen]
    hosts = [host for host, _, _ in chosen]
    names = dict[str, int]()
    columns = mark_columns(loaded, hosts, names, found)
    yield None
    instants = read_instants(loaded, [(host, track) for host, track, _ in chosen], names, begin_ns, end_ns, pixel_ns)
    yield None
    counters, samples = read_counters(loaded, set(hosts), begin_ns, end_ns, pixel_ns)
    return Window(len(tracks), pixel_ns, infos, list(names), columns, instants, counters, samples)


def track_rows(loaded: LoadedHost) -> dict[int, list[Row]]:
    """The rows of each track that has any, or has instants in a process that has slices.

    PyTorch has instants about itself in processes of their own.
    """
    rows, tracks = dict[int, list[Row]](), loaded.host.tracks
    for row in loaded.time_line.rows:
        rows.setdefault(row.track, []).append(row)
    processes = {tracks[track].process for track in rows}
    for track in loaded.time_line.points.tracks():
        if tracks[track].process in processes:
            rows.setdefault(track, [])
    return rows


def read_tracks(loaded: LoadedHost, host: int, rows: dict[int, list[Row]]) -> list[ReadTrack]:
    """What the order of the tracks of a host depends on."""
    capture, line = loaded.host, loaded.time_line
    marked = np.array([marker.slice for marker in capture.steps], np.int64)
    stepping = set(capture.take(capture.slices.track, marked).tolist())
    devices = device_of_tracks(capture)

    def read(track: int) -> ReadTrack:
        each, outer = capture.tracks[track], rows[track][:1]
        return ReadTrack(
            *(host, each.process, track, each.name or each.id, bool(devices[track]), track in stepping),
            has_slices=bool(outer),
            busy_ns=sum(line.busy_ns(row) for row in outer),
        )

    return [read(track) for track in rows]


def read_instants(
    loaded: LoadedCapture, tracks: list[TrackName], names: dict[str, int], begin_ns: int, end_ns: int, pixel_ns: int
) -> InstantColumns:
    """The instants of tracks, with names of those of the window."""
    columns = InstantColumns([], [], [], [])
    for number, (host, track) in enumerate(tracks):
        each = loaded.hosts[host]
        seen = each.time_line.points.seen_instants(track, begin_ns, end_ns, pixel_ns)
        columns.track.extend([number] * len(seen.time_ns))
        columns.time_ns.extend(seen.time_ns.tolist())
        columns.name.extend(names.setdefault(each.host.names[name], len(names)) for name in seen.name.tolist())
        columns.count.extend(seen.count.tolist())
    return columns


def read_counters(
    loaded: LoadedCapture, hosts: set[int], begin_ns: int, end_ns: int, pixel_ns: int
) -> tuple[list[CounterInfo], SampleColumns]:
    """The counters of hosts, at most `MAX_COUNTERS`, and their samples."""
    counters, columns = list[CounterInfo](), SampleColumns([], [], [], [], [])
    for number in sorted(hosts):
        host, points = loaded.hosts[number].host, loaded.hosts[number].time_line.points
        for each in points.counters[: MAX_COUNTERS - len(counters)]:
            process = host.processes[each.process]
            seen = points.seen_samples(each, begin_ns, end_ns, pixel_ns)
            columns.counter.extend([len(counters)] * len(seen.time_ns))
            columns.time_ns.extend(seen.time_ns.tolist())
            for column, part in ((columns.low, seen.low), (columns.high, seen.high), (columns.value, seen.value)):
                column.extend(part.tolist())
            label = process_name(process, is_device=False)
            counters.append(CounterInfo(number, each.process, label, host.names[each.name], each.low, each.high))
    return counters, columns


def process_name(process: Process, *, is_device: bool) -> str:
    """What a process is called. PyTorch calls devices as the program, by their number."""
    name = process.name or process.id
    return f"{name} · GPU {process.id}" if is_device else name


def track_info(loaded: LoadedHost, host: int, index: int, rows: list[Row]) -> TrackInfo:
    """A track with these rows."""
    track = loaded.host.tracks[index]
    process = loaded.host.processes[track.process]
    name = process_name(process, is_device=is_stream(process.id, track.name))
    instants = loaded.time_line.points.instants.track
    first, last = np.searchsorted(instants, [index, index + 1]).tolist()
    return TrackInfo(
        *(host, index, track.process, name, track.name or track.id),
        *(rows[-1].depth + 1 if rows else 0, sum(row.end - row.begin for row in rows), last - first),
    )


def mark_columns(
    loaded: LoadedCapture, hosts: list[int], names: dict[str, int], found: list[tuple[int, Row, Marks]]
) -> MarkColumns:
    """The columns of the marks of all rows, with names that are added to those of the window."""
    name, category = list[NDArray[np.int64]](), list[NDArray[np.int64]]()
    for number, _, marks in found:
        host = loaded.hosts[hosts[number]].host
        own, inverse = np.unique(host.take(host.slices.name, marks.slice), return_inverse=True)
        ids = np.array([names.setdefault(host.names[at], len(names)) for at in own.tolist()], np.int64)
        name.append(ids[inverse.reshape(-1)])
        category.append(host.take(host.slices.category, marks.slice).astype(np.int64))
    lengths = [len(marks.slice) for _, _, marks in found]
    return MarkColumns(
        np.repeat(np.array([number for number, _, _ in found], np.int64), lengths),
        np.repeat(np.array([row.depth for _, row, _ in found], np.int64), lengths),
        joined([marks.start_ns for _, _, marks in found]),
        joined([marks.duration_ns for _, _, marks in found]),
        joined(name),
        joined(category),
        joined([marks.count for _, _, marks in found]),
        joined([marks.busy_ns for _, _, marks in found]),
        joined([marks.slice for _, _, marks in found]),
        joined([marks.found for _, _, marks in found]),
    )


def joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """One column."""
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
