"""What the demo logs beside scalars, as serialized Summary.Values in the forms that TensorBoard's plugins write.

Formats: summary.proto, tensor.proto and plugin_data.proto of each plugin. Not here: where the values come from.
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
_LEAST = 1e-7
"""What TensorBoard divides by at least."""

Row = Sequence[float]


def number(place: int, value: int) -> bytes:
    """A protobuf field of one number from 0 up."""
    return varint(place << 3) + varint(value)


def doubles(place: int, values: Row) -> bytes:
    """A packed field of doubles."""
    return field(place, struct.pack(f"<{len(values)}d", *values))


def metadata(plugin: str, content: bytes = b"") -> bytes:
    """A SummaryMetadata as a field of a value."""
    return field(9, field(1, field(1, plugin.encode()) + field(2, content)))


def tensor(dtype: int, shape: Sequence[int], content: bytes) -> bytes:
    """A TensorProto as a field of a value."""
    sizes = b"".join(field(2, number(1, size)) for size in shape)
    return field(8, number(1, dtype) + field(2, sizes) + field(4, content))


def image(tag: str, pixels: bytes, width: int, height: int) -> bytes:
    """RGB, three bytes a pixel, as PNG."""
    rows = b"".join(b"\0" + pixels[at : at + 3 * width] for at in range(0, len(pixels), 3 * width))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
    return field(1, tag.encode()) + field(4, number(1, height) + number(2, width) + number(3, 3) + field(4, png))


def histogram(tag: str, values: Row) -> bytes:
    """Of finite numbers, at least one, in equal buckets."""
    low, high = min(values), max(values)
    width = (high - low) / BUCKETS or 1.0
    counts = [0] * BUCKETS
    for value in values:
        counts[min(BUCKETS - 1, int((value - low) / width))] += 1
    limits = [low + width * (bucket + 1) for bucket in range(BUCKETS)]
    figures = (low, high, len(values), sum(values), sum(value * value for value in values))
    histo = b"".join(bytes([place << 3 | 1]) + struct.pack("<d", figure) for place, figure in enumerate(figures, 1))
    return field(1, tag.encode()) + field(5, histo + doubles(6, limits) + doubles(7, counts))


def text(tag: str, markdown: str) -> bytes:
    """One text."""
    value = field(8, number(1, STRING) + field(2, b"") + field(8, markdown.encode()))
    return field(1, tag.encode()) + value + metadata("text")


def pr_curve(tag: str, scores: Row, labels: Sequence[bool]) -> bytes:
    """Of scores between 0 and 1, at equally spaced thresholds."""
    rows: list[list[float]] = [[] for _ in range(6)]
    for at in range(THRESHOLDS):
        found = [score >= at / (THRESHOLDS - 1) for score in scores]
        tp = sum(one and label for one, label in zip(found, labels, strict=True))
        fp, fn = sum(found) - tp, sum(labels) - tp
        column = (tp, fp, len(labels) - tp - fp - fn, fn, tp / max(_LEAST, tp + fp), tp / max(_LEAST, tp + fn))
        for row, figure in zip(rows, column, strict=True):
            row.append(figure)
    numbers = [figure for row in rows for figure in row]
    content = struct.pack(f"<{len(numbers)}f", *numbers)
    return (
        field(1, tag.encode()) + tensor(FLOAT, (6, THRESHOLDS), content) + metadata("pr_curves", number(2, THRESHOLDS))
    )


def mesh(name: str, vertices: Sequence[Row], faces: Sequence[Sequence[int]], colors: Sequence[Sequence[int]]) -> bytes:
    """A surface as three fields of a Summary: its vertices, faces and colours (0 to 255), one value each."""
    parts = (
        (VERTEX, "VERTEX", FLOAT, "f", vertices),
        (FACE, "FACE", INT32, "i", faces),
        (COLOR, "COLOR", UINT8, "B", colors),
    )
    out = b""
    for kind, word, dtype, form, rows in parts:
        numbers = [item for row in rows for item in row]
        shape = (1, len(rows), 3)
        sizes = field(6, b"".join(varint(size) for size in shape))
        about = field(2, name.encode()) + number(3, kind) + sizes + number(7, COMPONENTS)
        value = field(1, f"{name}_{word}".encode()) + tensor(
            dtype, shape, struct.pack(f"<{len(numbers)}{form}", *numbers)
        )
        out += field(1, value + metadata("mesh", about))
    return out


def hparams(config: Mapping[str, float | str], group: str) -> bytes:
    """The start of a session."""
    entries = b""
    for key, value in config.items():
        said = field(3, value.encode()) if isinstance(value, str) else b"\x11" + struct.pack("<d", value)
        entries += field(1, field(1, key.encode()) + field(2, said))
    content = field(3, entries + field(4, group.encode()))
    return field(1, b"_hparams_/session_start_info") + metadata("hparams", content)


def layout(title: str, charts: Mapping[str, Sequence[str]]) -> bytes:
    """Charts of several tags each, by title, in one category."""
    drawn = b"".join(
        field(2, field(1, chart.encode()) + field(2, b"".join(field(1, tag.encode()) for tag in tags)))
        for chart, tags in charts.items()
    )
    content = field(2, field(1, title.encode()) + drawn)
    value = field(8, number(1, STRING) + field(2, b"") + field(8, content))
    return field(1, b"custom_scalars__config__") + value + metadata("custom_scalars")
