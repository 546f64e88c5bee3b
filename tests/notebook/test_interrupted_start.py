"""Starting a board can be interrupted."""

import pathlib

import pytest

from lightboard import __version__
from lightboard.notebook.board_process import start
from lightboard.notebook.board_record import BoardCommand


def test_an_interrupt_while_it_starts_ends_the_board(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is left; the process would be found after the test."""

    def interrupt(_secs: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("LIGHTBOARD_HOME", str(tmp_path))
    monkeypatch.setattr("time.sleep", interrupt)

    with pytest.raises(KeyboardInterrupt):
        start(BoardCommand(__version__, str(tmp_path), ("runs", "--port", "0"), ""))

    assert list((tmp_path / "notebooks").iterdir()) == []
