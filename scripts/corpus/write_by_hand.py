"""Event files put together from TensorBoard's own protobuf classes: what is legal but rarely seen."""

# ruff: isort: off
import neutral

import math
import struct
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tensorboard.compat.proto import (
    event_pb2,
    graph_pb2,
    meta_graph_pb2,
    summary_pb2,
    tensor_pb2,
    tensor_shape_pb2,
)
from tensorboard.compat.proto import types_pb2 as types
from tensorboard.summary.writer.record_writer import RecordWriter

START = neutral.START
VERSION = "brain.Event:2"
root = neutral.folder("hand")

Event = event_pb2.Event
Value = summary_pb2.Summary.Value
Tensor = tensor_pb2.TensorProto


def metadata(plugin: str = "scalars") -> summary_pb2.SummaryMetadata:
    return summary_pb2.SummaryMetadata(plugin_data={"plugin_name": plugin})


def at(step: int, *values: summary_pb2.Summary.Value, wall: float | None = None) -> event_pb2.Event:
    when = START + step * 0.5 if wall is None else wall
    return Event(wall_time=when, step=step, summary=summary_pb2.Summary(value=values))


def simple(tag: str, step: int, value: float | None = None, wall: float | None = None) -> event_pb2.Event:
    return at(step, Value(tag=tag, simple_value=step if value is None else value), wall=wall)


def tensor(tag: str, step: int, proto: tensor_pb2.TensorProto, plugin: str | None = "scalars") -> event_pb2.Event:
    return at(step, Value(tag=tag, tensor=proto, metadata=metadata(plugin) if plugin else None))


def session(status: str, step: int, wall: float | None = None) -> event_pb2.Event:
    when = START + step * 0.5 if wall is None else wall
    return Event(wall_time=when, step=step, session_log={"status": status})


def file(run: str, events: Iterable[event_pb2.Event], number: int = 0, version: str | None = VERSION) -> Path:
    folder = root / run
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{int(START) + number}.trainer"
    with path.open("wb") as out:
        writer = RecordWriter(out)
        if version is not None:
            writer.write(Event(wall_time=START + number, file_version=version).SerializeToString())
        for event in events:
            writer.write(event.SerializeToString())
    return path


def shape(*sizes: int) -> tensor_shape_pb2.TensorShapeProto:
    return tensor_shape_pb2.TensorShapeProto(dim=[{"size": size} for size in sizes])


# data type, packing of one element in `tensor_content`, name of the typed field, numbers worth keeping
KINDS = [
    (types.DT_FLOAT, "<f", "float_val", [0.1, -0.0, 1e-45, math.nan, math.inf, 16777217]),
    (types.DT_DOUBLE, "<d", "double_val", [0.1, math.pi, 5e-324, math.nan, -math.inf, 1e300]),
    (types.DT_INT8, "<b", "int_val", [0, 1, -128, 127]),
    (types.DT_INT16, "<h", "int_val", [0, 1, -32768, 32767]),
    (types.DT_INT32, "<i", "int_val", [0, 1, -(2**31), 2**31 - 1, 16777217]),
    (types.DT_INT64, "<q", "int64_val", [0, 1, -(2**53), 2**53, 16777217]),
    (types.DT_UINT8, "<B", "int_val", [0, 1, 255]),
    (types.DT_UINT16, "<H", "int_val", [0, 1, 65535]),
    (types.DT_UINT32, "<I", "uint32_val", [0, 1, 2**32 - 1]),
    (types.DT_UINT64, "<Q", "uint64_val", [0, 1, 2**53]),
    (types.DT_BOOL, "<?", "bool_val", [False, True]),
    (types.DT_HALF, "<e", "half_val", [0.0, 0.1, -65504.0, math.nan, math.inf]),
    (types.DT_BFLOAT16, None, "half_val", [0.0, 0.1, 1e38, math.nan, -math.inf]),
]


def bits16(kind: int, number: float) -> int:
    if kind == types.DT_HALF:
        return struct.unpack("<H", struct.pack("<e", number))[0]
    return struct.unpack("<I", struct.pack("<f", number))[0] >> 16


