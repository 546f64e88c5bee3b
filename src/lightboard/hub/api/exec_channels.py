"""The messages of a WebSocket to a command in a job: a byte for the channel, and what it carries.

The numbers are those of Kubernetes' `v5.channel.k8s.io`, and PROCESSED is our own. All messages are binary.
"""

import json
from dataclasses import asdict, dataclass

from lightboard.hub.runners.exec_session import Ended, TerminalSize

STDIN, STDOUT, STDERR, STATUS, RESIZE, PROCESSED, CLOSE = 0, 1, 2, 3, 4, 5, 255
MAX_SIDE = 0xFFFF
"""Of a terminal, in characters."""


@dataclass(frozen=True)
class Input:
    """Bytes for the standard input of the command."""

    data: bytes


@dataclass(frozen=True)
class EndOfInput:
    """The standard input has ended."""


@dataclass(frozen=True)
class Processed:
    """The client is done with so many bytes of output."""

    count: int


ClientMessage = Input | EndOfInput | TerminalSize | Processed


def parse_message(message: bytes) -> ClientMessage:
    """What a client has sent. Raises ValueError."""
    if not message:
        raise ValueError("a message is empty")
    channel, content = message[0], message[1:]
    if channel == STDIN:
        return Input(content)
    if channel == RESIZE:
        return parse_size(content)
    if channel == PROCESSED:
        return parse_processed(content)
    if channel == CLOSE and content == bytes([STDIN]):
        return EndOfInput()
    raise ValueError(f"a message is for the channel {channel}, which clients do not send to")


def parse_size(content: bytes) -> TerminalSize:
    """The size of a terminal, from JSON. Raises ValueError."""
    numbers = whole_numbers(content, "rows", "columns")
    if numbers is None:
        raise ValueError('a size is not {"rows": NUMBER, "columns": NUMBER}')
    return terminal_size(*numbers)


def parse_processed(content: bytes) -> Processed:
    """How much output a client has processed, from JSON. Raises ValueError."""
    numbers = whole_numbers(content, "bytes")
    if numbers is None or numbers[0] < 0:
        raise ValueError('what is processed is not {"bytes": NUMBER}')
    return Processed(numbers[0])


def whole_numbers(content: bytes, *names: str) -> list[int] | None:
    """The whole numbers of these names in a JSON object, None unless it has all."""
    try:
        fields = json.loads(content)
        numbers = [fields[name] for name in names]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return numbers if all(type(number) is int for number in numbers) else None


def terminal_size(rows: int, columns: int) -> TerminalSize:
    """A size that a terminal can have. Raises ValueError."""
    if not (0 < rows <= MAX_SIDE and 0 < columns <= MAX_SIDE):
        raise ValueError(f"the size of a terminal is 1 to {MAX_SIDE:,} rows and columns")
    return TerminalSize(rows, columns)


def output_message(channel: int, data: bytes) -> bytes:
    """A message with what the command has written."""
    return bytes([channel]) + data


def status_message(ended: Ended) -> bytes:
    """The last message: how the command ended."""
    return bytes([STATUS]) + json.dumps(asdict(ended)).encode()
