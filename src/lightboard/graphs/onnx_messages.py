"""Reads the messages of an ONNX model as far as they say what flows: see onnx.proto.

Weights are skipped, so a model of gigabytes costs as much as its nodes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lightboard.events.byte_reader import ReadRange, read_fields
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, VARINT, MalformedError, signed64
from lightboard.graphs.graph import MAX_NODES, TensorType, hash_of
from lightboard.graphs.module_scopes import scope_of_modules
from lightboard.graphs.onnx_types import UNKNOWN, TensorHead, read_pair, read_tensor_head, read_type, text_at

MAX_FUNCTIONS = 10_000
"""Functions of one model that are read."""

MAX_BRANCHES = 64
"""Bodies of one node that are read."""

MAX_ENDS = 100_000
"""Inputs and outputs of one node that are read."""

MAX_METADATA = 100
"""Texts about the model that are kept."""

SHORT_BYTES = 512
"""Attributes up to this size tell nodes apart; of larger ones only their beginning does."""

DEFAULT_DOMAINS = frozenset({"", "ai.onnx"})

SCOPES = "pkg.torch.onnx.name_scopes"
"""Metadata in which torch writes the modules around a node, whose own name does not have them."""

QUOTED = re.compile(r"'([^']*)'")

FACTS = {1: "IR version", 2: "Producer", 3: "Producer version", 4: "Domain", 5: "Model version", 6: "Description"}
"""Fields of a ModelProto that are shown."""

Span = tuple[int, int]

FunctionKey = tuple[str, str, str]
"""Domain, name and overload."""


@dataclass(slots=True)
class Node:
    """A NodeProto. `bodies` are the graphs in its attributes, `label` is a hash of the others.

    `constant` is the type of its tensor, if it is a constant.
    """

    span: Span
    name: str = ""
    op: str = ""
    domain: str = ""
    overload: str = ""
    scope: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    label: int = 0
    constant: TensorType = UNKNOWN
    bodies: list[tuple[str, Span]] = field(default_factory=list)
    malformed: bool = False

    @property
    def function(self) -> FunctionKey:
        """The function that it calls, if there is one."""
        return ("" if self.domain in DEFAULT_DOMAINS else self.domain, self.op, self.overload)

    @property
    def shown_op(self) -> str:
        """The operation, with its domain unless it is one of ONNX itself."""
        return self.op if self.domain in DEFAULT_DOMAINS else f"{self.domain}::{self.op}"


@dataclass
class Parts:
    """A GraphProto or a FunctionProto, with the bytes of its nodes."""

    nodes: list[Span] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    types: dict[str, TensorType] = field(default_factory=dict)
    initializers: dict[str, tuple[TensorHead, Span]] = field(default_factory=dict)
    name: str = ""
    domain: str = ""
    overload: str = ""

    @property
    def full(self) -> bool:
        """Whether a limit is reached."""
        return len(self.nodes) + len(self.inputs) + len(self.outputs) + len(self.types) >= MAX_NODES

    @property
    def key(self) -> FunctionKey:
        """How nodes call it, if it is a function."""
        return ("" if self.domain in DEFAULT_DOMAINS else self.domain, self.name, self.overload)


class OnnxFile:
    """The messages of a model of `size` bytes. `reader.cut` says that something was malformed or is missing."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self.reader = TruncatedReader(read, size)
        self.graph: Span | None = None
        self.functions: list[Span] = []
        self.metadata: list[tuple[str, str]] = []
        self._read_model()

    def _read_model(self) -> None:
        opsets: list[str] = []
        for number, wire_type, value, stop in self.reader.fields(0, self.reader.size):
            if number == 7 and wire_type == BYTES:
                self.graph = value, stop
            elif number == 25 and wire_type == BYTES and len(self.functions) < MAX_FUNCTIONS:
                self.functions.append((value, stop))
            elif number == 8 and wire_type == BYTES and len(opsets) < MAX_METADATA:
                opsets.append(self._opset(value, stop))
            elif (number in FACTS or number == 14) and len(self.metadata) < MAX_METADATA:
                self.metadata += [fact for fact in self._facts(number, wire_type, value, stop) if fact[1]]
        if opsets:
            self.metadata.append(("Operator sets", ", ".join(opsets)))

    def _facts(self, number: int, wire_type: int, value: int, stop: int) -> Iterator[tuple[str, str]]:
        """A fact about the model, by its name."""
        try:
            if wire_type == VARINT and number in FACTS:
                yield FACTS[number], str(signed64(value))
            elif wire_type == BYTES and number == 14:
                yield read_pair(self.reader, value, stop)
            elif wire_type == BYTES:
                yield FACTS[number], text_at(self.reader, value, stop)
        except MalformedError:
            self.reader.cut = True

    def _opset(self, begin: int, end: int) -> str:
        domain, version = "", 0
        for number, wire_type, value, stop in self.reader.fields(begin, end):
            if number == 1 and wire_type == BYTES:
                domain = text_at(self.reader, value, min(stop, self.reader.size))
            elif number == 2 and wire_type == VARINT:
                version = signed64(value)
        return f"{domain or 'ai.onnx'} {version}"

    def parts(self, span: Span, *, is_function: bool = False) -> Parts:
        """A GraphProto, or a FunctionProto."""
        parts = Parts()
        read = self._read_function_field if is_function else self._read_graph_field
        for number, wire_type, value, stop in self.reader.fields(*span):
            if parts.full:
                self.reader.cut = True
                break
            if wire_type == BYTES:
                try:
                    read(parts, number, value, stop)
                except MalformedError:
                    self.reader.cut = True
        return parts

    def _read_graph_field(self, parts: Parts, number: int, begin: int, end: int) -> None:
        match number:
            case 1:
                parts.nodes.append((begin, end))
            case 5:
                head = read_tensor_head(self.reader, begin, end)
                parts.initializers[head.name] = head, (begin, end)
            case 11 | 12 | 13:
                name = self._read_value(parts, begin, end)
                if number != 13:
                    (parts.inputs if number == 11 else parts.outputs).append(name)
            case 15:
                for inner, wire_type, value, stop in read_fields(self.reader, begin, end):
                    if inner == 1 and wire_type == BYTES:
                        head = read_tensor_head(self.reader, value, stop)
                        parts.initializers[head.name] = head, (value, stop)

    def _read_function_field(self, parts: Parts, number: int, begin: int, end: int) -> None:
        match number:
            case 1:
                parts.name = text_at(self.reader, begin, end)
            case 4 | 5:
                (parts.inputs if number == 4 else parts.outputs).append(text_at(self.reader, begin, end))
            case 7:
                parts.nodes.append((begin, end))
            case 10:
                parts.domain = text_at(self.reader, begin, end)
            case 12:
                self._read_value(parts, begin, end)
            case 13:
                parts.overload = text_at(self.reader, begin, end)

    def _read_value(self, parts: Parts, begin: int, end: int) -> str:
        """Note the type of a ValueInfoProto, and return its name."""
        name, found = "", UNKNOWN
        for number, wire_type, value, stop in read_fields(self.reader, begin, end):
            if number == 1 and wire_type == BYTES:
                name = text_at(self.reader, value, stop)
            elif number == 2 and wire_type == BYTES:
                found = read_type(self.reader, value, stop)
        parts.types[name] = found
        return name

    def node(self, span: Span) -> Node:
        """A NodeProto, as far as it can be read."""
        node = Node(span)
        try:
            for number, wire_type, value, stop in read_fields(self.reader, *span):
                if wire_type == BYTES:
                    self._read_node_field(node, number, value, stop)
        except MalformedError:
            node.malformed = True
        return node

    def _read_node_field(self, node: Node, number: int, begin: int, end: int) -> None:
        match number:
            case 1 | 2:
                ends = node.inputs if number == 1 else node.outputs
                if len(ends) < MAX_ENDS:
                    ends.append(text_at(self.reader, begin, end))
            case 3:
                node.name = text_at(self.reader, begin, end)
            case 4:
                node.op = text_at(self.reader, begin, end)
            case 5:
                self._read_attribute(node, begin, end)
            case 7:
                node.domain = text_at(self.reader, begin, end)
            case 8:
                node.overload = text_at(self.reader, begin, end)
            case 9:
                key, text = read_pair(self.reader, begin, end)
                if key == SCOPES:
                    node.scope = scope_of(text)

    def _read_attribute(self, node: Node, begin: int, end: int) -> None:
        """An AttributeProto: bodies, or a part of the label. Of tensors only the type counts for it."""
        name, label, bodies = "", 0, list[Span]()
        for number, wire_type, value, stop in read_fields(self.reader, begin, end):
            if number == 1 and wire_type == BYTES:
                name = text_at(self.reader, value, stop)
            elif number in (6, 11) and wire_type == BYTES:
                bodies.append((value, stop))
            elif number == 5 and wire_type == BYTES:
                found = read_tensor_head(self.reader, value, stop).type
                node.constant = found if name == "value" and node.op in ("", "Constant") else UNKNOWN
                label += hash_of(found)
            elif number != 13:
                text = self.reader.slice(value, min(stop, value + SHORT_BYTES)) if wire_type == BYTES else value
                if wire_type not in (BYTES, VARINT):
                    text = self.reader.slice(value, stop)
                label += hash_of(number, text)
        node.label = (node.label + hash_of(name, label)) & (2**64 - 1)
        several = len(bodies) > 1
        for at, span in enumerate(bodies[: MAX_BRANCHES - len(node.bodies)]):
            node.bodies.append((f"{name}_{at}" if several else name, span))


def scope_of(text: str) -> str:
    """The scope of a node from the modules around it: "layers.0/norm" of `['', 'layers.0', 'layers.0.norm', 'add']`."""
    return scope_of_modules(QUOTED.findall(text)[1:-1])
