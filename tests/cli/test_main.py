"""The entry point: commands, exit codes, and what goes where."""

import pytest

from lightboard import __version__
from lightboard.cli.main import main, split_command


def test_version_tells_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Core and pages, one line each, on stdout."""
    assert main(["--version"]) == 0

    first, core, pages = capsys.readouterr().out.splitlines()
    assert first == f"lightboard {__version__}"
    assert core.startswith("native core: ")
    assert pages.startswith("pages: ")


def test_the_bare_version(capsys: pytest.CaptureFixture[str]) -> None:
    """For scripts."""
    assert (main(["--version_tb"]), capsys.readouterr().out) == (0, f"{__version__}\n")


def test_help_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A hundred columns, and every group has its title."""
    assert main(["serve", "--help"]) == 0

    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    assert [title for title in ("what to show:", "where to serve it:", "how to read it:") if title not in text] == []


@pytest.mark.parametrize("words", [["--nonsense"], ["a", "--port", "x"], ["--inspect"], ["demo", "--logdir", "x"]])
def test_a_mistake_ends_with_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Two lines on stderr, nothing on stdout, no traceback."""
    assert main(words) == 2

    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 2)
    assert err.startswith("lightboard: ")
    assert err.splitlines()[1].startswith("hint: ")


def test_a_file_is_no_logdir(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    """The error says which folder was probably meant."""
    assert main(["--logdir", __file__]) == 2

    assert "is a file, not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "command", "left"),
    [
        (["serve", "runs"], "serve", ["runs"]),
        (["runs"], "serve", ["runs"]),
        (["runs", "serve"], "serve", ["runs"]),
        (["demo"], "demo", []),
        (["./demo"], "serve", ["./demo"]),
        ([], "serve", []),
    ],
)
def test_a_command_may_stand_first_or_last(words: list[str], command: str, left: list[str]) -> None:
    """TensorBoard takes `serve` in either place; a folder of that name is written ./serve."""
    assert split_command(words) == (command, left)
