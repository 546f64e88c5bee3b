"""What a terminal gets of logs, and what a pipe does."""

import os
import pty
import sys
from collections.abc import Callable

import pytest

from lightboard.cli.log_output import show_log_line
from lightboard.client.training_jobs import print_line

ATTACK = "\x1b]0;root@bank\x07\x1b]52;c;cm0gLXJm\x07\x1b[31mred\x1b[0m\x1b[2J\x1b[1A\x1bP$q\x1b\\ \u202eexe.gpj\x9b6n"
PRINTERS = (show_log_line, print_line)
"""Those of the command line and of the SDK."""


@pytest.mark.parametrize("print_one", PRINTERS)
def test_a_terminal_gets_colours_alone(print_one: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """No title, clipboard, screen, cursor, request for an answer, or text that is turned."""
    master, slave = pty.openpty()
    try:
        with os.fdopen(slave, "w", encoding="utf-8") as terminal:
            monkeypatch.setattr(sys, "stdout", terminal)
            print_one(ATTACK)
            monkeypatch.undo()
        seen = os.read(master, 1000).decode()
    finally:
        os.close(master)

    assert seen == "\x1b[31mred\x1b[0m \\u202eexe.gpj6n\r\n"


@pytest.mark.parametrize("print_one", PRINTERS)
def test_a_pipe_gets_what_was_logged(print_one: Callable[[str], None], capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte, as kubectl and docker pass it on."""
    print_one(ATTACK)

    assert capsys.readouterr().out == f"{ATTACK}\n"
