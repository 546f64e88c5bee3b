"""Finds the slices whose names have some words: how many there are, and the next one in time."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import HostCapture
from lightboard.query.loaded_capture import LoadedCapture

CHECKED_NAMES = 10_000
"""Names that are searched between two checks for cancellation."""

Place = tuple[int, int, int]
"""Where a slice is in the order of all: its beginning, the index of its host, and its own."""


class FoundSlice(NamedTuple):
    """A slice that was found: it is the one with index `index` of `total` in the order of time."""

    total: int
    index: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    host: int
    slice: int


def wanted_names(names: list[str], search: str) -> NDArray[np.bool_]:
    """Which names have all words of `search`, whatever their case. None has no words."""
    words = search.casefold().split()
    result = np.zeros(len(names), bool)
    if not words:
        return result
    for begin in range(0, len(names), CHECKED_NAMES):
        cancellation.check()
        part = [text.casefold() for text in names[begin : begin + CHECKED_NAMES]]
        result[begin : begin + len(part)] = [all(word in text for word in words) for text in part]
    return result


def find_slice(
    loaded: LoadedCapture, search: str, place: Place, *, backward: bool
) -> Generator[None, None, FoundSlice | None]:
    """The nearest slice behind a place, or before it. Behind the last one is the first one."""
    hosts = list[tuple[int, HostCapture, NDArray[np.int64]]]()
    for number, each in enumerate(loaded.hosts):
        yield None
        is_wanted = wanted_names(each.host.names, search)
        found = np.flatnonzero(is_wanted[each.host.slices.name])
        hosts.append((number, each.host, found))
    yield None
    places = [ends_of(*each, place, backward=backward) for each in hosts]
    near = [inside for inside, _ in places if inside] or [outside for _, outside in places if outside]
    if not near:
        return None
    nearest = max(near) if backward else min(near)
    yield None
    before = sum(int(np.count_nonzero(is_before(*each, nearest))) for each in hosts)
    return FoundSlice(sum(len(found) for _, _, found in hosts), before, nearest[1], nearest[2])


def ends_of(
    number: int, host: HostCapture, found: NDArray[np.int64], place: Place, *, backward: bool
) -> tuple[Place | None, Place | None]:
    """The nearest of the found slices of a host beyond a place, and that beyond the end of all."""
    earlier = is_before(number, host, found, place)
    if backward:
        beyond = earlier
    else:
        is_place = (host.slices.start_ns[found] == place[0]) & (number == place[1]) & (found == place[2])
        beyond = ~(earlier | is_place)
    return first_of(number, host, found[beyond], last=backward), first_of(number, host, found, last=backward)


def first_of(number: int, host: HostCapture, found: NDArray[np.int64], *, last: bool) -> Place | None:
    """The first of the found slices of a host in the order of all, or the last one."""
    if not len(found):
        return None
    starts = host.slices.start_ns[found]
    start = starts.max() if last else starts.min()
    same = found[starts == start]
    return int(start), number, int(same[-1] if last else same[0])


def is_before(number: int, host: HostCapture, found: NDArray[np.int64], place: Place) -> NDArray[np.bool_]:
    """Which of the found slices of a host are before a place."""
    starts = host.slices.start_ns[found]
    earlier: NDArray[np.bool_] = starts < place[0]
    same: NDArray[np.bool_] = starts == place[0]
    if number > place[1]:
        return earlier
    if number == place[1]:
        same &= found < place[2]
    earlier |= same
    return earlier
