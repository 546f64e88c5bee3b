"""Reads programs of XLA as messages: an HloProto, as XLA dumps it and captures of profilers have it, or its module."""

from collections.abc import Iterator

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64, varint
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

MAX_INSTRUCTION_BYTES = 64 << 20
"""Larger operations are left out."""

MAX_RANK = 1000
"""Dimensions of a shape that are read."""

MAX_IDS = 100_000
"""Operands of an operation that are read."""

TUPLE, OPAQUE, TOKEN = 13, 14, 17

_NAMES = """
    ? pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 tuple opaque c64 bf16 token c128 f8e5m2 f8e4m3fn s4 u4
    f8e4m3b11fnuz f8e5m2fnuz f8e4m3fnuz s2 u2 f8e4m3 f8e3m4 s1 u1 f4e2m1fn f8e8m0fnu
""".split()  # noqa: SIM905  # a list of so many has a line for each

ELEMENT_TYPES = dict(enumerate(_NAMES))
"""The names of element types in text, by their numbers."""

CALLS = {"fusion": ("calls",), "while": ("body", "condition"), "select-and-scatter": ("select", "scatter")}
"""What the computations are that operations call, in their order; otherwise `to_apply`."""

Span = tuple[int, int]


def read_hlo_proto(read: ReadRange, size: int) -> Graph:
    """The graph of a module. What is malformed is left out, and said in `problems`."""
    return read_hlo_message(TruncatedReader(read, size), 0, size)


def read_hlo_message(reader: TruncatedReader, begin: int, end: int) -> Graph:
    """The graph of the message in a part of a file."""
    found: Span | None = None
    for number, wire_type, value, stop in reader.fields(begin, end):
        if wire_type == BYTES and number == 1 and found is None:
            found = value, stop
        elif number in (2, 6):  # only a module has these
            found = None
            break
        elif number == 3 and found is not None:
            break
    module = ModuleReader(reader)
    module.read(*(found or (begin, end)))
    return module.finish()


