"""Traces as JSON that are legal and rare, or damaged."""

import gzip
import json
from typing import Any

import pytest

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.profiles.operators import operators_of
from lightboard.profiles.steps import steps_of
from lightboard.profiles.text_stream import raw_pieces, unzipped
from support.profiles import PROFILES, read_path, read_trace, rows, slice_event, trace

A = slice_event("a", 1, 2)
CUT = "the file is cut off, and is read up to there"


def test_a_list_without_an_end_is_a_trace() -> None:
    capture = read_trace(b"[\n" + json.dumps(A).encode() + b",\n")

    assert (rows(capture), capture.problems) == ([("a", 1000, 2000)], [CUT])


def test_members_may_follow_the_events() -> None:
    data = json.dumps({"traceEvents": [A], "baseTimeNanoseconds": 10**18, "distributedInfo": {"rank": 3}}).encode()
    capture = read_trace(data)

    assert (rows(capture), capture.rank) == ([("a", 10**18 + 1000, 2000)], 3)


def test_control_characters_in_strings_are_kept() -> None:
    data = trace(A, slice_event("b", 5, 1)).replace(b'"a"', b'"a\n\x01\t"')

    assert rows(read_trace(data)) == [("a\n\x01\t", 1000, 2000), ("b", 5000, 1000)]


@pytest.mark.parametrize("escaped", [True, False])
def test_names_are_of_any_script(escaped: bool) -> None:
    data = json.dumps([slice_event("шаг 步 é", 1, 2)], ensure_ascii=escaped).encode()

    assert rows(read_trace(data)) == [("шаг 步 é", 1000, 2000)]


@pytest.mark.parametrize("escaped", ["a\\ud800b", "a\\udfffb"])
def test_half_of_a_surrogate_pair_is_a_replacement_character(escaped: str) -> None:
    data = trace(slice_event("NAME", 1, 2)).replace(b"NAME", escaped.encode())

    assert rows(read_trace(data)) == [("a\ufffdb", 1000, 2000)]


def test_bytes_that_are_no_text_harm_only_a_name() -> None:
    data = trace(slice_event("NAME", 1, 2), A).replace(b"NAME", b"\xff\xfe")

    assert [row[1:] for row in rows(read_trace(data))] == [(1000, 2000), (1000, 2000)]


@pytest.mark.parametrize("times", [1, 2])
def test_a_trace_may_be_compressed_more_than_once(times: int) -> None:
    data = trace(A)
    for _ in range(times):
        data = gzip.compress(data)

    assert rows(read_trace(data)) == [("a", 1000, 2000)]


def test_decompression_ends_when_it_is_cancelled() -> None:
    """Also if the few bytes that stand for all the rest have been read before."""
    data = gzip.compress(gzip.compress(trace(slice_event("a" * (16 << 20), 1, 2))))
    token = cancellation.CancelToken()

    def read(offset: int, length: int) -> bytes:
        token.cancel()
        return data[offset : offset + length]

    held = cancellation.current.set(token)
    try:
        with pytest.raises(cancellation.Cancelled):
            list(unzipped(raw_pieces(read, len(data)), []))
    finally:
        cancellation.current.reset(held)


