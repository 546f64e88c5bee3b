"""What of a capture is seen in a window: tracks, and marks of their slices."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import Row
from lightboard.profiles.time_line import Marks
from lightboard.query.capture_store import LoadedCapture, LoadedHost

MAX_MARKS = 60_000
"""Marks of an answer, which are 4 MB of JSON. If there are more, pixels are taken for wider than they are."""


class TrackInfo(NamedTuple):
    """See `schema.profiles.ProfileTrack`."""

    host: int
    process: str
    name: str
    depth: int
    slices: int


class Window(NamedTuple):
    """What is seen. Columns are those of `schema.profiles.TimeLineMarks`, times in nanoseconds since the epoch."""

    total: int
    pixel_ns: int
    tracks: list[TrackInfo]
    names: list[str]
    track: NDArray[np.int64]
    depth: NDArray[np.int64]
    start_ns: NDArray[np.int64]
    duration_ns: NDArray[np.int64]
    name: NDArray[np.int64]
    category: NDArray[np.int64]
    count: NDArray[np.int64]  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    busy_ns: NDArray[np.int64]
    slice: NDArray[np.int64]


def read_window(
    loaded: LoadedCapture, begin_ns: int, end_ns: int, width: int, start: int, limit: int
) -> Generator[None, None, Window]:
    """What is seen from `begin_ns` to `end_ns` of `limit` tracks. Yields to other work between tracks.

    Of each host, tracks with steps come first, then those of the file in its order.
    """
    tracks = list[tuple[int, list[Row]]]()
    for host, each in enumerate(loaded.hosts):
        yield None
        rows = dict[int, list[Row]]()
        for row in each.time_line.rows:
            rows.setdefault(row.track, []).append(row)
        stepping = {int(each.host.slices.track[marker.slice]) for marker in each.host.steps}
        tracks += [(host, rows[track]) for track in sorted(rows, key=lambda track: (track not in stepping, track))]
    chosen = tracks[start : start + limit]
    pixel_ns = max(1, -(-(end_ns - begin_ns) // width))
    while True:
        found = list[tuple[int, Row, Marks]]()
        for number, (host, row_list) in enumerate(chosen):
            yield None
            line = loaded.hosts[host].time_line
            found += [(number, row, line.marks(row, begin_ns, end_ns, pixel_ns)) for row in row_list]
        if sum(len(marks.slice) for _, _, marks in found) <= MAX_MARKS or pixel_ns > end_ns - begin_ns:
            break
        pixel_ns *= 2
    yield None
    infos = [track_info(loaded.hosts[host], host, rows) for host, rows in chosen]
    return window_of(loaded, [host for host, _ in chosen], len(tracks), pixel_ns, infos, found)


def track_info(loaded: LoadedHost, host: int, rows: list[Row]) -> TrackInfo:
    """A track with these rows."""
    track = loaded.host.tracks[rows[0].track]
    process = loaded.host.processes[track.process]
    slices = sum(row.end - row.begin for row in rows)
    return TrackInfo(host, process.name or process.id, track.name or track.id, rows[-1].depth + 1, slices)


def window_of(
    loaded: LoadedCapture,
    hosts: list[int],
    total: int,
    pixel_ns: int,
    infos: list[TrackInfo],
    found: list[tuple[int, Row, Marks]],
) -> Window:
    """The columns of all rows, with names of their own."""
    names = dict[str, int]()
    name, category = list[NDArray[np.int64]](), list[NDArray[np.int64]]()
    for number, _, marks in found:
        host = loaded.hosts[hosts[number]].host
        own, inverse = np.unique(host.slices.name[marks.slice], return_inverse=True)
        ids = np.array([names.setdefault(host.names[at], len(names)) for at in own.tolist()], np.int64)
        name.append(ids[inverse.reshape(-1)])
        category.append(host.slices.category[marks.slice].astype(np.int64))
    lengths = [len(marks.slice) for _, _, marks in found]
    columns = (
        np.repeat(np.array([number for number, _, _ in found], np.int64), lengths),
        np.repeat(np.array([row.depth for _, row, _ in found], np.int64), lengths),
        joined([marks.start_ns for _, _, marks in found]),
        joined([marks.duration_ns for _, _, marks in found]),
        joined(name),
        joined(category),
        joined([marks.count for _, _, marks in found]),
        joined([marks.busy_ns for _, _, marks in found]),
        joined([marks.slice for _, _, marks in found]),
    )
    return Window(total, pixel_ns, infos, list(names), *columns)


def joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """One column."""
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
