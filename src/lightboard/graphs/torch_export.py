"""Reads the programs that `torch.export.save` writes: nodes in the scopes of their modules, parameters, branches.

The JSON may have been written by anyone: what has another form is left out.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.graphs.graph import Call, Graph, GraphBuilder, Outputs, TensorType, hash_of
from lightboard.graphs.json_document import load_json
from lightboard.graphs.merge import merge_graphs
from lightboard.graphs.module_scopes import scope_of_modules
from lightboard.graphs.torch_archive import read_programs

MAX_BODIES = 1000
"""Bodies of operations, such as the branches of a condition, that are read."""

MAX_DEPTH = 50
"""Bodies inside of each other that are read."""

MAX_ENDS = 10_000
"""Inputs and outputs of one node that are read."""

MAX_VALUE_CHARS = 5000
"""Characters of an attribute that are kept."""

NODES_PER_CHECK = 1000

DTYPES = {
    **dict(enumerate(("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"), 1)),
    9: "complex32",
    10: "complex64",
    11: "complex128",
    12: "bool",
    13: "bfloat16",
    28: "uint16",
    29: "float8_e4m3fn",
    30: "float8_e5m2",
    31: "float8_e4m3fnuz",
    32: "float8_e5m2fnuz",
    33: "float8_e8m0fnu",
    34: "uint32",
    35: "uint64",
}
"""The types of tensors by their numbers in these files."""

VALUE_KEYS = ("as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool", "as_custom_obj", "as_optional_tensor")
LIST_KEYS = ("as_tensors", "as_optional_tensors", "as_sym_ints", "as_sym_floats", "as_sym_bools", "as_nested_tensors")

GIVEN = {
    "parameter": ("Parameter", "parameter_name"),
    "buffer": ("Buffer", "buffer_name"),
    "tensor_constant": ("Constant", "tensor_constant_name"),
    "custom_obj": ("Constant", "custom_obj_name"),
}
"""Inputs of a program that are parts of the model: operation of their nodes, and the field with their name."""

FRAME = re.compile(r'File "([^"\n]{1,1000})", line ([0-9]{1,9}), in ([^\n]{0,200})\n?([^\n]{0,300})')
"""One call in a trace, with its line of code."""

INSIDE_TORCH = re.compile(r"[/\\]torch[/\\]|^<")
"""Files of torch itself, and code that it has made."""


def read_torch_export(read: ReadRange, size: int) -> Graph:
    """The graph of the program in an archive; several are in scopes of their own. Raises Unshowable."""
    programs = read_programs(read, size)
    if not programs:
        raise Unshowable("the archive has no exported program", hint="compiled packages hold machine code only")
    graphs = [(name.replace("/", "_"), read_program(data)) for name, data in programs]
    return graphs[0][1] if len(graphs) == 1 else merge_graphs(graphs)


def read_program(data: bytes) -> Graph:
    """The graph of one program. Raises Unshowable."""
    try:
        program = load_json(data)
    except (ValueError, RecursionError):
        raise Unshowable("the program in the archive is no JSON that can be read") from None
    module = dict_at(program, "graph_module")
    reader = ProgramReader()
    graph = reader.read(dict_at(module, "graph"), given_names(dict_at(module, "signature")), 0)
    graph.functions = reader.functions
    version = dict_at(program, "schema_version")
    texts = [("torch_version", text_of(program, "torch_version"))] if isinstance(program, dict) else []
    texts.append(("schema_version", ".".join(str(version[key]) for key in ("major", "minor") if key in version)))
    graph.metadata = [(name, text[:MAX_VALUE_CHARS]) for name, text in texts if text]
    return graph


def dict_at(value: Any, key: str) -> dict[str, Any]:
    """A field that is an object, otherwise an empty one."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def list_at(value: Any, key: str) -> list[Any]:
    """A field that is a list, otherwise an empty one."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def text_of(value: Any, key: str) -> str:
    """A field that is a text, otherwise an empty one."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def given_names(signature: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Operation and path of the parameters and buffers, by the names of their values."""
    found = {}
    for spec in list_at(signature, "input_specs"):
        for kind, (op, key) in GIVEN.items():
            given = dict_at(spec, kind)
            if given:
                found[text_of(dict_at(given, "arg"), "name")] = op, text_of(given, key)
    return found


