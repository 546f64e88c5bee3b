"""Writes the seeds of the fuzz targets: every kind of record, as recipes for `framing` and as bodies for `wire`, and
every kind of event for `trace` and `xplane`.

python native/fuzz/make_seeds.py
"""

import pathlib
import struct

from lightboard.testing import event_files as files

SEEDS = pathlib.Path(__file__).parent / "seeds"
METADATA = files.summary_metadata("scalars", b"\x08\x01", display_name="Loss", data_class=1)
RECORDS = {
    "version2": files.version_record(),
    "version1": files.version_record("brain.Event:1"),
    "start": files.start_record(step=3, wall_time=2.0),
    "scalar": files.scalar_record("loss", 5, 0.25, 1.5),
    "scalar_back": files.scalar_record("loss", 2, 0.5, 1.0),
    "described": files.scalar_record("loss", 6, 0.5, 2.5, METADATA),
    "double": files.tensor_record("loss", 7, files.tensor(files.DOUBLE, [0.1]), 3.5, METADATA),
    "content": files.tensor_record("acc", 7, files.tensor(files.INT64, [-7], content=True), 3.5),
    "half": files.tensor_record("acc", 8, files.tensor(files.HALF, [0x3DCCCCCD], shape=None), 3.5),
    "one_element": files.tensor_record("acc", 8, files.tensor(files.FLOAT, [1.0], shape=(1,)), 3.5, METADATA),
    "text": files.tensor_record("t", 1, files.tensor(files.STRING, [b"hi"]), 1.0, files.summary_metadata("text")),
    "several": files.summary_record(
        [files.scalar_value("a", 1.0), files.scalar_value("a", 2.0), files.image_value("a", b"png")], step=9
    ),
    "histogram": files.summary_record([files.histogram_value("h", [0.0, 1.0], [2.0, 3.0])], step=1),
    "audio": files.summary_record([files.audio_value("s", b"wav")], step=1),
    "hparams": files.summary_record([files.bare_value("hp", files.summary_metadata("hparams", b"\x1a\x00"))]),
    "graph": files.graph_record(b"graph"),
    "meta_graph": files.meta_graph_record(b"meta"),
    "run_metadata": files.tagged_run_metadata_record("step1", b"metadata"),
    "group": files.record(files.varint(15 << 3 | 3) + files.varint_field(1, 5) + files.varint(15 << 3 | 4)),
}

TRACES = {
    "slice": '[{"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 1, "tid": "main", "ts": 1.5, "dur": 2e1}]',
    "nested": '[{"ph": "X", "ts": 1, "dur": 9, "args": {"Dims": [[1, 2], []]}}, {"ph": "X", "ts": 2, "dur": 3}]',
    "begin_end": '[{"ph": "B", "ts": 1}, {"ph": "B", "ts": 2}, {"ph": "E", "ts": 3}, {"ph": "E", "ts": 4}]',
    "counter": '[{"ph": "C", "name": "memory", "ts": 4, "args": {"used": 5, "free": 7.5, "on": true}}]',
    "flow": '[{"ph": "s", "cat": "ac2g", "id": 3, "ts": 1}, {"ph": "f", "cat": "ac2g", "id": 3, "ts": 2, "bp": "e"}]',
    "instant": '[{"ph": "i", "name": "[memory]", "ts": "3.25", "args": {"Bytes": -1024}}]',
    "step": '[{"ph": "X", "name": "ProfilerStep#7", "ts": 1}, {"ph": "X", "ts": 5, "args": {"step_num": "3"}}]',
    "names": '[{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}}, '
    '{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}}]',
    "object": '{"baseTimeNanoseconds": 1790857026000000000, "distributedInfo": {"rank": 1}, "host_name": "trainer", '
    '"traceEvents": [{"ph": "X", "name": "\\u0436\\ud83d\\ude00 \u0436", "ts": 1, "dur": 2}], "end": NaN}',
    "numbers": '{"version": 1.5, "traceEvents": [{"ph": "X", "ts": 1}], "a": -2.5E+10, "b": 7e-3, "c": 1.x}',
    "damaged": '[{"ph": "X", "name": "x" oops, {"name" : "b", "ph": "X", "ts": -Infinity}, {"ph": "X", "ts": 1}',
}

EVENT_NAMES = files.bytes_field(
    4, files.varint_field(1, 1) + files.bytes_field(2, files.bytes_field(2, "\u0436 % = x".encode()))
)


def stat_name(key: int, name: str) -> bytes:
    return files.bytes_field(5, files.varint_field(1, key) + files.bytes_field(2, files.bytes_field(2, name.encode())))


def line(*stats: bytes, duration_ps: int = 5000) -> bytes:
    fields = files.varint_field(1, 1) + files.varint_field(2, 1 << 40) + files.varint_field(3, duration_ps)
    event = files.bytes_field(4, fields + b"".join(files.bytes_field(4, stat) for stat in stats))
    return files.bytes_field(3, files.varint_field(1, 7) + files.bytes_field(2, b"thread") + event + event)


def stat(key: int, field: int, value: int) -> bytes:
    return files.varint_field(1, key) + files.varint_field(field, value)


XPLANES = {
    "slice": [line(), EVENT_NAMES],
    "instant": [EVENT_NAMES, line(duration_ps=0)],
    "step": [stat_name(3, "step_num"), line(stat(3, 4, 12)), EVENT_NAMES],
    "flow": [stat_name(3, "_p"), stat_name(4, "_c"), line(stat(3, 3, 9)), line(stat(4, 3, 9))],
    "operation": [
        *(stat_name(3, "hlo_op"), stat_name(4, "program_id"), stat_name(5, "dot.1")),
        *(line(stat(3, 7, 5), stat(4, 3, 2)), line(files.varint_field(1, 3) + files.bytes_field(5, b"add"))),
    ],
    "negative": [line(duration_ps=(1 << 64) - 1000), EVENT_NAMES],
    "unknown": [line(), files.varint_field(9, 1), b"\x69" + bytes(8), b"\x0b\x0c"],
}


def body(record: bytes) -> bytes:
    return record[12:-4]


def main() -> None:
    """Write one seed for each record, and one with all of them."""
    bodies = {name: body(record) for name, record in RECORDS.items()}
    wire = {name: struct.pack("<H", len(data)) + data for name, data in bodies.items()}
    framing = {name: b"\x07\x01" + bytes([min(len(data), 255)]) + data[:255] for name, data in bodies.items()}
    for kind, word in enumerate(("raw", "good", "bad_length", "bad_data", "too_long", "header_only")):
        scalar = bodies["scalar"]
        step = bytes([kind, len(scalar)]) + scalar
        good = bytes([1, len(scalar)]) + scalar
        framing[word] = b"\x0b" + good + step + good
    wire["all"] = b"".join(wire.values())
    wire["two_files"] = wire["all"] + b"".join(struct.pack("<H", len(d) | 0x8000) + d for d in bodies.values())
    trace = {name: b"\x10\x00" + text.encode() for name, text in TRACES.items()}
    trace["short_values"] = b"\x02\x90" + TRACES["object"].encode()
    name = files.bytes_field(2, b"/host:CPU")
    xplane = {word: b"\x80" + files.bytes_field(1, name + b"".join(parts)) for word, parts in XPLANES.items()}
    xplane["all"] = b"\xff" + b"".join(each[1:] for each in xplane.values()) + files.bytes_field(4, b"trainer")
    targets = {"wire": wire, "framing": framing, "trace": trace, "xplane": xplane}
    for target, seeds in targets.items():
        folder = SEEDS / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in seeds.items():
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
