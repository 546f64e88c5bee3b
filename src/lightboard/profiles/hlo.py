"""Programs of XLA in captures, and the scopes of their operations, such as `jit(step)/jvp(layer2)/dot_general`.

JAX and TensorFlow store an HloProto of each program in the plane `/host:metadata`. For scopes, only the names of
instructions and their `op_name` are read, of those programs from which operations ran.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, VARINT, Field, MalformedError, fields, signed64
from lightboard.profiles.column_files import ColumnFiles

ROWS_AT_ONCE = 1 << 20

METADATA_PLANE = "/host:metadata"

MAX_COMPUTATION_BYTES = 64 << 20
"""Programs with larger computations have no scopes."""

MAX_INSTRUCTIONS = 2_000_000
"""Instructions of all programs. Beyond it, programs have no scopes."""

MAX_PROGRAMS = 10_000
"""Programs of one file that are listed."""

MAX_SCOPE_CHARS = 1000
"""Longer scopes are cut."""

MAX_NAME_BYTES = 200
"""How much of the name of a plane, or a program, is read."""

UNREADABLE = "programs of XLA are damaged or too large, so some operators have no scopes"

NO_WORD = re.compile(r"\W", re.ASCII)
"""What is replaced by `_` when a kernel is called after its instruction."""


class HloKey(NamedTuple):
    """What a slice ran: the number of a program, the index of an operation in it, and the index of the slice's name."""

    program: int
    op: int
    name: int


class HloOps(NamedTuple):
    """Which operation each slice has run: an index of `keys` or -1, or no column if none is known."""

    column: NDArray[np.int32]
    keys: list[HloKey]
    ops: list[str]


class Program:
    """The scopes of the instructions of one program."""

    def __init__(self) -> None:
        self.scopes: dict[str, str] = {}
        self.kernels: dict[str, str] = {}
        """The same by the names of kernels; empty where instructions disagree."""

    def add(self, name: str, scope: str) -> None:
        """Add an instruction."""
        self.scopes[name] = scope
        kernel = NO_WORD.sub("_", name)
        self.kernels[kernel] = scope if self.kernels.get(kernel, scope) == scope else ""

    def scope_of(self, op: str, kernel: str) -> str:
        """The scope of an operation, or of the kernel if the operation has none: a command buffer runs many kernels."""
        return self.scopes.get(op) or self.kernels.get(NO_WORD.sub("_", kernel), "")


def read_scopes(hlo: HloOps, names: list[str], read: ReadRange, size: int) -> tuple[list[str], list[str]]:
    """The scope of each key, and what could not be read."""
    reader = ProgramReader(read, size, {key.program for key in hlo.keys})
    programs = reader.programs()
    none = Program()
    scopes = [programs.get(key.program, none).scope_of(hlo.ops[key.op], names[key.name]) for key in hlo.keys]
    return scopes, [UNREADABLE] if reader.failed else []


def scope_column(hlo: HloOps, scopes: list[str], files: ColumnFiles) -> tuple[NDArray[np.int32], list[str]]:
    """For each slice the index of its scope in the list that is returned, the first of which is none."""
    index = {"": 0}
    numbers = np.array([*(index.setdefault(scope, len(index)) for scope in scopes), 0], np.int32)
    if len(index) == 1:
        return np.empty(0, np.int32), []
    column = files.empty(len(hlo.column), np.int32)
    for begin in range(0, len(column), ROWS_AT_ONCE):
        part = slice(begin, begin + ROWS_AT_ONCE)
        column[part] = numbers[hlo.column[part]]
        files.let_go()
    return column, list(index)


class ProgramSpan(NamedTuple):
    """A program in a capture: its number, its name, such as "jit_step(10)", and where its HloProto is in the file."""

    number: int
    name: str
    begin: int
    end: int