def value_names(arg: Any) -> Iterator[str]:
    """The values that an argument names, in their order."""
    for key in VALUE_KEYS:
        inner = dict_at(arg, key)
        if inner:
            name = text_of(inner, "name") or text_of(inner, "as_name")
            yield from [name] if name else value_names(inner)
    for key in LIST_KEYS:
        for each in list_at(arg, key)[:MAX_ENDS]:
            if isinstance(each, list):
                yield from (text_of(inner, "name") for inner in each[:MAX_ENDS] if text_of(inner, "name"))
            elif name := text_of(each, "name") or text_of(each, "as_name"):
                yield name
            elif isinstance(each, dict) and "as_tensor" in each:
                yield text_of(each["as_tensor"], "name")


def tensor_type(value: Any) -> TensorType:
    """Type and shape of a tensor, with open sizes as -1."""
    number = value.get("dtype") if isinstance(value, dict) else None
    dtype = DTYPES.get(number, "") if isinstance(number, int) else ""
    if not isinstance(value, dict) or not isinstance(value.get("sizes"), list):
        return TensorType(dtype, None)
    sizes = [each.get("as_int") if isinstance(each, dict) else None for each in value["sizes"][:MAX_ENDS]]
    return TensorType(dtype, tuple(size if isinstance(size, int) and 0 <= size < 2**53 else -1 for size in sizes))


def operation(target: str) -> str:
    """The operation of a target, as torch calls it elsewhere: "aten::linear" of "torch.ops.aten.linear.default"."""
    name = target.removeprefix("torch.ops.").removesuffix(".default")
    space, dot, rest = name.partition(".")
    return f"{space}::{rest}" if dot and target.startswith("torch.ops.") else target


def scope_of_stack(stack: str) -> tuple[str, str]:
    """The innermost module of a node, and its scope: of "key,blocks.0,Block;key,blocks.0.norm,LayerNorm"."""
    modules = [parts[1] for each in stack.split(";") if len(parts := each.split(",", 2)) == 3 and parts[1]]
    return (modules[-1], scope_of_modules(modules)) if modules else ("", "")


def source_line(trace: str) -> str:
    """The innermost call of a trace that is not in torch."""
    frames = FRAME.findall(trace)
    own = [frame for frame in frames if not INSIDE_TORCH.search(frame[0])] or frames
    if not own:
        return ""
    path, line, function, code = own[-1]
    return f"{path}:{line}, {function}: {code.strip()}".rstrip(": ")


@dataclass
class Body:
    """A graph that is read: nodes, their attributes, and which node makes which value, at which output."""

    builder: GraphBuilder = field(default_factory=GraphBuilder)
    attributes: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    sources: dict[int, str] = field(default_factory=dict)
    makers: dict[str, tuple[int, int]] = field(default_factory=dict)
    inputs: list[tuple[int, list[str]]] = field(default_factory=list)
    types: dict[str, Any] = field(default_factory=dict)

    def outputs(self, names: list[str]) -> Outputs:
        """The types of some values, () if none is known."""
        types = tuple(tensor_type(self.types.get(name)) for name in names)
        return types if any(each != TensorType("", None) for each in types) else ()

    def finish(self) -> Graph:
        """The graph, with edges from the makers of values to the nodes that take them."""
        lost = 0
        for node, names in self.inputs:
            for slot, name in enumerate(names):
                maker = self.makers.get(name)
                if maker is None:
                    lost += 1
                elif not self.builder.full:
                    self.builder.add_edge(*maker, node, slot)
        self.builder.lost += lost
        graph = self.builder.finish()
        graph.attributes, graph.sources = self.attributes, self.sources
        return graph


