"""Step stats that sessions of TensorFlow write into event files as RunMetadata."""

import struct
from pathlib import Path
from typing import Any

from lightboard.profiles.breakdown import breakdown_of
from lightboard.profiles.capture import CATEGORIES, HostCapture
from lightboard.profiles.event_args import EventArg
from lightboard.profiles.operators import operators_of
from lightboard.profiles.step_stats import read_step_stats
from lightboard.profiles.step_stats_values import StepStatsValue
from lightboard.profiles.steps import steps_of
from lightboard.query.capture_listing import CaptureListing
from lightboard.query.capture_store import CaptureStore
from lightboard.query.step_stats_listing import StepStatsListing
from lightboard.series.catalog import Catalog
from lightboard.testing.event_files import bytes_field, tagged_run_metadata_record, version_record
from lightboard.testing.provider import MemoryBoard
from support.capture_board import load
from support.corpus_reader import load_catalog
from support.step_stats import Event, RunMetadata

LOGS = Path(__file__).parent.parent / "data" / "logs"

SESSION = LOGS / "tf-v1-all"
"""Two calls of a session of TensorFlow 1 with FULL_TRACE, each written under a tag of its own."""

GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
"""A device as TensorFlow names it. Its streams are built from the published messages, not captured on a GPU."""


def store_of(catalog: Catalog) -> CaptureStore:
    """The captures in the event files of a catalog."""
    return CaptureStore(CaptureListing(catalog.assets, StepStatsListing(catalog).captures))


def written() -> list[tuple[str, int, Any]]:
    """The tag, the step and the message of each RunMetadata of the session, as the writer's own library reads them."""
    (path,) = SESSION.glob("*tfevents*")
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        event = Event.FromString(data[at + 12 : at + 12 + length])
        at += 16 + length
        if event.HasField("tagged_run_metadata"):
            tagged = event.tagged_run_metadata
            found.append((tagged.tag, event.step, tagged.run_metadata))
    return found


def node(name: str, start_micros: int, micros: int, label: str = "", **fields: int) -> dict[str, Any]:
    """A NodeExecStats."""
    times = {"all_start_micros": start_micros, "all_end_rel_micros": micros}
    return {"node_name": name, "timeline_label": label, **times, **fields}


def encoded(devices: dict[str, list[dict[str, Any]]]) -> bytes:
    """A RunMetadata with the nodes of devices."""
    dev_stats = [{"device": device, "node_stats": nodes} for device, nodes in devices.items()]
    data: bytes = RunMetadata(step_stats={"dev_stats": dev_stats}).SerializeToString()
    return data


def read(*values: bytes) -> HostCapture:
    """The capture of RunMetadata that lie behind each other; their steps are 0, 1, and so on."""
    data, found = b"".join(values), list[StepStatsValue]()
    for step, value in enumerate(values):
        begin = found[-1].end if found else 0
        found.append(StepStatsValue(f"step{step}", step, 0.0, begin, begin + len(value)))
    return read_step_stats(lambda offset, length: data[offset : offset + length], found)


def slices_of(capture: HostCapture) -> list[tuple[str, str, str, str, int, int]]:
    """Process, track, name, category, and times in nanoseconds of each slice."""
    columns = [column.tolist() for column in (capture.slices.track, capture.slices.name, capture.slices.category)]
    times = zip(capture.slices.start_ns.tolist(), capture.slices.duration_ns.tolist(), strict=True)
    return [
        (capture.processes[capture.tracks[track].process].name, capture.tracks[track].name, capture.names[name],
         CATEGORIES[category], *time)
        for track, name, category, time in zip(*columns, times, strict=True)
    ]  # fmt: skip


def test_slices_are_the_nodes_of_the_messages() -> None:
    (host,) = load(store_of(load_catalog(str(SESSION))), "run metadata").captures
    expected = []
    for tag, _, message in written():
        nodes = [each for device in message.step_stats.dev_stats for each in device.node_stats]
        for each in nodes:
            kind = each.timeline_label.partition(" = ")[2].partition("(")[0]
            name = f"{each.node_name}:{kind}"
            times = (each.all_start_nanos, each.all_end_rel_nanos)
            expected.append(("CPU:0", "executor", name, "compute", *times))
        begin = min(each.all_start_nanos for each in nodes)
        end = max(each.all_start_nanos + each.all_end_rel_nanos for each in nodes)
        expected.append(("run metadata", "run metadata", tag, "annotation", begin, end - begin))

    assert slices_of(host) == expected


def test_each_value_is_a_step() -> None:
    (host,) = load(store_of(load_catalog(str(SESSION))), "run metadata").captures

    assert [(each.name, each.step, each.inferred) for each in steps_of(host)] == [
        (tag, step, False) for tag, step, _ in written()
    ]


