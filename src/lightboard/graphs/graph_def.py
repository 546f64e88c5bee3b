"""Reads a GraphDef, with the functions of its library, as a `Graph`. See graph.proto, node_def.proto, function.proto.

Attributes are read as far as they say what flows, or which function is called. Most are equal to those of other nodes,
and are read once.
"""

import math
from typing import NamedTuple

import numpy as np

from lightboard import cancellation
from lightboard.events.payloads import DTYPE_NAMES, parse_shape
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields
from lightboard.graphs.graph import Call, Graph, GraphBuilder, Outputs, TensorType, hash_of

NODES_PER_CHECK = 1000
"""Nodes that are read between two checks whether somebody still waits for them."""

SHORT_BYTES = 512
"""Attributes up to this size are read once if they are repeated."""

MAX_KNOWN = 100_000
"""Different attributes that are remembered."""

MAX_CALLS = 64
"""Functions that one node may call: the branches of a case."""

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


def read_graph_def(data: bytes, begin: int = 0, end: int | None = None) -> Graph:
    """The graph in data[begin:end]. What cannot be read is left out, and said in its `problems`."""
    end = len(data) if end is None else end
    builder, attributes, functions = GraphBuilder(), AttributeReader(data), dict[str, Graph]()
    function_spans: list[tuple[int, int]] = []
    try:
        for number, wire_type, value, stop in fields(data, begin, end):
            if number == 1 and wire_type == BYTES and not builder.full:
                add_node(builder, attributes, data, value, stop)
            elif number == 2 and wire_type == BYTES:
                function_spans += library_spans(data, value, stop)
    except MalformedError:
        builder.problems.append(f"the graph is cut off or malformed after {len(builder.names):,} nodes")
    for value, stop in function_spans:
        name, function = read_function(data, attributes, value, stop)
        functions.setdefault(name, function)
    graph = builder.finish()
    if attributes.malformed:
        graph.problems.append(f"{attributes.malformed:,} nodes could not be read completely")
    graph.functions = functions
    connect_calls(graph)
    for body in (graph, *functions.values()):
        count_captured_variables(body)
    return graph


def library_spans(data: bytes, begin: int, end: int) -> list[tuple[int, int]]:
    """The functions of a FunctionDefLibrary. Raises MalformedError."""
    return [
        (value, stop)
        for number, wire_type, value, stop in fields(data, begin, end)
        if number == 1 and wire_type == BYTES
    ]


def connect_calls(graph: Graph) -> None:
    """Keep calls of functions that exist, and add those of nodes whose operation is a function."""
    for body in (graph, *graph.functions.values()):
        names = {index: op for index, op in enumerate(body.ops) if op in graph.functions}
        found = {
            node: tuple(call for call in calls if call.function in graph.functions)
            for node, calls in body.calls.items()
        }
        if names:
            for node, op in enumerate(body.op_ids.tolist()):
                if op in names:
                    found[node] = (*found.get(node, ()), Call("", names[op]))
        body.calls = {node: calls for node, calls in found.items() if calls}


def count_captured_variables(graph: Graph) -> None:
    """Find the parameters of variables that a function captures: their shapes are those of what is read from them."""
    read = [at for at, op in enumerate(graph.ops) if op == "ReadVariableOp"]
    outside = [at for at, op in enumerate(graph.ops) if op in CAPTURES]
    edges = graph.edges
    found = np.isin(graph.op_ids[edges.target], read) & np.isin(graph.op_ids[edges.source], outside) & ~edges.control
    for edge in np.flatnonzero(found).tolist():
        types = graph.output_types(int(edges.target[edge]))[:1]
        if types and types[0].shape is not None and all(size >= 0 for size in types[0].shape):
            graph.parameters[edges.source[edge]] = types[0].elements


