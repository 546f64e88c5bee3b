"""What only the compiled core has: threads that read while others ask, and an interface that cannot be misused."""

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


def test_the_house_uses_it(core: ModuleType) -> None:
    """`events.decode` hands out its decoders, which describe series in the words of the protocol."""
    assert decode.NATIVE
    decoder = decode.new_decoder()
    assert isinstance(decoder, core.Decoder)
    decoder.feed(files.scalar_record("a", 1, 1.0))
    assert decoder.describe(0) == decode.SeriesInfo("a", "scalars", "scalar", b"", 1)
    assert isinstance(decoder.describe(0), decode.SeriesInfo)


def test_it_can_be_switched_off() -> None:
    """LIGHTBOARD_NATIVE=0 leaves the pure-Python implementation in charge, and says so."""
    program = (
        "from lightboard import _native; from lightboard.events import decode; print(decode.NATIVE, _native.reason)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "LIGHTBOARD_NATIVE": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False switched off by LIGHTBOARD_NATIVE=0\n"


def test_asking_while_reading(core: ModuleType, tmp_path: pathlib.Path) -> None:
    """While one thread reads, others always see a prefix of the file, of all columns alike."""
    path = tmp_path / "events"
    count = 60_000
    path.write_bytes(b"".join(files.scalar_record("a", step, step / 2, float(step)) for step in range(count)))
    decoder = core.Decoder()
    reading = threading.Event()
    wrong: list[str] = []

    def ask() -> None:
        while not reading.is_set():
            if not decoder.series_count():
                continue
            stats = decode.Stats._make(STATS.unpack(core.stats_many([[(decoder, 0)]], True)))
            steps, walls, values, _ = core.series_points([(decoder, 0)], True)
            chart = core.series_chart([(decoder, 0)], True, 0, 0, -math.inf, math.inf, 100, 0.6, True)
            sizes = {len(steps), len(walls), len(values)}
            if len(sizes) != 1 or stats.last_step != stats.held - 1 or len(chart) % 8:
                wrong.append(f"{sizes} {stats}")

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    fd = os.open(path, os.O_RDONLY)
    try:
        while decoder.read(fd, 10_000):
            pass
    finally:
        os.close(fd)
        reading.set()
        for asker in askers:
            asker.join()
    assert wrong == []
    assert decoder.points == count


def test_parts_are_kept_alive(core: ModuleType) -> None:
    """A decoder that nobody else holds lasts as long as the question about it."""
    parts = [(core.Decoder(), -1) for _ in range(100)]
    assert core.series_points((part for part in parts), True) == (b"", b"", b"", b"")
    assert core.series_points([(core.Decoder(), -1)], True) == (b"", b"", b"", b"")


@pytest.mark.parametrize(
    "parts",
    [None, 5, [None], [()], [(1, 2)], [("decoder", 0)], [[1, 2, 3]], "ab"],
)
def test_parts_that_are_none(core: ModuleType, parts: Any) -> None:
    """TypeError, never a crash."""
    with pytest.raises(TypeError):
        core.series_points(parts, True)


@pytest.mark.parametrize("ask", [(-1, 0, 1), (0, -1, 1), (0, 0, -1)])
def test_stretches_count_from_0(core: ModuleType, ask: tuple[int, int, int]) -> None:
    """ValueError, never rows from the other end."""
    with pytest.raises(ValueError, match="from 0"):
        core.part_points([(core.Decoder(), -1)], *ask)


def test_arguments_that_make_no_sense(core: ModuleType) -> None:
    """TypeError or ValueError, never a crash."""
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


def test_feeding_any_kind_of_buffer(core: ModuleType) -> None:
    """bytes, bytearray and memoryview alike."""
    data = files.scalar_record("a", 1, 1.0)
    for kind in (bytes, bytearray, memoryview):
        decoder = core.Decoder()
        assert decoder.feed(kind(data)) == len(data)
