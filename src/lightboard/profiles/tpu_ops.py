"""What captures of TPUs say of operations of XLA: the names of events have their scopes and categories.

On other devices that is said by events themselves, or by programs of XLA. See xplane.proto and xplane_schema.cc.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64
from lightboard.profiles import capture as limits
from lightboard.profiles.categories import category_of

TPU = "/device:TPU:"
"""What names of planes of TPUs begin with."""

SCOPE, CATEGORY = "tf_op", "hlo_category"
"""Stats of the names of events: `jit(step)/layer2/dot_general:Type`, and what kind it is, such as `loop fusion`."""

DEFINITION = " = "
"""What names have that are the whole definition of an operation; see `xplane.HLO`."""

COPIES = frozenset({"copy", "copy fusion", "copy-start", "copy-done"})

TRANSFERS = frozenset({"send", "send-done", "recv", "recv-done"})
"""Categories of what talks to other devices, besides collective operations."""

MAX_ENTRY_BYTES = 1 << 20
"""Names with larger descriptions have neither."""


class TpuOp(NamedTuple):
    """What is said of a name, "" if nothing is, or if programs that have the name disagree."""

    scope: str
    category: str

    def category_index(self) -> int | None:
        """The index of the category of slices, None if nothing is said."""
        if not self.category:
            return None
        name = "memcpy" if self.category in COPIES else "all-reduce" if self.category in TRANSFERS else self.category
        return category_of(name, "compute", is_device=True)


def read_tpu_ops(read: ReadRange, size: int) -> dict[str, TpuOp]:
    """What the planes of TPUs say of each name of an event, as it is shown."""
    reader, found = TruncatedReader(read, size), dict[str, TpuOp]()
    for number, wire_type, begin, end in reader.fields(0, size):
        if number == 1 and wire_type == BYTES:
            read_plane(reader, begin, end, found)
    return found


def read_plane(reader: TruncatedReader, begin: int, end: int, found: dict[str, TpuOp]) -> None:
    """Add the names of an XPlane, if it is that of a TPU."""
    name, events, stats = b"", list[bytes](), dict[int, str]()
    for number, wire_type, value, stop in reader.fields(begin, end):
        if wire_type != BYTES or number not in (2, 4, 5) or stop - value > MAX_ENTRY_BYTES:
            continue
        cancellation.check()
        try:
            entry = reader.slice(value, stop)
            if number == 2:
                name = entry
                if not name.startswith(TPU.encode()):
                    return
            elif number == 4 and len(events) < limits.MAX_NAMES:
                events.append(entry)
            elif number == 5 and len(stats) < limits.MAX_NAMES:
                key, metadata = entry_of(entry)
                stats[key] = text_of(metadata, 2)
        except MalformedError:
            continue
    if name.startswith(TPU.encode()):
        for entry in events:
            add_op(entry, stats, found)


def add_op(entry: bytes, stats: dict[int, str], found: dict[str, TpuOp]) -> None:
    """Add an entry of the names of events, unless it is damaged."""
    try:
        _, metadata = entry_of(entry)
        name, shown = text_of(metadata, 2), text_of(metadata, 4)
        values = dict[str, str]()
        for number, wire_type, begin, end in fields(metadata, 0, len(metadata)):
            if number == 5 and wire_type == BYTES:
                key, text = stat_of(metadata[begin:end], stats)
                values[key] = text
    except MalformedError:
        return
    name = shown if shown and DEFINITION in name else name or shown
    op = TpuOp(values.get(SCOPE, "").rpartition(":")[0] or values.get(SCOPE, ""), values.get(CATEGORY, ""))
    known = found.get(name, op)
    found[name] = TpuOp(*(ours if ours == theirs else "" for ours, theirs in zip(known, op, strict=True)))


def entry_of(entry: bytes) -> tuple[int, bytes]:
    """The key and the message of an entry of a map. Raises MalformedError."""
    key, message = 0, b""
    for number, wire_type, value, stop in fields(entry, 0, len(entry)):
        if number == 1 and wire_type == VARINT:
            key = signed64(value)
        elif number == 2 and wire_type == BYTES:
            message = entry[value:stop]
    return key, message


def text_of(message: bytes, field: int) -> str:
    """The last text of a field. Raises MalformedError."""
    text = b""
    for number, wire_type, value, stop in fields(message, 0, len(message)):
        if number == field and wire_type == BYTES:
            text = message[value:stop]
    return text[: limits.MAX_NAME_CHARS * 4].decode(errors="replace")


def stat_of(stat: bytes, names: dict[int, str]) -> tuple[str, str]:
    """The name and the text of an XStat, which may be the name of another one. Raises MalformedError."""
    key, text = 0, ""
    for number, wire_type, value, stop in fields(stat, 0, len(stat)):
        if number == 1 and wire_type == VARINT:
            key = signed64(value)
        elif number in (5, 6) and wire_type == BYTES:
            text = stat[value:stop].decode(errors="replace")
        elif number == 7 and wire_type == VARINT:
            text = names.get(value, "")
    return names.get(key, ""), text[: limits.MAX_NAME_CHARS]


def with_tpu_scopes(
    scopes: tuple[NDArray[np.int32], list[str]],
    names: list[str],
    ops: dict[str, TpuOp],
    slices: limits.Slices,
    is_device: NDArray[np.bool_],
    empty: NDArray[np.int32],
) -> tuple[NDArray[np.int32], list[str]]:
    """The scopes of slices, with those of operations of TPUs. `empty` is a column of their length."""
    column, listed = scopes
    index = {scope: at for at, scope in enumerate(listed or [""])}
    numbers = np.array(
        [index.setdefault(ops[name].scope, len(index)) if name in ops else 0 for name in names], np.int32
    )
    if not numbers.any():
        return scopes
    for begin in range(0, len(slices), limits.AT_ONCE):
        part = slice(begin, begin + limits.AT_ONCE)
        known = column[part] if len(column) else np.int32(0)
        own = np.where(is_device[slices.track[part]], numbers[slices.name[part]], 0)
        empty[part] = np.where(own > 0, own, known)
    return empty, list(index)
