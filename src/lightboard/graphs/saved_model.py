"""Reads files of TensorFlow: a SavedModel with its meta graphs, or a GraphDef; both in bytes or in text."""

from collections.abc import Iterator

from lightboard.errors import Unshowable
from lightboard.events.wire import BYTES, Field, MalformedError, fields, varint
from lightboard.graphs.frozen_weights import count_frozen_weights
from lightboard.graphs.graph import Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.merge import merge_graphs
from lightboard.graphs.node_def import first_text, text_of
from lightboard.graphs.text_parser import first_field, parse_message

MAX_META_GRAPHS = 100
"""Meta graphs of one file that are read."""

MAX_SIGNATURES = 50
"""Signatures that are listed."""

MAX_TEXT_BYTES = 64 << 20
"""Larger texts are not read."""

ROOTS = {
    **dict.fromkeys(("node", "library", "versions", "version", "debug_info"), "GraphDef"),
    **dict.fromkeys(("saved_model_schema_version", "meta_graphs"), "SavedModel"),
}
"""The message of a text, by its first field."""

Span = tuple[int, int]


def read_tensorflow_text(data: bytes) -> Graph:
    """The graph in a `.pbtxt` file. Raises Unshowable. The graph has the bytes that its nodes are in."""
    if len(data) > MAX_TEXT_BYTES:
        raise Unshowable(f"the text has {len(data) >> 20} MB; at most {MAX_TEXT_BYTES >> 20} MB are read")
    text = data.decode("utf-8", "surrogateescape")
    try:
        message = ROOTS.get(first_field(text))
    except MalformedError:
        message = None
    if message is None:
        raise Unshowable("the file is neither a GraphDef nor a SavedModel in text")
    encoded, complete = parse_message(text, message)
    graph = read_saved_model(encoded) if message == "SavedModel" else read_whole_graph(encoded)
    graph.data = encoded
    if not complete:
        graph.problems.append("the text is cut off or malformed, so only a part of it is shown")
    return graph


def read_tensorflow_bytes(data: bytes) -> Graph:
    """The graph in a `.pb` file. Raises Unshowable."""
    if data[:1] == b"\x08":  # the version of a SavedModel; a GraphDef begins with a node
        return read_saved_model(data)
    graph = read_whole_graph(data)
    if not any(graph.ops):
        raise Unshowable("the file is neither a GraphDef nor a SavedModel")
    return graph


def read_whole_graph(data: bytes) -> Graph:
    """The graph in a file of nothing else, which may be frozen."""
    graph = read_graph_def(data)
    count_frozen_weights(graph)
    return graph


def read_saved_model(data: bytes) -> Graph:
    """The meta graphs of a SavedModel; several are in scopes that are named after their tags. Raises Unshowable."""
    graphs: list[tuple[str, Graph]] = []
    metadata: list[tuple[str, str]] = []
    problems: list[str] = []
    try:
        for number, wire_type, value, stop in clipped_fields(data, 0, len(data)):
            if number == 2 and wire_type == BYTES and len(graphs) < MAX_META_GRAPHS:
                graphs.append(read_meta_graph(data, value, stop, metadata, problems))
    except MalformedError:
        problems.append("the model is cut off or malformed, so only a part of it is shown")
    if not graphs:
        raise Unshowable("the file has no meta graph that can be read", hint="its writer may have been interrupted")
    graph = graphs[0][1] if len(graphs) == 1 else merge_graphs([*with_names(graphs)])
    graph.metadata = list(dict.fromkeys(metadata))
    graph.problems += dict.fromkeys(problems)
    return graph


def with_names(graphs: list[tuple[str, Graph]]) -> Iterator[tuple[str, Graph]]:
    """Graphs with names that differ."""
    taken: set[str] = set()
    for tags, graph in graphs:
        name, at = tags, 2
        while name in taken:
            name, at = f"{tags}_{at}", at + 1
        taken.add(name)
        yield name, graph


def read_meta_graph(
    data: bytes, begin: int, end: int, metadata: list[tuple[str, str]], problems: list[str]
) -> tuple[str, Graph]:
    """The tags of a MetaGraphDef, and its graph."""
    tags, graph, signatures = list[str](), (begin, begin), list[str]()
    try:
        for number, wire_type, value, stop in clipped_fields(data, begin, end):
            if wire_type != BYTES:
                continue
            if number == 1:
                tags += read_tags(data, value, stop, metadata)
            elif number == 2:
                graph = (value, stop)
            elif number == 5 and len(signatures) < MAX_SIGNATURES:
                signatures.append(first_text(data, value, stop))
    except MalformedError:
        problems.append("the model is cut off or malformed, so only a part of it is shown")
    name = "+".join(tags).replace("/", "_")
    if tags:
        metadata.append(("Tags", ", ".join(tags)))
    if signatures:
        metadata.append(("Signatures", ", ".join(sorted(signatures))))
    return name or "graph", read_graph_def(data, *graph)


def read_tags(data: bytes, begin: int, end: int, metadata: list[tuple[str, str]]) -> list[str]:
    """The tags in a MetaInfoDef, whose version of TensorFlow is noted. Raises MalformedError."""
    tags: list[str] = []
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 4 and wire_type == BYTES and len(tags) < MAX_META_GRAPHS:
            tags.append(text_of(data, value, stop)[:100])
        elif number == 5 and wire_type == BYTES:
            metadata.append(("TensorFlow version", text_of(data, value, stop)[:100]))
    return tags


def clipped_fields(data: bytes, begin: int, end: int) -> Iterator[Field]:
    """The fields of a message, and of one that is cut off what there is. Raises MalformedError after it."""
    at = begin
    try:
        for each in fields(data, begin, end):
            at = each[3]
            yield each
    except MalformedError:
        key, at = varint(data, at, end)
        if key & 7 == BYTES and key >> 3:
            _, at = varint(data, at, end)
            yield key >> 3, BYTES, at, end
        raise
