"""Programs of XLA: the graph of a module, whether it was read from text or from a message.

The entry computation is the graph. Others, such as those of fusions and the bodies of loops, are its functions, which
open where they are called. In each, operations are in the scopes that their `op_name` states.
"""

import math
import os.path
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from lightboard import cancellation
from lightboard.graphs.graph import MAX_COST, UNKNOWN_COST, Call, Graph, GraphBuilder, Longs, TensorType, hash_of

MAX_COMPUTATIONS = 50_000
"""Computations of a module that are read."""

MAX_INSTRUCTIONS = 1_000_000
"""Instructions of a module that are read."""

MAX_TUPLE = 10_000
"""Elements of a tuple that are read."""

MAX_SCOPE_CHARS = 1000
"""Longer `op_name` are cut."""

MAX_ATTRIBUTE_CHARS = 500
"""Longer attributes are cut."""

NODE_OPS = {"parameter": "Argument", "constant": "Const"}
"""What pages call operations that they draw in their own way."""

NUMBERS = {"f": "float", "bf": "bfloat", "s": "int", "u": "uint", "c": "complex"}


@dataclass(slots=True)
class Instruction:
    """One operation. `operands`, and `after`, for which it only waits, are names in its computation.

    `index` is the element that `get-tuple-element` takes. `contracted` are the dimensions of the first operand over
    which a dot sums; `kept` is the dimension of the kernel over which a convolution does not.
    """

    name: str
    op: str
    types: tuple[TensorType, ...] = ()
    is_tuple: bool = False
    layout: str = ""
    operands: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)
    op_name: str = ""
    source: str = ""
    index: int = 0
    contracted: tuple[int, ...] = ()
    kept: int | None = None
    attributes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Computation:
    """The operations of a function."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)


@dataclass
class Module:
    """A program. `entry` is the name of the computation that it begins with, "" if that is not known."""

    name: str = ""
    entry: str = ""
    computations: list[Computation] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    instructions: int = 0

    def begin(self, name: str) -> Computation | None:
        """Add a computation; None if there are too many."""
        if len(self.computations) >= MAX_COMPUTATIONS:
            self._note(f"only the first {MAX_COMPUTATIONS:,} computations are shown")
            return None
        self.computations.append(Computation(name))
        return self.computations[-1]

    def add(self, computation: Computation, instruction: Instruction) -> None:
        """Add an operation, unless there are too many."""
        if self.instructions >= MAX_INSTRUCTIONS:
            self._note(f"only the first {MAX_INSTRUCTIONS:,} operations are shown")
            return
        self.instructions += 1
        computation.instructions.append(instruction)

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def graph_of_module(module: Module) -> Graph:
    """The graph of the entry computation, or of the last one if none is marked; the others are its functions."""
    computations = dict[str, Computation]()
    for computation in module.computations:
        computations.setdefault(computation.name, computation)
    last = next((name for name in reversed(computations) if computations[name].instructions), "")
    entry = module.entry if module.entry in computations else last
    graphs = dict[str, Graph]()
    for name, computation in computations.items():
        cancellation.check()
        graphs[name] = graph_of(computation, computations.keys() - {entry})
    graph = graphs.pop(entry, None) or GraphBuilder().finish()
    lost = sum(bool(each.problems) for each in graphs.values())
    graph.functions = graphs
    graph.metadata = [("Module", module.name)] if module.name else []
    graph.problems += module.problems
    if lost:
        graph.problems.append(f"{lost:,} computations name operands that they do not have")
    return graph


def graph_of(computation: Computation, functions: Set[str]) -> Graph:
    """The graph of one computation. `functions` are those that can be called, which the entry cannot."""
    instructions = computation.instructions
    builder = GraphBuilder()
    places = {each.name: at for at, each in enumerate(instructions)}
    above = common_scope(instructions)
    for each in instructions:
        label = hash_of(each.op, each.types, [value for key, value in each.attributes if key != "calls"])
        op = NODE_OPS.get(each.op, each.op)
        builder.add(path_of(each, above), op, outputs=each.types, label=label)
    for at, each in enumerate(instructions):
        for slot, operand in enumerate(each.operands):
            source = places.get(operand)
            if source is None:
                builder.lost += 1
            else:
                builder.add_edge(source, output_slot(instructions[source], each), at, slot)
        for operand in each.after:
            if (source := places.get(operand)) is not None:
                builder.add_edge(source, -1, at, -1, control=True)
        calls = tuple(Call(attribute, name) for attribute, name in each.calls if name in functions)
        if calls:
            builder.calls[at] = calls if len(calls) > 1 else (Call("", calls[0].function),)
    graph = builder.finish()
    graph.attributes = {at: pairs for at, each in enumerate(instructions) if (pairs := shown(each))}
    graph.sources = {at: each.source for at, each in enumerate(instructions) if each.source}
    graph.flops = count_products(instructions, places)
    return graph


def output_slot(source: Instruction, taker: Instruction) -> int:
    """Which output of a tuple is taken; -1 for all of it."""
    if not source.is_tuple:
        return 0
    return taker.index if taker.op == "get-tuple-element" and taker.index < len(source.types) else -1


def scopes_of(op_name: str) -> list[str]:
    """The scopes around the operation "jit(step)/layer/dot_general"."""
    return [part for part in op_name.split("/")[:-1] if part and not part.startswith(("jit(", "pjit("))]


def common_scope(instructions: Iterable[Instruction]) -> list[str]:
    """The scopes that all operations of a computation are in: it opens where it is called, so that they say nothing."""
    found: list[str] | None = None
    for each in instructions:
        if "/" in each.op_name:
            scopes = scopes_of(each.op_name)
            pairs = zip(scopes if found is None else found, scopes, strict=False)
            found = [scope for scope, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return found or []


def path_of(instruction: Instruction, above: list[str]) -> str:
    """The path of an operation: by its `op_name`, below the scopes that all have."""
    own = instruction.name.replace("/", "_") or "?"
    return "/".join([*scopes_of(instruction.op_name)[len(above) :], own])


def shown(instruction: Instruction) -> list[tuple[str, str]]:
    """The attributes of an operation."""
    pairs = list(instruction.attributes)
    if instruction.layout:
        pairs.append(("layout", instruction.layout))
    if instruction.op_name:
        pairs.append(("op_name", instruction.op_name))
    return pairs


def count_products(instructions: list[Instruction], places: dict[str, int]) -> Longs:
    """The operations of matrix products and convolutions; 0 for others."""
    flops = np.zeros(len(instructions), np.int64)
    for at, each in enumerate(instructions):
        if each.op in ("dot", "convolution"):
            operands = [instructions[places[name]] for name in each.operands if name in places]
            flops[at] = min(flops_of(each, operands), MAX_COST)
    return flops


def flops_of(instruction: Instruction, operands: list[Instruction]) -> int:
    """Two operations for each product that is added up; -1 if it cannot be told."""
    side = 0 if instruction.op == "dot" else 1
    shape = operands[side].types[0].shape if len(operands) > side and operands[side].types else None
    output = instruction.types[0] if instruction.types else None
    if shape is None or output is None or output.shape is None:
        return UNKNOWN_COST
    if instruction.op == "dot":
        if any(not 0 <= axis < len(shape) for axis in instruction.contracted):
            return UNKNOWN_COST
        return 2 * output.elements * math.prod(max(shape[axis], 1) for axis in instruction.contracted)
    if instruction.kept is None or not 0 <= instruction.kept < len(shape):
        return UNKNOWN_COST
    return 2 * output.elements * math.prod(max(size, 1) for at, size in enumerate(shape) if at != instruction.kept)


def element_type(name: str) -> str:
    """The name of a type of numbers of XLA: "float32" of "f32", "bool" of "pred"."""
    if name == "pred":
        return "bool"
    letters = name.rstrip("0123456789")
    if letters in NUMBERS and letters != name:
        return f"{NUMBERS[letters]}{name[len(letters) :]}"
    return f"float{name[1]}_{name[2:]}" if name[:1] == "f" and name[1:2].isdecimal() else name[:50]


def source_line(file: str, line: int, function: str = "") -> str:
    """For display, such as "train.py:12 in step"."""
    place = f"{os.path.basename(file)}:{line}" if line else os.path.basename(file)
    return f"{place} in {function}" if function else place


def cut(text: str) -> str:
    """Not too much of a text."""
    return text if len(text) <= MAX_ATTRIBUTE_CHARS else f"{text[:MAX_ATTRIBUTE_CHARS]}…"
