"""Makes captures of any size: a trace of PyTorch, and an xplane. Both have steps, operators that nest, and kernels.

The same number of events makes the same files.
"""

import random
from pathlib import Path

from lightboard.testing.event_files import bytes_field, varint_field

BASE_NS = 1_795_776_000_000_000_000
NAMES = [f"aten::operator_{number}" for number in range(300)]
CALLS_PER_STEP = 2_000
OPERATORS_PER_CALL = 3
KERNEL_STREAM = 7


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
            batch.append((1, name, now, outer))
            at = now + 1_000
            for duration in inner:
                batch.append((1, rng.choice(NAMES), at, duration))
                at += duration + 2_000
            batch.append((KERNEL_STREAM, f"kernel_of_{name[6:]}", now + 500, outer // 2))
            now += outer + rng.randrange(500, 5_000)
        yield 1, f"ProfilerStep#{step}", begin, now - begin
        yield from batch
        made += len(batch) + 1
        step += 1


def write_torch(path, events):
    """A trace as PyTorch writes it."""
    with open(path, "w") as file:
        file.write(f'{{"schemaVersion": 1, "baseTimeNanoseconds": {BASE_NS}, "traceEvents": [')
        separator = "\n"
        for number, (track, name, begin, duration) in enumerate(slices(events)):
            kind = "kernel" if track == KERNEL_STREAM else "user_annotation" if name[0] == "P" else "cpu_op"
            file.write(
                f'{separator}{{"ph": "X", "cat": "{kind}", "name": "{name}", "pid": 100, "tid": {track}, '
                f'"ts": {begin / 1000:.3f}, "dur": {duration / 1000:.3f}, "args": {{"External id": {number}, '
                f'"Sequence number": {number}, "Fwd thread id": 0, "Record function id": 0, "Ev Idx": {number}}}}}'
            )
            separator = ",\n"
        file.write("\n]}")


def write_xplane(path, events):
    """The same slices as TensorFlow and JAX write them: a line for each track, with all names before."""
    lines = {}
    numbers = {}
    for track, name, begin, duration in slices(events):
        number = numbers.setdefault(name, len(numbers) + 1)
        event = varint_field(1, number) + varint_field(2, begin * 1000) + varint_field(3, duration * 1000)
        lines.setdefault(track, bytearray()).extend(bytes_field(4, event))
    plane = varint_field(1, 1) + bytes_field(2, b"/host:CPU")
    for name, number in numbers.items():
        metadata = varint_field(1, number) + bytes_field(2, name.encode())
        plane += bytes_field(4, varint_field(1, number) + bytes_field(2, metadata))
    for track, body in lines.items():
        head = varint_field(1, track) + bytes_field(2, f"track {track}".encode()) + varint_field(3, BASE_NS)
        plane += bytes_field(3, head + bytes(body))
    Path(path).write_bytes(bytes_field(1, plane))


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
