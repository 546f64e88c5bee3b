"""The schema of all graphs, in columns, so that a graph with hundreds of thousands of nodes takes tens of megabytes.

Readers fill a `GraphBuilder`. Attributes are not kept: `spans` says where each node is in its file.
"""

import hashlib
import math
from array import array
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

MAX_NODES = 2_000_000
"""Nodes of one graph that are read."""

MAX_EDGES = 16_000_000
"""Edges of one graph that are read."""

MAX_NAME_CHARS = 32_768
"""Characters of a name that are kept."""

UNKNOWN_COST = -1
"""What stands for a number of parameters, bytes or operations that cannot be told."""

MAX_COST = 2**62
"""The largest number of operations, and the largest sum of a column, so that 64 bits do not overflow."""

GET_ATTRIBUTE = "prim::GetAttr"
"""Nodes with which torch names parameters. Their inputs are modules, which it does not write."""


class TensorType(NamedTuple):
    """What flows along an edge: a type such as "float32", "" if unknown, and a shape.

    The shape is None if it is unknown, and has -1 for unknown sizes.
    """

    dtype: str
    shape: tuple[int, ...] | None

    @property
    def elements(self) -> int:
        """The number of elements, with unknown sizes as one; -1 if the shape is unknown."""
        if self.shape is None:
            return -1
        return min(math.prod(size for size in self.shape if size >= 0), 2**53)

    def __str__(self) -> str:
        """For display, such as "float32 8×512"."""
        if self.shape is None:
            return self.dtype
        sizes = "×".join("?" if size < 0 else str(size) for size in self.shape) or "scalar"
        return f"{self.dtype} {sizes}".lstrip()


Outputs = tuple[TensorType, ...]
"""The types of the outputs of a node."""


class Call(NamedTuple):
    """A node's reference to a function, by the attribute that names it: "f", or "cond" and "body" of a loop."""

    attribute: str
    function: str


@dataclass(frozen=True)
class Edges:
    """Edges in columns. Slots are -1 where the format does not say which, and for control dependencies."""

    source: Ints
    source_slot: Ints
    target: Ints
    target_slot: Ints
    control: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.source)


class LayerColumns(NamedTuple):
    """What the configurations of Keras layers say of each, -1 where unknown."""

    parameters: Longs
    trainable: Longs
    bytes: Longs
    flops: Longs


@dataclass
class Graph:
    """A graph, or the body of a function. Node `i` has item `i` of each column.

    `op_ids`, `device_ids` and `output_ids` are indices of `ops`, `devices` and `outputs`. `spans` [n, 2] are the bytes
    of each node in the value that was read. `labels` are hashes of what a node is, without its name. `parameters`,
    `times` (microseconds) and `memory` (bytes) are -1 where unknown; the last two are None without a profile.
    `functions` are those of the whole graph, and empty in their bodies. `attributes` are by node, for formats
    in which a node is not a range of bytes. `metadata` are texts about the whole model, by their names.
    `data` is what `spans` are in, if that is not the file, but was made from its text. `sources` are lines of code by
    node. `layers` is None unless nodes are layers of Keras. `flops` are the operations of each node, -1 where unknown,
    if the reader counts them.
    """

    names: list[str]
    ops: list[str]
    op_ids: Ints
    devices: list[str]
    device_ids: Ints
    outputs: list[Outputs]
    output_ids: Ints
    labels: Hashes
    parameters: Longs
    spans: Longs
    edges: Edges
    calls: dict[int, tuple[Call, ...]] = field(default_factory=dict)
    functions: "dict[str, Graph]" = field(default_factory=dict)
    attributes: dict[int, list[tuple[str, str]]] | None = None
    times: Longs | None = None
    memory: Longs | None = None
    metadata: list[tuple[str, str]] = field(default_factory=list)
    data: bytes | None = None
    sources: dict[int, str] | None = None
    layers: LayerColumns | None = None
    flops: Longs | None = None
    problems: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def size_bytes(self) -> int:
        """An estimate of its memory, without its functions."""
        texts = sum(len(value) for pairs in (self.attributes or {}).values() for _, value in pairs)
        names = sum(map(len, self.names))
        return 150 * len(self.names) + names + 20 * len(self.edges) + len(self.data or b"") + texts

    def op(self, node: int) -> str:
        """The operation of a node."""
        return self.ops[int(self.op_ids[node])]

    def device(self, node: int) -> str:
        """The device of a node, "" if unknown."""
        return self.devices[int(self.device_ids[node])]

    def output_types(self, node: int) -> Outputs:
        """The types of the outputs of a node, () if unknown."""
        return self.outputs[int(self.output_ids[node])]


