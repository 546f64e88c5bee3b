"""Reads NodeDefs: operation, inputs, and what attributes say about outputs and calls. See node_def.proto.

Attributes are read as far as they say what flows, or which function is called. Nodes whose bytes after the name are
those of another node, but for the names of inputs, are read once.
"""

import math
from typing import NamedTuple

from lightboard import cancellation
from lightboard.events.payloads import DTYPE_NAMES, parse_shape
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, varint
from lightboard.graphs.graph import Call, GraphBuilder, Outputs, TensorType, hash_of

NODES_PER_CHECK = 1000
"""Nodes that are read between two checks whether somebody still waits for them."""

SHORT_BYTES = 512
"""Attributes up to this size are read once if they are repeated."""

MAX_KNOWN = 100_000
"""Different attributes that are remembered."""

MAX_REST_BYTES = 1024
"""What is larger after the inputs of a node is read for each node."""

MAX_CALLS = 64
"""Functions that one node may call: the branches of a case."""

NAME_KEY, OP_KEY, INPUT_KEY = 0x0A, 0x12, 0x1A
HEAD_KEYS = frozenset({NAME_KEY, OP_KEY, INPUT_KEY})
"""Keys of the fields that come first."""

Calls = tuple[Call, ...]

VARIABLES = frozenset({"VarHandleOp", "VariableV2", "Variable", "AutoReloadVariable", "TemporaryVariable"})
CONSTANTS = frozenset({"Const", "_EagerConst", "HostConst", "prim::Constant", "onnx::Constant", "Constant"})

CAPTURES = frozenset({"Placeholder", "_Arg", "Argument"})
"""What stands for a variable in a function that captures it."""

TYPE_KEYS = ("dtype", "DstT", "out_type", "output_type", "Tout", "output_types", "component_types", "T", "TI")
"""Attributes that tell the type of the outputs, in the order in which they count."""

NAMES_OF_THINGS = frozenset(
    {"_class", "shared_name", "container", "seed", "seed2", "device", "_output_shapes", "shape"}
)
"""Attributes that distinguish nodes of the same structure, and shapes, which count as outputs."""

OTHER_DTYPES = {
    7: "string",
    8: "complex64",
    11: "qint8",
    12: "quint8",
    13: "qint32",
    15: "qint16",
    16: "quint16",
    18: "complex128",
    20: "resource",
    21: "variant",
}


class Attribute(NamedTuple):
    """What an attribute means for the graph. `label` is a hash of it, 0 if it is only a name."""

    key: str
    label: int
    dtypes: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...] | None, ...] = ()
    functions: tuple[str, ...] = ()


def dtype_name(number: int) -> str:
    """The name of a DataType; those above 100 are references."""
    number = number - 100 if 100 < number < 200 else number
    return DTYPE_NAMES.get(number) or OTHER_DTYPES.get(number, "")


def text_of(data: bytes, begin: int, end: int) -> str:
    """A string, also if it is not valid UTF-8."""
    return data[begin:end].decode("utf-8", "replace")


def first_text(data: bytes, begin: int, end: int) -> str:
    """Field 1 of a message, a string."""
    found = ""
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == BYTES:
            found = text_of(data, value, stop)
    return found


def dtype_list(data: bytes, wire_type: int, begin: int, end: int) -> list[str]:
    """DataTypes, packed or a single one."""
    if wire_type == VARINT:
        return [dtype_name(begin)]
    return [dtype_name(byte) for byte in data[begin:end]] if wire_type == BYTES else []


def shape_of(data: bytes, begin: int, end: int) -> tuple[int, ...] | None:
    """A TensorShapeProto; None if not even its rank is known."""
    for number, wire_type, value, _ in fields(data, begin, end):
        if number == 3 and wire_type == VARINT and value:
            return None
    return parse_shape(data, begin, end)


def tensor_type(data: bytes, begin: int, end: int) -> TensorType:
    """Type and shape of a TensorProto."""
    dtype, shape = "", tuple[int, ...]()
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == VARINT:
            dtype = dtype_name(value)
        elif number == 2 and wire_type == BYTES:
            shape = parse_shape(data, value, stop)
    return TensorType(dtype, shape)


