"""The metadata of the mesh plugin: one mesh is up to three series, for its vertices, faces and colours.

The series of one mesh have its name in their metadata. Writers name the tags `<name>_VERTEX`, or `<name>_1` like
tensorboardX. Does not need NumPy, because tags are counted at startup. `meshes` reads the numbers.
"""

from typing import Literal, NamedTuple

from lightboard.events.messages import content_spans
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64, varint

PLUGIN = "mesh"

Part = Literal["vertex", "face", "color"]
PARTS: tuple[Part, ...] = ("vertex", "face", "color")
"""In the order of their numbers in the metadata, which begin at 1."""

KNOWN_VERSION = 0

ALL_COMPONENTS = 0b1110
"""What TensorBoard assumes if the writer states no components."""

MAX_CONFIG = 64 << 10
"""The maximum size of a scene description in bytes. Longer ones are ignored."""


class MeshTag(NamedTuple):
    """One of the series of the mesh `name`. `part` is None if its metadata does not say which.

    `shape` is that of the first value as stated by the writer; `components` has a bit for each part that was written;
    `config` describes the scene in JSON, not validated.
    """

    name: str
    part: Part | None
    version: int
    components: int
    shape: tuple[int, ...]
    config: str


def mesh_tag(tag: str, metadata: bytes) -> MeshTag:
    """Parse the SummaryMetadata of `tag`. For malformed bytes, the fields before the error count."""
    name, config, shape = "", b"", list[int]()
    numbers = {1: 0, 3: 0, 7: 0}
    try:
        for begin, end in content_spans(metadata):
            for number, wire_type, value, stop in fields(metadata, begin, end):
                if number in numbers and wire_type == VARINT:
                    numbers[number] = value
                elif number == 2 and wire_type == BYTES:
                    name = metadata[value:stop].decode("utf-8", "replace")
                elif number == 5 and wire_type == BYTES:
                    config = metadata[value:stop]
                elif number == 6:
                    shape += parse_sizes(metadata, wire_type, value, stop)
    except MalformedError:
        pass
    kind = numbers[3]
    part = PARTS[kind - 1] if 1 <= kind <= len(PARTS) else None
    words = config.decode("utf-8", "replace") if len(config) <= MAX_CONFIG else ""
    return MeshTag(name or bare_name(tag), part, numbers[1], numbers[7] or ALL_COMPONENTS, tuple(shape), words)


def parse_sizes(data: bytes, wire_type: int, value: int, stop: int) -> list[int]:
    """Sizes of dimensions, packed or a single one; -1 if unknown to the writer. Raises MalformedError."""
    if wire_type == VARINT:
        return [signed64(value)]
    found = []
    while wire_type == BYTES and value < stop:
        size, value = varint(data, value, stop)
        found.append(signed64(size))
    return found


def bare_name(tag: str) -> str:
    """The tag without the suffix for the part."""
    head, _, end = tag.rpartition("_")
    return head if head and end.upper() in ("VERTEX", "FACE", "COLOR") else tag
