"""The compiled core: reading in threads, and checks of its arguments."""

import math
import os
import pathlib
import subprocess
import sys
import threading
from types import ModuleType
from typing import Any

import pytest

from lightboard.events import decode
from lightboard.events.protocol import STATS
from lightboard.testing import event_files as files


def test_the_compiled_core_is_used(core: ModuleType) -> None:
    """Its decoders return the types of the protocol."""
    assert decode.NATIVE
    decoder = decode.new_decoder()
    assert isinstance(decoder, core.Decoder)
    decoder.feed(files.scalar_record("a", 1, 1.0))
    assert decoder.describe(0) == decode.SeriesInfo("a", "scalars", "scalar", b"", 1)
    assert isinstance(decoder.describe(0), decode.SeriesInfo)


def test_the_compiled_core_can_be_switched_off() -> None:
    """With LIGHTBOARD_NATIVE=0; the reason says so."""
    program = (
        "from lightboard import _native; from lightboard.events import decode; print(decode.NATIVE, _native.reason)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "LIGHTBOARD_NATIVE": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert completed.stdout == "False switched off by LIGHTBOARD_NATIVE=0\n"


def test_decoders_can_be_queried_while_reading(core: ModuleType, tmp_path: pathlib.Path) -> None:
    """Other threads always see a prefix of the file, with columns of equal length."""
    path = tmp_path / "events"
    count = 60_000
    path.write_bytes(b"".join(files.scalar_record("a", step, step / 2, float(step)) for step in range(count)))
    decoder = core.Decoder()
    reading = threading.Event()
    errors: list[str] = []

    def request() -> None:
        while not reading.is_set():
            if not decoder.series_count():
                continue
            stats = decode.Stats._make(STATS.unpack(core.stats_many([[(decoder, 0)]], True)))
            steps, walls, values, _ = core.series_points([(decoder, 0)], True)
            chart = core.series_chart([(decoder, 0)], True, 0, 0, -math.inf, math.inf, 100, 0.6, True)
            sizes = {len(steps), len(walls), len(values)}
            if len(sizes) != 1 or stats.last_step != stats.held - 1 or len(chart) % 8:
                errors.append(f"{sizes} {stats}")

    requesters = [threading.Thread(target=request) for _ in range(3)]
    for requester in requesters:
        requester.start()
    fd = os.open(path, os.O_RDONLY)
    try:
        while decoder.read(fd, 10_000):
            pass
    finally:
        os.close(fd)
        reading.set()
        for requester in requesters:
            requester.join()
    assert errors == []
    assert decoder.points == count


def test_parts_are_kept_alive(core: ModuleType) -> None:
    """A call holds references to its decoders."""
    parts = [(core.Decoder(), -1) for _ in range(100)]
    assert core.series_points((part for part in parts), True) == (b"", b"", b"", b"")
    assert core.series_points([(core.Decoder(), -1)], True) == (b"", b"", b"", b"")


@pytest.mark.parametrize(
    "parts",
    [None, 5, [None], [()], [(1, 2)], [("decoder", 0)], [[1, 2, 3]], "ab"],
)
def test_invalid_parts_raise_type_error(core: ModuleType, parts: Any) -> None:
    """And never crash."""
    with pytest.raises(TypeError):
        core.series_points(parts, True)


@pytest.mark.parametrize("ask", [(-1, 0, 1), (0, -1, 1), (0, 0, -1)])
def test_negative_ranges_raise_value_error(core: ModuleType, ask: tuple[int, int, int]) -> None:
    """They do not count from the end."""
    with pytest.raises(ValueError, match="not be negative"):
        core.part_points([(core.Decoder(), -1)], *ask)


def test_invalid_arguments_raise(core: ModuleType) -> None:
    """TypeError, ValueError or IndexError, and never a crash."""
    decoder = core.Decoder()
    with pytest.raises(TypeError):
        core.Decoder(1)
    with pytest.raises(TypeError):
        decoder.feed("text")
    with pytest.raises(TypeError):
        decoder.read("fd", 1)
    with pytest.raises(TypeError):
        decoder.lengths(5)
    with pytest.raises(TypeError):
        core.chart_many([5], True, 0, 0.0, 1.0, 10, 0.0, False)
    with pytest.raises(TypeError):
        core.chart_many([([], "run")], True, 0, 0.0, 1.0, 10, 0.0, False)
    with pytest.raises(ValueError, match="float64"):
        core.smooth(b"1234567", 0.5)
    with pytest.raises(IndexError):
        core.series_points([(decoder, -2)], True)


def test_decoders_accept_any_buffer(core: ModuleType) -> None:
    """bytes, bytearray and memoryview."""
    data = files.scalar_record("a", 1, 1.0)
    for kind in (bytes, bytearray, memoryview):
        decoder = core.Decoder()
        assert decoder.feed(kind(data)) == len(data)