class AttributeReader:
    """Reads attributes of the nodes in `data`. `malformed` counts nodes with an error."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.malformed = 0
        self._known: dict[bytes, Attribute] = {}

    def read(self, data: bytes, begin: int, end: int) -> Attribute:
        """The AttrEntry in data[begin:end], `data` or a part of it. Raises MalformedError."""
        if end - begin > SHORT_BYTES:
            return self._parse(data, begin, end)
        raw = data[begin:end]
        found = self._known.get(raw)
        if found is None:
            found = self._parse(data, begin, end)
            if len(self._known) < MAX_KNOWN:
                self._known[raw] = found
        return found

    def _parse(self, data: bytes, begin: int, end: int) -> Attribute:
        key, span = "", (end, end)
        for number, wire_type, value, stop in fields(data, begin, end):
            if number == 1 and wire_type == BYTES:
                key = text_of(data, value, stop)
            elif number == 2 and wire_type == BYTES:
                span = value, stop
        dtypes, shapes, functions = self._value(data, *span)
        if key.startswith("_") or key in NAMES_OF_THINGS or functions:
            label = 0
        elif key == "value" and shapes:
            label = hash_of(key, dtypes, shapes)
        else:
            label = hash_of(key, data[span[0] : min(span[1], span[0] + SHORT_BYTES)])
        return Attribute(key, label, dtypes, shapes, functions)

    def _value(
        self, data: bytes, begin: int, end: int
    ) -> tuple[tuple[str, ...], tuple[tuple[int, ...] | None, ...], tuple[str, ...]]:
        """Types, shapes and functions of an AttrValue, or of its list."""
        dtypes, shapes, functions = list[str](), list[tuple[int, ...] | None](), list[str]()
        for number, wire_type, value, stop in fields(data, begin, end):
            if number == 1 and wire_type == BYTES:
                for inner, inner_type, at, to in fields(data, value, stop):
                    if inner == 6:
                        dtypes += dtype_list(data, inner_type, at, to)
                    elif inner == 7 and inner_type == BYTES:
                        shapes.append(shape_of(data, at, to))
                    elif inner == 9 and inner_type == BYTES:
                        functions.append(first_text(data, at, to))
            elif number == 6 and wire_type == VARINT:
                dtypes.append(dtype_name(value))
            elif number == 7 and wire_type == BYTES:
                shapes.append(shape_of(data, value, stop))
            elif number == 8 and wire_type == BYTES:
                tensor = tensor_type(data, value, stop)
                dtypes.append(tensor.dtype)
                shapes.append(tensor.shape)
            elif number == 10 and wire_type == BYTES:
                functions.append(first_text(data, value, stop))
        return tuple(dtypes), tuple(shapes), tuple(functions[:MAX_CALLS])


class NodeReader:
    """Adds nodes in the data of `attributes` to one graph."""

    def __init__(self, builder: GraphBuilder, attributes: AttributeReader) -> None:
        self.builder = builder
        self.attributes = attributes
        self._kinds: dict[tuple[bytes, int, bytes], tuple[int, Calls]] = {}

    def add(self, begin: int, end: int) -> None:
        """Add the NodeDef in [begin, end)."""
        try:
            name, op, inputs, rest = self._head(begin, end)
            kind, calls = self._kinds.get((op, len(inputs), rest)) or self._kind(op, len(inputs), rest)
        except MalformedError:
            name, inputs, kind, calls = self._read(begin, end)
        node = self.builder.add_of_kind(kind, name, begin, end)
        self.builder.add_inputs(node, inputs)
        if calls:
            self.builder.calls[node] = calls
        if not node % NODES_PER_CHECK:
            cancellation.check()

    def _head(self, begin: int, end: int) -> tuple[str, bytes, list[str], bytes]:
        """Name, operation and inputs, if they come first as writers have them, and the rest. Raises MalformedError."""
        data, at = self.attributes.data, begin
        name = op = b""
        inputs: list[str] = []
        while at < end:
            key = data[at]
            if key not in HEAD_KEYS:
                break
            length, start = varint(data, at + 1, end)
            at = start + length
            if at > end:
                raise MalformedError
            if key == INPUT_KEY:
                inputs.append(data[start:at].decode("utf-8", "replace"))
            elif key == NAME_KEY:
                name = data[start:at]
            else:
                op = data[start:at]
        return name.decode("utf-8", "replace"), op, inputs, data[at:end]

    def _kind(self, op: bytes, inputs: int, rest: bytes) -> tuple[int, Calls]:
        """The kind of nodes with this operation and rest, and what they call. Raises MalformedError."""
        device, attributes = "", list[Attribute]()
        for number, wire_type, value, stop in fields(rest, 0, len(rest)):
            if wire_type != BYTES:
                continue
            if number == 5:
                attributes.append(self.attributes.read(rest, value, stop))
            elif number == 4:
                device = text_of(rest, value, stop)
            elif number in (1, 2, 3):
                raise MalformedError  # not malformed, but more than attributes
        found = self._added(text_of(op, 0, len(op)), inputs, device, attributes)
        if len(rest) <= MAX_REST_BYTES and len(self._kinds) < MAX_KNOWN:
            self._kinds[op, inputs, rest] = found
        return found

    def _read(self, begin: int, end: int) -> tuple[str, list[str], int, Calls]:
        """A node of which no assumption holds, as far as it can be read."""
        data = self.attributes.data
        name = op = device = ""
        inputs: list[str] = []
        attributes: list[Attribute] = []
        try:
            for number, wire_type, value, stop in fields(data, begin, end):
                if wire_type != BYTES:
                    continue
                if number == 5:
                    attributes.append(self.attributes.read(data, value, stop))
                elif number == 3:
                    inputs.append(text_of(data, value, stop))
                elif number == 1:
                    name = text_of(data, value, stop)
                elif number == 2:
                    op = text_of(data, value, stop)
                elif number == 4:
                    device = text_of(data, value, stop)
        except MalformedError:
            self.attributes.malformed += 1
        return name, inputs, *self._added(op, len(inputs), device, attributes)

    def _added(self, op: str, inputs: int, device: str, attributes: list[Attribute]) -> tuple[int, Calls]:
        """A kind that is added to the graph, and the calls of its nodes."""
        outputs = outputs_of(op, attributes)
        label = label_of(op, inputs, outputs, attributes)
        kind = self.builder.add_kind(op, device, outputs, label, variable_size(op, attributes))
        calls = tuple(Call(each.key, function) for each in attributes for function in each.functions)
        return kind, calls if len({call.attribute for call in calls}) == len(calls) else numbered(calls)


def numbered(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Calls of one list, such as the branches of a case, with distinct names."""
    return tuple(Call(f"{call.attribute}_{at}", call.function) for at, call in enumerate(calls[:MAX_CALLS]))


