"""Reads an ONNX model as a graph: nodes, inputs, outputs, initializers, the bodies of If, Loop and Scan, and functions.

Bodies are functions that their node calls. Nothing here recurses: each body is read before those inside of it, and
connected after them, since what they use from outside flows into their node.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.graphs.graph import MAX_EDGES, Call, Graph, GraphBuilder, TensorType, hash_of
from lightboard.graphs.onnx_messages import FunctionKey, Node, OnnxFile, Parts
from lightboard.graphs.onnx_types import UNKNOWN, TensorHead

MAX_BODIES = 20_000
"""Functions and bodies of one model that are read."""

NODES_PER_CHECK = 1000
"""Nodes that are read between two checks whether somebody still waits for them."""

INPUT, OUTPUT, INITIALIZER, CAPTURED = "Input", "Output", "Initializer", "Captured"

NO_PARAMETERS = frozenset({"int64", "bool", "string"})
"""Types of initializers that are shapes, indices and texts, and no weights."""

Output = tuple[int, int]
"""A node and the slot of one of its outputs."""


@dataclass
class Body:
    """The model, a function, or what the node `caller` of the body `parent` runs.

    `values` are the outputs by name, `inputs` those that each node takes, and `outside` nodes that stand for values of
    the bodies around this one.
    """

    key: str
    parts: Parts
    parent: "Body | None" = None
    caller: int = -1
    builder: GraphBuilder = field(default_factory=GraphBuilder)
    values: dict[str, Output] = field(default_factory=dict)
    inputs: list[tuple[int, list[str]]] = field(default_factory=list)
    implicit: dict[int, list[str]] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    malformed: int = 0


def read_onnx_model(read: ReadRange, size: int) -> Graph:
    """The graph of the model in a file of `size` bytes. What cannot be read is left out, and said in its `problems`."""
    return OnnxModel(OnnxFile(read, size)).graph()


class OnnxModel:
    """A model that is being read."""

    def __init__(self, file: OnnxFile) -> None:
        self.file = file
        self.functions: dict[FunctionKey, str] = {}
        self.bodies: list[Body] = []
        self.keys: set[str] = {""}
        self.ends = 0

    def graph(self) -> Graph:
        """The model with its functions."""
        functions = [self.file.parts(span, is_function=True) for span in self.file.functions]
        for parts in functions:
            self.functions.setdefault(parts.key, self.unused("::".join(filter(None, parts.key))))
        main = self.file.parts(self.file.graph) if self.file.graph else Parts()
        self.bodies = [Body("", main), *(Body(self.functions[parts.key], parts) for parts in functions)]
        for body in self.bodies:  # grows while nodes with bodies are read
            self.fill(body)
        for body in reversed(self.bodies):
            connect(body)
        graph = self.finish(self.bodies[0])
        for body in self.bodies[1:]:
            graph.functions.setdefault(body.key, self.finish(body))
        graph.metadata = self.file.metadata
        return graph

    def finish(self, body: Body) -> Graph:
        """The graph of a body."""
        graph = body.builder.finish()
        if body.malformed:
            graph.problems.append(f"{body.malformed:,} nodes could not be read completely")
        if not body.key:
            if self.file.reader.cut:
                graph.problems.append("the model is cut off or malformed, so only a part of it is shown")
            elif self.file.graph is None:
                graph.problems.append("the file has no graph")
            if len(self.bodies) >= MAX_BODIES:
                graph.problems.append(f"only the first {MAX_BODIES:,} bodies of nodes are shown")
        return graph

    def unused(self, key: str) -> str:
        """A name that no other body has."""
        found, at = key, 2
        while found in self.keys:
            found, at = f"{key} ({at})", at + 1
        self.keys.add(found)
        return found

    def fill(self, body: Body) -> None:
        """Add the nodes of a body: its inputs, those of the file, what they are initialized from, its outputs."""
        parts = body.parts
        op = "Argument" if body.key else INPUT
        for name in parts.inputs:
            if name and name not in parts.initializers:  # which were inputs as well until version 4
                add_value(body, name, op, parts.types.get(name, UNKNOWN))
        scopes: dict[str, list[str]] = {}
        for node in self.nodes(body):
            self.add_node(body, node)
            note_scope(scopes, parts, node)
        for name, initializer in parts.initializers.items():
            if not body.builder.full:
                add_initializer(body, name, "/".join(scopes.get(name, [])), *initializer)
        op, taken = "Result" if body.key else OUTPUT, set(body.builder.names)
        for name in parts.outputs:
            types = (parts.types.get(name, UNKNOWN),)
            shown = name if name not in taken else f"{name} (output)"
            body.inputs.append((body.builder.add(shown, op, label=hash_of(op, types)), [name]))

    def nodes(self, body: Body) -> Iterator[Node]:
        """The nodes of a body, each with a name. One without a name gets that of its first output, which is unique."""
        for at, span in enumerate(body.parts.nodes):
            if at % NODES_PER_CHECK == 0:
                cancellation.check()
            if body.builder.full or self.ends >= MAX_EDGES:
                body.builder.problems.append(f"only the first {at:,} nodes are shown")
                break
            node = self.file.node(span)
            self.ends += len(node.inputs)
            body.malformed += node.malformed
            node.name = node.name or next(filter(None, node.outputs), "") or f"{node.op or 'node'}_{at}"
            if node.scope and "/" not in node.name.strip("/"):
                node.name = f"{node.scope}/{node.name}"
            yield node

    def add_node(self, body: Body, node: Node) -> None:
        """Add a node, and the bodies that it runs to those that are read."""
        types = tuple(body.parts.types.get(name, node.constant) for name in node.outputs)
        index = body.builder.add(
            node.name,
            node.shown_op,
            outputs=types if any(each != UNKNOWN for each in types) else (),
            label=(node.label + hash_of(node.shown_op, len(node.inputs), types)) & (2**64 - 1),
            span=node.span,
        )
        for slot, name in enumerate(node.outputs):
            if name:
                body.values.setdefault(name, (index, slot))
        body.inputs.append((index, node.inputs))
        calls = [Call("", self.functions[node.function])] if node.function in self.functions else []
        for attribute, span in node.bodies:
            if len(self.bodies) < MAX_BODIES:
                key = self.unused("/".join(filter(None, (body.key, node.name.strip("/"), attribute))))
                self.bodies.append(Body(key, self.file.parts(span), body, index))
                calls.append(Call(attribute, key))
        if calls:
            body.builder.calls[index] = tuple(calls)


def add_value(body: Body, name: str, op: str, found: TensorType) -> int:
    """Add a node that stands for a value of the body, and return its index."""
    types = (found,)
    index = body.builder.add(name, op, outputs=types, label=hash_of(op, types))
    body.values.setdefault(name, (index, 0))
    return index


def note_scope(scopes: dict[str, list[str]], parts: Parts, node: Node) -> None:
    """Note for each initializer the innermost scope of all nodes that use it, which is where it is shown."""
    scope = [part for part in node.name.split("/") if part][:-1]
    for name in node.inputs:
        if name in parts.initializers:
            known = scopes.get(name)
            scopes[name] = scope if known is None else common(known, scope)


def common(one: list[str], other: list[str]) -> list[str]:
    """What two paths begin with."""
    length = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return one[: min(len(one), len(other)) if length is None else length]


def add_initializer(body: Body, name: str, scope: str, head: TensorHead, span: tuple[int, int]) -> None:
    """Add the node of an initializer."""
    shown = f"{scope}/{name.rpartition('/')[2]}" if scope else name
    is_weight = head.type.dtype not in NO_PARAMETERS
    index = body.builder.add(
        shown,
        INITIALIZER,
        outputs=(head.type,),
        label=hash_of(INITIALIZER, head.type),
        parameters=head.type.elements if is_weight else -1,
        span=span,
    )
    body.values.setdefault(name, (index, 0))


def connect(body: Body) -> None:
    """Add the edges of a body, in which those inside are connected already. What it takes from outside it asks for."""
    for node, names in body.inputs:
        for slot, name in enumerate(names):
            add_edge(body, name, node, slot)
        for name in dict.fromkeys(body.implicit.get(node, ())):
            add_edge(body, name, node, -1)
    if body.parent is not None and body.outside:
        body.parent.implicit.setdefault(body.caller, []).extend(body.outside)


def type_outside(body: Body, name: str) -> TensorType:
    """The type of a value of the bodies around one."""
    around = body.parent
    while around is not None and name not in around.values:
        around = around.parent
    if around is None:
        return UNKNOWN
    node, slot = around.values[name]
    return (*around.builder.output_types(node)[slot : slot + 1], UNKNOWN)[0]


def add_edge(body: Body, name: str, node: int, slot: int) -> None:
    """Add an edge from the value `name`, if it is not the empty name of an input that is left out."""
    source = body.values.get(name)
    if source is None and name:
        if body.parent is None:
            body.builder.lost += 1
            return
        source = (add_value(body, name, CAPTURED, type_outside(body, name)), 0)
        body.outside[name] = source[0]
    if source is not None:
        body.builder.add_edge(*source, node, slot)
