"""Reads a GraphDef, with the functions of its library, as a `Graph`. See graph.proto, function.proto."""

from typing import NamedTuple

import numpy as np

from lightboard.events.wire import BYTES, VARINT, MalformedError, fields
from lightboard.graphs.graph import Call, Graph, GraphBuilder, TensorType, hash_of
from lightboard.graphs.node_def import CAPTURES, AttributeReader, NodeReader, dtype_name, text_of


def read_graph_def(data: bytes, begin: int = 0, end: int | None = None) -> Graph:
    """The graph in data[begin:end]. What cannot be read is left out, and said in its `problems`."""
    end = len(data) if end is None else end
    builder, attributes, functions = GraphBuilder(), AttributeReader(data), dict[str, Graph]()
    nodes = NodeReader(builder, attributes)
    function_spans: list[tuple[int, int]] = []
    try:
        for number, wire_type, value, stop in fields(data, begin, end):
            if number == 1 and wire_type == BYTES and not builder.full:
                nodes.add(value, stop)
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


class Argument(NamedTuple):
    """An argument or result of a function."""

    name: str
    dtype: str


def read_function(data: bytes, attributes: AttributeReader, begin: int, end: int) -> tuple[str, Graph]:
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
    node_reader = NodeReader(builder, attributes)
    for value, stop in nodes:
        if builder.full:
            break
        node_reader.add(value, stop)
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
