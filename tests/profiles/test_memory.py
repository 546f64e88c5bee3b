"""The memory of devices: in snapshots of PyTorch, profiles of JAX and traces of PyTorch."""

import gzip
import json
import pickle
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.memory import Block, Curve, Frame, MemoryProfile, holder_frame, thinned
from lightboard.profiles.memory_events import memory_of_host
from lightboard.profiles.pprof_memory import read_pprof
from lightboard.profiles.profile_file import read_trace_json
from lightboard.profiles.torch_memory import NO_EVENTS, NO_TIMES, read_snapshot
from lightboard.testing.event_files import bytes_field, varint_field
from support.examples import examples
from support.profiles import PROFILES, slice_event, trace

SNAPSHOT = PROFILES / "torch_snapshot" / "memory_snapshot.pickle"
TRAIN, MODEL = Frame("step", "train.py", 7), Frame("forward", "/x/site-packages/torch/nn/linear.py", 3)


def snapshot(data: bytes) -> MemoryProfile:
    """What a snapshot says."""
    return read_snapshot(lambda at, length: data[at : at + length], len(data))


def pprof(data: bytes) -> MemoryProfile:
    """What a profile says."""
    return read_pprof(lambda at, length: data[at : at + length], len(data))


def frames(*stack: Frame) -> list[dict[str, Any]]:
    """A stack as PyTorch writes it."""
    return [{"name": name, "filename": file, "line": line} for name, file, line in stack]


def event(action: str, addr: int, size: int, time_us: int, *stack: Frame, **more: Any) -> dict[str, Any]:
    """An event of a snapshot."""
    return {"action": action, "addr": addr, "size": size, "time_us": time_us, "frames": frames(*stack), **more}


def block(address: int, size: int, *stack: Frame, state: str = "active_allocated") -> dict[str, Any]:
    """A block of a snapshot."""
    facts = {"address": address, "size": size, "requested_size": size - 12, "state": state}
    return {**facts, "frames": frames(*stack)}


def made(events: list[dict[str, Any]], *blocks: dict[str, Any], total: int = 8192) -> MemoryProfile:
    """What a snapshot of one segment says."""
    segments = [{"device": 0, "address": 0, "total_size": total, "blocks": list(blocks)}]
    return snapshot(pickle.dumps({"segments": segments, "device_traces": [events]}))


def test_the_end_of_the_curve_is_what_the_allocator_says() -> None:
    written = pickle.loads(SNAPSHOT.read_bytes())
    (device,) = snapshot(SNAPSHOT.read_bytes()).devices
    sums = [sum(each[name] for each in written["segments"]) for name in ("allocated_size", "total_size")]

    assert [int(device.curve.allocated[-1]), int(device.curve.reserved[-1])] == sums
    assert [device.live_bytes, device.reserved_bytes] == sums


def test_the_holders_of_the_corpus_are_lines_of_its_program() -> None:
    (device,) = snapshot(SNAPSHOT.read_bytes()).devices

    assert (device.device, device.peak_bytes, device.peak_reserved_bytes, device.allocations) == (
        *("GPU:0", 129_017_344, 148_897_792, 69),
    )
    assert [(row.frame and row.frame.line, row.size_bytes, row.blocks) for row in device.holders] == [
        (None, 67_119_616, 8),
        (66, 36_700_672, 4),
        (69, 16_797_696, 8),
        (63, 8_398_848, 4),
        (68, 512, 1),
    ]


def test_the_peak_is_held_by_what_was_allocated_then() -> None:
    profile = made(
        [
            event("segment_alloc", 0, 8192, 10),
            event("alloc", 0, 1000, 20, MODEL, TRAIN),
            event("alloc", 1024, 2000, 30, TRAIN),
            event("free_requested", 1024, 2000, 40),
            event("free_completed", 1024, 2000, 41),
        ],
        block(0, 1024, MODEL, TRAIN),
        block(1024, 7168, state="inactive"),
    )
    (device,) = profile.devices

    assert device.curve.time_ns.tolist() == [10_000, 10_000, 20_000, 30_000, 40_000, 41_000]
    assert device.curve.allocated.tolist() == [0, 0, 1024, 3072, 1024, 1024]
    assert device.curve.reserved.tolist() == [0, *[8192] * 5]
    assert [(row.frame, row.size_bytes, row.blocks) for row in device.holders] == [(TRAIN, 3072, 2)]
    assert device.blocks == [
        Block(2048, 2000, 30_000, (TRAIN,)),
        Block(1024, 1000, 20_000, (MODEL, TRAIN)),
    ]
    assert (device.largest_free_bytes, profile.begin_ns) == (7168, 10_000)


def test_what_was_allocated_before_recording_is_counted() -> None:
    profile = made(
        [event("free_requested", 4096, 1024, 10), event("alloc", 1024, 512, 20, TRAIN)],
        block(0, 1024, MODEL),
        block(1024, 512, TRAIN),
    )
    (device,) = profile.devices

    assert device.curve.allocated.tolist() == [2048, 1024, 1536]
    assert [(each.size_bytes, each.since_ns, each.stack) for each in device.blocks] == [
        (1024, None, ()),
        (1024, None, (MODEL,)),
    ]


