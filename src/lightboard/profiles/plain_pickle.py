"""Reads pickles that consist of plain data, and refuses all others.

Unlike `pickle`, it has no instruction that imports, calls or builds anything: what it knows are dictionaries, lists,
tuples, texts, bytes, numbers, booleans and None. What a file can make it hold is limited.
"""

import struct
from collections.abc import Callable, Iterator
from typing import Any

from lightboard import cancellation
from lightboard.errors import Unshowable

MAX_VALUES = 12_000_000
"""Values of one file, and references to them, that are read: 350 MB of a snapshot, which has 750,000 events then."""

MAX_TEXT_BYTES = 256 << 20
"""Bytes of all texts and numbers together."""

MAX_ONE_BYTES = 16 << 20
"""The longest text."""

MAX_DEPTH = 200
"""Lists that are being filled within others."""

MAX_LINE_BYTES = 1000
"""The longest number or text of protocol 0."""

CHECKED_OPCODES = 65_536
"""Instructions between two checks for cancellation."""

REFUSED = {
    **dict.fromkeys(b"ci\x93", "imports code, which is never run"),
    **dict.fromkeys(b"Rob\x81\x92", "calls code, which is never run"),
    **dict.fromkeys(b"PQ\x82\x83\x84\x97", "refers to something outside of it"),
    **dict.fromkeys(b"\x8f\x90\x91\x96\x98", "has sets or buffers, which are no plain data here"),
}
"""Why a file is refused, by the instructions that it may not have."""

HINT = "only pickles of plain data are read, as torch.cuda.memory._dump_snapshot writes them"

KEYS = (str, int, float, bool, bytes, type(None))


class _End(Exception):
    """The file ends here, or is damaged from here on."""


class _Limit(Exception):
    """More than is read."""