class ModuleReader:
    """Reads an HloModuleProto."""

    def __init__(self, reader: TruncatedReader) -> None:
        self.module = Module()
        self._reader = reader
        self._lost = 0
        self._computations = dict[int, str]()
        self._called: list[tuple[Instruction, list[int]]] = []
        self._frames: list[tuple[Instruction, int]] = []
        self._tables: dict[int, list[bytes]] = {number: [] for number in range(1, 5)}

    def read(self, begin: int, end: int) -> None:
        """Read the module in a part of the file."""
        for number, wire_type, value, stop in self._reader.fields(begin, end):
            if wire_type != BYTES:
                continue
            if number == 3:
                self._read_computation(value, stop)
            elif number == 17:
                self._read_frames(value, stop)
            elif number in (1, 2):
                text = self._text(value, stop)
                if number == 1:
                    self.module.name = text
                else:
                    self.module.entry = text

    def _text(self, begin: int, end: int) -> str:
        try:
            return self._reader.slice(begin, min(end, begin + MAX_SCOPE_CHARS)).decode(errors="replace")
        except MalformedError:
            return ""

    def _read_frames(self, begin: int, end: int) -> None:
        for number, wire_type, value, stop in self._reader.fields(begin, end):
            if wire_type == BYTES and number in self._tables:
                try:
                    self._tables[number].append(self._reader.slice(value, min(stop, value + MAX_SCOPE_CHARS)))
                except MalformedError:
                    self._lost += 1

    def _read_computation(self, begin: int, end: int) -> None:
        cancellation.check()
        computation = self.module.begin("")
        if computation is None:
            return
        ids, instructions = dict[int, str](), list[tuple[Instruction, list[int], list[int]]]()
        for number, wire_type, value, stop in self._reader.fields(begin, end):
            if number == 1 and wire_type == BYTES:
                computation.name = self._text(value, stop)
            elif number == 5 and wire_type == VARINT:
                self._computations[value] = computation.name
            elif number == 2 and wire_type == BYTES:
                self._read_instruction(value, stop, computation, ids, instructions)
        for instruction, operands, after in instructions:
            instruction.operands = [ids.get(each, "") for each in operands]
            instruction.after = [ids.get(each, "") for each in after]

    def _read_instruction(
        self,
        begin: int,
        end: int,
        computation: Computation,
        ids: dict[int, str],
        instructions: list[tuple[Instruction, list[int], list[int]]],
    ) -> None:
        try:
            if end - begin > MAX_INSTRUCTION_BYTES:
                raise MalformedError
            message = InstructionMessage(self._reader.slice(begin, end))
        except MalformedError:
            self._lost += 1
            return
        instruction = message.instruction
        self.module.add(computation, instruction)
        ids[message.id] = instruction.name
        instructions.append((instruction, message.operands, message.after))
        if message.called:
            self._called.append((instruction, message.called))
        if message.frame:
            self._frames.append((instruction, message.frame))

    def finish(self) -> Graph:
        """The graph of what was read."""
        for instruction, called in self._called:
            names = [self._computations.get(each, "") for each in called]
            keys = CALLS.get(instruction.op, ())
            for at, name in enumerate(names):
                usual = "branch_computations" if instruction.op == "conditional" else "to_apply"
                key = keys[at] if at < len(keys) else f"{usual} {at}" if len(names) > 1 else usual
                instruction.calls.append((key, name))
        for instruction, frame in self._frames:
            instruction.source = instruction.source or self._source(frame)
        if self._lost or self._reader.cut:
            self.module.problems.append("the program is cut off or malformed, so only a part of it is shown")
        return graph_of_module(self.module)

    def _source(self, frame: int) -> str:
        """The line of code of a frame, by its number from 1."""
        location = numbers_of(self._row(3, numbers_of(self._row(4, frame)).get(1, 0)))
        file = self._row(1, location.get(1, 0)).decode(errors="replace")
        function = self._row(2, location.get(2, 0)).decode(errors="replace")
        return source_line(file, location.get(3, 0), function) if file else ""

    def _row(self, table: int, at: int) -> bytes:
        rows = self._tables[table]
        return rows[at - 1] if 0 < at <= len(rows) else b""


class InstructionMessage:
    """An HloInstructionProto. Raises MalformedError."""

    def __init__(self, data: bytes) -> None:
        self.instruction = Instruction("", "")
        self.id = self.frame = 0
        self.operands: list[int] = []
        self.after: list[int] = []
        self.called: list[int] = []
        self._data = data
        dimensions: list[int] = []
        parameter = 0
        for number, wire_type, value, stop in fields(data, 0, len(data)):
            if number in IDS:
                ids = getattr(self, IDS[number])
                ids += integers(data, wire_type, value, stop, MAX_IDS - len(ids))
            elif number == 14:
                dimensions += integers(data, wire_type, value, stop, MAX_RANK - len(dimensions))
            elif wire_type == VARINT:
                if number == 35:
                    self.id = value
                elif number == 13:
                    self.instruction.index = value
                elif number == 9:
                    parameter = value
            elif wire_type == BYTES:
                self._read_bytes(number, value, stop)
        attributes = self.instruction.attributes
        if dimensions:
            attributes.append(("dimensions", f"{{{','.join(map(str, dimensions))}}}"))
        if self.instruction.op == "parameter":
            attributes.append(("index", str(parameter)))
        elif self.instruction.op == "get-tuple-element":
            attributes.append(("index", str(self.instruction.index)))

    def _read_bytes(self, number: int, begin: int, end: int) -> None:
        instruction, data = self.instruction, self._data
        if number == 1:
            instruction.name = self._text(begin, end)
        elif number == 2:
            instruction.op = self._text(begin, end)
        elif number == 3:
            shape = read_shape(data, begin, end)
            instruction.types, instruction.is_tuple, instruction.layout = shape
        elif number == 7:
            self._read_metadata(begin, end)
        elif number == 16:
            instruction.kept = numbers_of(data[begin:end]).get(4, 0)
        elif number == 30:
            axes: list[int] = []
            for each, wire_type, value, stop in fields(data, begin, end):
                if each == 1:
                    axes += integers(data, wire_type, value, stop, MAX_RANK - len(axes))
            instruction.contracted = tuple(axes)
        elif number in TEXTS:
            instruction.attributes.append((TEXTS[number], self._text(begin, end)))

    def _read_metadata(self, begin: int, end: int) -> None:
        file, line = "", 0
        for number, wire_type, value, stop in fields(self._data, begin, end):
            if number == 2 and wire_type == BYTES:
                self.instruction.op_name = self._data[value:stop].decode(errors="replace")[:MAX_SCOPE_CHARS]
            elif number == 3 and wire_type == BYTES:
                file = self._text(value, stop)
            elif number == 4 and wire_type == VARINT:
                line = value
            elif number == 15 and wire_type == VARINT:
                self.frame = value
        self.instruction.source = source_line(file, line) if file else ""

    def _text(self, begin: int, end: int) -> str:
        return cut(self._data[begin:end].decode(errors="replace"))


