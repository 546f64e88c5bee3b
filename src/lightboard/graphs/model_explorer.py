"""Reads the JSON of Model Explorer: graphs of nodes in namespaces, of which nodes may refer to others as subgraphs.

The JSON may have been written by anyone: what has another form is left out.
"""

import json
from collections.abc import Iterator
from typing import Any

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.graphs.graph import Call, Graph, GraphBuilder, Outputs, TensorType, hash_of
from lightboard.graphs.json_document import load_json
from lightboard.graphs.merge import merge_graphs

MAX_BYTES = 256 << 20
"""Larger files are not read."""

MAX_GRAPHS = 1000
"""Graphs of one file that are read."""

MAX_SLOTS = 1000
"""Outputs of one node that are read."""

MAX_CALLS = 64
"""Subgraphs of one node that are shown."""

SHAPE_KEYS = ("tensor_shape", "shape", "type")
"""Attributes of an output that tell its type and shape, as adapters write them."""

NOT_A_GRAPH = "the file is no graph of Model Explorer"


def read_model_explorer(data: bytes) -> Graph:
    """The graphs in a file that are no subgraphs of others, several in scopes of their own. Raises Unshowable."""
    if len(data) > MAX_BYTES:
        raise Unshowable(f"the file has {len(data) >> 20} MB; at most {MAX_BYTES >> 20} MB are read")
    try:
        value = load_json(data)
    except (ValueError, RecursionError):
        raise Unshowable("the file is no JSON that can be read", hint="its writer may have been interrupted") from None
    raw = dict(found_graphs(value))
    if not raw:
        raise Unshowable(NOT_A_GRAPH)
    read = {name: read_graph(nodes, raw.keys()) for name, nodes in raw.items()}
    called = {call.function for graph in read.values() for calls in graph.calls.values() for call in calls}
    main = [name for name in read if name not in called] or [next(iter(read))]
    functions = {name: graph for name, graph in read.items() if name not in main or name in called}
    graph = read[main[0]] if len(main) == 1 else merge_main([(name, read[name]) for name in main])
    graph.functions = functions
    return graph


def merge_main(graphs: list[tuple[str, Graph]]) -> Graph:
    """Several graphs in scopes of their own, which call the same functions as before."""
    merged = merge_graphs([(name.replace("/", "_"), graph) for name, graph in graphs])
    merged.calls, start = {}, 0
    for _, graph in graphs:
        merged.calls.update({start + node: calls for node, calls in graph.calls.items()})
        start += len(graph)
    return merged


def found_graphs(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """The nodes of each graph, by a name that no other has: in a graph, a collection, or lists of these."""
    pending, taken = [value], set[str]()
    while pending and len(taken) < MAX_GRAPHS:
        each = pending.pop()
        if isinstance(each, list):
            pending += reversed(each[:MAX_GRAPHS])
        elif isinstance(each, dict) and isinstance(each.get("nodes"), list):
            name = text_of(each.get("id")) or "graph"
            while name in taken:
                name += "'"
            taken.add(name)
            yield name, each["nodes"]
        elif isinstance(each, dict):
            pending += [each[key] for key in ("graphs", "graphCollections") if isinstance(each.get(key), list)]


def text_of(value: Any) -> str:
    """A text or number as text, "" for anything else."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def read_graph(nodes: list[Any], names: Any) -> Graph:
    """One graph. `names` are those of the graphs that its nodes may refer to."""
    builder, ids = GraphBuilder(), dict[str, int]()
    attributes: dict[int, list[tuple[str, str]]] = {}
    known = [node for node in nodes if isinstance(node, dict)]
    for at, node in enumerate(known):
        if at % 1000 == 0:
            cancellation.check()
        if builder.full:
            break
        index = add_node(builder, node)
        ids.setdefault(text_of(node.get("id")), index)
        attributes[index] = [*pairs_in(node.get("attrs"))]
        calls = [text_of(name) for name in items_of(node.get("subgraphIds"))[:MAX_CALLS]]
        builder.calls[index] = tuple(Call(name, name) for name in dict.fromkeys(calls) if name in names)
    builder.calls = {node: calls for node, calls in builder.calls.items() if calls}
    for index, node in enumerate(known[: len(builder.names)]):
        for edge in items_of(node.get("incomingEdges")):
            if isinstance(edge, dict):
                source = ids.get(text_of(edge.get("sourceNodeId")))
                if source is None:
                    builder.lost += 1
                elif not builder.full:
                    slots = slot_of(edge.get("sourceNodeOutputId")), slot_of(edge.get("targetNodeInputId"))
                    builder.add_edge(source, slots[0], index, slots[1])
    graph = builder.finish()
    graph.attributes = attributes
    return graph


def add_node(builder: GraphBuilder, node: dict[str, Any]) -> int:
    """Add a node. Its name ends in its id, or in its label if the id is only a number."""
    key, label = text_of(node.get("id")), text_of(node.get("label"))
    own = label if (label and key.isdecimal()) or not key else key.rpartition("/")[2] or key
    scope = text_of(node.get("namespace")).strip("/")
    types = outputs_of(node)
    incoming = len(items_of(node.get("incomingEdges")))
    name = f"{scope}/{own}" if scope else own
    return builder.add(name, label, outputs=types, label=hash_of(label, incoming, types))


def outputs_of(node: dict[str, Any]) -> Outputs:
    """The types of the outputs of a node, as far as they are written."""
    found: dict[int, TensorType] = {}
    for output in items_of(node.get("outputsMetadata")):
        if isinstance(output, dict):
            texts = dict(pairs_in(output.get("attrs")))
            text = next((texts[key] for key in SHAPE_KEYS if texts.get(key)), "")
            slot = slot_of(output.get("id"))
            if text and 0 <= slot < MAX_SLOTS:
                found[slot] = type_of(text)
    return tuple(found.get(slot, TensorType("", None)) for slot in range(max(found, default=-1) + 1))


def type_of(text: str) -> TensorType:
    """A type such as "float32[1,224,?]". What has another form is a type without a shape."""
    dtype, bracket, rest = text.strip()[:1000].partition("[")
    if not bracket or not rest.endswith("]"):
        return TensorType(text[:100], None)
    sizes = [size.strip() for size in rest[:-1].replace("x", ",").split(",") if size.strip()]
    known = tuple(int(size) if size.isascii() and size.isdecimal() and len(size) < 16 else -1 for size in sizes)
    return TensorType(dtype.strip(), known)


def items_of(value: Any) -> list[Any]:
    """A list, empty for anything else."""
    return value if isinstance(value, list) else []


def pairs_in(value: Any) -> Iterator[tuple[str, str]]:
    """The attributes in a list of keys and values."""
    for each in items_of(value):
        if isinstance(each, dict) and isinstance(each.get("key"), str):
            content = each.get("value")
            yield each["key"], content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def slot_of(value: Any) -> int:
    """The slot that an id of an output or input names, -1 if it is no number."""
    text = text_of(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else -1
