"""Reads StableHLO as text, as JAX prints it: a graph of operations for each function, in the scopes of their locations.

The text is read line by line, each of which is one operation, or begins or ends a region. Not everything that MLIR
allows is understood: what has another form is left out, and said in `problems`.
"""

import re
from dataclasses import dataclass, field

from lightboard.graphs.graph import Call, Graph, GraphBuilder, TensorType, hash_of
from lightboard.graphs.program_text import both_ends, lines_of, while_wanted

MAX_LINE_CHARS = 20_000

MAX_DEPTH = 200
"""Regions inside of each other that are read."""

LOCATION = re.compile(r'^(#loc\d*) = loc\((?:"((?:[^"\\]|\\.)*)")?')
ENDING = re.compile(r' loc\((?:(#loc\d*)|"((?:[^"\\]|\\.)*)"[^()]*|unknown)\)$')
FUNCTION = re.compile(r"^func\.func (?:public |private )?@([\w$.-]+)\(")
RESULTS = re.compile(r"^(%[\w$.-]+)(?::(\d{1,5}))? = ")
OPERATION = re.compile(r'^"?([a-z_]\w*(?:\.\w+)*)"?(?![\w.])')
VALUE = re.compile(r"%[\w$.-]+(?:#\d{1,5})?")
ARGUMENT = re.compile(r"(%[\w$.-]+): ((?:tensor<(?:[^<>]|<[^<>]*>)*>)|[^\s,()]+)")
ITERATION = re.compile(r"(%[\w$.-]+) = (%[\w$.-]+(?:#\d{1,5})?)")
CALLEE = re.compile(r"@([\w$.-]+)")
TENSOR = re.compile(r"tensor<((?:[^<>]|<[^<>]*>)*)>")
SCALAR = re.compile(r"^(?:complex<)?(bf|f|ui|si|i)(\d{1,3})(\w*)>?$")
RETURNS = frozenset({"return", "func.return", "stablehlo.return"})
CALLS = frozenset({"call", "func.call"})


@dataclass
class Operation:
    """An operation, or an argument or result of a function. `inputs` are the indices and outputs of what it takes."""

    name: str
    op: str
    types: tuple[TensorType, ...] = ()
    inputs: list[tuple[int, int]] = field(default_factory=list)
    callee: str = ""
    label: str = ""


@dataclass
class Region:
    """What is between braces: the names of its values, and of operations the scope that it is."""

    values: dict[str, tuple[int, int]] = field(default_factory=dict)
    prefix: str = ""
    owner: int = -1


@dataclass
class Function:
    """The operations of a function, and the regions that are open."""

    name: str
    operations: list[Operation] = field(default_factory=list)
    regions: list[Region] = field(default_factory=lambda: [Region()])
    lost: int = 0

    def find(self, value: str) -> tuple[int, int] | None:
        """The operation and the output of a value, such as "%3#1"."""
        name, _, slot = value.partition("#")
        for region in reversed(self.regions):
            if name in region.values:
                at, first = region.values[name]
                return at, int(slot) if slot else first
        return None

    def add(self, operation: Operation) -> int:
        """Add an operation."""
        self.operations.append(operation)
        return len(self.operations) - 1


def has_locations(end: bytes) -> bool:
    """Whether a program that ends like this was printed with the names of locations."""
    return b'loc("' in end


def read_stablehlo(data: bytes) -> Graph:
    """The graph of the function main, or of the first one. The others are its functions. Raises Unshowable."""
    reader = TextReader()
    lines = lines_of(data)
    for line in while_wanted(lines):  # they come last
        if match := LOCATION.match(line[:MAX_LINE_CHARS]):
            reader.locations[match[1]] = match[2] or ""
    for line in while_wanted(lines):
        reader.read_line(line.strip())
    return reader.finish()


