"""The shapes of the inputs of operators, as PyTorch records them: read from the file when somebody asks for them."""

import json
import re
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.capture import OTHER, HostCapture
from lightboard.profiles.event_args import read_args
from lightboard.profiles.file_names import profile_name
from lightboard.profiles.text_stream import CutOffError, TextStream, text_of

OPERATOR = "aten::"
"""How names of operators of PyTorch begin."""

SHAPES, TYPES = "Input Dims", "Input type"
"""The arguments with the shapes and the types, which each operator with inputs has if `record_shapes` is set."""

SHAPES_KEY, TYPES_KEY = f'"{SHAPES}"', f'"{TYPES}"'
"""As members of an object. In a string, quotes are escaped."""

SPACE = r"[ \t\n\r]*"
SHAPES_VALUE = re.compile(rf"{SHAPES_KEY}{SPACE}:{SPACE}(\[[][0-9, \t\n\r]*\]){SPACE}(?:,|\Z)")
TYPES_VALUE = re.compile(rf'{TYPES_KEY}{SPACE}:{SPACE}(\[(?:"[^"\\]*"|[, \t\n\r])*+\]){SPACE}(?:,|\Z)')
"""A list of lists of numbers, and one of strings, behind which the next member begins, or the object ends."""

ARGS = re.compile(rf'"args"{SPACE}:{SPACE}\Z')
ARGS_CHARS = 20
"""What is before the arguments of an event, and where it is looked for."""

SAMPLES = 20
"""Operators whose arguments are read to know whether there are shapes."""

MAX_SHAPES = 100_000
"""Different lists of shapes of one file. Further ones are `OTHER`."""

MAX_INPUTS, MAX_INPUT_CHARS = 100, 1000
"""Further inputs of an operator, and longer texts of one, are cut."""

NO_TENSORS = ("", "Scalar", "ScalarList", "TensorList")
"""Types of inputs that say nothing by having no dimensions. A tensor without any is a number."""

PREFIX = "c10::"
"""What types of C++ begin with, and names of types do not."""

FAR = 1 << 62
"""An offset behind the end of any text."""

NO_SHAPES = 0
"""The index of what has recorded no shapes."""

OPERATORS_PER_CHECK = 1000
"""Events that are read between two checks for cancellation."""

Shapes: TypeAlias = tuple[str, ...]
"""The type and dimensions of each input: `float[8,16]`. Empty for an input that has neither."""


def records_shapes(host: HostCapture, base_name: str, read: ReadRange, size: int) -> bool:
    """Whether there are shapes, or no operators that could have some. Raises OSError."""
    found = profile_name(base_name)
    if found is None or found.format != "trace_json":
        return True
    is_operator = np.array([name.startswith(OPERATOR) for name in host.names], bool)
    if not is_operator.any():
        return True
    offsets = list[int]()
    for part in host.parts(len(host.slices)):
        places = host.slices.args[part][is_operator[host.slices.name[part]]]
        offsets += places[places >= 0][: SAMPLES - len(offsets)].tolist()
        if len(offsets) >= SAMPLES:
            break
    return any(arg.name == SHAPES for offset in offsets for arg in read_args(base_name, read, size, offset))