class PlainPickle:
    """One pickle, read from pieces of bytes. `problems` gets a sentence if what was read is only its beginning."""

    def __init__(self, pieces: Iterator[bytes], problems: list[str]) -> None:
        self.problems = problems
        self._pieces = pieces
        self._data, self._at = b"", 0
        self._stack: list[Any] = []
        self._below: list[list[Any]] = []
        self._memo: dict[int, Any] = {}
        self._values = self._text_bytes = 0

    def value(self) -> Any:
        """The value, or what there is of it before damage or a limit. Raises Unshowable if it is refused."""
        try:
            self._run()
            return self._stack.pop()
        except (_End, IndexError, struct.error):
            self.problems.append("the file is cut off or damaged, and is read up to there")
        except _Limit:
            self.problems.append("the file has more values than are read, and is read up to there")
        return self._unfinished()

    def _run(self) -> None:
        """All instructions up to the end."""
        take, handlers = self._take, HANDLERS
        count = 0
        while True:
            count += 1
            if count % CHECKED_OPCODES == 0:
                cancellation.check()
            opcode = take(1)[0]
            handler = handlers[opcode]
            if handler is not None:
                handler(self)
            elif opcode == STOP:
                return
            elif (refused := REFUSED.get(opcode)) is not None:
                raise Unshowable(f"the pickle {refused}", hint=HINT)
            else:
                raise _End

    def _take(self, length: int) -> bytes:
        """The next bytes. Raises _End."""
        end = self._at + length
        if end > len(self._data):
            self._fill(length)
            end = length
        found = self._data[self._at : end]
        self._at = end
        return found

    def _fill(self, length: int) -> None:
        """Read on until there are so many bytes. Raises _End."""
        parts = [self._data[self._at :]]
        have = len(parts[0])
        while have < length:
            piece = next(self._pieces, b"")
            if not piece:
                raise _End
            parts.append(piece)
            have += len(piece)
        self._data, self._at = b"".join(parts), 0

    def _unfinished(self) -> Any:
        """What the values that were being filled have by now."""
        try:
            while self._below:
                self._fill_last(self._pop_mark())
        except (_End, IndexError):
            pass
        return self._stack[0] if self._stack else None

    def _fill_last(self, items: list[Any]) -> None:
        """Put items into the container on top of the stack, as far as they fit."""
        target = self._stack[-1]
        if isinstance(target, list):
            target.extend(items)
        elif isinstance(target, dict):
            pairs = zip(items[::2], items[1::2], strict=False)
            target.update((key, value) for key, value in pairs if isinstance(key, KEYS))

    def push(self, value: Any, size: int = 0) -> None:
        """Put a value on the stack. Raises _Limit."""
        self._values += 1
        self._text_bytes += size
        if self._values > MAX_VALUES or self._text_bytes > MAX_TEXT_BYTES:
            raise _Limit
        self._stack.append(value)

    def _pop_mark(self) -> list[Any]:
        """What is above the last mark. Raises IndexError."""
        items, self._stack = self._stack, self._below.pop()
        return items

    def _number(self, layout: str) -> Any:
        """A number in binary."""
        return struct.unpack(layout, self._take(struct.calcsize(layout)))[0]

    def _counted(self, layout: str) -> bytes:
        """Bytes behind their number. Raises _Limit."""
        length = self._number(layout)
        if length < 0:
            raise _End
        if length > MAX_ONE_BYTES:
            raise _Limit
        return self._take(length)

    def _line(self) -> bytes:
        """The text up to the end of a line. Raises _End."""
        found = bytearray()
        while (byte := self._take(1)) != b"\n":
            found += byte
            if len(found) > MAX_LINE_BYTES:
                raise _End
        return bytes(found)

    # --- instructions

    def mark(self) -> None:
        """Begin the items of a container."""
        if len(self._below) >= MAX_DEPTH:
            raise _Limit
        self._below.append(self._stack)
        self._stack = []

    def text(self, layout: str) -> None:
        """A text in UTF-8."""
        data = self._counted(layout)
        self.push(data.decode(errors="replace"), len(data))

    def raw(self, layout: str) -> None:
        """Bytes."""
        data = self._counted(layout)
        self.push(data, len(data))

    def old_text(self, layout: str) -> None:
        """A text of Python 2."""
        data = self._counted(layout)
        self.push(data.decode("latin-1"), len(data))

    def number(self, layout: str) -> None:
        """An integer of fixed size, or a float."""
        self.push(self._number(layout))

    def long(self, layout: str) -> None:
        """An integer of any size."""
        data = self._counted(layout)
        self.push(int.from_bytes(data, "little", signed=True), len(data))

    def line_number(self, of: Callable[[bytes], Any]) -> None:
        """A number as text."""
        try:
            self.push(of(self._line()))
        except ValueError:
            raise _End from None

    def line_text(self) -> None:
        """A text of protocol 0."""
        data = self._line()
        self.push(data.decode("raw-unicode-escape", "replace"), len(data))

    def tuple_of(self, count: int) -> None:
        """A tuple of the last values."""
        if len(self._stack) < count:
            raise _End
        items = tuple(self._stack[len(self._stack) - count :])
        del self._stack[len(self._stack) - count :]
        self.push(items)

    def marked(self, of: Callable[[list[Any]], Any]) -> None:
        """A container of what is above the mark."""
        items = self._pop_mark()
        self.push(of(items))

    def marked_dict(self) -> None:
        """A dictionary of what is above the mark."""
        items = self._pop_mark()
        self.push({})
        self._fill_last(items)

    def set_items(self) -> None:
        """Put what is above the mark into the dictionary, or the list, below it."""
        self._fill_last(self._pop_mark())

    def append(self) -> None:
        """Put the last value into the list below it."""
        item = self._stack.pop()
        self._fill_last([item])

    def set_item(self) -> None:
        """Put the last key and value into the dictionary below them."""
        value, key = self._stack.pop(), self._stack.pop()
        self._fill_last([key, value])

    def memoize(self) -> None:
        """Remember the last value by the next number."""
        self._memo[len(self._memo)] = self._stack[-1]

    def put(self, number: int) -> None:
        """Remember the last value. Raises _Limit."""
        if len(self._memo) >= MAX_VALUES:
            raise _Limit
        self._memo[number] = self._stack[-1]

    def get(self, number: int) -> None:
        """A value that is remembered."""
        if number not in self._memo:
            raise _End
        self.push(self._memo[number])

    def line_memo(self, use: Callable[[int], None]) -> None:
        """The number of a remembered value as text."""
        digits = self._line()
        if not digits.isdigit():
            raise _End
        use(int(digits))

    def pop(self) -> None:
        """Forget the last value, or the last mark."""
        if self._stack:
            self._stack.pop()
        else:
            self._pop_mark()

    def pop_mark(self) -> None:
        """Forget what is above the last mark."""
        self._pop_mark()

    def skip(self, length: int) -> None:
        """Leave out what says nothing about values: the version, and the lengths of frames."""
        self._take(length)