class TextReader:
    """Reads lines into functions."""

    def __init__(self) -> None:
        self.locations: dict[str, str] = {}
        self.functions: dict[str, Function] = {}
        self.unread = 0
        self._function: Function | None = None
        self._outside = 0

    def read_line(self, line: str) -> None:
        """One line without the space around it."""
        line = both_ends(line, MAX_LINE_CHARS)
        if match := FUNCTION.match(line):
            self._begin(match[1], line)
        elif self._function is not None:
            self._read_inside(self._function, line)

    def _begin(self, name: str, line: str) -> None:
        function = self.functions.setdefault(name, Function(name))
        function.regions, self._outside = [Region()], 0  # a name may come twice in a text that is damaged
        self._function = function if line.endswith("{") else None
        for argument, text in ARGUMENT.findall(line.partition(") -> ")[0]):
            index = function.add(Operation(argument[1:], "Argument", types_of(text)))
            function.regions[0].values[argument] = index, 0

    def _read_inside(self, function: Function, line: str) -> None:
        if line.startswith("}"):
            self._end_region(function, line)
        elif line.startswith("^") or (line.endswith("{") and not RESULTS.match(line) and "(" in line):
            self._begin_block(function, line)
        elif line.endswith("{") and " " not in line.rstrip(" {"):
            self._open(function, line.rstrip(" {"))
        elif line:
            self._add(function, line)

    def _open(self, function: Function, label: str) -> None:
        """Begin a region of the last operation."""
        owner = function.regions[-1].owner if not function.operations else len(function.operations) - 1
        name = function.operations[owner].name if function.operations else ""
        prefix = f"{name}/{label}" if label else name
        if len(function.regions) > MAX_DEPTH:
            self._outside += 1
        else:
            function.regions.append(Region({}, prefix, owner))

    def _begin_block(self, function: Function, line: str) -> None:
        if not line.startswith("^"):
            self._open(function, line.partition("(")[0].strip())
        region = function.regions[-1]
        for argument, text in ARGUMENT.findall(line):
            name = f"{region.prefix}/{argument[1:]}" if region.prefix else argument[1:]
            region.values[argument] = function.add(Operation(name, "Argument", types_of(text))), 0

    def _end_region(self, function: Function, line: str) -> None:
        if self._outside:
            self._outside -= 1
            return
        closed = function.regions.pop()
        if not function.regions:
            self._function = None
            return
        owner = closed.owner
        if owner >= 0 and not function.operations[owner].types and " : " in line:
            function.operations[owner].types = types_of(line.rpartition(" : ")[2].rpartition("-> ")[2])
        rest = line.lstrip("}), ")
        if rest.endswith("{"):
            name = function.operations[owner].name if owner >= 0 else ""
            label = rest.rstrip("({ ")
            function.regions.append(Region({}, f"{name}/{label}" if label else name, owner))

    def _add(self, function: Function, line: str) -> None:
        results = RESULTS.match(line)
        body = line[results.end() :] if results else line
        found = OPERATION.match(body)
        if found is None:
            self.unread += 1
            return
        ending = ENDING.search(body)
        where = (self.locations.get(ending[1] or "", "") or ending[2] or "") if ending else ""
        opens = body.endswith("{")
        code, _, types = (body[: ending.start()] if ending else body).rpartition(" : ")
        code, types = (code, types) if code else (body, "")
        region, op = function.regions[-1], found[1]
        values = code[found.end() :]
        taken = [source for _, source in ITERATION.findall(values)] or VALUE.findall(values)
        operation = Operation(
            self._name(region, op, results[1] if results else "", where, len(function.operations)),
            "Result" if op in RETURNS else op,
            () if op in RETURNS else types_of(types.rpartition("-> ")[2]),
            callee=match[1] if op in CALLS and (match := CALLEE.search(values)) else "",
            label=VALUE.sub("%", values)[:500],
        )
        for each in taken:
            maker = function.find(each)
            if maker is None:
                function.lost += 1
            else:
                operation.inputs.append(maker)
        index = function.add(operation)
        if results:
            region.values[results[1]] = index, 0
        names = ITERATION.findall(values) if op.endswith(".while") else []
        region.values.update({name: maker for name, source in names if (maker := function.find(source)) is not None})
        if opens:
            self._open(function, "")

    def _name(self, region: Region, op: str, result: str, where: str, at: int) -> str:
        """The path of an operation: by its location, or in the region of another one."""
        own = f"{op.rpartition('.')[2]}_{result[1:] if result else at}".replace("/", "_")
        scope = region.prefix or "/".join(part for part in where.split("/")[:-1] if not part.startswith("jit("))
        return f"{scope}/{own}" if scope else own

    def finish(self) -> Graph:
        """The graph of the main function, with the others."""
        graphs = {name: self._graph(function) for name, function in self.functions.items()}
        main = "main" if "main" in graphs else next(iter(graphs), "")
        graph = graphs.pop(main, None) or GraphBuilder().finish()
        graph.functions = graphs
        if self.unread:
            graph.problems.append(f"{self.unread:,} lines could not be read")
        if self._function is not None:
            graph.problems.append("the text is cut off")
        return graph

    def _graph(self, function: Function) -> Graph:
        builder = GraphBuilder()
        builder.lost = function.lost
        for each in function.operations:
            if builder.full:
                break
            label = hash_of(each.op, each.types, each.label, len(each.inputs))
            index = builder.add(each.name, each.op, outputs=each.types, label=label)
            for slot, (source, output) in enumerate(each.inputs):
                if source < index:
                    builder.add_edge(source, output, index, slot)
            if each.callee in self.functions and each.callee != "main":
                builder.calls[index] = (Call("", each.callee),)
        graph = builder.finish()
        graph.attributes = {at: [("text", each.label)] for at, each in enumerate(function.operations) if each.label}
        return graph


def types_of(text: str) -> tuple[TensorType, ...]:
    """The types of tensors in a text, such as "tensor<2x?xf32>"."""
    return tuple(tensor_type(each) for each in TENSOR.findall(text))


def tensor_type(text: str) -> TensorType:
    """The type "2x?xf32"."""
    *sizes, element = text.partition(",")[0].strip().split("x")
    if text.endswith(">") and "complex" in text:
        sizes, element = text.partition("complex")[0].split("x")[:-1], text[text.index("complex") :]
    shape = tuple(int(size) if size.isascii() and size.isdecimal() and len(size) < 16 else -1 for size in sizes)
    return TensorType(element_type(element), shape)


def element_type(text: str) -> str:
    """The name of a type of numbers: "float32" of "f32"."""
    match = SCALAR.match(text)
    if match is None:
        return text[:50]
    kind, bits, rest = match[1], match[2], match[3]
    if text.startswith("complex"):
        return f"complex{2 * int(bits)}"
    if (kind, bits) == ("i", "1"):
        return "bool"
    names = {"f": "float", "bf": "bfloat", "i": "int", "si": "int", "ui": "uint"}
    return f"{names[kind]}{bits}{f'_{rest.lower()}' if rest else ''}"