def content(kind: int, packing: str | None, number: float) -> bytes:
    return struct.pack(packing, number) if packing else struct.pack("<H", bits16(kind, number))


def typed(kind: int, field: str, number: float) -> object:
    return bits16(kind, number) if field == "half_val" else number


def number_types() -> None:
    """Each numeric type as content, as a typed field, without a shape, and with shape [1]."""
    events = []
    for kind, packing, field, numbers in KINDS:
        name = types.DataType.Name(kind).removeprefix("DT_").lower()
        for step, number in enumerate(numbers):
            raw = Tensor(dtype=kind, tensor_shape=shape(), tensor_content=content(kind, packing, number))
            val = {field: [typed(kind, field, number)]}
            events += [
                tensor(f"content/{name}", step, raw),
                tensor(f"typed/{name}", step, Tensor(dtype=kind, tensor_shape=shape(), **val)),
                tensor(f"no shape/{name}", step, Tensor(dtype=kind, **val)),
            ]
    file("types", events)


def other_forms() -> None:
    """Forms on which readers differ: one element in a vector, no number at all, torch's half numbers."""
    one = {"dtype": types.DT_FLOAT, "tensor_shape": shape(1)}
    events = []
    for step in range(4):
        bits = struct.unpack("<i", struct.pack("<f", step / 3))[0]
        events += [
            tensor("vector of one", step, Tensor(**one, float_val=[step / 3])),
            tensor("vector of one, content", step, Tensor(**one, tensor_content=struct.pack("<f", step / 3))),
            tensor("empty", step, Tensor(dtype=types.DT_FLOAT, tensor_shape=shape())),
            tensor("half in float bits", step, Tensor(dtype=types.DT_HALF, half_val=[bits])),
            tensor("bfloat16 in float bits", step, Tensor(dtype=types.DT_BFLOAT16, half_val=[bits])),
            tensor("uint8 in uint32_val", step, Tensor(dtype=types.DT_UINT8, uint32_val=[step])),
            tensor("string", step, Tensor(dtype=types.DT_STRING, tensor_shape=shape(), string_val=[b"7"])),
            tensor("complex", step, Tensor(dtype=types.DT_COMPLEX64, tensor_shape=shape(), scomplex_val=[1, 2])),
            tensor("big integers", step, Tensor(dtype=types.DT_INT64, int64_val=[2**62 + step])),
        ]
    file("forms", events)


def metadata_forms() -> None:
    """Metadata on the first value only, none at all, of an unknown plugin, with a class of its own."""
    f = lambda step: Tensor(dtype=types.DT_FLOAT, tensor_shape=shape(), float_val=[step / 3])  # noqa: E731
    described = summary_pb2.SummaryMetadata(display_name="Loss", summary_description="*why*")
    described.plugin_data.plugin_name = "scalars"
    classed = summary_pb2.SummaryMetadata(data_class=summary_pb2.DATA_CLASS_SCALAR)
    classed.plugin_data.plugin_name = "mine"
    events = []
    for step in range(5):
        first = step == 0
        events += [
            tensor("first only", step, f(step), "scalars" if first else None),
            tensor("none", step, f(step), None),
            tensor("unknown plugin", step, f(step), "mine"),
            at(step, Value(tag="described", tensor=f(step), metadata=described if first else None)),
            at(step, Value(tag="own class", tensor=f(step), metadata=classed)),
            at(step, Value(tag="simple, described", simple_value=step, metadata=described)),
            at(step, Value(tag="several", simple_value=step), Value(tag="several", simple_value=-step)),
            at(step, Value(tag="nothing in it")),
            at(step, Value(tag="", simple_value=step)),
        ]
    file("metadata", events)
    file("metadata_on_a_node", [at(s, Value(node_name="old node", tensor=f(s))) for s in range(5)])
    # the second file of a run says nothing about its tags; the first did
    file("metadata_in_first_file", [tensor("loss", s, f(s), "scalars" if s == 0 else None) for s in range(5)])
    file("metadata_in_first_file", [tensor("loss", s, f(s), None) for s in range(5, 9)], 1)


