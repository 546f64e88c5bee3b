"""The steps of a capture: what programs have marked as such."""

from typing import NamedTuple

from lightboard.profiles.capture import HostCapture


class Step(NamedTuple):
    """A step of a host: its number, the name of its marker, and its time."""

    host: str
    rank: int | None
    name: str
    step: int
    start_ns: int
    duration_ns: int


def steps_of(capture: HostCapture) -> list[Step]:
    """The steps in the order of time. Markers within other ones of the same track are none."""
    slices, kept, ends = capture.slices, list[Step](), dict[int, int]()
    markers = sorted(
        (int(slices.track[at]), int(slices.start_ns[at]), -int(slices.duration_ns[at]), at, step)
        for at, step in capture.steps
    )
    for track, start, negative_duration, at, step in markers:
        if start < ends.get(track, start):
            continue
        ends[track] = start - negative_duration
        name = capture.names[int(slices.name[at])]
        kept.append(Step(capture.host, capture.rank, name, step, start, -negative_duration))
    return sorted(kept, key=lambda each: (each.start_ns, each.step))
