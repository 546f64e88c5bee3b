"""What of a capture lies in a range of time, on all tracks or on some."""

from collections.abc import Collection, Generator

from lightboard.profiles.slice_sums import SliceSum, SliceSums
from lightboard.query.loaded_capture import LoadedCapture

TrackName = tuple[int, int]
"""A track, by the index of its host and its own."""


def read_range(
    loaded: LoadedCapture, begin_ns: int, end_ns: int, tracks: Collection[TrackName] | None
) -> Generator[None, None, list[SliceSum]]:
    """The slices in a range by name and category. None instead of tracks stands for all of them."""
    sums = SliceSums()
    for host, each in enumerate(loaded.hosts):
        yield None
        line = each.time_line
        rows = [row for row in line.rows if tracks is None or (host, row.track) in tracks]
        yield from sums.add(line, rows, begin_ns, end_ns)
    return sums.rows()