def steps() -> None:
    order = {
        "repeated": [0, 0, 0, 1, 1, 2, 2, 2],
        "out of order": [5, 3, 8, 1, 1, 9, 2],
        "backwards": [9, 8, 7, 6],
        "negative": [-3, -2, -1, 0, 1],
        "large": [2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1],
    }
    file("steps", [simple(tag, s, i, START + i) for tag, seq in order.items() for i, s in enumerate(seq)])
    walls = [0.0, -1.5, 1e18, START, START + 1e-6, START + 2e-6]
    file("walls", [simple("loss", i, i / 7, w) for i, w in enumerate(walls)])


def run_of(tag: str, numbers: Iterable[int], wall: float) -> list[event_pb2.Event]:
    return [simple(tag, n, n + wall / 1e4, START + wall + i) for i, n in enumerate(numbers)]


def restarts() -> None:
    """What the purge rules are about. See tests/data/README.md for what each reader makes of them."""
    # a TF1 Supervisor: every file opens with START
    for n, steps_ in enumerate((range(20), range(12, 30), range(25, 40))):
        first = steps_[0] if n else 0
        walk = [
            e
            for s in steps_
            for e in (
                simple("loss", s, s, START + n * 100 + s),
                simple("lr", s, 1 / (s + 1), START + n * 100 + s),
            )
        ]
        file("supervisor", [session("START", first, START + n * 100), *walk, session("STOP", steps_[-1])], n)
    # START only in the second file, as torch's purge_step writes it; one tag never comes back
    file("first_start_in_second_file", run_of("loss", range(10), 0) + run_of("once", range(10), 0))
    file("first_start_in_second_file", [session("START", 4), *run_of("loss", range(4, 8), 100)], 1)
    # the supervisor's thread was slow: summaries before the first START
    file("late_start", [*run_of("loss", range(3), 0), session("START", 0), *run_of("loss", range(3, 8), 10)])
    file(
        "start_in_the_middle",
        [
            *run_of("loss", range(9), 0),
            session("START", 5),
            *run_of("loss", range(5, 12), 20),
            session("START", 100),
            session("START", 11),
            *run_of("loss", [11], 60),
        ],
    )
    file(
        "restart_below_everything",
        [
            session("START", 0),
            *run_of("loss", range(6), 0),
            session("START", 0),
            *run_of("loss", range(2), 50),
        ],
    )
    # tensors beside simple values
    f = lambda s: Tensor(dtype=types.DT_FLOAT, float_val=[s / 3])  # noqa: E731
    both = lambda lo, hi: [e for s in range(lo, hi) for e in (simple("simple", s), tensor("tensor", s, f(s)))]  # noqa: E731
    file("restart_tensors", both(0, 8))
    file("restart_tensors", [session("START", 5), *both(5, 9)], 1)


def old_versions() -> None:
    """Files that say version 1, nothing, or nonsense: a step back hides what came after it."""
    back = run_of("loss", [0, 1, 2, 3, 4, 2, 3, 4, 5], 0)
    file("no_version", back, version=None)
    file("version_1", back, version="brain.Event:1")
    file("version_nonsense", back, version="something else")
    file("no_version_equal_steps", run_of("loss", [10, 5, 7, 7, 12], 0), version=None)
    two = [*run_of("a", [8, 10], 0), *run_of("b", [5], 10), *run_of("a", [7], 20), *run_of("b", [11, 12], 30)]
    file("no_version_two_tags", two, version=None)
    moved = [
        *run_of("loss", range(4), 0),
        session("STOP", 50),
        *run_of("loss", [4, 5], 20),
        session("START", 2),
        *run_of("loss", [2, 3], 30),
    ]
    file("no_version_session_log", moved, version=None)
    pair = lambda step, *tags: at(step, *(Value(tag=tag, simple_value=step + i / 8) for i, tag in enumerate(tags)))  # noqa: E731
    several = [
        pair(8, "a"),
        pair(5, "a", "a", "b"),
        pair(5, "b", "a"),
        pair(4, "b", "b"),
        pair(9, "a", "b"),
        pair(8, "a"),
    ]
    file("no_version_several_values", several, version=None)
    file("no_version_then_2", run_of("loss", [0, 1, 2, 3, 1], 0), 0, None)
    file("no_version_then_2", run_of("loss", [1, 2, 0, 3], 50), 1)
    file("version_2_then_none", run_of("loss", [0, 1, 2, 3, 1], 0))
    file("version_2_then_none", run_of("loss", [1, 2, 0, 3], 50), 1, None)
    file("no_version_two_files", run_of("loss", range(6), 0), 0, None)
    file("no_version_two_files", run_of("loss", range(3, 9), 50), 1, None)