def test_without_events_the_peak_is_what_is_in_use() -> None:
    profile = made([], block(0, 1024, TRAIN), block(1024, 512, state="active_pending_free"))
    (device,) = profile.devices

    assert (device.peak_bytes, device.peak_ns, profile.problems) == (1024, None, [f"GPU:0: {NO_EVENTS}"])


def test_memory_that_runs_out_is_told() -> None:
    failed = event("oom", 0, 3_000_000, 2_000_000, device_free=1_000_000)

    assert made([event("alloc", 0, 512, 0), failed]).problems == [
        "GPU:0: out of memory after 2.000 s: 3.0 MB were requested, 1.0 MB were free"
    ]


def test_events_without_times_are_in_their_order() -> None:
    events = [{"action": "alloc", "addr": at, "size": 512, "frames": []} for at in (0, 512)]
    profile = made(events, block(0, 512), block(512, 512))

    assert profile.devices[0].curve.time_ns.tolist() == [0, 0, 1000]
    assert profile.problems == [f"GPU:0: {NO_TIMES}"]


def test_a_clock_that_goes_back_stands_still() -> None:
    profile = made([event("alloc", 0, 512, 50), event("alloc", 512, 512, 20), event("alloc", 1024, 512, 60)])

    assert profile.devices[0].curve.time_ns.tolist() == [50_000, 50_000, 50_000, 60_000]


def test_a_snapshot_that_is_cut_off_has_its_segments() -> None:
    data = SNAPSHOT.read_bytes()
    profile = snapshot(data[: data.index(b"device_traces")])

    assert [each.live_bytes for each in profile.devices] == [101_753_344]
    assert profile.problems == ["the file is cut off or damaged, and is read up to there"]


@pytest.mark.parametrize("value", [1, "text", {}, {"segments": 3}, {"a": []}])
def test_other_plain_data_is_no_snapshot(value: Any) -> None:
    with pytest.raises(Unshowable, match="it is no memory snapshot: it has no segments"):
        snapshot(pickle.dumps(value))


ANY = st.recursive(
    st.none()
    | st.integers()
    | st.text(max_size=3)
    | st.sampled_from(["alloc", "free_requested", "oom", "segment_map"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "segments",
                    "device_traces",
                    "device",
                    "blocks",
                    "size",
                    "state",
                    "frames",
                    "action",
                    "addr",
                    "time_us",
                ]
            ),
            inner,
        )
    ),
    max_leaves=30,
)


@given(
    st.fixed_dictionaries({"segments": st.lists(ANY, max_size=3), "device_traces": st.lists(st.lists(ANY, max_size=4))})
)
def test_any_plain_data_is_shown_or_refused(value: Any) -> None:
    with suppress(Unshowable):
        for device in snapshot(pickle.dumps(value)).devices:
            assert device.peak_bytes >= 0


def test_rows_that_are_repeated_are_limited() -> None:
    """A file of some kilobytes, of 16 million blocks."""
    blocks = [block(0, 512)] * 4000
    segments = [{"device": 0, "total_size": 512, "blocks": blocks}] * 4000

    assert snapshot(pickle.dumps({"segments": segments})).devices[0].live_bytes == 512


def test_the_holder_is_the_innermost_call_outside_of_the_framework() -> None:
    inner = Frame("at::empty")
    jax = Frame("bind", "/usr/lib/python3/dist-packages/jax/_src/core.py", 1)
    mine = Frame("run", "/home/me/torch/run.py", 2)

    stacks = [(inner, MODEL, TRAIN), (jax, mine, TRAIN), (inner, MODEL), ()]
    assert [holder_frame(stack) for stack in stacks] == [TRAIN, mine, inner, None]


def test_a_profile_of_jax_has_buffers_by_stack() -> None:
    profile = pprof((PROFILES / "jax_gpu" / "memory.prof").read_bytes())
    (device,) = profile.devices

    assert (device.device, device.live_bytes, device.peak_ns, profile.problems) == ("cuda:0", 4_456_448, None, [])
    assert [(row.frame and row.frame.line, row.size_bytes, row.blocks) for row in device.holders] == [
        (110, 2_359_296, 2),
        (102, 2_097_152, 1),
    ]
    assert {each.kind for each in device.blocks} == {"buffer"}


def test_a_profile_that_is_cut_off_has_what_came_before() -> None:
    data = gzip.decompress((PROFILES / "jax_gpu" / "memory.prof").read_bytes())
    profile = pprof(data[: data.index(b"kind")])

    assert [(each.device, each.live_bytes) for each in profile.devices] == [("host", 4_456_448)]
    assert profile.problems == ["the file is cut off or damaged, and is read up to there"]


