"""Captures of profilers: those in tests/data/profiles, and such as no profiler writes."""

import gzip
import json
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from lightboard import _native
from lightboard.cancellation import finish
from lightboard.profiles.call_tree import MAX_NODES, CallTree, call_tree
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.profile_file import read_profile
from lightboard.profiles.time_line import TimeLine
from lightboard.profiles.trace_json import read_trace_json
from lightboard.profiles.xplane import read_xplane
from lightboard.testing.event_files import bytes_field, varint_field

PROFILES = Path(__file__).parent.parent / "data" / "profiles"
"""Captures by the profilers that people use."""

TORCH = PROFILES / "torch" / "trainer.1795776000000000000.pt.trace.json.gz"
SESSION = Path("plugins", "profile", "2026_11_27_10_00_00")


def xplane_of(framework: str) -> Path:
    """The xplane of a framework."""
    return PROFILES / framework / ("train" if framework == "keras" else "") / SESSION / "trainer.xplane.pb"


def read_path(path: Path) -> HostCapture:
    """The capture in a file."""
    data = path.read_bytes()
    return read_profile(path.name, lambda offset, length: data[offset : offset + length], len(data))


def read_trace(data: bytes) -> HostCapture:
    """The capture in a trace as JSON."""
    return read_trace_json(lambda offset, length: data[offset : offset + length], len(data))


def read_space(data: bytes) -> HostCapture:
    """The capture in an XSpace."""
    return read_xplane(lambda offset, length: data[offset : offset + length], len(data))


def torch_events() -> list[dict[str, Any]]:
    """The events of the capture of PyTorch as they are in the file."""
    events: list[dict[str, Any]] = json.loads(gzip.decompress(TORCH.read_bytes()))["traceEvents"]
    return events


def trace(*events: dict[str, Any], **members: Any) -> bytes:
    """A trace of these events."""
    return json.dumps({**members, "traceEvents": events}).encode()


def slice_event(name: str, begin: float, duration: float, **members: Any) -> dict[str, Any]:
    """A slice of a trace, in microseconds."""
    return {"ph": "X", "name": name, "pid": 1, "tid": 2, "ts": begin, "dur": duration, **members}


def tree_of(*captures: HostCapture, max_nodes: int = MAX_NODES) -> CallTree:
    """The tree of captures."""
    return finish(call_tree([(capture, TimeLine(capture)) for capture in captures], max_nodes))


def rows(capture: HostCapture) -> list[tuple[str, int, int]]:
    """The names and times of slices."""
    slices = capture.slices
    return [
        (capture.names[name], start, duration)
        for name, start, duration in zip(
            slices.name.tolist(), slices.start_ns.tolist(), slices.duration_ns.tolist(), strict=True
        )
    ]


def core_module() -> ModuleType:
    """The compiled core, which developers must have."""
    if _native.core is None:
        pytest.fail(f"the compiled core is missing, build it with scripts/build_native.sh ({_native.reason})")
    return _native.core


def small_files() -> ColumnFiles:
    """Files for columns of more than a few numbers."""
    return ColumnFiles(tempfile.gettempdir(), kept_bytes=256)


def capture_content(capture: HostCapture) -> dict[str, Any]:
    """All that a capture says, comparable."""
    facts = dict[str, Any]()
    for key, value in vars(capture).items():
        columns = {f"{key}.{each}": getattr(value, each) for each in getattr(value, "__slots__", ())} or {key: value}
        for name, column in columns.items():
            facts[name] = (column.dtype.str, column.tolist()) if isinstance(column, np.ndarray) else column
    return facts


def x_event(metadata: int, offset_ps: int, duration_ps: int, *stats: tuple[int, int]) -> bytes:
    """The field of a line with an XEvent."""
    encoded = b"".join(bytes_field(4, varint_field(1, key) + varint_field(4, value)) for key, value in stats)
    fields = varint_field(1, metadata) + varint_field(2, offset_ps) + varint_field(3, duration_ps)
    return bytes_field(4, fields + encoded)


def x_line(*events: bytes, id: int = 1, start_ns: int = 0, name: str = "python") -> bytes:
    """The field of a plane with an XLine."""
    return bytes_field(
        3, varint_field(1, id) + bytes_field(2, name.encode()) + varint_field(3, start_ns) + b"".join(events)
    )


def x_names(field: int, names: dict[int, str]) -> bytes:
    """The fields of a plane with names of events (4) or stats (5)."""
    return b"".join(
        bytes_field(field, varint_field(1, key) + bytes_field(2, varint_field(1, key) + bytes_field(2, name.encode())))
        for key, name in names.items()
    )


def x_space(*planes: bytes) -> bytes:
    """An XSpace of planes."""
    return b"".join(bytes_field(1, plane) for plane in planes)
