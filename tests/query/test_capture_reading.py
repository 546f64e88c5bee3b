"""Captures that are seen while they are read."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lightboard.cancellation import finish
from lightboard.errors import Unshowable
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.profile_file import read_profile
from lightboard.profiles.text_stream import CHUNK_BYTES
from lightboard.query import capture_progress, capture_reading
from lightboard.query.capture_files import find_captures
from lightboard.query.capture_index import CaptureIndex
from lightboard.query.capture_listing import CaptureListing
from lightboard.query.capture_store import CaptureStore
from lightboard.query.loaded_capture import LoadedCapture
from lightboard.storage.memory import MemoryStorage
from lightboard.testing.fakes import FakeClock
from support.profiles import capture_content, rows, slice_event, trace
from support.slow_captures import HeldBack, end_readings, long_trace, long_xplane

TRACE = long_trace()
NAME = "host.trace.json"

XPLANE_READS = 16
"""What describes events is behind them, so that the file is read once as far as that."""


class Slow:
    """A capture of which only the first `reads` are let through, and a store over it."""

    def __init__(self, files: dict[str, bytes], *, reads: int = 2, index: CaptureIndex | None = None) -> None:
        self.clock = FakeClock()
        self.source = HeldBack(MemoryStorage({f"a/{name}": data for name, data in files.items()}), reads)
        captures = list(find_captures(self.source.storage))
        (self.capture,) = captures
        self.store = CaptureStore(CaptureListing(tuple, lambda: captures), index, clock=lambda: self.clock.now)

    def so_far(self) -> LoadedCapture:
        """What there is."""
        return finish(self.store.load_so_far(self.capture))

    def whole(self) -> LoadedCapture:
        """All of it, once everything is let through."""
        self.source.gate.set()
        return finish(self.store.load(self.capture))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever has been read is handed out."""
    monkeypatch.setattr(capture_progress, "FIRST_SLICES", 1)


@pytest.fixture
def make() -> Iterator[Callable[..., Slow]]:
    """Makes slow captures, whose reading ends with the test."""
    made = list[Slow]()

    def make(files: dict[str, bytes], **more: Any) -> Slow:
        made.append(Slow(files, **more))
        return made[-1]

    yield make
    for each in made:
        each.source.gate.set()
    end_readings()


@pytest.fixture
def slow(make: Callable[..., Slow]) -> Slow:
    """A trace of 3 MiB."""
    return make({NAME: TRACE})


def contents(loaded: LoadedCapture) -> list[object]:
    """All that is known of its hosts."""
    return [capture_content(host) for host in loaded.captures]


def test_a_part_of_a_trace_is_there_before_its_last_byte_is_read(slow: Slow) -> None:
    found = slow.so_far()

    assert not slow.source.gate.is_set()
    assert found.loaded == CHUNK_BYTES / len(TRACE)
    assert rows(found.captures[0]) == rows(slow.whole().captures[0])[:31]


def test_a_part_of_an_xplane_is_there_before_its_last_byte_is_read(make: Callable[..., Slow]) -> None:
    data = long_xplane()
    slow = make({"host.xplane.pb": data}, reads=XPLANE_READS)
    found = slow.so_far()

    assert not slow.source.gate.is_set()
    assert 0 < found.loaded < 1
    seen, whole = rows(found.captures[0]), rows(slow.whole().captures[0])
    assert seen == whole[: len(seen)]
    assert 0 < len(seen) < len(whole)


def test_the_share_of_an_xplane_is_where_its_last_event_begins(make: Callable[..., Slow]) -> None:
    data = long_xplane()
    slow = make({"host.xplane.pb": data}, reads=XPLANE_READS)
    found = slow.so_far()
    share = len(found.captures[0].slices) / len(slow.whole().captures[0].slices)

    assert found.loaded == pytest.approx(share, abs=0.02)


def test_what_is_read_while_parts_are_seen_is_the_same_as_otherwise(slow: Slow, make: Callable[..., Slow]) -> None:
    slow.so_far()

    other = make({NAME: TRACE})
    assert contents(slow.whole()) == contents(other.whole())


def test_all_is_1(slow: Slow) -> None:
    assert slow.whole().loaded == 1


def test_once_all_is_read_nobody_gets_a_part(slow: Slow) -> None:
    slow.so_far()
    whole = slow.whole()

    assert slow.so_far() is whole


def test_those_who_ask_at_the_same_time_wait_for_the_same_reading(slow: Slow) -> None:
    slow.so_far()
    slow.whole()

    offsets = [offset for _, offset, _ in slow.source.storage.reads]
    assert offsets == sorted(set(offsets))


