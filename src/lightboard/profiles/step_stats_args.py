"""The arguments of a node in the step stats of TensorFlow, read when somebody asks for them: see step_stats.proto."""

from collections.abc import Iterator
from typing import NamedTuple

from lightboard.events.payloads import DTYPE_NAMES
from lightboard.events.wire import BYTES, VARINT, Field, fields, signed64

NUMBERS = {
    9: "scheduled micros",
    2: "all start micros",
    3: "op start rel micros",
    4: "op end rel micros",
    5: "all end rel micros",
    10: "thread id",
}
"""Fields of a NodeExecStats that are shown, by their names with spaces, where lines break. Nanoseconds repeat them."""

ALLOCATOR = {2: "total bytes", 3: "peak bytes", 4: "live bytes", 5: "allocator bytes in use"}
"""Those of an AllocatorMemoryUsed."""

MEMORY = {1: "temp memory size", 3: "persistent memory size"}
"""Those of a MemoryStats."""

TYPES = {**DTYPE_NAMES, 8: "complex64", 18: "complex128", 20: "resource", 21: "variant"}
"""Names of data types: see types.proto."""

Arg = tuple[str, str]


class Message(NamedTuple):
    """A message in the bytes of a node."""

    data: bytes
    begin: int
    end: int

    def fields(self) -> Iterator[Field]:
        """Its fields. Raises MalformedError."""
        return fields(self.data, self.begin, self.end)

    def numbers(self, names: dict[int, str]) -> Iterator[Arg]:
        """Its numbers that have names. Raises MalformedError."""
        for number, wire_type, value, _ in self.fields():
            if number in names and wire_type == VARINT:
                yield names[number], str(signed64(value))

    def texts(self, field: int) -> Iterator[str]:
        """The texts of a field. Raises MalformedError."""
        for number, wire_type, value, stop in self.fields():
            if number == field and wire_type == BYTES:
                yield self.data[value:stop].decode(errors="replace")

    def messages(self, field: int) -> Iterator["Message"]:
        """The messages of a field. Raises MalformedError."""
        for number, wire_type, value, stop in self.fields():
            if number == field and wire_type == BYTES:
                yield Message(self.data, value, stop)


def node_args(data: bytes) -> Iterator[Arg]:
    """The arguments of a NodeExecStats: its label, its times, its memory by allocator, and its outputs.

    Raises MalformedError.
    """
    node = Message(data, 0, len(data))
    for label in node.texts(8):
        yield "timeline label", label
    found = dict(node.numbers(NUMBERS))
    yield from ((name, found[name]) for name in NUMBERS.values() if name in found)
    for memory in node.messages(6):
        allocator = next(memory.texts(1), "")
        yield from ((f"{allocator} {name}".lstrip(), value) for name, value in memory.numbers(ALLOCATOR))
    for memory in node.messages(12):
        yield from memory.numbers(MEMORY)
    for output in node.messages(7):
        slot = dict(output.numbers({1: "slot"})).get("slot", "0")
        for tensor in output.messages(3):
            yield f"output {slot}", tensor_text(tensor)


def tensor_text(tensor: Message) -> str:
    """A TensorDescription as `float32[2,3]`. Raises MalformedError."""
    kind = int(dict(tensor.numbers({1: "dtype"})).get("dtype", "0"))
    sizes = [size for shape in tensor.messages(2) for each in shape.messages(2) for size in size_of(each)]
    return f"{TYPES.get(kind, f'type {kind}')}[{','.join(sizes)}]"


def size_of(dimension: Message) -> Iterator[str]:
    """The size of a dimension, 0 if it is not written. Raises MalformedError."""
    yield dict(dimension.numbers({1: "size"})).get("size", "0")