class ProgramFinder:
    """Finds the programs of a capture. Reads little of them but their names."""

    def __init__(self, reader: TruncatedReader) -> None:
        self.reader = reader

    def programs(self) -> Iterator[ProgramSpan]:
        """The programs in the order of the file."""
        for plane in self.messages(0, self.reader.size, 1):
            if self._text(*plane, 2) == METADATA_PLANE:
                stats = self._stat_names(*plane)
                for entry in self.messages(*plane, 4):
                    cancellation.check()
                    if found := self._program(*entry, stats):
                        yield found

    def messages(self, begin: int, end: int, number: int) -> Iterator[tuple[int, int]]:
        """Where the fields of a message with this number are."""
        for each, wire_type, value, stop in self.reader.fields(begin, end):
            if each == number and wire_type == BYTES:
                yield value, stop

    def _text(self, begin: int, end: int, number: int) -> str:
        """The last text of a message with this number."""
        text = ""
        for value, stop in self.messages(begin, end, number):
            try:
                text = self.reader.slice(value, min(stop, value + MAX_NAME_BYTES)).decode(errors="replace")
            except MalformedError:
                text = ""
        return text

    def _stat_names(self, begin: int, end: int) -> dict[int, str]:
        """The names of the stats that are used, by their numbers."""
        names = dict[int, str]()
        for entry in self.messages(begin, end, 5):
            key = 0
            for number, wire_type, value, stop in self.reader.fields(*entry):
                if number == 1 and wire_type == VARINT:
                    key = signed64(value)
                elif number == 2 and wire_type == BYTES:
                    name = self._text(value, stop, 2)
                    if name in ("Hlo Proto", "program_id"):
                        names[key] = name
        return names

    def _program(self, begin: int, end: int, stats: dict[int, str]) -> ProgramSpan | None:
        """The program of an entry of the names of events, which has two stats; None if it has none."""
        program, title, proto = 0, "", None
        for metadata in self.messages(begin, end, 2):
            title = self._text(*metadata, 2) or title
            for stat in self.messages(*metadata, 5):
                key, number, span = 0, 0, None
                for each, wire_type, value, stop in self.reader.fields(*stat):
                    if each == 1 and wire_type == VARINT:
                        key = signed64(value)
                    elif wire_type == VARINT:
                        number = signed64(value)
                    elif each == 6 and wire_type == BYTES:
                        span = (value, stop)
                if stats.get(key) == "program_id":
                    program = number
                elif stats.get(key) == "Hlo Proto":
                    proto = span
        return proto and ProgramSpan(program, title, *proto)


def list_programs(read: ReadRange, size: int) -> list[ProgramSpan]:
    """The programs in a capture of `size` bytes, at most so many, in the order of the file."""
    return list(islice(ProgramFinder(TruncatedReader(read, size)).programs(), MAX_PROGRAMS))


class ProgramReader:
    """Reads the programs with these numbers. `failed` says that one of them was damaged or too large."""

    def __init__(self, read: ReadRange, size: int, wanted: set[int]) -> None:
        self.failed = False
        self._reader = TruncatedReader(read, size)
        self._finder = ProgramFinder(self._reader)
        self._wanted = wanted
        self._left = MAX_INSTRUCTIONS

    def programs(self) -> dict[int, Program]:
        """The programs by their numbers."""
        found = dict[int, Program]()
        for each in self._finder.programs():
            if each.number in self._wanted:
                try:
                    found[each.number] = self._program(each.begin, each.end)
                except MalformedError:
                    self.failed = True
        return found

    def _program(self, begin: int, end: int) -> Program:
        """The instructions of an HloProto. Raises MalformedError."""
        program = Program()
        for module in self._finder.messages(begin, end, 1):
            for computation in self._finder.messages(*module, 3):
                cancellation.check()
                if computation[1] - computation[0] > MAX_COMPUTATION_BYTES:
                    raise MalformedError
                data = self._reader.slice(*computation)
                for number, wire_type, value, stop in fields(data, 0, len(data)):
                    if number == 2 and wire_type == BYTES:
                        self._left -= 1
                        if self._left < 0:
                            raise MalformedError
                        program.add(*instruction(data, value, stop))
        return program


def instruction(data: bytes, begin: int, end: int) -> tuple[str, str]:
    """The name and the scope of an HloInstruction. Raises MalformedError."""
    name, scope = "", ""
    each: Field
    for each in fields(data, begin, end):
        if each[0] == 1 and each[1] == BYTES:
            name = data[each[2] : each[3]].decode(errors="replace")
        elif each[0] == 7 and each[1] == BYTES:
            for number, wire_type, value, stop in fields(data, each[2], each[3]):
                if number == 2 and wire_type == BYTES:
                    scope = data[value:stop].decode(errors="replace")[:MAX_SCOPE_CHARS]
    return name, scope