def hash_of(*parts: object) -> int:
    """A hash of 64 bits that is the same in every process."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode("utf-8", "replace"), digest_size=8).digest(), "little")


class Interned:
    """Gives equal values the same index."""

    def __init__(self, *values: Any) -> None:
        self.values: list[Any] = []
        self._ids: dict[Any, int] = {}
        for value in values:
            self.add(value)

    def add(self, value: Any) -> int:
        """The index of a value."""
        found = self._ids.get(value)
        if found is None:
            found = self._ids[value] = len(self.values)
            self.values.append(value)
        return found


class GraphBuilder:
    """Collects nodes and their inputs, which may name nodes that come later. `lost` counts inputs that name nothing."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.calls: dict[int, tuple[Call, ...]] = {}
        self.problems: list[str] = []
        self.lost = 0
        self._ops, self._devices, self._outputs = Interned(), Interned(""), Interned(())
        self._kinds, self._spans = array("i"), array("q")
        self._op_ids, self._device_ids, self._output_ids = array("i"), array("i"), array("i")
        self._labels, self._parameters = array("Q"), array("q")
        self._targets, self._inputs = array("i"), list[str]()
        self._edges = [array("i") for _ in range(5)]

    @property
    def full(self) -> bool:
        """Whether a limit is reached."""
        return len(self.names) >= MAX_NODES or len(self._targets) >= MAX_EDGES

    def add(
        self,
        name: str,
        op: str,
        *,
        device: str = "",
        outputs: Outputs = (),
        label: int = 0,
        parameters: int = -1,
        span: tuple[int, int] = (0, 0),
    ) -> int:
        """Add a node, and return its index."""
        return self.add_of_kind(self.add_kind(op, device, outputs, label, parameters), name, *span)

    def add_kind(self, op: str, device: str, outputs: Outputs, label: int, parameters: int) -> int:
        """Note what several nodes have in common. Returns a number for `add_of_kind`."""
        self._op_ids.append(self._ops.add(op))
        self._device_ids.append(self._devices.add(device))
        self._output_ids.append(self._outputs.add(outputs))
        self._labels.append(label)
        self._parameters.append(min(parameters, 2**53))
        return len(self._labels) - 1

    def add_of_kind(self, kind: int, name: str, begin: int, end: int) -> int:
        """Add a node that is the bytes [begin, end), and return its index."""
        self.names.append(name[:MAX_NAME_CHARS])
        self._kinds.append(kind)
        self._spans.append(begin)
        self._spans.append(end)
        return len(self.names) - 1

    def output_types(self, node: int) -> Outputs:
        """The types of the outputs of a node, () if unknown."""
        found: Outputs = self._outputs.values[self._output_ids[self._kinds[node]]]
        return found

    def add_inputs(self, node: int, inputs: list[str]) -> None:
        """Add inputs of a node as they are written, in their order: see `parse_input`."""
        self._targets.extend([node] * len(inputs))
        self._inputs += inputs

    def add_edge(self, source: int, source_slot: int, target: int, target_slot: int, control: bool = False) -> None:
        """Add an edge between two nodes that exist."""
        for column, value in zip(self._edges, (source, source_slot, target, target_slot, control), strict=True):
            column.append(value)

    def finish(self) -> Graph:
        """The graph. Inputs that name no node are counted in its problems."""
        kinds = as_array(self._kinds, np.int32)
        op_ids, output_ids = as_array(self._op_ids, np.int32)[kinds], as_array(self._output_ids, np.int32)[kinds]
        is_full = self.full
        edges = self._resolve_inputs(op_ids, output_ids)
        if is_full:
            self.problems.append(f"only the first {len(self.names):,} nodes are shown")
        return Graph(
            names=self.names,
            ops=self._ops.values,
            op_ids=op_ids,
            devices=self._devices.values,
            device_ids=as_array(self._device_ids, np.int32)[kinds],
            outputs=self._outputs.values,
            output_ids=output_ids,
            labels=as_array(self._labels, np.uint64)[kinds],
            parameters=as_array(self._parameters, np.int64)[kinds],
            spans=as_array(self._spans, np.int64).reshape(-1, 2),
            edges=edges,
            calls=self.calls,
            problems=self.problems,
        )

    def _resolve_inputs(self, op_ids: Ints, output_ids: Ints) -> Edges:
        """The edges that were added, and those of inputs. Most inputs are the name of a node and nothing else."""
        index = dict(zip(reversed(self.names), range(len(self.names) - 1, -1, -1), strict=True))
        targets, inputs = as_array(self._targets, np.int32), self._inputs
        sources = np.fromiter(map(index.get, inputs, repeat(-1)), np.int32, len(inputs))
        slots, controls = np.zeros(len(inputs), np.int32), np.zeros(len(inputs), np.bool_)
        marked = np.fromiter((text[:1] == "^" for text in inputs), np.bool_, len(inputs))
        several = [len(types) > 1 for types in self._outputs.values]
        for at in np.flatnonzero(marked | (sources < 0)).tolist():
            text = inputs[at]
            name, slot, controls[at] = parse_input(text)
            source = index.get(name, -1)
            if source >= 0 and slot == 0 and ":" in text and several[output_ids[source]]:
                slot = first_slot(text)
            sources[at], slots[at] = source, slot
        is_module = np.array([op == GET_ATTRIBUTE for op in self._ops.values], np.bool_)
        found = sources >= 0
        lost = self.lost + int((~is_module[op_ids[targets[~found]]]).sum())
        if lost:
            self.problems.append(f"{lost:,} inputs name nodes that are not in the graph")
        slots[controls] = -1
        columns = (sources, slots, targets, target_slots(targets, controls), controls)
        self._targets, self._inputs = array("i"), []
        joined = [concatenated(*each, found) for each in zip(self._edges, columns, strict=True)]
        return Edges(joined[0], joined[1], joined[2], joined[3], joined[4].astype(np.bool_))


