"""Makes captures of any size: a trace of PyTorch, and an xplane. Both have steps, operators that nest, and kernels.

The same number of events makes the same files. Some steps are made one event at a time, and repeated at later times
until there are enough; each event is written with its own time.
"""

import random
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lightboard.testing.event_files import bytes_field, varint, varint_field

BASE_NS = 1_795_776_000_000_000_000
NAMES = [f"aten::operator_{number}" for number in range(300)]
KERNELS = [f"kernel_of_{name[6:]}" for name in NAMES]
CALLS_PER_STEP = 2_000
OPERATORS_PER_CALL = 3
HOST_THREAD, KERNEL_STREAM = 1, 7
STEP = "ProfilerStep#"

BLOCK_EVENTS = 25 * (CALLS_PER_STEP * (OPERATORS_PER_CALL + 1) + 1)
"""Events that are made one at a time: 25 steps."""


class Block(NamedTuple):
    """Columns of slices: track, name (an index of `NAMES + KERNELS`, then steps), times in nanoseconds."""

    track: np.ndarray
    name: np.ndarray
    begin: np.ndarray
    duration: np.ndarray


def slices(events, seed=0):
    """Track, name, begin and duration in nanoseconds of each slice, in the order of the profiler: outer ones first."""
    rng = random.Random(seed)
    now = made = step = 0
    while made < events:
        begin = now
        batch = []
        for _ in range(min(CALLS_PER_STEP, max(1, (events - made) // (OPERATORS_PER_CALL + 1)))):
            inner = [rng.randrange(1_000, 20_000) for _ in range(OPERATORS_PER_CALL - 1)]
            outer = sum(inner) + 2_000 * len(inner) + 1_000
            name = rng.choice(NAMES)
            batch.append((HOST_THREAD, name, now, outer))
            at = now + 1_000
            for duration in inner:
                batch.append((HOST_THREAD, rng.choice(NAMES), at, duration))
                at += duration + 2_000
            batch.append((KERNEL_STREAM, f"kernel_of_{name[6:]}", now + 500, outer // 2))
            now += outer + rng.randrange(500, 5_000)
        yield HOST_THREAD, f"{STEP}{step}", begin, now - begin
        yield from batch
        made += len(batch) + 1
        step += 1


def block_of(events):
    """So many slices, how many steps they are, and when the next ones may begin."""
    numbers = {name: number for number, name in enumerate(NAMES + KERNELS)}
    rows = [
        (track, len(numbers) + int(name[len(STEP) :]) if name.startswith(STEP) else numbers[name], begin, duration)
        for track, name, begin, duration in slices(events)
    ]
    block = Block(*np.array(rows, np.int64).T)
    steps = int((block.name >= len(numbers)).sum())
    return block, steps, int((block.begin + block.duration).max()) + 1_000


def blocks(events):
    """The slices of a capture with so many events, in the order of the profiler."""
    block, steps, length = block_of(min(events, BLOCK_EVENTS))
    for number in range(max(1, events // BLOCK_EVENTS)):
        yield later(block, number * steps, number * length)
    number = max(1, events // BLOCK_EVENTS)
    if (rest := events - number * BLOCK_EVENTS) > 0:
        yield later(block_of(rest)[0], number * steps, number * length)


def later(block, steps, nanoseconds):
    """The same, so many steps and nanoseconds later."""
    is_step = block.name >= len(NAMES) + len(KERNELS)
    return block._replace(name=block.name + is_step * steps, begin=block.begin + nanoseconds)


def name_of(number):
    """The name of a slice."""
    names = NAMES + KERNELS
    return names[number] if number < len(names) else f"{STEP}{number - len(names)}"


def write_torch(path, events):
    """A trace as PyTorch writes it."""
    event = (
        '{"ph": "X", "cat": "%s", "name": "%s", "pid": 100, "tid": %d, "ts": %.3f, "dur": %.3f, "args": {"External '
        'id": %d, "Sequence number": %d, "Fwd thread id": 0, "Record function id": 0, "Ev Idx": %d}}'
    )
    with open(path, "w") as file:
        file.write(f'{{"schemaVersion": 1, "baseTimeNanoseconds": {BASE_NS}, "traceEvents": [')
        separator, made = "\n", 0
        for block in blocks(events):
            kinds = np.where(block.track == KERNEL_STREAM, "kernel", "cpu_op").astype(object)
            kinds[block.name >= len(NAMES) + len(KERNELS)] = "user_annotation"
            names = list(map(name_of, block.name.tolist()))
            indexes = range(made, made + len(names))
            columns = (kinds.tolist(), names, block.track.tolist(), (block.begin / 1000).tolist(),
                       (block.duration / 1000).tolist(), indexes, indexes, indexes)  # fmt: skip
            file.write(separator + ",\n".join([event % row for row in zip(*columns, strict=True)]))
            separator, made = ",\n", made + len(names)
        file.write("\n]}")


def varints(values):
    """The bytes of each number, in rows that are filled up with zeros, and how many they are."""
    places = np.arange(0, 63, 7)
    sevens = values[:, None] >> places
    lengths = np.maximum(1, (sevens > 0).sum(axis=1))
    has_more = np.arange(len(places)) < lengths[:, None] - 1
    return ((sevens & 0x7F) | has_more * 0x80).astype(np.uint8), lengths


def x_events(name, begin_ps, duration_ps):
    """The fields of a line with an XEvent for each row of these columns."""
    parts, total = [], np.zeros(len(name), np.int64)
    for field, column in ((1, name), (2, begin_ps), (3, duration_ps)):
        data, lengths = varints(column)
        parts += [(np.full((len(name), 1), field << 3, np.uint8), 1), (data, lengths)]
        total += 1 + lengths
    head = np.stack([np.full(len(name), 4 << 3 | 2), total], axis=1).astype(np.uint8)  # none is longer than 127 bytes
    parts.insert(0, (head, 2))
    data = np.concatenate([part for part, _ in parts], axis=1)
    is_written = np.concatenate(
        [np.arange(part.shape[1]) < np.broadcast_to(lengths, len(name))[:, None] for part, lengths in parts], axis=1
    )
    return data[is_written].tobytes()


def write_xplane(path, events):
    """The same slices as TensorFlow and JAX write them: a line for each track, with all names before."""
    tracks = (HOST_THREAD, KERNEL_STREAM)
    with tempfile.TemporaryFile(dir=Path(path).parent) as host, tempfile.TemporaryFile(dir=Path(path).parent) as stream:
        bodies, used = dict(zip(tracks, (host, stream), strict=True)), 0
        for block in blocks(events):
            used = max(used, int(block.name.max()) + 1)
            for track, body in bodies.items():
                on = block.track == track
                body.write(x_events(block.name[on] + 1, block.begin[on] * 1000, block.duration[on] * 1000))
        names = varint_field(1, 1) + bytes_field(2, b"/host:CPU")
        for number in range(used):
            metadata = varint_field(1, number + 1) + bytes_field(2, name_of(number).encode())
            names += bytes_field(4, varint_field(1, number + 1) + bytes_field(2, metadata))
        heads = []
        for track, body in bodies.items():
            head = varint_field(1, track) + bytes_field(2, f"track {track}".encode()) + varint_field(3, BASE_NS)
            size = len(head) + body.tell()
            heads.append((varint(3 << 3 | 2) + varint(size) + head, size - len(head)))
        with open(path, "wb") as file:
            plane = len(names) + sum(len(head) + size for head, size in heads)
            file.write(varint(1 << 3 | 2) + varint(plane) + names)
            for (head, _), body in zip(heads, bodies.values(), strict=True):
                file.write(head)
                body.seek(0)
                shutil.copyfileobj(body, file, 1 << 20)


WRITERS = {
    "torch": ("trainer.1795776000000000000.pt.trace.json", write_torch),
    "xplane": ("plugins/profile/2026_11_27_10_00_00/trainer.xplane.pb", write_xplane),
}


def make(lab, kind, events):
    """The log folder with a capture of so many events, made if it is not there."""
    name, write = WRITERS[kind]
    folder = Path(lab) / f"profile-{kind}-{events}"
    path = folder / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = folder / "unfinished"
        write(unfinished, events)
        unfinished.rename(path)
    return folder, path
