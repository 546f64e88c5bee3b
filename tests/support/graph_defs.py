"""Encodes GraphDefs by hand, without protobuf."""

from collections.abc import Mapping, Sequence

from lightboard.testing.event_files import bytes_field, varint_field

FLOAT = 1


def shape(*sizes: int) -> bytes:
    """A TensorShapeProto."""
    return b"".join(bytes_field(2, varint_field(1, size)) for size in sizes)


def attribute(key: str, value: bytes) -> bytes:
    """An entry of the attributes of a node. `value` is an AttrValue."""
    return bytes_field(5, bytes_field(1, key.encode()) + bytes_field(2, value))


def type_attribute(key: str, number: int = FLOAT) -> bytes:
    """An attribute with a type."""
    return attribute(key, varint_field(6, number))


def shapes_attribute(*shapes: Sequence[int]) -> bytes:
    """The attribute with the shapes of the outputs."""
    return attribute("_output_shapes", bytes_field(1, b"".join(bytes_field(7, shape(*sizes)) for sizes in shapes)))


def function_attribute(key: str, name: str) -> bytes:
    """An attribute that names a function."""
    return attribute(key, bytes_field(10, bytes_field(1, name.encode())))


def node_def(name: str, op: str, inputs: Sequence[str] = (), attributes: bytes = b"", device: str = "") -> bytes:
    """A NodeDef."""
    data = bytes_field(1, name.encode()) + bytes_field(2, op.encode())
    data += b"".join(bytes_field(3, each.encode()) for each in inputs)
    return data + (bytes_field(4, device.encode()) if device else b"") + attributes


def graph_def(*nodes: bytes, functions: Sequence[bytes] = ()) -> bytes:
    """A GraphDef of serialized nodes and functions."""
    library = bytes_field(2, b"".join(bytes_field(1, each) for each in functions)) if functions else b""
    return b"".join(bytes_field(1, node) for node in nodes) + library


def function_def(
    name: str,
    arguments: Mapping[str, int],
    nodes: Sequence[bytes],
    results: Mapping[str, str],
) -> bytes:
    """A FunctionDef: types of arguments by name, and the output that each result returns."""

    def argument(name: str, number: int) -> bytes:
        return bytes_field(1, name.encode()) + varint_field(3, number)

    signature = bytes_field(1, name.encode())
    signature += b"".join(bytes_field(2, argument(*each)) for each in arguments.items())
    signature += b"".join(bytes_field(3, argument(each, FLOAT)) for each in results)
    data = bytes_field(1, signature) + b"".join(bytes_field(3, node) for node in nodes)
    pairs = (bytes_field(1, key.encode()) + bytes_field(2, value.encode()) for key, value in results.items())
    return data + b"".join(bytes_field(4, pair) for pair in pairs)


def dense_layer(scope: str, source: str, size: int = 8) -> list[bytes]:
    """The nodes of a dense layer, whose output is `scope/Relu`."""
    shapes = shapes_attribute((4, size)) + type_attribute("T")
    variable = attribute("shape", bytes_field(7, shape(size, size))) + type_attribute("dtype")
    return [
        node_def(f"{scope}/kernel", "VariableV2", (), variable),
        node_def(f"{scope}/MatMul", "MatMul", (source, f"{scope}/kernel"), shapes),
        node_def(f"{scope}/Relu", "Relu", (f"{scope}/MatMul",), shapes),
    ]