@pytest.mark.parametrize("data", [b"", b"hello", gzip.compress(b"", mtime=0), varint_field(1, 3)])
def test_what_counts_no_bytes_is_no_profile_of_memory(data: bytes) -> None:
    with pytest.raises(Unshowable, match="it is no profile of memory: it does not count bytes"):
        pprof(data)


@examples(300)
@given(st.data())
def test_damaged_profiles_are_shown_or_refused(data: st.DataObject) -> None:
    damaged = bytearray(gzip.decompress((PROFILES / "jax_gpu" / "memory.prof").read_bytes()))
    for _ in range(data.draw(st.integers(1, 5))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    with suppress(Unshowable):
        pprof(bytes(damaged))


def test_values_that_are_not_packed_are_read() -> None:
    kind = bytes_field(1, varint_field(1, 1) + varint_field(2, 2))
    sample = bytes_field(2, varint_field(1, 1) + varint_field(2, 77))
    texts = b"".join(bytes_field(6, text) for text in (b"", b"inuse_space", b"bytes"))

    assert [each.live_bytes for each in pprof(kind + sample + texts).devices] == [77]


def allocation(time: float, change: int, total: int, addr: int = 1, **args: Any) -> dict[str, Any]:
    """An allocation in a trace."""
    facts = {"Bytes": change, "Total Allocated": total, "Total Reserved": 4096, "Addr": addr}
    return {
        "ph": "i",
        "s": "t",
        "name": "[memory]",
        "pid": 1,
        "tid": 2,
        "ts": time,
        "args": {**facts, "Device Type": 1, "Device Id": 0, **args},
    }


def memory_of(data: bytes) -> list[Any]:
    """The memory of each device in a trace."""
    host = read_trace_json(lambda at, length: data[at : at + length], len(data), ColumnFiles())
    return memory_of_host(host, lambda at, length: data[at : at + length], len(data))[0]


def test_allocations_of_a_trace_are_held_by_what_ran_around_them() -> None:
    (device,) = memory_of(
        trace(
            slice_event("train.py(3): step", 0, 100, cat="python_function"),
            slice_event("aten::mm", 10, 20, cat="cpu_op"),
            allocation(15, 100, 300),
            slice_event("aten::add", 40, 20, cat="cpu_op"),
            allocation(50, -100, 200),
            slice_event("aten::relu", 200, 20, cat="cpu_op"),
            allocation(210, 1000, 1200, addr=2),
            allocation(230, -1000, 200, addr=2),
        )
    )

    assert device.curve.allocated.tolist() == [300, 200, 1200, 200]
    assert device.curve.time_ns.tolist() == [15_000, 50_000, 210_000, 230_000]
    assert [(row.frame, row.size_bytes) for row in device.holders] == [(Frame("aten::relu"), 1000), (None, 200)]


def test_times_of_allocations_are_those_of_slices() -> None:
    data = trace(slice_event("a", 10, 20), allocation(15, 8, 8), baseTimeNanoseconds=7_000_000)
    host = read_trace_json(lambda at, length: data[at : at + length], len(data), ColumnFiles())

    assert memory_of(data)[0].peak_ns - int(host.slices.start_ns[0]) == 5000


def test_the_corpus_has_the_totals_of_the_writer() -> None:
    path = next((PROFILES / "torch_gpu").iterdir())
    written = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    totals = [
        each["args"]["Total Allocated"]
        for each in sorted(written, key=lambda each: float(each.get("ts", 0)))
        if each.get("name") == "[memory]" and each["args"]["Device Type"] == 1
    ]
    devices = memory_of(path.read_bytes())

    assert [each.device for each in devices] == ["GPU:0", "CPU"]
    assert devices[0].curve.allocated.tolist() == totals
    assert sum(row.size_bytes for row in devices[0].holders) == max(totals)


ARGS = st.sampled_from(["Bytes", "Total Allocated", "Addr", "Device Type", "Device Id"])
MEMBERS = {"ts": st.integers() | st.text(max_size=3), "args": ANY | st.dictionaries(ARGS, st.integers() | st.none())}


@given(st.lists(st.fixed_dictionaries(MEMBERS)))
def test_damaged_allocations_are_left_out(members: list[dict[str, Any]]) -> None:
    events = [{**allocation(1, 2, 3), **each} for each in members]

    for device in memory_of(trace(slice_event("a", 0, 1), *events)):
        assert len(device.curve.time_ns) <= len(events)


@examples(30)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=2000), st.integers(1, 50))
def test_a_thinned_curve_keeps_its_peaks(values: list[int], columns: int) -> None:
    column = np.array(values, np.int64)
    curve = thinned(Curve(np.arange(len(values), dtype=np.int64) * 3, column, column[::-1]), columns)

    assert len(curve.time_ns) <= max(4, 5) * columns
    assert (curve.allocated.max(), curve.allocated.min(), curve.reserved.max()) == (
        max(values),
        min(values),
        max(values),
    )
    assert (curve.allocated[0], curve.allocated[-1]) == (values[0], values[-1])
