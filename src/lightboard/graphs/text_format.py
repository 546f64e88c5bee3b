"""Messages as text, in the format of protocol buffers and, to the byte, as TensorBoard sends them."""

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from lightboard import cancellation
from lightboard.events.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    MalformedError,
    fields,
    signed32,
    signed64,
    varint,
)
from lightboard.graphs.messages import ENUMS, MESSAGES, FieldType

MAX_LEVELS = 100
"""Messages inside of each other, the limit of protocol buffers. Deeper ones are malformed."""

Span = tuple[int, int]

WIRE_TYPES = {**dict.fromkeys("iuwnbe", VARINT), "f": FIXED32, "d": FIXED64, "x": FIXED64, "s": BYTES, "y": BYTES}

ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"', ord("'"): "\\'", ord("\\"): "\\\\"}

CONTROLS = {number: f"\\{number:03o}" for number in (*range(32), 127)} | ESCAPES
"""How characters are escaped in texts."""

OCTETS = CONTROLS | {number: f"\\{number:03o}" for number in range(128, 256)}
"""How bytes are escaped."""


class Limit(NamedTuple):
    """Attributes of nodes of more than `size` bytes are left out, and named in the attribute `key`."""

    size: int
    key: str


def message_text(data: bytes, message: str, begin: int = 0, end: int | None = None) -> Iterator[str]:
    """The message in data[begin:end], line by line. Raises MalformedError."""
    return _lines(data, [(begin, len(data) if end is None else end)], message, 0)


def graphs_text(data: bytes, graphs: Sequence[Span], limit: Limit | None = None) -> Iterator[str]:
    """The GraphDefs in parts of `data` as one. Of several, each gets a prefix, `graph_1` and so on.

    Raises MalformedError.
    """
    prefixes = [f"graph_{at}" for at in range(1, len(graphs) + 1)] if len(graphs) > 1 else [""]
    parts = [_parts(data, span) for span in graphs]
    for prefix, part in zip(prefixes, parts, strict=False):
        for node in part.get(1, ()):
            cancellation.check()
            yield from _node_lines(data, node, prefix, limit)
    libraries = [_parts(data, *part[2]) if 2 in part else {} for part in parts]
    if any(libraries) or (len(graphs) == 1 and 2 in parts[0]):
        yield "library {\n"
        for number in (1, 2, 3):
            for prefix, library in zip(prefixes, libraries, strict=False):
                for span in library.get(number, ()):
                    yield from _library_lines(data, number, span, prefix)
        yield "}\n"
    if len(graphs) == 1:
        yield from _lines(data, graphs, "GraphDef", 0, skip=(1, 2))
    elif parts:
        for span in parts[0].get(4, ())[:1]:
            yield from _block("versions", _lines(data, [span], "VersionDef", 1), 0)


def _parts(data: bytes, *spans: Span) -> dict[int, list[Span]]:
    """The messages in a message, by their number."""
    found: dict[int, list[Span]] = {}
    for span in spans:
        for number, wire_type, value, stop in fields(data, *span):
            if wire_type == BYTES:
                found.setdefault(number, []).append((value, stop))
    return found


def _node_lines(data: bytes, span: Span, prefix: str, limit: Limit | None) -> Iterator[str]:
    """One node of a graph, with the prefix of its graph."""
    if not prefix and limit is None:
        yield from _block("node", _lines(data, [span], "NodeDef", 1), 0)
        return
    raw = _parts(data, span)
    texts = {
        number: [data[at:to].decode("utf-8", "replace") for at, to in raw.get(number, ())] for number in (1, 2, 3, 4)
    }
    yield "node {\n"
    for number, name in ((1, "name"), (2, "op"), (3, "input"), (4, "device")):
        values = texts[number] if number == 3 else texts[number][-1:]
        if prefix and number in (1, 3):
            values = [f"{prefix}/{value}" for value in values]
        yield from (f'  {name}: "{value.translate(CONTROLS)}"\n' for value in values if value or number == 3)
    op = texts[2][-1] if texts[2] else ""
    yield from _attribute_lines(data, raw.get(5, []), prefix if op == "PartitionedCall" else "", limit)
    yield from _lines(data, [span], "NodeDef", 1, skip=(1, 2, 3, 4, 5))
    yield "}\n"


