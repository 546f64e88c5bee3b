"""Captures in a source that holds back what is read after some time, until a test lets it go."""

import threading

from lightboard.storage.memory import MemoryStorage
from lightboard.testing.event_files import bytes_field
from support.profiles import slice_event, trace, x_event, x_line, x_names, x_space

SLICES = 100


def long_trace(slices: int = SLICES, piece: int = 32 << 10) -> bytes:
    """A trace of so many slices, each of which takes so many bytes."""
    return trace(*(slice_event(f"op{at % 7}", at * 10, 5, args={"text": "x" * piece}) for at in range(slices)))


def long_xplane(lines: int = 40, events: int = 4000) -> bytes:
    """An xplane with several tracks of about 60 KB each."""
    names = x_names(4, {1: "one", 2: "two"})
    tracks = (
        x_line(*(x_event(1 + at % 2, at * 10_000_000, 5_000_000) for at in range(events)), id=line)
        for line in range(lines)
    )
    return x_space(bytes_field(2, b"/host:CPU") + b"".join(tracks) + names)


class HeldBack:
    """Lets through so many `reads`, and the others once `gate` is set."""

    def __init__(self, storage: MemoryStorage, reads: int) -> None:
        self.storage = storage
        self.gate = threading.Event()
        self._left = reads
        storage.before_read = self._wait

    def _wait(self, path: str, offset: int) -> None:
        self._left -= 1
        if self._left < 0:
            self.gate.wait()


def end_readings() -> None:
    """Wait until no capture is read any more."""
    for thread in threading.enumerate():
        if thread.name == "lightboard-capture":
            thread.join()