class ProgramReader:
    """Reads the graphs of one program: `functions` are the bodies of operations."""

    def __init__(self) -> None:
        self.functions: dict[str, Graph] = {}
        self._bodies = 0

    def read(self, graph: dict[str, Any], given: dict[str, tuple[str, str]], depth: int) -> Graph:
        """One graph, whose inputs are `given`, or inputs of the program."""
        body = Body(types=dict_at(graph, "tensor_values"))
        nodes = [node for node in list_at(graph, "nodes") if isinstance(node, dict)]
        scopes = dict(scope_of_stack(text_of(dict_at(node, "metadata"), "nn_module_stack")) for node in nodes)
        for arg in list_at(graph, "inputs"):
            for name in value_names(arg):
                add_input(body, name, *given.get(name, ("Placeholder", "")), scopes)
        for at, node in enumerate(nodes):
            if body.builder.full:
                break
            if at % NODES_PER_CHECK == 0:
                cancellation.check()
            self._add_node(body, node, depth)
        results = [name for arg in list_at(graph, "outputs") for name in value_names(arg)]
        for at, name in enumerate(results[:MAX_ENDS]):
            types = body.outputs([name])
            index = body.builder.add(f"output_{at}" if len(results) > 1 else "output", "Result", label=hash_of(types))
            body.inputs.append((index, [name]))
        return body.finish()

    def _add_node(self, body: Body, node: dict[str, Any], depth: int) -> None:
        args = [each for each in list_at(node, "inputs")[:MAX_ENDS] if isinstance(each, dict)]
        inputs = [name for each in args for name in value_names(each.get("arg"))][:MAX_ENDS]
        outputs = [name for arg in list_at(node, "outputs")[:MAX_ENDS] for name in value_names(arg)][:MAX_ENDS]
        metadata, op = dict_at(node, "metadata"), operation(text_of(node, "target"))
        texts = [pair for each in args if (pair := text_pair(each)) is not None]
        _, scope = scope_of_stack(text_of(metadata, "nn_module_stack"))
        name = text_of(node, "name") or next(iter(outputs), "") or op.rpartition("::")[2]
        types = body.outputs(outputs)
        label = hash_of(op, len(inputs), types, texts)
        index = body.builder.add(f"{scope}/{name}" if scope else name, op, outputs=types, label=label)
        trace = text_of(metadata, "stack_trace")
        if trace:
            body.sources[index] = source_line(trace)
            texts = [*texts, ("stack_trace", trace[:MAX_VALUE_CHARS])]
        body.attributes[index] = texts
        body.inputs.append((index, inputs))
        for slot, value in enumerate(outputs):
            body.makers[value] = index, slot
        calls = [call for each in args if (call := self._call(dict_at(each.get("arg"), "as_graph"), depth)) is not None]
        if calls:
            body.builder.calls[index] = tuple({call.attribute: call for call in calls}.values())

    def _call(self, inner: dict[str, Any], depth: int) -> Call | None:
        """The call of a body that is written at its call."""
        graph = dict_at(inner, "graph")
        if not graph or depth >= MAX_DEPTH or self._bodies >= MAX_BODIES:
            return None
        self._bodies += 1
        name = (text_of(inner, "name") or "body").replace("/", "_")
        function = f"{name}_{self._bodies}"
        self.functions[function] = self.read(graph, {}, depth + 1)
        return Call(name, function)


def add_input(body: Body, name: str, op: str, path: str, scopes: dict[str, str]) -> None:
    """Add an input of a graph: a parameter is in the scope of its module, where nodes have told that."""
    module, _, label = path.rpartition(".")
    shown = name
    if path:
        scope = scopes.get(module, module)
        shown = f"{scope}/{label}" if scope else label
    types = body.outputs([name])
    sizes = types[0].shape if types else None
    known = op == "Parameter" and sizes is not None and all(size >= 0 for size in sizes)
    index = body.builder.add(
        shown,
        op,
        outputs=types,
        label=hash_of(op, types),
        parameters=math.prod(sizes or ()) if known else -1,
    )
    body.makers.setdefault(name, (index, 0))


def text_pair(arg: dict[str, Any]) -> tuple[str, str] | None:
    """Name and text of an argument that is no value of another node."""
    value = arg.get("arg")
    if not isinstance(value, dict) or len(value) != 1:
        return None
    (key, inner), name = next(iter(value.items())), text_of(arg, "name")
    if key == "as_graph" or (key in (*VALUE_KEYS, *LIST_KEYS) and next(value_names(value), None) is not None):
        return None
    text = inner if isinstance(inner, str) else json.dumps(inner)
    return (name or key.removeprefix("as_"), text[:MAX_VALUE_CHARS]) if key != "as_none" else (name, "None")