class ShapeReader:
    """Reads the shapes of events of one file, from its beginning to its end. `known` are the different ones."""

    def __init__(self, base_name: str, read: ReadRange, size: int) -> None:
        found = profile_name(base_name)
        has_shapes = found is not None and found.format == "trace_json"
        self.known: list[Shapes | None] = [None]
        self._index: dict[Shapes | None, int] = {None: NO_SHAPES}
        self._quick: dict[tuple[str, str], int] = {}
        self._stream = TextStream(read, size, []) if has_shapes else None

    def read(self, offsets: NDArray[np.int64]) -> NDArray[np.int32]:
        """The index in `known` of the shapes of the events at these offsets of the text, which ascend.

        `NO_SHAPES` of those that have none, or cannot be read any more. Raises OSError.
        """
        result = np.zeros(len(offsets), np.int32)
        if self._stream is None:
            return result
        places = offsets.tolist()
        for at, (place, following) in enumerate(zip(places, [*places[1:], FAR], strict=True)):
            if at % OPERATORS_PER_CHECK == 0:
                cancellation.check()
            if place >= 0:
                result[at] = self._read_event(self._stream, place, following)
        return result

    def _read_event(self, stream: TextStream, place: int, following: int) -> int:
        """The index of the shapes of an event, before the next one that is asked for."""
        if not stream.move_to(place):
            return NO_SHAPES
        end = following - stream.offset
        if end < len(stream.text):
            if stream.text.find(SHAPES, stream.at, end) < 0:
                return NO_SHAPES
            found = quick_shapes(stream.text, stream.at, end)
            if found is not None:
                return self._quick_index(found)
        try:
            event = stream.value()
        except (ValueError, CutOffError):
            return NO_SHAPES
        args = event.get("args") if isinstance(event, dict) else None
        return self._index_of(shapes_of(args) if isinstance(args, dict) else None)

    def _quick_index(self, texts: tuple[str, str]) -> int:
        """The same of the texts of both arguments, which few are different of."""
        index = self._quick.get(texts)
        if index is None:
            dimensions, types = (json.loads(text, strict=False) if text else None for text in texts)
            index = self._index_of(shapes_of({SHAPES: dimensions, TYPES: types}))
            if len(self._quick) < MAX_SHAPES:
                self._quick[texts] = index
        return index

    def _index_of(self, shapes: Shapes | None) -> int:
        found = self._index.get(shapes)
        if found is None:
            if len(self.known) > MAX_SHAPES:
                return self._index_of_other()
            found = self._index[shapes] = len(self.known)
            self.known.append(shapes)
        return found

    def _index_of_other(self) -> int:
        found = self._index.get((OTHER,))
        if found is None:
            found = self._index[OTHER,] = len(self.known)
            self.known.append((OTHER,))
        return found


def quick_shapes(text: str, at: int, end: int) -> tuple[str, str] | None:
    """What an event between these positions has as shapes and as types, as text; the latter is empty if it has none.

    None if that takes a decoder of JSON to tell: unless the arguments are the first object in the event, and have
    neither objects nor braces in them.
    """
    begin = text.find("{", at + 1, end)
    close = text.find("}", begin, end)
    if begin < 0 or close < 0 or not ARGS.search(text, max(at, begin - ARGS_CHARS), begin):
        return None
    shapes = text.find(SHAPES_KEY, begin, close)
    types = text.find(TYPES_KEY, begin, close)
    if shapes < 0 or text.find("{", begin + 1, close) >= 0:
        return None
    dimensions = SHAPES_VALUE.match(text, shapes, close)
    if dimensions is None or types < 0:
        return (dimensions[1], "") if dimensions else None
    names = TYPES_VALUE.match(text, types, close)
    return (dimensions[1], names[1]) if names else None


def shapes_of(args: dict[str, Any]) -> Shapes | None:
    """The shapes in the arguments of an event, None if it has none."""
    dimensions, types = args.get(SHAPES), args.get(TYPES)
    if not isinstance(dimensions, list):
        return None
    if not isinstance(types, list) or len(types) != len(dimensions):
        types = [None] * len(dimensions)
    return tuple(map(input_text, dimensions[:MAX_INPUTS], types))


def input_text(dimensions: Any, type_: Any) -> str:
    """An input: `float[8,16]`, `[8,16]` if its type was not recorded, or only its type if it is no tensor."""
    word = type_.removeprefix(PREFIX) if isinstance(type_, str) else ""
    size = json.dumps(dimensions, ensure_ascii=False, separators=(",", ":"))
    is_number = dimensions != [] or (isinstance(type_, str) and type_ not in NO_TENSORS)
    return text_of(word + size if is_number else word)[:MAX_INPUT_CHARS]
