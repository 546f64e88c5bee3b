"""Encodes ONNX models by hand, without the onnx package."""

from collections.abc import Sequence
from pathlib import Path

from lightboard.graphs.graph import Graph
from lightboard.graphs.onnx_model import read_onnx_model
from lightboard.testing.event_files import bytes_field, varint_field

GRAPH_FILES = Path(__file__).parent.parent / "data" / "graphs"
"""Model files by the writers that people use."""

FLOAT = 1


def node_proto(
    op: str, inputs: Sequence[str], outputs: Sequence[str], *, name: str = "", attributes: bytes = b"", domain: str = ""
) -> bytes:
    """A NodeProto."""
    data = b"".join(bytes_field(1, each.encode()) for each in inputs)
    data += b"".join(bytes_field(2, each.encode()) for each in outputs)
    for field, text in ((3, name), (4, op), (7, domain)):
        data += bytes_field(field, text.encode()) if text else b""
    return data + attributes


def body_attribute(name: str, graph: bytes) -> bytes:
    """The field of a node with a graph."""
    return bytes_field(5, bytes_field(1, name.encode()) + bytes_field(6, graph) + varint_field(20, 5))


def value_info(name: str, *sizes: int) -> bytes:
    """A ValueInfoProto of floats."""
    dims = b"".join(bytes_field(1, varint_field(1, size)) for size in sizes)
    tensor = varint_field(1, FLOAT) + bytes_field(2, dims)
    return bytes_field(1, name.encode()) + bytes_field(2, bytes_field(1, tensor))


def initializer(name: str, *sizes: int, raw: bytes = b"") -> bytes:
    """A TensorProto of floats."""
    data = b"".join(varint_field(1, size) for size in sizes) + varint_field(2, FLOAT)
    return data + bytes_field(8, name.encode()) + (bytes_field(9, raw) if raw else b"")


def graph_proto(
    *nodes: bytes, inputs: Sequence[bytes] = (), outputs: Sequence[bytes] = (), initializers: Sequence[bytes] = ()
) -> bytes:
    """A GraphProto."""
    data = b"".join(bytes_field(1, node) for node in nodes)
    for field, messages in ((5, initializers), (11, inputs), (12, outputs)):
        data += b"".join(bytes_field(field, each) for each in messages)
    return data


def function_proto(name: str, inputs: Sequence[str], outputs: Sequence[str], *nodes: bytes, domain: str = "d") -> bytes:
    """A FunctionProto."""
    data = bytes_field(1, name.encode()) + bytes_field(10, domain.encode())
    data += b"".join(bytes_field(4, each.encode()) for each in inputs)
    data += b"".join(bytes_field(5, each.encode()) for each in outputs)
    return data + b"".join(bytes_field(7, node) for node in nodes)


def model_proto(graph: bytes, *functions: bytes) -> bytes:
    """A ModelProto."""
    return varint_field(1, 9) + bytes_field(7, graph) + b"".join(bytes_field(25, each) for each in functions)


def read_model(data: bytes) -> Graph:
    """The graph of a model in memory."""
    return read_onnx_model(lambda offset, length: data[offset : offset + length], len(data))


def edges_of(graph: Graph) -> list[tuple[str, int, str, int]]:
    """The edges of a graph by the names of their ends, sorted."""
    edges = graph.edges
    columns = (edges.source, edges.source_slot, edges.target, edges.target_slot)
    return sorted(
        (graph.names[source], slot, graph.names[target], port)
        for source, slot, target, port in zip(*(column.tolist() for column in columns), strict=True)
    )
