"""Reads the graph in a file, in whichever of the formats it is."""

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.graphs.file_names import GraphFormat, likely_format
from lightboard.graphs.graph import Graph
from lightboard.graphs.hlo_proto import read_hlo_message, read_hlo_proto
from lightboard.graphs.hlo_text import read_hlo_text
from lightboard.graphs.model_explorer import read_model_explorer
from lightboard.graphs.onnx_model import read_onnx_model
from lightboard.graphs.saved_model import read_tensorflow_bytes, read_tensorflow_text
from lightboard.graphs.stablehlo_text import read_stablehlo
from lightboard.graphs.torch_export import read_torch_export

MAX_WHOLE_BYTES = 512 << 20
"""Larger files are not read, unless their weights can be skipped."""

SKIPPED_WEIGHTS_BYTES = 64 << 20
"""An estimate of what is read of a larger file whose weights are skipped."""


def bytes_read(format_: GraphFormat, size: int) -> int:
    """An estimate of how much of a file of `size` bytes is read. Raises Unshowable if it is too much."""
    if format_ in ("onnx", "torch_export"):
        return min(size, SKIPPED_WEIGHTS_BYTES)
    if size > MAX_WHOLE_BYTES:
        raise Unshowable(
            f"the file has {size >> 20:,} MB; at most {MAX_WHOLE_BYTES >> 20} MB are read",
            hint="save the graph without its weights",
        )
    return size


def read_graph_file(name: str, read: ReadRange, size: int) -> Graph:
    """The graph in a file of this base name and size. Raises Unshowable."""
    format_ = likely_format(name)
    if format_ is None:
        raise Unshowable(
            "its name is not that of a graph", hint="known are .onnx, .pt2, .mlir, .hlo, .pb, .pbtxt and .json"
        )
    if format_ == "onnx":
        graph = read_onnx_model(read, size)
    elif format_ == "torch_export":
        graph = read_torch_export(read, size)
    elif format_ == "hlo" and name.lower().endswith(".pb"):
        bytes_read(format_, size)
        graph = read_hlo_proto(read, size)
    else:
        data = read(0, bytes_read(format_, size))
        if format_ == "model_explorer":
            graph = read_model_explorer(data)
        elif format_ == "stablehlo":
            graph = read_stablehlo(data)
        elif format_ == "hlo":
            graph = read_hlo_text(data)
        else:
            graph = read_tensorflow_text(data) if name.lower().endswith(".pbtxt") else read_tensorflow_bytes(data)
    return checked(graph)


def read_hlo_part(read: ReadRange, size: int, begin: int, end: int) -> Graph:
    """The program of XLA in a part of a file of `size` bytes, such as a capture. Raises Unshowable."""
    return checked(read_hlo_message(TruncatedReader(read, size), begin, end))


def checked(graph: Graph) -> Graph:
    """The graph, if it has nodes. Raises Unshowable."""
    if not len(graph):
        problem = graph.problems[0] if graph.problems else "it has no nodes"
        raise Unshowable(f"the file holds no graph that can be read: {problem}")
    return graph