IDS = {36: "operands", 37: "after", 38: "called"}
TEXTS = {11: "kind", 28: "custom_call_target", 43: "backend_config", 63: "direction"}


def read_shape(data: bytes, begin: int, end: int) -> tuple[tuple[TensorType, ...], bool, str]:
    """The types of a ShapeProto, whether it is a tuple, and the order of dimensions. Raises MalformedError."""
    element, sizes, layout, parts = 0, list[int](), "", list[Span]()
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 2 and wire_type == VARINT:
            element = value
        elif number == 3:
            sizes += integers(data, wire_type, value, stop, MAX_RANK - len(sizes))
        elif number == 4 and wire_type == BYTES and len(parts) < MAX_TUPLE:
            parts.append((value, stop))
        elif number == 5 and wire_type == BYTES:
            order: list[int] = []
            for each, kind, first, last in fields(data, value, stop):
                if each == 1:
                    order += integers(data, kind, first, last, MAX_RANK - len(order))
            layout = ",".join(map(str, order))
    if element == TUPLE:
        return tuple(element_of_tuple(data, *part) for part in parts), True, ""
    return (tensor_type(element, sizes),), False, layout


def element_of_tuple(data: bytes, begin: int, end: int) -> TensorType:
    """The type of an element, which may be a tuple. Raises MalformedError."""
    element, sizes = 0, list[int]()
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 2 and wire_type == VARINT:
            element = value
        elif number == 3:
            sizes += integers(data, wire_type, value, stop, MAX_RANK - len(sizes))
    return tensor_type(element, sizes)


def tensor_type(element: int, sizes: list[int]) -> TensorType:
    """A type by its number and its sizes, of which negative ones are unknown."""
    if element in (TUPLE, OPAQUE, TOKEN):
        return TensorType({TUPLE: "tuple", OPAQUE: "opaque", TOKEN: "token"}[element], None)
    name = ELEMENT_TYPES.get(element, "")
    return TensorType(element_type(name), tuple(max(signed64(size), -1) for size in sizes))


def integers(data: bytes, wire_type: int, value: int, end: int, most: int) -> list[int]:
    """The numbers of a repeated field, packed or not. Raises MalformedError."""
    if wire_type == VARINT:
        return [value] if most > 0 else []
    return list(packed(data, value, end, most)) if wire_type == BYTES else []


def packed(data: bytes, at: int, end: int, most: int) -> Iterator[int]:
    """At most so many numbers of a packed field. Raises MalformedError."""
    while at < end and most > 0:
        number, at = varint(data, at, end)
        most -= 1
        yield number


def numbers_of(data: bytes) -> dict[int, int]:
    """The numbers in a message by their fields; none if it is malformed."""
    try:
        return {number: value for number, wire_type, value, _ in fields(data, 0, len(data)) if wire_type == VARINT}
    except MalformedError:
        return {}