def outputs_of(op: str, attributes: list[Attribute]) -> Outputs:
    """The types of the outputs of a node, as far as its attributes tell them."""
    by_key = {attribute.key: attribute for attribute in attributes}
    dtypes: tuple[str, ...] = next(
        (by_key[key].dtypes for key in TYPE_KEYS if key in by_key and by_key[key].dtypes), ()
    )
    written = by_key.get("_output_shapes")
    shapes = written.shapes if written is not None else ()
    if not shapes:
        value = by_key.get("value" if op in CONSTANTS else "shape")
        shapes = value.shapes[:1] if value is not None else ()
    if not shapes and len(dtypes) < 2:
        return (TensorType(dtypes[0], None),) if dtypes and dtypes[0] else ()
    if len(dtypes) <= 1:
        dtypes = dtypes * len(shapes) if dtypes else ("",) * len(shapes)
    count = max(len(dtypes), len(shapes))
    return tuple(
        TensorType(dtypes[at] if at < len(dtypes) else "", shapes[at] if at < len(shapes) else None)
        for at in range(count)
    )


def label_of(op: str, inputs: int, outputs: Outputs, attributes: list[Attribute]) -> int:
    """The hash of what a node is: without names, values of constants, and what it is connected to."""
    return (hash_of(op, inputs, outputs) + sum(each.label for each in attributes)) & (2**64 - 1)


def variable_size(op: str, attributes: list[Attribute]) -> int:
    """The number of parameters of a variable, -1 if unknown or if the node is none."""
    if op not in VARIABLES:
        return -1
    shape = next((each.shapes[0] for each in attributes if each.key == "shape" and each.shapes), None)
    return -1 if shape is None or any(size < 0 for size in shape) else math.prod(shape)
