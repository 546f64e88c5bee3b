"""The messages of WebSockets to commands in jobs."""

import pytest

from lightboard.hub.api.exec_channels import EndOfInput, Input, Processed, output_message, parse_message, status_message
from lightboard.hub.runners.exec_session import Ended, TerminalSize


@pytest.mark.parametrize(
    ("message", "parsed"),
    [
        (b"\0hi\n", Input(b"hi\n")),
        (b"\0", Input(b"")),
        (b"\xff\0", EndOfInput()),
        (b'\x04{"rows": 40, "columns": 100}', TerminalSize(40, 100)),
        (b'\x05{"bytes": 65536}', Processed(65_536)),
    ],
)
def test_a_message_of_a_client(message: bytes, parsed: object) -> None:
    """Its first byte is the channel."""
    assert parse_message(message) == parsed


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\1hi",
        b"\2hi",
        b"\3{}",
        b"\xff",
        b"\xff\1",
        b"\x04",
        b"\x04[]",
        b"\x04{}",
        b'\x04{"rows": 0, "columns": 80}',
        b'\x04{"rows": 70000, "columns": 80}',
        b'\x04{"rows": "x", "columns": 80}',
        b'\x04{"rows": 1e999, "columns": 80}',
        b'\x04{"rows": true, "columns": 80}',
        b'\x04{"rows": ' + b"9" * 5_000 + b', "columns": 80}',
        b"\x04" + b"[" * 100_000,
        b"\x04\xff",
        b"\x05",
        b'\x05{"bytes": -1}',
        b'\x05{"bytes": 0.5}',
    ],
)
def test_a_bad_message_is_refused(message: bytes) -> None:
    """By one exception, with words."""
    with pytest.raises(ValueError, match=r"."):
        parse_message(message)


def test_messages_to_a_client() -> None:
    """Output as it is; the end as JSON."""
    assert [output_message(1, b"\xff"), status_message(Ended(exit_code=3))] == [
        b"\x01\xff",
        b'\x03{"exit_code": 3, "signal": null, "message": ""}',
    ]