class AttributeReader:
    """Reads attributes of the nodes in `data`. `malformed` counts nodes with an error."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.malformed = 0
        self._known: dict[bytes, Attribute] = {}

    def read(self, begin: int, end: int) -> Attribute:
        """The AttrEntry in [begin, end). Raises MalformedError."""
        if end - begin > SHORT_BYTES:
            return self._parse(begin, end)
        raw = self.data[begin:end]
        found = self._known.get(raw)
        if found is None:
            found = self._parse(begin, end)
            if len(self._known) < MAX_KNOWN:
                self._known[raw] = found
        return found

    def _parse(self, begin: int, end: int) -> Attribute:
        key, span = "", (end, end)
        for number, wire_type, value, stop in fields(self.data, begin, end):
            if number == 1 and wire_type == BYTES:
                key = text_of(self.data, value, stop)
            elif number == 2 and wire_type == BYTES:
                span = value, stop
        dtypes, shapes, functions = self._value(*span)
        if key.startswith("_") or key in NAMES_OF_THINGS or functions:
            label = 0
        elif key == "value" and shapes:
            label = hash_of(key, dtypes, shapes)
        else:
            label = hash_of(key, self.data[span[0] : min(span[1], span[0] + SHORT_BYTES)])
        return Attribute(key, label, dtypes, shapes, functions)

    def _value(
        self, begin: int, end: int
    ) -> tuple[tuple[str, ...], tuple[tuple[int, ...] | None, ...], tuple[str, ...]]:
        """Types, shapes and functions of an AttrValue, or of its list."""
        dtypes, shapes, functions = list[str](), list[tuple[int, ...] | None](), list[str]()
        for number, wire_type, value, stop in fields(self.data, begin, end):
            if number == 1 and wire_type == BYTES:
                for inner, inner_type, at, to in fields(self.data, value, stop):
                    if inner == 6:
                        dtypes += dtype_list(self.data, inner_type, at, to)
                    elif inner == 7 and inner_type == BYTES:
                        shapes.append(shape_of(self.data, at, to))
                    elif inner == 9 and inner_type == BYTES:
                        functions.append(first_text(self.data, at, to))
            elif number == 6 and wire_type == VARINT:
                dtypes.append(dtype_name(value))
            elif number == 7 and wire_type == BYTES:
                shapes.append(shape_of(self.data, value, stop))
            elif number == 8 and wire_type == BYTES:
                tensor = tensor_type(self.data, value, stop)
                dtypes.append(tensor.dtype)
                shapes.append(tensor.shape)
            elif number == 10 and wire_type == BYTES:
                functions.append(first_text(self.data, value, stop))
        return tuple(dtypes), tuple(shapes), tuple(functions[:MAX_CALLS])


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


def add_node(builder: GraphBuilder, reader: AttributeReader, data: bytes, begin: int, end: int) -> None:
    """Add the NodeDef in data[begin:end]."""
    name = op = device = ""
    inputs: list[str] = []
    attributes: list[Attribute] = []
    try:
        for number, wire_type, value, stop in fields(data, begin, end):
            if wire_type != BYTES:
                continue
            if number == 5:
                attributes.append(reader.read(value, stop))
            elif number == 3:
                inputs.append(text_of(data, value, stop))
            elif number == 1:
                name = text_of(data, value, stop)
            elif number == 2:
                op = text_of(data, value, stop)
            elif number == 4:
                device = text_of(data, value, stop)
    except MalformedError:
        reader.malformed += 1
    outputs = outputs_of(op, attributes)
    node = builder.add(
        name,
        op,
        device=device,
        outputs=outputs,
        label=label_of(op, len(inputs), outputs, attributes),
        parameters=variable_size(op, attributes),
        span=(begin, end),
    )
    builder.add_inputs(node, inputs)
    calls = tuple(Call(each.key, function) for each in attributes for function in each.functions)
    if calls:
        builder.calls[node] = calls if len({call.attribute for call in calls}) == len(calls) else numbered(calls)
    if not node % NODES_PER_CHECK:
        cancellation.check()


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


class Argument(NamedTuple):
    """An argument or result of a function."""

    name: str
    dtype: str


def read_function(data: bytes, reader: AttributeReader, begin: int, end: int) -> tuple[str, Graph]:
    """Name and body of a FunctionDef. Its arguments and results are nodes of the body."""
    builder = GraphBuilder()
    signature, nodes, results = ("", list[Argument](), list[Argument]()), list[tuple[int, int]](), dict[str, str]()
    try:
        for number, wire_type, value, stop in fields(data, begin, end):
            if wire_type != BYTES:
                continue
            if number == 1:
                signature = read_signature(data, value, stop)
            elif number == 3:
                nodes.append((value, stop))
            elif number == 4:
                name, source = text_pair(data, value, stop)
                results[name] = source
    except MalformedError:
        builder.problems.append("the function is cut off or malformed")
    name, arguments, outputs = signature
    for argument in arguments:
        types = (TensorType(argument.dtype, None),) if argument.dtype else ()
        builder.add(
            argument.name, "Argument", outputs=types, label=hash_of("Argument", argument.dtype), span=(begin, begin)
        )
    for value, stop in nodes:
        if builder.full:
            break
        add_node(builder, reader, data, value, stop)
    taken = set(builder.names)
    for output in outputs:
        label = hash_of("Result", output.dtype)
        shown = output.name if output.name not in taken else f"{output.name} (result)"
        node = builder.add(shown, "Result", label=label, span=(begin, begin))
        if output.name in results:
            builder.add_inputs(node, [results[output.name]])
    return name, builder.finish()


def read_signature(data: bytes, begin: int, end: int) -> tuple[str, list[Argument], list[Argument]]:
    """Name, arguments and results of an OpDef."""
    name, arguments, results = "", list[Argument](), list[Argument]()
    for number, wire_type, value, stop in fields(data, begin, end):
        if wire_type != BYTES:
            continue
        if number == 1:
            name = text_of(data, value, stop)
        elif number in (2, 3):
            (arguments if number == 2 else results).append(read_argument(data, value, stop))
    return name, arguments, results


def read_argument(data: bytes, begin: int, end: int) -> Argument:
    """One ArgDef."""
    name = dtype = ""
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == BYTES:
            name = text_of(data, value, stop)
        elif number == 3 and wire_type == VARINT:
            dtype = dtype_name(value)
    return Argument(name, dtype)


def text_pair(data: bytes, begin: int, end: int) -> tuple[str, str]:
    """An entry of a map of strings."""
    pair = {1: "", 2: ""}
    for number, wire_type, value, stop in fields(data, begin, end):
        if number in pair and wire_type == BYTES:
            pair[number] = text_of(data, value, stop)
    return pair[1], pair[2]
