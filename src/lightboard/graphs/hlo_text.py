"""Reads programs of XLA as text: what `as_text()` of JAX and the dumps of XLA have.

Each line is one operation, or begins or ends a computation. What has another form is left out, and said in `problems`.
"""

import re

from lightboard.graphs.graph import Graph, TensorType
from lightboard.graphs.hlo_module import (
    MAX_SCOPE_CHARS,
    MAX_TUPLE,
    Computation,
    Instruction,
    Module,
    cut,
    element_type,
    graph_of_module,
    source_line,
)
from lightboard.graphs.program_text import both_ends, lines_of, while_wanted

MAX_LINE_CHARS = 100_000

MODULE = re.compile(r"^HloModule ([^\s,]+)")
COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.$-]+) [({]")
INSTRUCTION = re.compile(r"^(?:ROOT )?%?([\w.$-]+) = ")
INDEX = re.compile(r"/\*index=\d{1,9}\*/")
OPCODE = re.compile(r" ?([a-zA-Z][\w-]*)\(")
SHAPE = re.compile(r"([a-z]\w*)\[([^\[\]]*)\](\{[^{}]*\})?|token\[\]|opaque\[\]")
ATTRIBUTE = re.compile(r"^([\w-]+)=(.*)$", re.DOTALL)
NAMES = re.compile(r"%?([\w.$-]+)")
BRACKET = re.compile(r'[(){}\[\]"]')
SEPARATOR = re.compile(r'[,({\["]')
OP_NAME = re.compile(r'op_name="((?:[^"\\]|\\.)*)"')
SOURCE = re.compile(r'source_file="((?:[^"\\]|\\.)*)"(?: source_line=(\d{1,9}))?')
FRAME = re.compile(r"stack_frame_id=(\d{1,9})")
TABLE_ROW = re.compile(r'^(\d{1,9}) (?:"((?:[^"\\]|\\.)*)"|\{(.*)\})$')
NUMBER = re.compile(r"(\w+)=(\d{1,9})")
TABLES = frozenset({"FileNames", "FunctionNames", "FileLocations", "StackFrames"})
CALLS = frozenset(
    {
        *("calls", "to_apply", "body", "condition", "select", "scatter", "true_computation", "false_computation"),
        *("branch_computations", "called_computations"),
    }
)
HIDDEN = frozenset({"metadata", "control-predecessors", *CALLS})
CLOSING = {"(": ")", "{": "}", "[": "]"}


def read_hlo_text(data: bytes) -> Graph:
    """The graph of a module. Raises Unshowable."""
    reader = TextReader()
    for line in while_wanted(lines_of(data)):
        reader.read_line(line.strip())
    return reader.finish()


class TextReader:
    """Reads lines into a module."""

    def __init__(self) -> None:
        self.module = Module()
        self.unread = 0
        self._computation: Computation | None = None
        self._table = ""
        self._tables: dict[str, dict[int, str]] = {name: {} for name in TABLES}

    def read_line(self, line: str) -> None:
        """One line without the space around it."""
        line = both_ends(line, MAX_LINE_CHARS)
        if self._computation is not None:
            self._read_inside(self._computation, line)
        elif line.endswith("{") and (match := COMPUTATION.match(line)):
            self._table = ""
            self._computation = self.module.begin(match[2])
            if match[1]:
                self.module.entry = match[2]
        elif match := MODULE.match(line):
            self.module.name = match[1]
        elif line in TABLES:
            self._table = line
        elif self._table and (match := TABLE_ROW.match(line)):
            self._tables[self._table][int(match[1])] = cut(match[2] if match[3] is None else match[3])

    def _read_inside(self, computation: Computation, line: str) -> None:
        if line.startswith("}"):
            self._computation = None
        elif match := INSTRUCTION.match(line):
            try:
                self.module.add(computation, self._instruction(match[1], line, match.end()))
            except ValueError:
                self.unread += 1
        elif line and not line.startswith(("//", "/*")):
            self.unread += 1

    def _instruction(self, name: str, line: str, at: int) -> Instruction:
        """An operation. Raises ValueError if the line has another form."""
        shape, at = shape_text(line, at)
        opcode = OPCODE.match(line, at)
        if opcode is None:
            raise ValueError
        end = closing(line, opcode.end() - 1)
        instruction = Instruction(name, opcode[1], *types_of(shape), layout_of(shape))
        inside = line[opcode.end() : end]
        if opcode[1] in ("parameter", "constant"):
            instruction.attributes.append(("index" if opcode[1] == "parameter" else "value", cut(inside)))
        else:
            instruction.operands = [each.rpartition(" ")[2].removeprefix("%") for each in split(INDEX.sub("", inside))]
        for part in split(line[end + 1 :]):
            if match := ATTRIBUTE.match(part):
                self._attribute(instruction, match[1], match[2])
        if instruction.op == "while":
            instruction.calls.sort()  # the body first, as in messages
        return instruction

    def _attribute(self, instruction: Instruction, key: str, value: str) -> None:
        if key in CALLS:
            names = NAMES.findall(value)
            several = len(names) > 1
            instruction.calls += [(f"{key} {at}" if several else key, name) for at, name in enumerate(names)]
        elif key == "control-predecessors":
            instruction.after = NAMES.findall(value)
        elif key == "metadata":
            op_name = OP_NAME.search(value)
            instruction.op_name = unescaped(op_name[1])[:MAX_SCOPE_CHARS] if op_name else ""
            instruction.source = self._source(value)
        elif key == "index" and value.isdecimal() and len(value) < 9:
            instruction.index = int(value)
        elif key == "lhs_contracting_dims":
            axes = [axis.strip() for axis in value.strip("{}").split(",") if axis.strip()]
            if all(axis.isdecimal() and len(axis) < 9 for axis in axes):
                instruction.contracted = tuple(map(int, axes))
        elif key == "dim_labels":
            kept = value.partition("_")[2].partition("->")[0].find("o")
            instruction.kept = kept if kept >= 0 else None
        if key not in HIDDEN:
            instruction.attributes.append((key, cut(value)))

    def _source(self, metadata: str) -> str:
        """The line of code of an operation, "" if unknown."""
        if match := SOURCE.search(metadata):
            return source_line(unescaped(match[1]), int(match[2] or 0))
        frame = FRAME.search(metadata)
        place = self._row("StackFrames", int(frame[1])).get("file_location_id", 0) if frame else 0
        location = self._row("FileLocations", place)
        file = self._tables["FileNames"].get(location.get("file_name_id", 0), "")
        function = self._tables["FunctionNames"].get(location.get("function_name_id", 0), "")
        return source_line(unescaped(file), location.get("line", 0), unescaped(function)) if file else ""

    def _row(self, table: str, at: int) -> dict[str, int]:
        return {key: int(number) for key, number in NUMBER.findall(self._tables[table].get(at, ""))}

    def finish(self) -> Graph:
        """The graph of what was read."""
        if self.unread:
            self.module.problems.append(f"{self.unread:,} lines could not be read")
        if self._computation is not None:
            self.module.problems.append("the text is cut off")
        return graph_of_module(self.module)


def closing(line: str, at: int) -> int:
    """Where the bracket at a place is closed. Raises ValueError if it is not."""
    open_: list[str] = []
    while match := BRACKET.search(line, at):
        at = match.end()
        if match[0] == '"':
            at = end_of_string(line, at)
        elif match[0] in CLOSING:
            open_.append(CLOSING[match[0]])
        elif not open_ or open_.pop() != match[0]:
            raise ValueError
        elif not open_:
            return match.start()
    raise ValueError


def end_of_string(line: str, at: int) -> int:
    """The place after the quote that ends a string. Raises ValueError."""
    while True:
        end = line.index('"', at)
        if (end - len(line[at:end].rstrip("\\")) - at) % 2 == 0:
            return end + 1
        at = end + 1


def split(text: str) -> list[str]:
    """The parts between commas that are in no brackets. Raises ValueError if brackets do not match."""
    parts, begin, at = list[str](), 0, 0
    while match := SEPARATOR.search(text, at):
        if match[0] == ",":
            parts.append(text[begin : match.start()])
            begin = at = match.end()
        else:
            at = end_of_string(text, match.end()) if match[0] == '"' else closing(text, match.start()) + 1
    return [part.strip() for part in [*parts, text[begin:]] if part.strip()]


def shape_text(line: str, at: int) -> tuple[str, int]:
    """The shape at a place, and where it ends. Raises ValueError."""
    end = closing(line, at) + 1 if line[at : at + 1] == "(" else line.index(" ", at)
    return line[at:end], end


def types_of(shape: str) -> tuple[tuple[TensorType, ...], bool]:
    """The types in a shape, and whether it is a tuple. Raises ValueError."""
    if not shape.startswith("("):
        return (tensor_type(shape),), False
    inside = INDEX.sub("", shape[1:-1])
    return tuple(tensor_type(part) for part in split(inside)[:MAX_TUPLE]), True


def tensor_type(text: str) -> TensorType:
    """The type "f32[2,<=8]{1,0}"."""
    match = SHAPE.match(text)
    if match is None or not match[1]:
        return TensorType("tuple" if text.startswith("(") else text.partition("[")[0][:50], None)
    if match[1] in ("token", "opaque"):
        return TensorType(match[1], None)
    sizes = [size.strip() for size in match[2].split(",") if size.strip()]
    known = tuple(int(size) if size.isascii() and size.isdecimal() and len(size) < 16 else -1 for size in sizes)
    return TensorType(element_type(match[1]), known)


def layout_of(shape: str) -> str:
    """The order of dimensions in memory, "" if it is not written."""
    return shape.partition("{")[2].rpartition("}")[0] if not shape.startswith("(") else ""


def unescaped(text: str) -> str:
    """A text without the escapes of strings."""
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text
