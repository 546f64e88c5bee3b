"""In which order a person reads the tracks of a time line."""

import re
from collections.abc import Iterable
from typing import NamedTuple

NUMBER = re.compile(r"\d+")

MAX_DIGITS = 18
"""Numbers of streams are told apart by so many digits."""


class ReadTrack(NamedTuple):
    """A track that is shown. `host` and `process` are indexes, and `track` is one among those of its host.

    `has_slices` says whether anything ran on it, and `busy_ns` for how long; others have instants alone.
    """

    host: int
    process: int
    track: int
    name: str
    is_device: bool
    has_steps: bool
    has_slices: bool
    busy_ns: int


ProcessKey = tuple[int, int]


def reading_order(tracks: Iterable[ReadTrack]) -> list[ReadTrack]:
    """Devices that something ran on, of all hosts; then processes with steps; then the others, the busiest first.

    Tracks of a process stay together: on devices streams by their numbers, elsewhere the track with steps and then
    threads by how long they are busy. Devices first, since a slow step is told by where they are idle, and hosts have
    hundreds of threads.
    """
    inside = dict[ProcessKey, list[ReadTrack]]()
    for track in tracks:
        inside.setdefault((track.host, track.process), []).append(track)
    processes = sorted(inside.values(), key=_process_place)
    return [track for members in processes for track in sorted(members, key=_track_place)]


def _process_place(members: list[ReadTrack]) -> tuple[int, int, int, int]:
    host, process = members[0][:2]
    if any(track.is_device and track.has_slices for track in members):
        return 0, host, 0, process
    is_marked = any(track.has_steps for track in members)
    return 1 if is_marked else 2, host, -max(track.busy_ns for track in members), process


def _track_place(track: ReadTrack) -> tuple[int, int, int, int]:
    number = NUMBER.search(track.name) if track.is_device else None
    stream = int(number[0][:MAX_DIGITS]) if number else -1
    return int(not track.has_steps), stream, -track.busy_ns, track.track
