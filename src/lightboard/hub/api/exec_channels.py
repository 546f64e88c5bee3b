"""The messages of a WebSocket to a command in a job: a byte for the channel, and what it carries.

The numbers are those of Kubernetes' `v5.channel.k8s.io`. All messages are binary.
"""

import json
from dataclasses import asdict, dataclass

from lightboard.hub.runners.exec_session import Ended, TerminalSize

STDIN, STDOUT, STDERR, STATUS, RESIZE, CLOSE = 0, 1, 2, 3, 4, 255
MAX_SIDE = 0xFFFF
"""Of a terminal, in characters."""


@dataclass(frozen=True)
class Input:
    """Bytes for the standard input of the command."""

    data: bytes


@dataclass(frozen=True)
class EndOfInput:
    """The standard input has ended."""


ClientMessage = Input | EndOfInput | TerminalSize


def parse_message(message: bytes) -> ClientMessage:
    """What a client has sent. Raises ValueError."""
    if not message:
        raise ValueError("a message is empty")
    channel, content = message[0], message[1:]
    if channel == STDIN:
        return Input(content)
    if channel == RESIZE:
        return parse_size(content)
    if channel == CLOSE and content == bytes([STDIN]):
        return EndOfInput()
    raise ValueError(f"a message is for the channel {channel}, which clients do not send to")


def parse_size(content: bytes) -> TerminalSize:
    """The size of a terminal, from JSON. Raises ValueError."""
    try:
        fields = json.loads(content)
        rows, columns = fields["rows"], fields["columns"]
    except (ValueError, KeyError, TypeError, RecursionError):
        rows = columns = None
    if type(rows) is not int or type(columns) is not int:
        raise ValueError('a size is not {"rows": NUMBER, "columns": NUMBER}')
    return terminal_size(rows, columns)


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
