"""The entry point: commands, exit codes, and what goes where."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from lightboard import __version__, _native
from lightboard.cli.main import REMOTE, main, split_command
from lightboard.testing.event_files import scalar_record, write_events


@pytest.mark.parametrize("flag", ["--version", "--version_tb"])
def test_the_version_is_one_line(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As TensorBoard's: scripts read it."""
    assert (main([flag]), capsys.readouterr().out) == (0, f"{__version__}\n")


def test_what_is_missing_stands_beside_the_version(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On stderr, and only where something is."""
    monkeypatch.setattr(_native, "core", None)
    monkeypatch.setattr(_native, "reason", "it was never built")
    main(["--version"])

    out, err = capsys.readouterr()
    assert out == f"{__version__}\n"
    assert "the compiled core is missing: it was never built" in err


def test_help_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A hundred columns, and every group has its title."""
    assert main(["serve", "--help"]) == 0

    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    assert [title for title in ("what to show:", "where to serve it:", "how to read it:") if title not in text] == []


@pytest.mark.parametrize("command", ["demo", "export", "hub", *REMOTE])
def test_help_names_every_command(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Nobody finds a hub who is not told of it."""
    main(["--help"])

    usage = capsys.readouterr().out.split("\n\n")[0]
    assert command in re.findall(r"\w+", usage)


def test_help_says_what_switches_take(capsys: pytest.CaptureFixture[str]) -> None:
    """A value in brackets is one that may be left out."""
    main(["--help"])

    assert "--bind_all [BOOL]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--nonsense", 2),
        ("a --port x", 2),
        ("a --reload_task sometimes", 2),
        ("hub --workers 0", 2),
        ("", 1),
        ("--inspect", 1),
        ("demo --logdir x", 2),
        ("a --host x --bind_all", 1),
        ("--logdir a --logdir_spec b", 1),
        ("a --path_prefix x", 1),
        ("--inspect --event_file a --logdir b", 1),
    ],
)
def test_a_mistake_ends_with_tensorboards_code(words: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """2 for a line that cannot be read, 1 for flags that make no sense together. Two lines on stderr, no traceback."""
    assert main(words.split()) == code

    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 2)
    assert err.startswith("lightboard: ")
    assert err.splitlines()[1].startswith("hint: ")


@pytest.mark.parametrize("path", ["/dev/null", "/dev/null/x", "x" * 5000])
def test_what_can_never_be_a_folder_is_no_logdir(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Told at once instead of an empty page that waits for ever."""
    assert main(["--logdir", path]) == 1

    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"lightboard: {path} ")
    assert second == "hint: give a folder with event files somewhere below it"


def test_a_file_is_no_logdir(capsys: pytest.CaptureFixture[str]) -> None:
    """The error says which folder was probably meant."""
    assert main(["--logdir", __file__]) == 1

    said = capsys.readouterr().err
    assert "is a file, not a folder" in said
    assert f"the folder that holds it: {os.path.dirname(__file__)}" in said


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


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """A run whose name few encodings hold, with a tag that gives orders to terminals."""
    write_events(tmp_path / "каталог 🎉" / "events.out.tfevents.1", [scalar_record("a\x1b[2J\nb", 0, 1.0)])
    return tmp_path


def shell(line: str, logdir: pathlib.Path, encoding: str = "utf-8") -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of a shell line in which $LB is the program and $LOGS the folder."""
    environment = os.environ | {"LB": f"{sys.executable} -m lightboard", "LOGS": str(logdir)}
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True,
        env=environment | {"PYTHONIOENCODING": encoding},
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_whoever_stops_reading_is_not_complained_to(logdir: pathlib.Path) -> None:
    """`| head` ends it quietly and well."""
    assert shell("$LB --inspect $LOGS | head -c 0", logdir) == (0, b"", b"")


def test_a_closed_stdout_is_no_reason_to_fail(logdir: pathlib.Path) -> None:
    """Nothing is printed, nothing breaks."""
    assert shell("$LB --inspect $LOGS >&-", logdir) == (0, b"", b"")


@pytest.mark.parametrize("words", ["--inspect $LOGS", "--version", "--help"])
def test_a_full_disk_is_told(words: str, logdir: pathlib.Path) -> None:
    """As an error of two lines, with code 1."""
    code, _, err = shell(f"$LB {words} >/dev/full", logdir)

    assert (code, err.decode().splitlines()) == (
        1,
        ["lightboard: cannot write to stdout: No space left on device", "hint: is its disk full?"],
    )


def test_any_name_can_be_printed_anywhere(logdir: pathlib.Path) -> None:
    """What the terminal's encoding lacks is escaped, and so is what would give orders to it."""
    code, out, err = shell("$LB --inspect $LOGS", logdir, "latin-1")

    assert (code, err) == (0, b"")
    assert b"\\u043a\\u0430\\u0442\\u0430\\u043b\\u043e\\u0433 \\U0001f389:\n" in out
    assert b"\n   a\\x1b[2J\\nb\n" in out
