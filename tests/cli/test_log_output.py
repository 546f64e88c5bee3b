"""What a terminal gets of logs, and what a pipe does."""

import os
import pty
import sys

import pytest

from lightboard.cli.log_output import show_log_line, styled_text

ATTACK = "\x1b]0;root@bank\x07\x1b]52;c;cm0gLXJm\x07\x1b[31mred\x1b[0m\x1b[2J\x1b[1A\x1bP$q\x1b\\ \u202eexe.gpj\x9b6n"


def test_a_terminal_gets_colours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No title, clipboard, screen, cursor, request for an answer, or text that is turned."""
    master, slave = pty.openpty()
    try:
        with os.fdopen(slave, "w", encoding="utf-8") as terminal:
            monkeypatch.setattr(sys, "stdout", terminal)
            show_log_line(ATTACK)
            monkeypatch.undo()
        seen = os.read(master, 1000).decode()
    finally:
        os.close(master)

    assert seen == "\x1b[31mred\x1b[0m \\u202eexe.gpj6n\r\n"


def test_a_pipe_gets_what_was_logged(capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte, as kubectl and docker pass it on."""
    show_log_line(ATTACK)

    assert capsys.readouterr().out == f"{ATTACK}\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("epoch 3\tloss 0.1", "epoch 3\tloss 0.1"),
        ("\x1b[1;38;5;9mfar\x1b[m", "\x1b[1;38;5;9mfar\x1b[m"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x07!", "link!"),
        ("\x1b]0;a title without end", ""),
        ("\x1b\x1b]0;title\x07after", "after"),
        ("\x1b[?1049h\x1bctext\x1b", "text"),
        ("训练 ✓ 🎉", "训练 ✓ 🎉"),
    ],
)
def test_other_sequences_are_left_out(line: str, text: str) -> None:
    """As on the page of a job."""
    assert styled_text(line) == text


def test_no_control_character_gets_through() -> None:
    """But that of a colour, and the tabulator."""
    controls = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]

    passed = {each for each in controls if each in styled_text(f"{each}[31m{each}")}

    assert passed == {"\t", "\x1b"}
