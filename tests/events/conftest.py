"""Tests of event files run on the compiled and on the pure-Python decoder."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard import _native
from lightboard.events import pure_python
from lightboard.events.protocol import STATS, Stats


@pytest.fixture(params=["native", "python"])
def impl(request: pytest.FixtureRequest) -> SimpleNamespace:
    """One implementation: its `Decoder` and the functions of `events.decode`."""
    source: Any = pure_python
    if request.param == "native":
        source = _native.core
        if source is None:
            pytest.fail(f"the compiled core is missing, build it with scripts/build_native.sh ({_native.reason})")
    names = {name: getattr(source, name) for name in pure_python.__all__}

    def series_stats(parts: Any, purge: bool) -> Stats:
        return Stats._make(STATS.unpack(source.stats_many([parts], purge)))

    return SimpleNamespace(**names, series_stats=series_stats)


@pytest.fixture
def decode(impl: SimpleNamespace) -> Callable[..., Any]:
    """A function that feeds records to a new decoder."""

    def decode_records(*records: bytes) -> Any:
        decoder = impl.Decoder()
        decoder.feed(b"".join(records))
        return decoder

    return decode_records
