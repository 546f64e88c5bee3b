"""What the mesh plugin says of a tag: one mesh is up to three series, of its vertices, faces and colours.

The series of one mesh carry its name in their metadata; writers name their tags `<name>_VERTEX`, or `<name>_1` as
tensorboardX does. Needs no NumPy: tags are counted when the board starts. Not here: the numbers (`meshes.py`).
"""

from typing import Literal, NamedTuple

from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64, varint

PLUGIN = "mesh"

Part = Literal["vertex", "face", "color"]
PARTS: tuple[Part, ...] = ("vertex", "face", "color")
"""By the number that travels, less one."""

KNOWN_VERSION = 0

ALL_COMPONENTS = 0b1110
"""What TensorBoard takes where a writer names none."""

MAX_CONFIG = 64 << 10
"""Bytes of a scene's description; a longer one is left out."""


class MeshTag(NamedTuple):
    """One of the series of the mesh `name`; `part` is None where its metadata does not say which.

    `shape` is the first value's, by its writer's word; `components` has a bit for each part that the writer wrote;
    `config` describes the scene in JSON, unchecked.
    """

    name: str
    part: Part | None
    version: int
    components: int
    shape: tuple[int, ...]
    config: str


def mesh_tag(tag: str, metadata: bytes) -> MeshTag:
    """What a SummaryMetadata says of `tag`; of malformed bytes what comes before they break."""
    name, config, shape = "", b"", list[int]()
    numbers = {1: 0, 3: 0, 7: 0}
    try:
        for begin, end in contents(metadata):
            for number, wire_type, value, stop in fields(metadata, begin, end):
                if number in numbers and wire_type == VARINT:
                    numbers[number] = value
                elif number == 2 and wire_type == BYTES:
                    name = metadata[value:stop].decode("utf-8", "replace")
                elif number == 5 and wire_type == BYTES:
                    config = metadata[value:stop]
                elif number == 6:
                    shape += sizes(metadata, wire_type, value, stop)
    except MalformedError:
        pass
    kind = numbers[3]
    part = PARTS[kind - 1] if 1 <= kind <= len(PARTS) else None
    words = config.decode("utf-8", "replace") if len(config) <= MAX_CONFIG else ""
    return MeshTag(name or bare_name(tag), part, numbers[1], numbers[7] or ALL_COMPONENTS, tuple(shape), words)


def contents(metadata: bytes) -> list[tuple[int, int]]:
    """Where PluginData.content lies. Raises MalformedError."""
    return [
        (begin, end)
        for number, wire_type, value, stop in fields(metadata, 0, len(metadata))
        if number == 1 and wire_type == BYTES
        for inner, inner_type, begin, end in fields(metadata, value, stop)
        if inner == 2 and inner_type == BYTES
    ]


def sizes(data: bytes, wire_type: int, value: int, stop: int) -> list[int]:
    """Sizes of dimensions, packed or one of them; -1 where the writer did not know. Raises MalformedError."""
    if wire_type == VARINT:
        return [signed64(value)]
    found = []
    while wire_type == BYTES and value < stop:
        size, value = varint(data, value, stop)
        found.append(signed64(size))
    return found


def bare_name(tag: str) -> str:
    """A tag without the end that says which part it is."""
    head, _, end = tag.rpartition("_")
    return head if head and end.upper() in ("VERTEX", "FACE", "COLOR") else tag