def _attribute_lines(data: bytes, entries: list[Span], prefix: str, limit: Limit | None) -> Iterator[str]:
    """The attributes of a node."""
    values: dict[bytes, list[Span]] = {}
    for entry in entries:
        parts = _parts(data, entry)
        key = data[slice(*parts[1][-1])] if 1 in parts else b""
        values[key] = parts.get(2, [])
    large = [
        key for key, spans in values.items() if limit is not None and sum(to - at for at, to in spans) > limit.size
    ]
    shown: dict[bytes, list[str]] = {
        key: list(_lines(data, spans, "AttrValue", 3)) for key, spans in values.items() if key not in large
    }
    if prefix and b"f" in shown:
        shown[b"f"] = list(_function_lines(data, values[b"f"], prefix))
    if limit is not None and large:
        names = "".join(f'        s: "{key.decode("latin-1").translate(OCTETS)}"\n' for key in large)
        shown[limit.key.encode()] = ["      list {\n", names, "      }\n"]
    for key in sorted(shown, key=_descending):
        yield f'  attr {{\n    key: "{key.decode("utf-8", "replace").translate(CONTROLS)}"\n    value {{\n'
        yield from shown[key]
        yield "    }\n  }\n"


def _function_lines(data: bytes, spans: list[Span], prefix: str) -> Iterator[str]:
    """An AttrValue with the name of a function, which gets a prefix."""
    for part in _parts(data, *spans).get(10, ()):
        names = _parts(data, part).get(1, [(0, 0)])
        name = data[slice(*names[-1])].decode("utf-8", "replace")
        yield f'      func {{\n        name: "{f"{prefix}_{name}".translate(CONTROLS)}"\n'
        yield from _lines(data, [part], "NameAttrList", 4, skip=(1,))
        yield "      }\n"


def _library_lines(data: bytes, number: int, span: Span, prefix: str) -> Iterator[str]:
    """A function or gradient of a library."""
    name = MESSAGES["FunctionDefLibrary"][number].name
    message = MESSAGES["FunctionDefLibrary"][number].of
    if not prefix or number == 3:
        yield from _block(name, _lines(data, [span], message, 2), 1)
        return
    yield f"  {name} {{\n"
    if number == 1:
        parts = _parts(data, span)
        signature = parts.get(1, [])
        names = _parts(data, *signature).get(1, [(0, 0)])
        yield "    signature {\n" + _prefixed_line(data, "name", names[-1], prefix, 3)
        yield from _lines(data, signature, "OpDef", 3, skip=(1,))
        yield "    }\n"
        yield from _lines(data, [span], message, 2, skip=(1,))
    else:
        parts = _parts(data, span)
        for at, field in MESSAGES[message].items():
            yield _prefixed_line(data, field.name, parts.get(at, [(0, 0)])[-1], prefix, 2)
    yield "  }\n"


def _prefixed_line(data: bytes, name: str, span: Span, prefix: str, level: int) -> str:
    """A field with the name of a function, which gets a prefix."""
    text = f"{prefix}_{data[slice(*span)].decode('utf-8', 'replace')}"
    return f'{"  " * level}{name}: "{text.translate(CONTROLS)}"\n'


def _descending(key: bytes) -> bytes:
    """A sort key: descending, but what another key begins with comes before it, as in Python's protobuf."""
    return bytes(255 - byte for byte in key)


def _lines(data: bytes, spans: Sequence[Span], message: str, level: int, skip: tuple[int, ...] = ()) -> Iterator[str]:
    """A message that is in several parts, which are merged. Recursion is limited by `MAX_LEVELS`."""
    if level > MAX_LEVELS:
        raise MalformedError
    known = MESSAGES[message]
    values: dict[int, list[Any]] = {}
    for span in spans:
        for number, wire_type, value, stop in fields(data, *span):
            field = known.get(number)
            if field is None or number in skip:
                continue
            found = _values(data, field, wire_type, value, stop)
            if field.member and not message.endswith("Entry"):
                for other in [each for each in values if known[each].member and each != number]:
                    del values[other]
            if field.repeated or field.kind == "m":
                values.setdefault(number, []).extend(found)
            elif found:
                values[number] = found[-1:]
    indent = "  " * level
    for number, field in known.items():
        if field.map_key:
            yield from _map_lines(data, values.get(number, []), field, level)
        elif field.kind == "m":
            found = values.get(number, [])
            for group in [[span] for span in found] if field.repeated else [found] if found else []:
                yield from _block(field.name, _lines(data, group, field.of, level + 1), level)
        elif number in values or (field.member and message.endswith("Entry") and number not in skip):
            for value in values.get(number, [ZEROS[field.kind]]):
                if field.repeated or field.member or value != ZEROS[field.kind]:
                    yield f"{indent}{field.name}: {TEXTS[field.kind](value, field)}\n"