def integer_of(line: bytes) -> Any:
    """An integer of protocol 0, which has booleans as 00 and 01."""
    if line in (b"00", b"01"):
        return line == b"01"
    return int(line.removesuffix(b"L"))


STOP = ord(".")

Handler = Callable[[PlainPickle], None]

INSTRUCTIONS: dict[bytes, Handler] = {
    b"(": PlainPickle.mark,
    b"0": PlainPickle.pop,
    b"1": PlainPickle.pop_mark,
    b"2": lambda self: self.push(self._stack[-1]),
    b"N": lambda self: self.push(None),
    b"\x88": lambda self: self.push(True),
    b"\x89": lambda self: self.push(False),
    b"I": lambda self: self.line_number(integer_of),
    b"L": lambda self: self.line_number(integer_of),
    b"F": lambda self: self.line_number(float),
    b"V": PlainPickle.line_text,
    b"J": lambda self: self.number("<i"),
    b"K": lambda self: self.number("<B"),
    b"M": lambda self: self.number("<H"),
    b"G": lambda self: self.number(">d"),
    b"\x8a": lambda self: self.long("<B"),
    b"\x8b": lambda self: self.long("<i"),
    b"\x8c": lambda self: self.text("<B"),
    b"X": lambda self: self.text("<I"),
    b"\x8d": lambda self: self.text("<Q"),
    b"T": lambda self: self.old_text("<i"),
    b"U": lambda self: self.old_text("<B"),
    b"C": lambda self: self.raw("<B"),
    b"B": lambda self: self.raw("<I"),
    b"\x8e": lambda self: self.raw("<Q"),
    b"]": lambda self: self.push([]),
    b"}": lambda self: self.push({}),
    b")": lambda self: self.push(()),
    b"l": lambda self: self.marked(list),
    b"t": lambda self: self.marked(tuple),
    b"d": PlainPickle.marked_dict,
    b"\x85": lambda self: self.tuple_of(1),
    b"\x86": lambda self: self.tuple_of(2),
    b"\x87": lambda self: self.tuple_of(3),
    b"a": PlainPickle.append,
    b"e": PlainPickle.set_items,
    b"s": PlainPickle.set_item,
    b"u": PlainPickle.set_items,
    b"\x94": PlainPickle.memoize,
    b"q": lambda self: self.put(self._number("<B")),
    b"r": lambda self: self.put(self._number("<I")),
    b"p": lambda self: self.line_memo(self.put),
    b"h": lambda self: self.get(self._number("<B")),
    b"j": lambda self: self.get(self._number("<I")),
    b"g": lambda self: self.line_memo(self.get),
    b"\x80": lambda self: self.skip(1),
    b"\x95": lambda self: self.skip(8),
}
"""What each instruction does. There are no others."""

HANDLERS: list[Handler | None] = [INSTRUCTIONS.get(bytes((opcode,))) for opcode in range(256)]


def read_plain_pickle(pieces: Iterator[bytes], problems: list[str]) -> Any:
    """The plain data in a pickle. Raises Unshowable if it is anything else."""
    return PlainPickle(pieces, problems).value()