def test_a_capture_is_listed_with_its_run() -> None:
    found = store_of(load_catalog(str(LOGS))).captures()

    assert [(each.name, each.format) for each in found if each.format == "step_stats"] == [
        ("tf-v1-all/run metadata", "step_stats")
    ]


def test_run_metadata_without_nodes_is_no_capture() -> None:
    empty = bytes_field(1, bytes_field(1, bytes_field(1, b"/device:CPU:0")))
    file = version_record() + tagged_run_metadata_record("step1", empty)

    assert store_of(MemoryBoard({"a/events.out.tfevents.0": file}).catalog).captures() == []


def test_a_value_that_is_written_later_is_a_step_of_the_same_capture() -> None:
    records = [tagged_run_metadata_record(f"step{at}", encoded({GPU: [node("a", at, 1)]}), step=at) for at in (1, 2)]
    board = MemoryBoard({"a/events.out.tfevents.0": version_record() + records[0]})
    store = store_of(board.catalog)
    before = [each.step for each in load(store, "a/run metadata").steps]
    board.storage.append("a/events.out.tfevents.0", records[1])
    board.refresh()

    assert (before, [each.step for each in load(store, "a/run metadata").steps]) == ([1], [1, 2])


def test_arguments_are_times_memory_and_outputs() -> None:
    loaded = load(store_of(load_catalog(str(SESSION))), "run metadata")
    (host,) = loaded.captures
    at = [host.names[name] for name in host.slices.name.tolist()].index("y:_MklMatMul")

    assert loaded.args(0, at) == [
        EventArg(name, value, False)
        for name, value in {
            "timeline label": "y = _MklMatMul(_arg_x_0_0, y/ReadVariableOp)",
            "scheduled micros": "1795174642687345",
            "all start micros": "1795174642687345",
            "op start rel micros": "1",
            "op end rel micros": "30383",
            "all end rel micros": "30408",
            "mklcpu total bytes": "48",
            "mklcpu peak bytes": "48",
            "mklcpu live bytes": "48",
            "output 0": "float32[6,2]",
        }.items()
    ]


def test_streams_are_devices_and_what_repeats_them_is_no_operator() -> None:
    capture = read(
        encoded(
            {
                GPU: [node("dense/MatMul", 100, 5, "dense/MatMul = MatMul(x, w)", thread_id=7)],
                "/device:GPU:0/stream:13": [node("dense/MatMul:MatMul", 110, 40, "sgemm regs:32")],
                "/device:GPU:0/stream:14<MemcpyH2D>": [node("x", 90, 10, "MemcpyH2D bytes:96")],
                "/device:GPU:0/stream:all": [node("dense/MatMul:MatMul", 110, 40, "sgemm regs:32")],
                "/device:GPU:0/memcpy": [node("x", 90, 10, "MemcpyH2D bytes:96")],
            }
        )
    )

    assert slices_of(capture) == [
        ("GPU:0", "thread 7", "dense/MatMul:MatMul", "host", 100_000, 5_000),
        ("/device:GPU:0", "stream:13", "dense/MatMul:MatMul", "compute", 110_000, 40_000),
        ("/device:GPU:0", "stream:14<MemcpyH2D>", "x", "copy", 90_000, 10_000),
        ("/device:GPU:0", "stream:all", "dense/MatMul:MatMul", "annotation", 110_000, 40_000),
        ("/device:GPU:0", "memcpy", "x", "annotation", 90_000, 10_000),
        ("run metadata", "run metadata", "step0", "annotation", 90_000, 60_000),
    ]
    assert [(row.name, row.category, row.scope, row.total_ns) for row in operators_of([capture])] == [
        ("MatMul", "compute", "dense", 40_000),
        ("x", "copy", "", 10_000),
        ("MatMul", "host", "dense", 5_000),
    ]
    assert [(row.device, row.duration_ns, row.compute_ns, row.copy_ns) for row in breakdown_of(capture)] == [
        ("GPU:0", 60_000, 40_000, 10_000)
    ]


def test_devices_of_a_cluster_are_told_apart() -> None:
    tasks = [f"/job:worker/replica:0/task:{task}/device:GPU:0" for task in (0, 1)]
    capture = read(encoded({f"{task}/stream:1": [node("a", 1, 1)] for task in tasks}))

    assert [process.name for process in capture.processes] == [
        "/device:job:worker/replica:0/task:0/GPU:0",
        "/device:job:worker/replica:0/task:1/GPU:0",
        "run metadata",
    ]


def test_what_is_before_damage_is_shown() -> None:
    whole = encoded({"/device:CPU:0": [node("a", 1, 1)]})
    damaged = whole + b"\xff"
    capture = read(damaged, whole)

    assert [(name, start) for _, _, name, _, start, _ in slices_of(capture)] == [
        ("a", 1_000), ("step0", 1_000), ("a", 1_000), ("step1", 1_000)
    ]  # fmt: skip
    assert capture.problems == ["the step stats step0 are damaged, and are read up to there"]
