"""Reads RunMetadata: the graphs of traced functions, and the times and memory of one step. See config.proto."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lightboard import cancellation
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64
from lightboard.graphs.graph import Graph, GraphBuilder, hash_of
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.merge import merge_graphs
from lightboard.graphs.node_def import text_of

MAX_GRAPHS = 1000
"""Graphs of one trace that are read."""

Span = tuple[int, int]


def read_traced_graph(data: bytes) -> Graph:
    """The graph of what was traced, as it was before it was optimised.

    Several graphs are merged: each is in a scope, `graph_1`, `graph_2` and so on, as in TensorBoard.
    """
    spans, problem = graph_spans(data)
    graphs = [read_graph_def(data, *span) for span in spans[:MAX_GRAPHS]]
    graph = (
        graphs[0] if len(graphs) == 1 else merge_graphs([(f"graph_{at}", each) for at, each in enumerate(graphs, 1)])
    )
    if len(spans) > MAX_GRAPHS:
        graph.problems.append(f"only the first {MAX_GRAPHS:,} of {len(spans):,} graphs are shown")
    if problem:
        graph.problems.append(problem)
    return graph


def graph_spans(data: bytes) -> tuple[list[Span], str]:
    """The graphs before optimisation, or if there are none, those of the devices; and what could not be read."""
    before, parts, problem = list[Span](), list[Span](), ""
    try:
        for number, wire_type, value, stop in fields(data, 0, len(data)):
            if number == 3 and wire_type == BYTES:
                parts.append((value, stop))
            elif number == 4 and wire_type == BYTES:
                for inner, inner_type, begin, end in fields(data, value, stop):
                    if inner in (1, 2) and inner_type == BYTES:
                        (parts if inner == 1 else before).append((begin, end))
    except MalformedError:
        problem = "the trace is cut off or malformed"
    return before or parts, problem


@dataclass
class NodeStats:
    """What one node did in a step: when it ran (microseconds), and how much memory it took (bytes); -1 if unknown."""

    start: int = -1
    end: int = -1
    memory: int = -1
    device: str = ""

    @property
    def time(self) -> int:
        """The time from its first start to its last end."""
        return self.end - self.start if self.end >= self.start >= 0 else -1


def add_stats(graph: Graph, data: bytes) -> Graph:
    """The graph with the times, memory and devices of the RunMetadata in `data`.

    Without nodes, it gets those that ran, though nothing says how they are connected.
    """
    stats, problem = read_stats(data)
    if not len(graph) and stats:
        graph = graph_of_names(stats)
    known: set[str] = set()
    for body in (graph, *graph.functions.values()):
        known.update(apply_stats(body, stats))
    unknown = len(stats.keys() - known)
    problems = [*graph.problems]
    if unknown:
        problems.append(f"{unknown:,} operations of the step are not in the graph")
    if problem:
        problems.append(problem)
    return replace(graph, problems=problems)


def graph_of_names(stats: dict[str, NodeStats]) -> Graph:
    """A graph without edges of the nodes that ran."""
    builder = GraphBuilder()
    for name in stats:
        builder.add(name, "", label=hash_of(""))
    builder.problems.append("the run has no graph, so only the operations of the step are shown, without edges")
    return builder.finish()


def apply_stats(graph: Graph, stats: dict[str, NodeStats]) -> Iterator[str]:
    """Set times, memory and devices of the nodes of one body. Yields the names that it has."""
    graph.times = np.full(len(graph), -1, np.int64)
    graph.memory = np.full(len(graph), -1, np.int64)
    devices = {device: at for at, device in enumerate(graph.devices)}
    for node, name in enumerate(graph.names):
        found = stats.get(name)
        if found is None:
            continue
        yield name
        graph.times[node], graph.memory[node] = found.time, found.memory
        if found.device:
            if found.device not in devices:
                devices[found.device] = len(graph.devices)
                graph.devices.append(found.device)
            graph.device_ids[node] = devices[found.device]


def read_stats(data: bytes) -> tuple[dict[str, NodeStats], str]:
    """What each node did, by name, and what could not be read."""
    stats: dict[str, NodeStats] = {}
    try:
        for number, wire_type, value, stop in fields(data, 0, len(data)):
            if number == 1 and wire_type == BYTES:
                for inner, inner_type, begin, end in fields(data, value, stop):
                    if inner == 1 and inner_type == BYTES:
                        read_device(data, begin, end, stats)
    except MalformedError:
        return stats, "the times and memory are cut off or malformed"
    return stats, ""


def read_device(data: bytes, begin: int, end: int, stats: dict[str, NodeStats]) -> None:
    """Add one DeviceStepStats. Raises MalformedError."""
    device, nodes = "", list[Span]()
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == BYTES:
            device = text_of(data, value, stop)
        elif number == 2 and wire_type == BYTES:
            nodes.append((value, stop))
    for value, stop in nodes:
        cancellation.check()
        read_node(data, value, stop, device, stats)


def read_node(data: bytes, begin: int, end: int, device: str, stats: dict[str, NodeStats]) -> None:
    """Add one NodeExecStats. Raises MalformedError."""
    name, numbers, memory = "", Counter[int](), -1
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == BYTES:
            name = text_of(data, value, stop)
        elif wire_type == VARINT:
            numbers[number] = max(0, min(signed64(value), 2**53))
        elif number == 6 and wire_type == BYTES:
            memory = max(memory, 0) + total_bytes(data, value, stop)
    found = stats.setdefault(name, NodeStats())
    found.device = found.device or device
    if memory >= 0:
        found.memory = min(2**53, max(found.memory, 0) + memory)
    start, stop = numbers[2], numbers[2] + numbers[5]
    if start:
        found.start = start if found.start < 0 else min(found.start, start)
        found.end = max(found.end, stop)


def total_bytes(data: bytes, begin: int, end: int) -> int:
    """The bytes of one AllocatorMemoryUsed. Raises MalformedError."""
    total = 0
    for number, wire_type, value, _ in fields(data, begin, end):
        if number == 2 and wire_type == VARINT:
            total = max(0, min(signed64(value), 2**53))
    return total