def test_a_compressed_trace_that_is_cut_off_is_read_up_to_there() -> None:
    events = [slice_event(f"event {at * 7919 % 1000}", at, 1) for at in range(1000)]
    data = gzip.compress(trace(*events))
    capture = read_trace(data[: len(data) // 2])

    assert capture.problems == ["the compressed file is cut off", CUT]
    assert 100 < len(capture.slices) < 1000
    assert rows(capture) == rows(read_trace(trace(*events)))[: len(capture.slices)]


def test_damage_is_skipped_up_to_the_next_event() -> None:
    data = trace(A, slice_event("DAMAGE", 2, 2), slice_event("b", 3, 4)).replace(b'"DAMAGE"', b'"x" oops')
    capture = read_trace(data)

    assert (rows(capture), capture.problems) == (
        [("a", 1000, 2000), ("b", 3000, 4000)],
        ["1 places are no valid JSON, and are skipped"],
    )


def test_processes_may_have_names_instead_of_numbers() -> None:
    named = {"ph": "M", "name": "process_name", "pid": "Spans", "args": {"name": "Profiler"}}
    capture = read_trace(trace(named, A | {"pid": "Spans", "tid": "main"}))

    assert [(capture.processes[track.process].name, track.id) for track in capture.tracks] == [("Profiler", "main")]


def test_begins_and_ends_make_slices() -> None:
    events: list[dict[str, Any]] = [
        {"ph": phase, "name": name, "pid": 1, "tid": 1, "ts": at}
        for phase, name, at in (("B", "outer", 1), ("B", "inner", 2), ("E", "", 3), ("E", "", 5), ("B", "open", 6))
    ]
    capture = read_trace(trace(*events, slice_event("last", 7, 1)))

    assert (rows(capture), capture.problems) == (
        [("outer", 1000, 4000), ("inner", 2000, 1000), ("open", 6000, 2000), ("last", 7000, 1000)],
        ["1 events have no end, and are shown until the last event"],
    )


def test_counters_have_their_values() -> None:
    counter = {"ph": "C", "name": "memory", "pid": 1, "ts": 4, "args": {"used": 5, "free": 7.5}}
    counters = read_trace(trace(A, counter)).counters

    assert (counters.time_ns.tolist(), counters.value.tolist()) == ([4000, 4000], [5.0, 7.5])


@pytest.mark.parametrize(
    "event",
    [
        slice_event("x", 1, -1),
        slice_event("x", 1e300, 1),
        slice_event("x", float("nan"), 1),
        slice_event("x", 10**400, 1),
        A | {"ts": None},
        A | {"ts": "soon"},
        A | {"dur": []},
    ],
)
def test_impossible_times_are_left_out(event: dict[str, Any]) -> None:
    capture = read_trace(trace(event, A))

    assert (rows(capture), capture.problems) == (
        [("a", 1000, 2000)],
        ["1 events have impossible times or were damaged, and are left out"],
    )


def test_steps_on_devices_are_not_counted_again() -> None:
    capture = read_trace(
        trace(
            slice_event("ProfilerStep#7", 1, 2, cat="user_annotation"),
            slice_event("ProfilerStep#7", 2, 2, cat="gpu_user_annotation", tid=9),
        )
    )

    assert [(step.step, step.start_ns) for step in steps_of(capture)] == [(7, 1000)]


def test_a_step_within_a_step_is_none() -> None:
    outer, inner = (slice_event("train", *times, args={"step_num": "4"}) for times in ((1, 9), (2, 3)))

    assert [step.duration_ns for step in steps_of(read_trace(trace(inner, outer)))] == [9000]


def test_self_time_is_what_no_slice_inside_has() -> None:
    table = operators_of(
        [read_trace(trace(*(slice_event(*each) for each in (("a", 0, 10), ("b", 1, 4), ("c", 2, 1), ("b", 6, 2)))))]
    )

    assert {row.name: (row.count, row.total_ns, row.self_ns) for row in table} == {
        "a": (1, 10_000, 4000),
        "b": (2, 6000, 5000),
        "c": (1, 1000, 1000),
    }


def test_slices_that_overlap_share_no_time() -> None:
    table = operators_of(
        [read_trace(trace(*(slice_event(*each) for each in (("a", 0, 10), ("b", 1, 4), ("c", 3, 5)))))]
    )

    assert {row.name: row.self_ns for row in table} == {"a": 3000, "b": 2000, "c": 5000}


@pytest.mark.parametrize("data", [b"", b"{}", b"hello", b'{"a": [1, 2]}', b"\x1f\x8bhello", b"3"])
def test_what_is_no_trace_is_one_error(data: bytes) -> None:
    with pytest.raises(Unshowable, match="it is no trace: it has no list of events"):
        read_trace(data)


def test_allocations_of_pytorch_are_a_counter_of_their_device() -> None:
    path = next((PROFILES / "torch_gpu").iterdir())
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    allocations = [event["args"] for event in events if event.get("name") == "[memory]"]
    capture = read_path(path)
    names, values = capture.counters.name.tolist(), capture.counters.value.tolist()
    devices = {0: "allocated memory CPU", 1: "allocated memory GPU:0"}

    found = [(capture.names[name], value) for name, value in zip(names, values, strict=True)]
    assert found == [(devices[each["Device Type"]], each["Total Allocated"]) for each in allocations]
    assert {name for name, _ in found} <= set(devices.values())
    assert found