def _block(name: str, lines: Iterator[str], level: int) -> Iterator[str]:
    """A field that is a message."""
    yield f"{'  ' * level}{name} {{\n"
    yield from lines
    yield f"{'  ' * level}}}\n"


def _map_lines(data: bytes, entries: list[Span], field: FieldType, level: int) -> Iterator[str]:
    """The entries of a map in the order of their keys; of several with a key the last."""
    kinds = MESSAGES[field.of]
    by_key: dict[Any, Span] = {}
    for entry in entries:
        key: Any = ZEROS[field.map_key]
        for number, wire_type, value, stop in fields(data, *entry):
            if number == 1:
                key = (_values(data, kinds[1], wire_type, value, stop) or [key])[-1]
        by_key[key] = entry
    order: Callable[[Any], Any] | None = _descending if field.map_key == "s" else None
    for key in sorted(by_key, key=order):
        yield from _block(field.name, _entry_lines(data, by_key[key], field.of, level + 1), level)


def _entry_lines(data: bytes, entry: Span, message: str, level: int) -> Iterator[str]:
    """The key and value of a map, which are both shown."""
    if 2 not in _parts(data, entry) and MESSAGES[message][2].kind == "m":
        yield from _lines(data, [entry], message, level)
        yield f"{'  ' * level}value {{\n{'  ' * level}}}\n"
    else:
        yield from _lines(data, [entry], message, level)


def _values(data: bytes, field: FieldType, wire_type: int, value: int, stop: int) -> list[Any]:
    """The values of one field, several if they are packed; none if it has another wire type."""
    if field.kind == "m":
        return [(value, stop)] if wire_type == BYTES else []
    single = WIRE_TYPES[field.kind]
    if wire_type == BYTES and single == BYTES:
        return [data[value:stop]]
    if wire_type == single:
        return [_number(field.kind, value if single == VARINT else data[value:stop])]
    found: list[Any] = []
    while wire_type == BYTES and field.repeated and value < stop:
        if single == VARINT:
            number, value = varint(data, value, stop)
            found.append(_number(field.kind, number))
        else:
            width = 4 if single == FIXED32 else 8
            if value + width > stop:
                raise MalformedError
            found.append(_number(field.kind, data[value : value + width]))
            value += width
    return found


def _number(kind: str, raw: Any) -> Any:
    """A number as it is written."""
    match kind:
        case "f":
            return struct.unpack("<f", raw)[0]
        case "d":
            return struct.unpack("<d", raw)[0]
        case "x":
            return int.from_bytes(raw, "little")
        case "i":
            return signed64(raw)
        case "n" | "e":
            return signed32(raw)
        case "w":
            return raw & 0xFFFF_FFFF
        case "b":
            return raw != 0
    return raw


def _float_text(value: float, _field: FieldType) -> str:
    """A float32 with the fewest of 6 or 9 digits that tell it."""
    if not math.isfinite(value):
        return str(value)
    short = f"{value:.6g}"
    return short if _as_float(short) == value else f"{value:.9g}"


def _as_float(text: str) -> float:
    """The float32 of a text."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", float(text)))[0])
    except OverflowError:
        return math.inf


def _double_text(value: float, _field: FieldType) -> str:
    """A double with the fewest of 15 or 17 digits that tell it."""
    short = f"{value:.15g}"
    return short if not math.isfinite(value) or float(short) == value else f"{value:.17g}"


def _enum_text(value: int, field: FieldType) -> str:
    """The name of a number of an enum, or the number."""
    return ENUMS[field.of].get(value, str(value))


ZEROS: dict[str, Any] = {**dict.fromkeys("iuwnxe", 0), "b": False, "f": 0.0, "d": 0.0, "s": b"", "y": b""}

TEXTS: dict[str, Callable[[Any, FieldType], str]] = {
    **dict.fromkeys("iuwnx", lambda value, _field: str(value)),
    "b": lambda value, _field: "true" if value else "false",
    "f": _float_text,
    "d": _double_text,
    "e": _enum_text,
    "s": lambda value, _field: f'"{value.decode("utf-8", "replace").translate(CONTROLS)}"',
    "y": lambda value, _field: f'"{value.decode("latin-1").translate(OCTETS)}"',
}
