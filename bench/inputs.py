"""Makes the log folders that the bench reads. Run by the peer's own Python: its writer writes them.

small  10 runs x 20 tags x 1,000 steps, every event through TensorBoard's EventFileWriter
long   4 runs x 5 tags x 500,000 steps: 10 M points, 540 MB
many   1,000 runs x 20 tags x 200 steps: 4 M points in 1,000 files
tags   10 runs x 100 tags x 1,000 steps, for scrolling
dense  50 runs x 1 tag x 10,000 steps, for pointing
listed 10,000 runs x 3 tags x 20 steps, for the list of runs
sources 50 folders, each with 4 runs x 1 tag x 200 steps, for boards of a hub

EventFileWriter would need many minutes for all but small. There a record that it wrote serves as a mould:
step, wall time and value are pressed into copies of it and both checksums computed anew, so the bytes are the
ones it would have written; `check` reads a file back with TensorBoard's own reader.
"""

import json
import os
import sys

import numpy as np

START = 1_700_000_000.0
SETS = {
    "small": (10, 20, 1_000),
    "long": (4, 5, 500_000),
    "many": (1_000, 20, 200),
    "tags": (10, 100, 1_000),
    "dense": (50, 1, 10_000),
    "listed": (10_000, 3, 20),
    "sources": (200, 1, 200),
}
RUNS_OF_A_SOURCE = 4
FAMILIES = ("loss", "train", "eval", "grad", "opt")


def tag_names(count):
    return [f"{FAMILIES[i % len(FAMILIES)]}/metric_{i:02d}" for i in range(count)]


def curves(rng, tags, steps):
    """Noisy decays, float32, shape [steps, tags]."""
    at = np.arange(1, steps + 1)[:, None]
    pace = 0.15 * steps * (1 + np.arange(tags) % 3)
    drift = np.cumsum(rng.normal(size=(steps, tags)), axis=0) * 0.002
    return (2.0 * np.exp(-at / pace) + drift + 0.03 * rng.normal(size=(steps, tags))).astype(np.float32)


def event(tag, step, wall_time, value):
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary

    summary = Summary(value=[Summary.Value(tag=tag, simple_value=float(value))])
    return Event(wall_time=wall_time, step=step, summary=summary)


def write_small(folder, runs, tags, steps):
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    for run in range(runs):
        values = curves(np.random.default_rng(run), tags, steps)
        writer = EventFileWriter(os.path.join(folder, f"run_{run:04d}"), max_queue_size=10_000)
        for step in range(steps):
            for i, tag in enumerate(tag_names(tags)):
                writer.add_event(event(tag, step + 1, START + run + step * 0.25, values[step, i]))
        writer.close()


def crc_table():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0x82F63B78), table >> 1)
    return table


CRC = crc_table()


def masked_crc(rows):
    """Masked CRC-32C of each row of a uint8 matrix, as little-endian uint32."""
    crc = np.full(len(rows), 0xFFFFFFFF, np.uint32)
    for column in np.ascontiguousarray(rows.T):
        crc = CRC[(crc ^ column) & 0xFF] ^ (crc >> 8)
    crc ^= np.uint32(0xFFFFFFFF)
    return (((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)).astype("<u4")


def press(tag, steps, walls, values):
    """Framed records, one a row. All steps must take the same number of varint bytes."""
    mould = event(tag, int(steps[0]), 1.0, 1.0).SerializeToString()
    width = max(1, (int(steps[0]).bit_length() + 6) // 7)
    rows = np.empty((len(steps), len(mould) + 16), np.uint8)
    rows[:, :8] = np.frombuffer(len(mould).to_bytes(8, "little"), np.uint8)
    rows[:, 8:12] = masked_crc(rows[:1, :8]).view(np.uint8)
    body = rows[:, 12:-4]
    body[:] = np.frombuffer(mould, np.uint8)
    body[:, 1:9] = walls.astype("<f8").view(np.uint8).reshape(-1, 8)
    for i in range(width):
        more = 0x80 if i + 1 < width else 0
        body[:, 10 + i] = ((steps >> (7 * i)) & 0x7F) | more
    body[:, -4:] = values.astype("<f4").view(np.uint8).reshape(-1, 4)
    rows[:, -4:] = masked_crc(body).view(np.uint8).reshape(-1, 4)
    last = event(tag, int(steps[-1]), float(walls[-1]), values[-1]).SerializeToString()
    if body[-1].tobytes() != last:
        raise AssertionError("the mould no longer fits what the writer writes")
    return rows


def version_record(wall_time):
    from tensorboard.compat.proto.event_pb2 import Event

    body = Event(wall_time=wall_time, file_version="brain.Event:2").SerializeToString()
    head = np.frombuffer(len(body).to_bytes(8, "little"), np.uint8)[None]
    data = np.frombuffer(body, np.uint8)[None]
    return head.tobytes() + masked_crc(head).tobytes() + body + masked_crc(data).tobytes()


def press_run(folder, run, tags, steps):
    path = os.path.join(folder, f"run_{run:04d}")
    os.makedirs(path, exist_ok=True)
    values = curves(np.random.default_rng(run), tags, steps)
    name = os.path.join(path, f"events.out.tfevents.{int(START) + run}.trainer.{run}.0")
    with open(name, "wb") as file:
        file.write(version_record(START + run))
        for low, high in ((1, 128), (128, 16_384), (16_384, 2_097_152)):  # where a varint takes one more byte
            for begin in range(low, min(high, steps + 1), 100_000):
                at = np.arange(begin, min(begin + 100_000, high, steps + 1), dtype=np.int64)
                columns = [
                    press(tag, at, START + run + at * 0.25 + i * 1e-4, values[at - 1, i])
                    for i, tag in enumerate(tag_names(tags))
                ]
                file.write(np.concatenate(columns, axis=1).tobytes())
    return name


def check(name, tags, steps):
    """Read a pressed file back with TensorBoard's reader, which checks every checksum."""
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto.event_pb2 import Event

    count, last = 0, b""
    for raw in RawEventFileLoader(name).Load():
        count, last = count + 1, raw
    if (count, Event.FromString(last).step) != (tags * steps + 1, steps):
        raise AssertionError(f"{name}: TensorBoard read {count} records")


def main(kind, folder, scale):
    runs, tags, steps = SETS[kind]
    steps = max(10, int(steps * scale))
    if kind == "small":
        write_small(folder, runs, tags, steps)
    elif kind == "sources":
        for run in range(runs):
            source, place = divmod(run, RUNS_OF_A_SOURCE)
            press_run(os.path.join(folder, f"source_{source:02d}"), place, tags, steps)
    else:
        names = [press_run(folder, run, tags, steps) for run in range(runs)]
        if kind == "many":
            check(names[0], tags, steps)
    with open(os.path.join(folder, "set.json"), "w") as file:
        json.dump({"kind": kind, "runs": runs, "tags": tag_names(tags), "steps": steps}, file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