def names() -> None:
    runs = {
        "训练/第一次 实验": "损失/训练集",
        "обучение/прогон №1": "потери/обучение",
        "🚀 launch/🧪": "📉 loss",
        "עברית/ניסוי": "אובדן",
        "/".join(["a rather long folder name that goes on"] * 5): "tag/" + "very/long/" * 30 + "loss",
        "100%25 & more+less #1": "a%2Fb?c&d=e+f #g",
        "quote's; [brackets] {x} $HOME ~": "<b>bold</b> \"quoted\" 'tag' \\ `x`",
        "dots.in.a..name": " leading and trailing ",
    }
    for run, tag in runs.items():
        file(f"names/{run}", [simple(tag, s, s / 9) for s in range(6)])
    odd = [
        "a/b/c",
        "/leading",
        "trailing/",
        "a//b",
        "a\tb",
        "line\nbreak",
        "nul\0inside",
        "e\u0301 é",
        "\u202eoverride",
        "🏳️‍🌈",
    ]
    file("names/tags", [simple(tag, s, s / 9) for tag in odd for s in range(3)])


def places() -> None:
    """Where files lie: the root of the log directory, inside another run, empty, unfinished, misnamed."""
    file("places", [simple("loss", s) for s in range(5)])
    file("places/inner", [simple("loss", s) for s in range(5)])
    file("places/inner/deeper/still", [simple("loss", s) for s in range(5)])
    file("places/only_version", [])
    (root / "places" / "zero_bytes").mkdir()
    (root / "places/zero_bytes/events.out.tfevents.1790000000.trainer").touch()
    whole = file("places/half_written", [simple("loss", s) for s in range(5)])
    whole.write_bytes(whole.read_bytes()[:-11])
    other = file("places/other_names", [simple("loss", s) for s in range(5)])
    other.rename(other.parent / "my.tfevents.file")
    empty = file("places/profile_only", [])
    empty.rename(empty.parent / "events.out.tfevents.1790000000.trainer.profile-empty")


def graphs() -> None:
    graph = graph_pb2.GraphDef(node=[{"name": "a", "op": "Const"}]).SerializeToString()
    meta = meta_graph_pb2.MetaGraphDef(graph_def={"node": [{"name": "b", "op": "Const"}]}).SerializeToString()
    file("graphs", [
        Event(wall_time=START, graph_def=graph),
        Event(wall_time=START, step=1, meta_graph_def=meta),
        Event(wall_time=START, step=2, tagged_run_metadata={"tag": "step 2", "run_metadata": b""}),
        Event(wall_time=START, step=3, log_message={"level": 10, "message": "hello"}),
        Event(wall_time=START, step=4),
        simple("loss", 5),
    ])  # fmt: skip


def long_series() -> None:
    """Long enough to be downsampled: 4,000 points of a noisy walk."""
    walk = np.random.default_rng(27).standard_normal(4000).cumsum()
    file("long", [simple("walk", i * 10, float(v)) for i, v in enumerate(walk)])


number_types()
other_forms()
metadata_forms()
steps()
restarts()
old_versions()
names()
places()
graphs()
long_series()
