"""Makes the log folders of media that the bench reads. Run by the peer's own Python: its writer writes them.

images     1 run x 1,000 images of 1 MB at steps of their own: 1 GB in one file
histograms 3 runs x 6 tags x 500 steps x 30 buckets

Both hold a scalar too, by which the bench sees that all is read.
"""

import json
import os
import struct
import sys
import zlib

import numpy as np
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.plugins.histogram import metadata
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util.tensor_util import make_tensor_proto

START = 1_700_000_000.0
SETS = {"images": (1, 1_000), "histograms": (3, 500)}
SCALAR = "train/loss"
WIDTH, HEIGHT = 640, 546
"""Noise of this size is a PNG of 1 MB."""

BUCKETS = 30


def png(rng):
    """An image of noise."""
    rows = rng.integers(0, 256, (HEIGHT, WIDTH * 3), np.uint8)
    lines = np.concatenate([np.zeros((HEIGHT, 1), np.uint8), rows], axis=1).tobytes()
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 0)), (b"IEND", b""))
    )


def image_values(rng, _step):
    image = Summary.Image(height=HEIGHT, width=WIDTH, colorspace=3, encoded_image_string=png(rng))
    return [Summary.Value(tag="samples/noise", image=image)]


def histogram_values(rng, step):
    return [histogram(f"layer_{i}/weights", rng.normal(0, 1 + step / 250 + i, 2_000)) for i in range(6)]


def histogram(tag, numbers):
    numbers = np.append(numbers, 40.0 * numbers.std())  # an outlier, like in real weights
    counts, edges = np.histogram(numbers, BUCKETS)
    rows = np.stack([edges[:-1], edges[1:], counts], axis=1)
    described = metadata.create_summary_metadata(display_name=tag, description="")
    return Summary.Value(tag=tag, tensor=make_tensor_proto(rows), metadata=described)


def main(kind, folder, scale):
    runs, steps = SETS[kind]
    steps = max(10, int(steps * scale))
    values = {"images": image_values, "histograms": histogram_values}[kind]
    for run in range(runs):
        rng = np.random.default_rng(run)
        writer = EventFileWriter(os.path.join(folder, f"run_{run:04d}"), max_queue_size=10)
        for step in range(1, steps + 1):
            scalar = Summary.Value(tag=SCALAR, simple_value=1 / step)
            summary = Summary(value=[*values(rng, step), scalar])
            writer.add_event(Event(wall_time=START + step, step=step, summary=summary))
        writer.close()
    with open(os.path.join(folder, "set.json"), "w") as file:
        json.dump({"kind": kind, "runs": runs, "tags": [SCALAR], "steps": steps}, file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
