"""Every promise about the event format is tested on both decoders: the compiled core and its slow twin."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard import _native
from lightboard.events import charts, reference, smoothing
from lightboard.events.crc32c import crc32c
from lightboard.events.protocol import Stats


def _functions(decoder: Any, source: Any, smooth: Any, crc: Any) -> SimpleNamespace:
    def series_stats(parts: Any, purge: bool) -> Stats:
        return Stats(*source.series_stats(parts, purge))

    return SimpleNamespace(
        Decoder=decoder,
        series_stats=series_stats,
        series_points=source.series_points,
        series_chart=source.series_chart,
        chart_many=source.chart_many,
        references=source.references,
        smooth=smooth,
        crc32c=crc,
    )


@pytest.fixture(params=["native", "twin"])
def impl(request: pytest.FixtureRequest) -> SimpleNamespace:
    """One implementation: its `Decoder` and the functions of `events.decode`."""
    if request.param == "twin":
        return _functions(reference.Decoder, charts, smoothing.smooth, crc32c)
    core = _native.core
    if core is None:
        pytest.fail(f"the compiled core is missing, build it with scripts/build_native.sh ({_native.reason})")
    return _functions(core.Decoder, core, core.smooth, core.crc32c)


@pytest.fixture
def decoded(impl: SimpleNamespace) -> Callable[..., Any]:
    """A function that feeds records to a new decoder."""

    def decode(*records: bytes) -> Any:
        decoder = impl.Decoder()
        decoder.feed(b"".join(records))
        return decoder

    return decode