def concatenated(added: "array[int]", column: npt.NDArray[Any], chosen: npt.NDArray[np.bool_]) -> Ints:
    """A column, followed by the chosen items of another one."""
    return np.concatenate([as_array(added, np.int32), column[chosen].astype(np.int32)])


def target_slots(targets: Ints, controls: npt.NDArray[np.bool_]) -> Ints:
    """The slot of each of the inputs of nodes: how many the node has before it. Control dependencies take none, -1."""
    counted = (~controls).astype(np.int32)
    before: Ints = np.cumsum(counted, dtype=np.int32) - counted
    first = np.flatnonzero(np.diff(targets, prepend=-1))
    slots = before - before[np.repeat(first, np.diff(first, append=len(targets)))]
    return np.where(controls, np.int32(-1), slots)


def as_array(column: "array[int]", dtype: Any) -> npt.NDArray[Any]:
    """A column without a copy."""
    return np.frombuffer(column, dtype) if column else np.zeros(0, dtype)


def parse_input(text: str) -> tuple[str, int, bool]:
    """Node, output slot and whether it is a control dependency, of "name", "name:1", "name:output:1" or "^name"."""
    if text[:1] == "^":
        return text[1:], -1, True
    name, _, rest = text.partition(":")
    if not rest:
        return text, 0, False
    digits = rest.rpartition(":")[2]
    return name, int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 8 else 0, False


def first_slot(text: str) -> int:
    """The slot of "name:output:0" for a node with several outputs.

    Functions name outputs as the operation does, which is not in the file. Those that are called "output" are lists of
    all outputs; of others only the first may be meant, or not.
    """
    _, _, rest = text.partition(":")
    output, colon, _ = rest.rpartition(":")
    return 0 if not colon or output == "output" else -1
