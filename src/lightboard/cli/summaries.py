"""Serializes values of the demo other than scalars as Summary.Value, in the formats of TensorBoard's plugins.

The formats are defined in summary.proto, tensor.proto, and plugin_data.proto of each plugin. Not here: the values.
"""

import struct
import zlib
from collections.abc import Mapping, Sequence

from lightboard.cli.event_writer import field, varint

FLOAT, INT32, UINT8, STRING = 1, 3, 4, 7
VERTEX, FACE, COLOR = 1, 2, 3
COMPONENTS = 1 << VERTEX | 1 << FACE | 1 << COLOR
BUCKETS = 30
THRESHOLDS = 51
MIN_DENOMINATOR = 1e-7
"""TensorBoard's minimum of the denominators of precision and recall."""

Row = Sequence[float]


def number(field_number: int, value: int) -> bytes:
    """Encode a protobuf field of one non-negative number."""
    return varint(field_number << 3) + varint(value)


def doubles(field_number: int, values: Row) -> bytes:
    """Encode a packed protobuf field of doubles."""
    return field(field_number, struct.pack(f"<{len(values)}d", *values))


def metadata(plugin: str, content: bytes = b"") -> bytes:
    """Encode a SummaryMetadata as a field of a value."""
    return field(9, field(1, field(1, plugin.encode()) + field(2, content)))


def tensor(dtype: int, shape: Sequence[int], content: bytes) -> bytes:
    """Encode a TensorProto as a field of a value."""
    sizes = b"".join(field(2, number(1, size)) for size in shape)
    return field(8, number(1, dtype) + field(2, sizes) + field(4, content))


def image(tag: str, pixels: bytes, width: int, height: int) -> bytes:
    """A PNG image of RGB pixels, three bytes each."""
    rows = b"".join(b"\0" + pixels[start : start + 3 * width] for start in range(0, len(pixels), 3 * width))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
    return field(1, tag.encode()) + field(4, number(1, height) + number(2, width) + number(3, 3) + field(4, png))


def histogram(tag: str, values: Row) -> bytes:
    """A histogram with equal buckets of `values`, which are finite. There must be at least one."""
    low, high = min(values), max(values)
    width = (high - low) / BUCKETS or 1.0
    counts = [0] * BUCKETS
    for value in values:
        counts[min(BUCKETS - 1, int((value - low) / width))] += 1
    limits = [low + width * (bucket + 1) for bucket in range(BUCKETS)]
    stats = (low, high, len(values), sum(values), sum(value * value for value in values))
    histo = b"".join(bytes([index << 3 | 1]) + struct.pack("<d", stat) for index, stat in enumerate(stats, 1))
    return field(1, tag.encode()) + field(5, histo + doubles(6, limits) + doubles(7, counts))


def text(tag: str, markdown: str) -> bytes:
    """One text."""
    value = field(8, number(1, STRING) + field(2, b"") + field(8, markdown.encode()))
    return field(1, tag.encode()) + value + metadata("text")


def pr_curve(tag: str, scores: Row, labels: Sequence[bool]) -> bytes:
    """The PR curve of scores between 0 and 1, at evenly spaced thresholds."""
    rows: list[list[float]] = [[] for _ in range(6)]
    for index in range(THRESHOLDS):
        positive = [score >= index / (THRESHOLDS - 1) for score in scores]
        tp = sum(predicted and label for predicted, label in zip(positive, labels, strict=True))
        fp, fn = sum(positive) - tp, sum(labels) - tp
        column = (
            tp,
            fp,
            len(labels) - tp - fp - fn,
            fn,
            tp / max(MIN_DENOMINATOR, tp + fp),
            tp / max(MIN_DENOMINATOR, tp + fn),
        )
        for row, value in zip(rows, column, strict=True):
            row.append(value)
    numbers = [value for row in rows for value in row]
    content = struct.pack(f"<{len(numbers)}f", *numbers)
    return (
        field(1, tag.encode()) + tensor(FLOAT, (6, THRESHOLDS), content) + metadata("pr_curves", number(2, THRESHOLDS))
    )


def mesh(name: str, vertices: Sequence[Row], faces: Sequence[Sequence[int]], colors: Sequence[Sequence[int]]) -> bytes:
    """A mesh as three fields of a Summary, one value each: its vertices, faces, and colours from 0 to 255."""
    parts = (
        (VERTEX, "VERTEX", FLOAT, "f", vertices),
        (FACE, "FACE", INT32, "i", faces),
        (COLOR, "COLOR", UINT8, "B", colors),
    )
    values = b""
    for kind, word, dtype, form, rows in parts:
        numbers = [item for row in rows for item in row]
        shape = (1, len(rows), 3)
        sizes = field(6, b"".join(varint(size) for size in shape))
        plugin_data = field(2, name.encode()) + number(3, kind) + sizes + number(7, COMPONENTS)
        value = field(1, f"{name}_{word}".encode()) + tensor(
            dtype, shape, struct.pack(f"<{len(numbers)}{form}", *numbers)
        )
        values += field(1, value + metadata("mesh", plugin_data))
    return values


def hparams(config: Mapping[str, float | str], group: str) -> bytes:
    """The start of a session with these hyperparameters, in a session group."""
    entries = b""
    for key, value in config.items():
        encoded = field(3, value.encode()) if isinstance(value, str) else b"\x11" + struct.pack("<d", value)
        entries += field(1, field(1, key.encode()) + field(2, encoded))
    content = field(3, entries + field(4, group.encode()))
    return field(1, b"_hparams_/session_start_info") + metadata("hparams", content)


def layout(title: str, charts: Mapping[str, Sequence[str]]) -> bytes:
    """A custom layout with one category of charts. `charts` has the tags of each chart by its title."""
    encoded_charts = b"".join(
        field(2, field(1, chart.encode()) + field(2, b"".join(field(1, tag.encode()) for tag in tags)))
        for chart, tags in charts.items()
    )
    content = field(2, field(1, title.encode()) + encoded_charts)
    value = field(8, number(1, STRING) + field(2, b"") + field(8, content))
    return field(1, b"custom_scalars__config__") + value + metadata("custom_scalars")