def test_a_request_that_ends_before_there_is_a_part_ends_the_reading(make: Callable[..., Slow]) -> None:
    slow = make({NAME: TRACE}, reads=0)
    request = slow.store.load_so_far(slow.capture)
    next(request)
    request.close()
    slow.source.gate.set()
    end_readings()

    assert slow.source.storage.reads == [(f"a/{NAME}", 0, CHUNK_BYTES)]


def test_a_request_for_all_that_ends_ends_the_reading(make: Callable[..., Slow]) -> None:
    slow = make({NAME: TRACE}, reads=0)
    request = slow.store.load(slow.capture)
    next(request)
    next(request)
    request.close()
    slow.source.gate.set()
    end_readings()

    assert slow.source.storage.reads == [(f"a/{NAME}", 0, CHUNK_BYTES)]


def test_a_reading_that_was_ended_begins_again(make: Callable[..., Slow]) -> None:
    slow = make({NAME: TRACE}, reads=0)
    request = slow.store.load_so_far(slow.capture)
    next(request)
    request.close()

    assert len(slow.whole().captures[0].slices) == 100


def test_reading_goes_on_after_a_part_was_given(slow: Slow) -> None:
    slow.so_far()
    slow.source.gate.set()
    end_readings()

    assert slow.source.storage.reads[-1][1] >= len(TRACE) - CHUNK_BYTES


def test_reading_ends_if_nobody_asks_again(slow: Slow) -> None:
    slow.so_far()
    slow.clock.advance(capture_reading.KEPT_SECS)
    slow.source.gate.set()
    end_readings()

    assert slow.source.storage.reads[-1][1] < 3 * CHUNK_BYTES


def test_damage_behind_a_part_does_not_change_it(slow: Slow, make: Callable[..., Slow]) -> None:
    at = 2 * CHUNK_BYTES + 1000
    damaged = make({NAME: TRACE[:at] + TRACE[at:].replace(b'{"ph"', b"{]ph'", 1)})
    assert rows(damaged.so_far().captures[0]) == rows(slow.so_far().captures[0])
    assert damaged.whole().problems == [f"{NAME}: 1 places are no valid JSON, and are skipped"]


def test_a_file_that_vanishes_is_an_error_after_a_part(slow: Slow) -> None:
    slow.so_far()
    slow.source.storage.remove(f"a/{NAME}")

    with pytest.raises(Unshowable) as raised:
        slow.whole()
    assert raised.value.message == f"{NAME} cannot be read: No such file"


def test_no_part_is_put_into_the_index(tmp_path: Path, make: Callable[..., Slow]) -> None:
    index = CaptureIndex(str(tmp_path), min_file_bytes=0)
    slow = make({NAME: TRACE}, index=index)
    slow.so_far()
    assert list(tmp_path.iterdir()) == []

    whole = slow.whole()
    file = slow.capture.files[0]
    found = index.load(slow.source.storage, file.info)
    assert found is not None
    assert rows(found) == rows(whole.captures[0])


def test_of_several_files_the_first_is_seen_while_the_second_is_read(make: Callable[..., Slow]) -> None:
    small = trace(slice_event("first", 0, 1), distributedInfo={"rank": 1})
    files = {"b.1795776000000000000.pt.trace.json": small, "c.1795776000000000000.pt.trace.json": TRACE}
    slow = make(files, reads=1)
    found = slow.so_far()

    assert [rows(host) for host in found.captures] == [[("first", 0, 1000)]]
    assert found.loaded == len(small) / (len(small) + len(TRACE))
    assert [len(host.slices) for host in slow.whole().captures] == [100, 1]


def test_a_part_that_is_not_asked_for_is_not_made(slow: Slow) -> None:
    request = slow.store.load(slow.capture)
    next(request)
    next(request)
    slow.source.gate.set()
    whole = finish(request)

    assert whole.loaded == 1


class Full:
    """Somebody for whose copies there is no space."""

    def __init__(self) -> None:
        self.asked = 0

    def is_due(self, slices: int) -> bool:
        return slices > 0

    def take(self, host: HostCapture, part: float) -> None:
        self.asked += 1
        raise OSError(errno.ENOSPC, "No space left on device", f"{host.host} {part}")


@pytest.mark.parametrize(("name", "data"), [(NAME, TRACE), ("host.xplane.pb", long_xplane())])
def test_a_full_disk_ends_no_reading(name: str, data: bytes) -> None:
    def read(offset: int, length: int) -> bytes:
        return data[offset : offset + length]

    full = Full()
    found = read_profile(name, read, len(data), prefix=full)

    assert full.asked > 1
    assert capture_content(found) == capture_content(read_profile(name, read, len(data)))
